# SPDX-License-Identifier: Apache-2.0
"""Before raters in memory are laid out: tensors come to the host, and axes of classes are taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from crema import _tensors
from crema._channels import class_channels
from crema._kinds import Array, Frame, Kind, is_tensor, kind_of
from crema._labels import from_one_hot
from crema._tensors.packing import bring_levels, bring_masks

if TYPE_CHECKING:
    from crema import _core


class Landed(NamedTuple):
    """Raters of one kind on the host."""

    kind: Kind
    masks: list[Any]  #: with classes, the first map of each rater
    classes: list[Array | None]  #: with classes, all maps of each rater
    device: str | None  #: where tensors lived, and results go

    def home(self, frame: Frame) -> Frame:
        """Results go where the first rater came from."""
        return frame if self.device is None else replace(frame, like=frame.like._replace(device=self.device))


def check_kinds(names: list[str], masks: list[Any]) -> Kind:
    first = kind_of(masks[0])
    for name, mask in zip(names, masks, strict=True):
        kind = kind_of(mask)
        if kind is not first:
            what = f"is {kind.title}, but {names[0]} is {first.title}"
            raise ValueError(f"{name}: {what}; give all raters as one kind.")
    return first


def _bring(tensors: Sequence[Any], requested: _core.Settings, channels: int | None) -> list[Array | None]:
    if not requested.probabilities:
        return bring_masks(tensors)
    if requested.floor is None:  # logits have to be seen whole
        return [None] * len(tensors)
    return bring_levels(tensors, requested.floor, channels, background=not requested.regions)


def land(names: list[str], masks: list[Any], requested: _core.Settings, channels: int | None) -> Landed:
    """What is elsewhere is cropped and packed there; `channels` is the axis of one-hot arrays or classes."""
    kind = check_kinds(names, masks)
    classes: list[Array | None] = [None] * len(masks)
    device = str(masks[0].device) if is_tensor(masks[0]) else None
    if device is not None:
        bring = partial(_bring, requested=requested, channels=channels)
        masks = _tensors.land(masks, names, bring, channels=channels is not None)
    if channels is None:
        return Landed(kind, masks, classes, device)
    arrays = [
        kind.open(mask, name).array if device is None else _tensors.whole(mask, name)
        for name, mask in zip(names, masks, strict=True)
    ]
    if requested.probabilities:
        stacks = class_channels(names, arrays, channels, regions=requested.regions)
        classes, arrays = list(stacks), [stack[0] for stack in stacks]
    else:
        arrays = [from_one_hot(array, channels, name) for name, array in zip(names, arrays, strict=True)]
    if device is not None:
        masks = [_tensors.remake(mask, array) for mask, array in zip(masks, arrays, strict=True)]
        return Landed(kind, masks, classes, device)
    return Landed(check_kinds(names, arrays), arrays, classes, device)
