# SPDX-License-Identifier: Apache-2.0
"""A consensus of networks as a post-transform of MONAI, which has to be installed: from crema.monai import
ConsensusEnsembled.

It stands where `MeanEnsembled` stands: outputs of several models in, one output of the same shape out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crema._fuse import fuse
from crema._result import Result

try:
    import torch  # type: ignore
    from monai.transforms import Ensembled, MeanEnsemble  # type: ignore
except ImportError as error:
    raise ImportError(f"crema.monai needs MONAI: pip install monai ({error}).") from error

__all__ = ["ConsensusEnsemble", "ConsensusEnsembled"]

_FLOOR = 0.05


class ConsensusEnsemble(MeanEnsemble):  # type: ignore
    """The consensus of several models' outputs, as `MeanEnsemble` gives their mean.

    Parameters
    ----------
    method : str
        A method that takes levels: a soft one gives levels, a hard one zeros and ones.
    softmax : bool
        Whether the channels of a voxel sum to 1 and the first is the background. Otherwise each channel is a sigmoid of
        its own, and is fused alone. One channel is always a sigmoid.
    **settings
        Of `crema.fuse`, such as floor=0.1, or logits="softmax" for outputs without an activation.

    Attributes
    ----------
    rules : list of str
        How much each model counted in the last call, one sentence per class; empty where the method has no weights.
    """

    def __init__(self, method: str = "tanimoto", *, softmax: bool = True, **settings: Any) -> None:
        super().__init__()
        self.method, self.softmax, self.settings = method, softmax, settings
        self.rules: list[str] = []

    def __call__(self, img: Sequence[Any] | Any) -> Any:
        """[C, H, W[, D]] of each model, in a sequence or stacked: the same shape, kind and type again."""
        stacked = self.get_stacked_torch(img)
        models = stacked.as_tensor() if hasattr(stacked, "as_tensor") else stacked
        if models.ndim not in (4, 5):
            raise ValueError(
                f"ConsensusEnsemble: the models' outputs have shape {tuple(models.shape[1:])}, but [C, H, W] or "
                "[C, H, W, D] is wanted; apply it to one case at a time, after Decollated."
            )
        self.rules = []
        if self.softmax and models.shape[1] > 1:
            fused = self._classes(models)
        else:
            fused = torch.stack([self._one(models[:, c]) for c in range(models.shape[1])])
        return self.post_convert(fused, img)

    def _fuse(self, models: Any, inside: Any, channels: int | None) -> Result | None:
        """None where no model finds anything."""
        if "logits" not in self.settings and bool((inside < self.settings.get("floor", _FLOOR)).all()):
            return None
        result = fuse(list(models.float()), method=self.method, probabilities=True, channels=channels, **self.settings)
        record = result.to_dict()
        for row in record.get("structures", [record]):
            if row.get("rule"):
                self.rules.append(row["rule"]["text"])
        return result

    def _one(self, maps: Any) -> Any:
        result = self._fuse(maps, maps, None)
        return torch.zeros_like(maps[0], dtype=torch.float32) if result is None else result.image.float()

    def _classes(self, models: Any) -> Any:
        count = models.shape[1]
        fused = torch.zeros_like(models[0], dtype=torch.float32)
        result = self._fuse(models, models[:, 1:], 0)
        for c in range(1, count):
            if result is not None:
                fused[c] = result[c].image.float()
        fused[0] = (1 - fused[1:].sum(0)).clamp(min=0)
        return fused


class ConsensusEnsembled(Ensembled):  # type: ignore
    """`ConsensusEnsemble` for dictionaries, with the keys of `MeanEnsembled`.

    Parameters
    ----------
    keys : str or sequence of str
        The models' outputs; one key holds them stacked along a first axis.
    output_key : str, optional
        Where the consensus goes; with one key it may be left out and is that key.
    method, softmax, **settings
        As in `ConsensusEnsemble`; `ensemble.rules` then says how much each model counted.
    """

    backend = ConsensusEnsemble.backend

    def __init__(
        self,
        keys: Any,
        output_key: str | None = None,
        method: str = "tanimoto",
        *,
        softmax: bool = True,
        **settings: Any,
    ) -> None:
        super().__init__(keys, ConsensusEnsemble(method, softmax=softmax, **settings), output_key)
