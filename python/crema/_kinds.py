# SPDX-License-Identifier: Apache-2.0
"""The kinds of masks that people have, and how each gives its voxels and takes a result.

A kind turns an object into a `Source`, an array and where it lies, and a result back into an object like it. Packages
are never imported here: the owner of such an object has imported them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from crema import _core, _tensors
from crema._image import Geometry, Image

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[Any]"

Order = Literal["C", "F"]


class Source(NamedTuple):
    """One rater's voxels: value = slope · array + intercept."""

    array: Array
    grid: _core.Grid | None = None  #: None for arrays, which lie nowhere
    slope: float = 1.0
    intercept: float = 0.0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind:
    """How objects of one kind are opened and made."""

    title: str
    open: Callable[[Any, str], Source]
    where: Callable[[Any, str], _core.Grid | None]  #: without loading any voxel
    keep: Callable[[Any], Any]  #: what of the first one is needed to make one like it
    move: Callable[[Any, _core.Header], Any]  #: the same on another grid
    wrap: Callable[[Any, Array], Any]  #: an object like the first one, with this array in it
    order: Order | None  #: the memory order that files of this kind have; None: the first array's


@dataclass(frozen=True)
class Frame:
    """How the caller's images look, without their voxels."""

    kind: Kind
    like: Any
    shape: tuple[int, ...]
    order: Order
    boolean: bool = False  #: masks are bool, so that a hard result is

    def wrap(self, flat: Array, *, mask: bool = True) -> Any:
        """An image like theirs."""
        array = flat.reshape(self.shape, order=self.order)
        return self.kind.wrap(
            self.like, array.view(np.bool_) if mask and self.boolean and flat.itemsize == 1 else array
        )

    def volume(self, flat: Array) -> Array:
        """Indexed (z, y, x), whatever theirs is."""
        memory = self.shape if self.order == "C" else self.shape[::-1]
        return flat.reshape((1, *memory)[-3:])


def make_grid(shape: tuple[int, ...], order: Order, spacing: tuple[float, ...] | None) -> _core.Grid:
    """The grid whose memory is laid out like an array of that shape and order; no spacing: nothing is in mm."""
    step = -1 if order == "C" else 1
    size = [*shape[::step], 1][:3]
    steps = [*(spacing or (1.0,) * len(shape))[::step], 1.0][:3]
    direction = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    return _core.Grid(size, steps, (0.0, 0.0, 0.0), direction, spacing is not None)


def _from_array(mask: Any, name: str) -> Source:
    if type(mask) is np.ndarray:
        return Source(mask)
    if isinstance(mask, np.ma.MaskedArray):
        raise ValueError(f"{name}: is a masked array; say what its hidden voxels are, with mask.filled(0).")
    device = getattr(mask, "__dlpack_device__", None)
    if device is not None and not isinstance(mask, np.ndarray):
        if int(device()[0]) != 1:
            raise ValueError(f"{name}: lies in the memory of another device; move it to the CPU first.")
        if not hasattr(mask, "__array__"):
            return Source(np.from_dlpack(mask))
    try:
        return Source(np.asarray(mask))
    except ValueError as error:
        raise ValueError(f"{name}: is not an array ({error}); give numbers in rows of equal length.") from None


def _from_torch(mask: Any, name: str) -> Source:
    return Source(_tensors.voxels(mask, name))


def _sitk_grid(image: Any) -> _core.Grid:
    """SimpleITK's axes point left and posterior, ours right and anterior."""
    ndim = image.GetDimension()
    direction, origin = np.eye(3), np.zeros(3)
    direction[:ndim, :ndim] = np.reshape(image.GetDirection(), (ndim, ndim))
    origin[:ndim] = image.GetOrigin()
    flip = np.array([-1.0, -1.0, 1.0])
    size, spacing = [*image.GetSize(), 1][:3], [*image.GetSpacing(), 1.0][:3]
    return _core.Grid(size, spacing, (flip * origin).tolist(), (flip[:, None] * direction).ravel().tolist())


def _sitk_where(image: Any, name: str) -> _core.Grid:
    if image.GetNumberOfComponentsPerPixel() != 1 or image.GetDimension() not in (2, 3):
        raise ValueError(
            f"{name}: is a {image.GetDimension()}-D image with {image.GetNumberOfComponentsPerPixel()} values per "
            "voxel; masks are 2-D or 3-D with one. Choose one with SimpleITK.VectorIndexSelectionCast or Extract."
        )
    return _sitk_grid(image)


def _from_sitk(image: Any, name: str) -> Source:
    grid = _sitk_where(image, name)
    return Source(sys.modules["SimpleITK"].GetArrayViewFromImage(image), grid)


def _sitk_geometry(image: Any) -> tuple[Any, ...]:
    return image.GetOrigin(), image.GetSpacing(), image.GetDirection()


def _sitk_at(like: Any, header: _core.Header) -> tuple[Any, ...]:
    grid, flip = header.grid, np.array([-1.0, -1.0, 1.0])
    ndim = len(like[0]) if grid.size[2] == 1 else 3
    direction = (flip[:, None] * np.reshape(grid.direction, (3, 3)))[:ndim, :ndim]
    return tuple((flip * grid.origin)[:ndim].tolist()), tuple(grid.spacing[:ndim]), tuple(direction.ravel().tolist())


def _to_sitk(like: Any, array: Array) -> Any:
    result = sys.modules["SimpleITK"].GetImageFromArray(array.view(np.uint8) if array.dtype == bool else array)
    for put, value in zip((result.SetOrigin, result.SetSpacing, result.SetDirection), like, strict=True):
        put(value)
    return result


def _affine_grid(affine: Array, shape: tuple[int, ...]) -> _core.Grid:
    spacing = np.linalg.norm(affine[:3, :3], axis=0)
    direction = affine[:3, :3] / np.where(spacing > 0, spacing, 1)
    return _core.Grid([*shape, 1][:3], spacing.tolist(), affine[:3, 3].tolist(), direction.ravel().tolist())


def _nibabel_where(image: Any, name: str) -> _core.Grid:
    affine = np.asarray(image.affine, dtype=np.float64)
    if not np.isfinite(affine).all():
        raise ValueError(f"{name}: the affine holds NaN or infinite numbers; set it right first.")
    return _affine_grid(affine, image.shape)


def _from_nibabel(image: Any, name: str) -> Source:
    """Stored numbers and their scaling: the scaled ones would be float64."""
    data, slope, intercept = image.dataobj, 1.0, 0.0
    if hasattr(data, "get_unscaled"):
        slope, intercept = float(data.slope), float(data.inter)
        data = data.get_unscaled()
    array = np.asanyarray(data)
    while array.ndim > 3 and array.shape[-1] == 1:
        array = array[..., 0]
    return Source(array, _nibabel_where(image, name), slope, intercept)


def _nibabel_header(image: Any) -> tuple[Any, ...]:
    return type(image), image.shape, image.affine, image.header.copy()


def _nibabel_at(like: Any, header: _core.Header) -> tuple[Any, ...]:
    make, shape, _, own = like
    size = tuple(header.grid.size)
    shape = size[:2] if len(shape) == 2 and size[2] == 1 else (*size, *shape[3:])
    return make, shape, Geometry.of(header).affine, own


def _to_nibabel(like: Any, array: Array) -> Any:
    make, shape, affine, header = like
    array = array.view(np.uint8) if array.dtype == bool else array
    header = header.copy()
    header.set_data_dtype(array.dtype)
    return make(array.reshape(shape, order="A"), affine, header)


def _meta_where(tensor: Any, name: str) -> _core.Grid:
    return _affine_grid(_tensors.meta_affine(tensor, name), _tensors.spatial(tuple(tensor.shape)))


def _from_meta(tensor: Any, name: str) -> Source:
    return Source(_tensors.meta_voxels(tensor, name), _meta_where(tensor, name))


def _meta_at(like: Any, header: _core.Header) -> Any:
    return _tensors.meta_move(like, tuple(header.grid.size), Geometry.of(header).affine)


def _from_image(image: Image, _name: str) -> Source:
    return Source(image.array, image.geometry.grid(), warnings=image.warnings)


def _image_where(image: Image, _name: str) -> _core.Grid:
    return image.geometry.grid()


def _geometry(image: Image) -> Geometry:
    return image.geometry


def _geometry_at(_like: Geometry, header: _core.Header) -> Geometry:
    return Geometry.of(header)


def _to_image(like: Geometry, array: Array) -> Image:
    return Image(array, like)


def _no_grid(_mask: Any, _name: str) -> None:
    return None


def _nothing(_mask: Any) -> None:
    return None


def _nowhere(_like: Any, _header: _core.Header) -> None:
    return None


def _same(_like: Any, array: Array) -> Array:
    return array


# Functions with names, so that results can be pickled.
_ARRAY = Kind("an array", _from_array, _no_grid, _nothing, _nowhere, _same, None)
_TORCH = Kind("a torch tensor", _from_torch, _no_grid, _tensors.keep, _nowhere, _tensors.wrap, None)
_META = Kind("a MetaTensor", _from_meta, _meta_where, _tensors.meta_keep, _meta_at, _tensors.meta_wrap, "F")
_SITK = Kind("a SimpleITK image", _from_sitk, _sitk_where, _sitk_geometry, _sitk_at, _to_sitk, "C")
_NIBABEL = Kind("a nibabel image", _from_nibabel, _nibabel_where, _nibabel_header, _nibabel_at, _to_nibabel, "F")
IMAGE = Kind("an image of crema", _from_image, _image_where, _geometry, _geometry_at, _to_image, "C")


def _is_from(value: object, package: str, name: str) -> bool:
    module = sys.modules.get(package)
    return module is not None and isinstance(value, getattr(module, name, ()))


def is_path(value: object) -> bool:
    return isinstance(value, (str, bytes, os.PathLike))


def kind_of(mask: object) -> Kind:
    """Files are opened before, as images of ours."""
    if type(mask) is np.ndarray:
        return _ARRAY
    if isinstance(mask, Image):
        return IMAGE
    if _is_from(mask, "SimpleITK", "Image"):
        return _SITK
    if _is_from(mask, "nibabel.spatialimages", "SpatialImage"):
        return _NIBABEL
    if _is_from(mask, "monai.data.meta_tensor", "MetaTensor"):
        return _META
    if _is_from(mask, "torch", "Tensor"):
        return _TORCH
    return _ARRAY


def is_tensor(mask: object) -> bool:
    return kind_of(mask) in (_TORCH, _META)


def is_stack(masks: object) -> bool:
    """One array whose first axis is the raters."""
    kind = kind_of(masks)
    return is_tensor(masks) or ((kind is _ARRAY and hasattr(masks, "__array__")) or hasattr(masks, "__dlpack__"))
