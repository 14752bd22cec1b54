# SPDX-License-Identifier: Apache-2.0
"""In place of torch and MONAI: tensors that may be on another device, which count the bytes that leave it.

They support the calls of torch and MONAI that the package makes, and refuse what these refuse.
"""

from __future__ import annotations

import operator
import sys
import types

import numpy as np


class Device:
    def __init__(self, name):
        self.type, self.name = name.split(":")[0], name

    def __str__(self):
        return self.name


class Tensor:
    """As torch's, its memory is out of reach unless it is on the host."""

    copies = 0  #: how often a tensor moved
    fetched = 0  #: how many bytes came to the host

    def __init__(self, array, device="cpu"):
        self.array, self.device = np.asarray(array), Device(device)

    def _like(self, array, device=None):
        return Tensor(array, device or self.device.name)

    def numpy(self):
        if self.device.type != "cpu":
            raise TypeError(f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() first.")
        return self.array

    def to(self, device):
        Tensor.copies += 1
        if str(device) == "cpu":
            Tensor.fetched += self.array.nbytes
        return self._like(self.array.copy(), str(device))

    def cpu(self):
        return self.to("cpu")

    def detach(self):
        return self

    resolve_conj = resolve_neg = detach

    shape = property(lambda self: self.array.shape)
    ndim = property(lambda self: self.array.ndim)
    dtype = property(lambda self: self.array.dtype)

    def __iter__(self):
        return (self._like(part) for part in self.array)

    def __getitem__(self, index):
        return self._like(self.array[index])

    def __bool__(self):
        return bool(self.cpu().array)

    def is_contiguous(self):
        return self.array.flags.c_contiguous

    def permute(self, *axes):
        return self._like(self.array.transpose(axes))

    def movedim(self, source, target):
        return self._like(np.moveaxis(self.array, source, target))

    def reshape(self, *shape):
        return self._like(self.array.reshape(*shape))

    def byte(self):
        return self._like(self.array.astype(np.uint8))

    def float(self):
        return self._like(self.array.astype(np.float32))

    def abs(self):
        return self._like(np.abs(self.array))

    def any(self, axis):
        return self._like(self.array.any(axis))

    def all(self):
        return self._like(self.array.all())

    def sum(self, axis):
        return self._like(self.array.sum(axis))


def _between(name):
    def apply(self, other):
        return self._like(getattr(operator, name)(self.array, other.array if isinstance(other, Tensor) else other))

    return apply


for _name in ("eq", "ne", "ge", "le", "lt", "sub", "lshift"):
    setattr(Tensor, f"__{_name}__", _between(_name))
Tensor.__and__, Tensor.__or__ = _between("and_"), _between("or_")


class MetaTensor(Tensor):
    def __init__(self, x, affine=None, meta=None):
        super().__init__(x.array, x.device.name)
        self.meta = dict(meta or {})
        self.meta["affine"] = affine if affine is not None else Tensor(np.eye(4))

    affine = property(lambda self: self.meta["affine"])

    def as_tensor(self):
        return Tensor(self.array, self.device.name)

    def __iter__(self):
        return (MetaTensor(self._like(part), self.affine, self.meta) for part in self.array)


def install(monkeypatch):
    """For one test, whether torch and MONAI are installed or not."""
    torch, monai = types.ModuleType("torch"), types.ModuleType("monai.data.meta_tensor")
    torch.Tensor, torch.from_numpy = Tensor, Tensor
    monai.MetaTensor = MetaTensor
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "monai.data.meta_tensor", monai)
