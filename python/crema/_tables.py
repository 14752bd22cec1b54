# SPDX-License-Identifier: Apache-2.0
"""Tables as lists, as arrays and, where pandas is installed, as data frames."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Columns = dict[str, list[Any]]


def columns_of(rows: Iterable[Mapping[str, Any]]) -> Columns:
    """Rows as columns; None where a row has no such field."""
    listed = list(rows)
    names = dict.fromkeys(name for row in listed for name in row)
    return {name: [row.get(name) for row in listed] for name in names}


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def as_array(values: list[Any]) -> NDArray[Any]:
    """Whole numbers as int64, numbers as float64 with NaN for None, truths as bool; all else as objects."""
    known = [value for value in values if value is not None]
    if all(map(_is_number, known)):
        whole = len(known) == len(values) and all(isinstance(value, int) for value in known) and known
        return np.array(values, np.int64 if whole else np.float64)
    if len(known) == len(values) and all(isinstance(value, bool) for value in known):
        return np.array(values, np.bool_)
    result = np.empty(len(values), object)
    result[:] = values
    return result


def _arrays(columns: Columns) -> dict[str, NDArray[Any]]:
    return {name: as_array(values) for name, values in columns.items()}


def _frame(columns: Columns) -> Any:
    try:
        pandas = importlib.import_module("pandas")
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "data frames need pandas, which is not installed; pip install pandas, or take arrays()."
        ) from None
    return pandas.DataFrame(_arrays(columns))


class Record(dict[str, Any]):
    """A record of the program as a dict; the tables that it writes as CSV files come as arrays and data frames."""

    def __init__(self, record: Mapping[str, Any], tables: Mapping[str, Columns]) -> None:
        super().__init__(record)
        self._tables = dict(tables)

    def add_table(self, name: str, columns: Columns) -> None:
        self._tables[name] = columns

    def arrays(self) -> dict[str, dict[str, NDArray[Any]]]:
        """Each table as a dict from its columns to arrays; what is undefined is NaN, and the record has why."""
        return {name: _arrays(columns) for name, columns in self._tables.items()}

    def frames(self) -> dict[str, Any]:
        """Each table as a pandas DataFrame."""
        return {name: _frame(columns) for name, columns in self._tables.items()}


class Rows(list[dict[str, Any]]):
    """One table: a list of dicts, which comes as arrays and as a data frame too."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """A dict from columns to arrays."""
        return _arrays(columns_of(self))

    def frame(self) -> Any:
        """A pandas DataFrame."""
        return _frame(columns_of(self))
