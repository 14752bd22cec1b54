# SPDX-License-Identifier: Apache-2.0
"""What it takes to bring tensors from a GPU to the host: as they are, and cropped and packed there.

    python bench/tensors.py [--size 300,512,512] [--raters 5] [--repeats 9] [--device cuda]

Needs torch and NumPy. Where the package is installed, or its extension lies beside the sources, `crema.fuse` is timed
too, and its results from tensors and from arrays are compared; without it only the packing is, which needs no compiler.
Prints medians with the least and the greatest, the bytes copied, and whether all values are the same. Without a GPU it
runs on the processor and says so: values are compared there, times mean nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import torch

FLOOR = 0.05


def load_packing() -> ModuleType:
    """The module by its file: the package itself wants its extension."""
    path = Path(__file__).resolve().parents[1] / "python/crema/_tensors/packing.py"
    spec = importlib.util.spec_from_file_location("packing", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_crema() -> Any:
    try:
        import crema
    except ImportError as error:
        print(f"without crema ({error}): packing alone is measured\n")
        return None
    return crema


def networks(size: tuple[int, ...], raters: int, device: str) -> torch.Tensor:
    """Levels of one object of about a tenth of each axis, made on the device; nearly 0 far from it, but not 0."""
    generator = torch.Generator().manual_seed(1)
    maps = []
    for _ in range(raters):
        far = torch.zeros(size, device=device)
        for axis, length in enumerate(size):
            shift = float(torch.randn((), generator=generator)) * length / 200
            at = (torch.arange(length, device=device) - length / 2 - shift) / (length / 20)
            far += (at**2).reshape([-1 if other == axis else 1 for other in range(len(size))])
        maps.append(torch.sigmoid(10 * (1 - far.sqrt())))
    return torch.stack(maps)


class Timer:
    def __init__(self, device: str, repeats: int) -> None:
        self.device, self.repeats = device, repeats

    def wait(self) -> None:
        if self.device.startswith("cuda"):
            torch.cuda.synchronize()

    def __call__(self, what: str, work: Callable[[], Any]) -> Any:
        result = work()  # once unmeasured: memory is mapped and kernels are loaded
        times = []
        for _ in range(self.repeats):
            self.wait()
            start = time.perf_counter()
            result = work()
            self.wait()
            times.append(1000 * (time.perf_counter() - start))
        median = sorted(times)[len(times) // 2]
        print(f"{what:52} {median:9.2f} ms ({min(times):.2f} to {max(times):.2f})")
        return result


def compare_copies(packing: ModuleType, timer: Timer, name: str, tensors: list[torch.Tensor], bring: Any) -> bool:
    """`bring` makes arrays; those of levels are compared where they reach the floor."""
    size = sum(tensor.nbytes for tensor in tensors)
    plain = timer(f"{name}: copied as they are, {size / 1e6:.1f} MB", lambda: [t.cpu().numpy() for t in tensors])
    box = packing.box_around([tensor >= FLOOR if tensor.is_floating_point() else tensor for tensor in tensors])
    voxels = numpy.prod([at.stop - at.start for at in box])
    copied = 4 * voxels * len(tensors) if tensors[0].is_floating_point() else voxels * -(-len(tensors) // 8)
    packed = timer(f"{name}: cropped and packed, {copied / 1e6:.1f} MB", lambda: bring(tensors))
    low = FLOOR if tensors[0].is_floating_point() else 0
    same = all(
        bool((numpy.where(a < low, 0, a) == numpy.where(b < low, 0, b)).all())
        for a, b in zip(packed, plain, strict=True)
    )
    print(f"{name}: values {'are the same' if same else 'DIFFER'}\n")
    return same


def compare_results(crema: Any, timer: Timer, name: str, tensors: list[torch.Tensor], keywords: dict[str, Any]) -> bool:
    arrays = [tensor.cpu().numpy() for tensor in tensors]
    here = timer(f"{name}: crema.fuse of arrays", lambda: crema.fuse(arrays, **keywords)).image
    copied = timer(f"{name}: copied as they are, crema.fuse and back",
                   lambda: torch.from_numpy(crema.fuse([t.cpu().numpy() for t in tensors], **keywords).image)
                   .to(tensors[0].device))  # fmt: skip
    there = timer(f"{name}: crema.fuse of tensors", lambda: crema.fuse(tensors, **keywords).image)
    same = (
        there.device == tensors[0].device
        and bool((there.cpu().numpy() == here).all())
        and bool((there == copied).all())
    )
    print(f"{name}: results {'are the same' if same else 'DIFFER'}\n")
    return same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="300,512,512")
    parser.add_argument("--raters", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    size = tuple(int(length) for length in options.size.split(","))
    on_gpu = options.device.startswith("cuda")
    where = torch.cuda.get_device_name(options.device) if on_gpu else "NO GPU: on the processor"
    print(f"{where}, torch {torch.__version__}, numpy {numpy.__version__}; {options.raters} of {options.size}\n")
    packing, crema, timer = load_packing(), load_crema(), Timer(options.device, options.repeats)
    levels = networks(size, options.raters, options.device)
    masks, maps = list((levels > 0.5).byte()), list(levels)
    same = [
        compare_copies(packing, timer, "masks", masks, packing.bring_masks),
        compare_copies(packing, timer, "levels", maps, lambda tensors: packing.bring_levels(tensors, FLOOR)),
    ]
    if crema is not None:
        same.append(compare_results(crema, timer, "masks", masks, {}))
        same.append(compare_results(crema, timer, "levels", maps, {"method": "tanimoto", "probabilities": True}))
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
