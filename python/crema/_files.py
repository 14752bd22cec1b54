# SPDX-License-Identifier: Apache-2.0
"""Strict readers and atomic writers for mask files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from crema import _core
from crema._image import Geometry, Image
from crema._settings import settings_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

_READ = ("threshold", "label", "max_memory")
Path = str | os.PathLike[str]


def require_files(paths: Iterable[str], requested: _core.Settings) -> None:
    """A file that is not there raises FileNotFoundError, with the library's sentence."""
    for path in paths:
        if not os.path.lexists(_core.file_of(path)):
            try:
                _core.read_headers(path, requested)
            except ValueError as error:
                raise FileNotFoundError(str(error)) from None


def _open(path: Path, segment: str | None, requested: _core.Settings) -> _core.Header:
    require_files([os.fspath(path)], requested)
    headers = _core.read_headers(os.fspath(path), requested)
    names = ", ".join(repr(header.name) for header in headers)
    if segment is None:
        if len(headers) == 1:
            return headers[0]
        raise ValueError(f"{headers[0].path}: holds {len(headers)} segments; choose one with segment=: {names}.")
    for header in headers:
        if header.name == segment:
            return header
    raise ValueError(f"{headers[0].path}: holds no segment {segment!r}; it holds {names}.")


def read(
    path: Path,
    *,
    threshold: float | None = None,
    label: float | None = None,
    segment: str | None = None,
    max_memory: int | str | None = None,
) -> Image:
    """A mask from a file, or an error that says why it is none.

    Parameters
    ----------
    path : str or path-like
        docs/formats.md lists the formats.
    threshold : float, optional
        Voxels above it are inside; for probability maps.
    label : float, optional
        Voxels equal to it are inside; for files with several labels.
    segment : str, optional
        Which one, for files with several.
    max_memory : int or str, optional
        Memory limit, in bytes or such as "4G"; by default three quarters of what the machine, the control group or
        Slurm's job allows.

    Returns
    -------
    Image
        uint8 zeros and ones, and where they lie.

    Raises
    ------
    ValueError
        The file is not a mask, or damaged; the message says what to do.
    OSError
        It does not exist or cannot be read.
    MemoryError
        It is larger than allowed.
    """
    requested = settings_from("read", _READ, {"threshold": threshold, "label": label, "max_memory": max_memory})
    header = _open(path, segment, requested)
    return _image(header, *_core.read_mask(header, requested))


def _image(header: _core.Header, flat: NDArray[Any], warnings: list[str]) -> Image:
    geometry = Geometry.of(header)
    return Image(flat.reshape(geometry.shape), geometry, (*header.warnings, *warnings))


def read_map(path: Path, *, segment: str | None = None, max_memory: int | str | None = None) -> Image:
    """A map of levels from 0 to 1 from a file, as float32; the rest is as in `read`."""
    requested = settings_from("read_map", _READ, {"max_memory": max_memory})
    header = _open(path, segment, requested)
    return _image(header, *_core.read_map(header, requested))


def _writable(array: NDArray[Any], geometry: Geometry, name: str, counts: bool) -> NDArray[Any]:
    """The voxels in memory order: uint8 zeros and ones, or float32 levels or counts."""
    if array.shape not in (geometry.shape, geometry.size[::-1]):
        raise ValueError(f"{name}: shape {array.shape}, but the geometry is of {geometry.shape}; they must be equal.")
    flat = np.ascontiguousarray(array).reshape(-1)
    if counts:
        if flat.dtype.kind not in "biu" or (flat.size > 0 and (flat.min() < 0 or flat.max() > 2**24)):
            raise ValueError(f"{name}: holds other values than counts; these are whole numbers from 0 to 2²⁴.")
        return flat.astype(np.float32)
    if flat.dtype.kind == "f":
        if not ((flat >= 0) & (flat <= 1)).all():
            raise ValueError(f"{name}: holds values outside 0 to 1; a soft image holds levels from 0 to 1.")
        return flat.astype(np.float32, copy=False)
    if flat.dtype.kind not in "biu" or (flat.size > 0 and (flat.min() < 0 or flat.max() > 1)):
        raise ValueError(
            f"{name}: holds other values than 0 and 1; write a mask, levels as floats, or say counts=True."
        )
    return flat.astype(np.uint8, copy=False)


def write(
    path: Path,
    image: Image | NDArray[Any],
    *,
    geometry: Geometry | None = None,
    counts: bool | None = None,
    overwrite: bool = False,
) -> list[str]:
    """Writes a mask or a map of levels; the file appears complete under its name, or not at all.

    Parameters
    ----------
    path : str or path-like
        The ending says the format.
    image : Image or ndarray
        Zeros and ones (written as uint8), or floats from 0 to 1 (float32).
    geometry : Geometry, optional
        Of an array, or instead of the image's own.
    counts : bool, optional
        Whether the image holds counts, such as votes, which are written as float32, like the program's maps. By default
        the image decides; `Result.votes` are counts.
    overwrite : bool
        Whether to replace an existing file.

    Returns
    -------
    list of str
        What the format could not hold.

    Raises
    ------
    FileExistsError
        There is a file already.
    ValueError
        The image cannot be written like that; the sentence says why.
    OSError
        The disk refuses.

    Examples
    --------
    >>> import os, tempfile
    >>> import crema, numpy as np
    >>> masks, geometry = crema.phantom("organ", size=(4, 16, 16))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "mask.nii.gz")
    ...     warnings = crema.write(path, masks[0], geometry=geometry)
    ...     array, found = crema.read(path)
    >>> bool((array == masks[0]).all()), np.allclose(found.affine, geometry.affine)
    (True, True)
    """
    name = os.fspath(path)
    if isinstance(image, Image):
        geometry = geometry or image.geometry
    if isinstance(image, np.ma.MaskedArray):
        raise ValueError(f"{name}: is to hold a masked array; say what its hidden voxels are, with .filled(0).")
    array = np.asarray(image.array if isinstance(image, Image) else image)
    if geometry is None:
        x, y, *z = reversed(array.shape) if array.ndim in (2, 3) else (0, 0)
        geometry = Geometry((x, y, z[0] if z else 1))
    if counts is None:
        counts = isinstance(image, Image) and image.counts
    flat = _writable(array, geometry, name, counts)
    try:
        return _core.write(name, flat, geometry.header(name), overwrite)
    except ValueError as error:
        if os.path.lexists(name) and not os.path.isdir(name) and not overwrite:
            raise FileExistsError(str(error)) from None
        raise
