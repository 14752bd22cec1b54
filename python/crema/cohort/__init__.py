# SPDX-License-Identifier: Apache-2.0
"""The tables of a cohort's run, with types that do not depend on the data.

Reads what ``crema cohort run`` or its shards left; nothing is computed. The tables are those of docs/tables.md.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["Tables", "tables"]

_PANDAS = {"text": "string", "integer": "Int64", "number": "float64", "boolean": "boolean"}
_DUCKDB = {"text": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN"}


class Tables:
    """The tables of one run: those of its shards where it has them, else those of the whole run."""

    def __init__(self, run: str | os.PathLike[str]) -> None:
        self.run = Path(run)
        schema = self.run / "schema.json"
        if not schema.is_file():
            raise FileNotFoundError(f"{self.run}: has no schema.json; it is not the folder of a cohort's run.")
        #: Table → column → "text", "integer", "number" or "boolean".
        self.schema: dict[str, dict[str, str]] = json.loads(schema.read_text(encoding="utf-8"))

    def __iter__(self) -> Iterator[str]:
        return iter(self.schema)

    def files(self, table: str) -> list[str]:
        """The CSV files of a table, one for each shard that is done or one for the whole run."""
        if table not in self.schema:
            raise KeyError(f"{table}: unknown table; the tables are {', '.join(self.schema)}.")
        if (self.run / "plan" / "plan.json").is_file():
            planned = len(list((self.run / "plan").glob("[0-9]*.tsv")))
            parts = sorted(path.parent for path in (self.run / "parts").glob("*/part.json"))
            if len(parts) < planned:
                raise FileNotFoundError(
                    f"{self.run}: {planned - len(parts)} of {planned} shards have no tables; "
                    f"crema cohort merge {self.run} makes them."
                )
            return [str(part / f"{table}.csv") for part in parts]
        if not (self.run / f"{table}.csv").is_file():
            raise FileNotFoundError(f"{self.run}: has no {table}.csv; crema cohort merge --tables full makes it.")
        return [str(self.run / f"{table}.csv")]

    def pandas_types(self, table: str) -> dict[str, str]:
        """For ``dtype=`` of ``pandas.read_csv``."""
        return {name: _PANDAS[kind] for name, kind in self.schema[table].items()}

    def duckdb_types(self, table: str) -> dict[str, str]:
        """For ``dtype=`` of ``duckdb.read_csv``."""
        return {name: _DUCKDB[kind] for name, kind in self.schema[table].items()}

    def polars_types(self, table: str) -> dict[str, Any]:
        """For ``schema_overrides=`` of ``polars.scan_csv``."""
        polars = import_module("polars")

        kinds = {"text": polars.String, "integer": polars.Int64, "number": polars.Float64, "boolean": polars.Boolean}
        return {name: kinds[kind] for name, kind in self.schema[table].items()}

    def arrow_types(self, table: str) -> dict[str, Any]:
        """For ``column_types=`` of pyarrow's ``ConvertOptions``."""
        pyarrow = import_module("pyarrow")

        kinds = {
            "text": pyarrow.string(),
            "integer": pyarrow.int64(),
            "number": pyarrow.float64(),
            "boolean": pyarrow.bool_(),
        }
        return {name: kinds[kind] for name, kind in self.schema[table].items()}

    def to_parquet(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes every table as ``TABLE.parquet`` into a folder, by pyarrow, a batch of rows at a time."""
        parquet = import_module("pyarrow.parquet")

        written = []
        Path(folder).mkdir(parents=True, exist_ok=True)
        for table in self:
            target = Path(folder) / f"{table}.parquet"
            hidden = target.with_suffix(".parquet.part")
            with parquet.ParquetWriter(hidden, self._arrow_schema(table)) as writer:
                for file in self.files(table):
                    for batch in self._batches(table, file):
                        writer.write_batch(batch)
            os.replace(hidden, target)
            written.append(target)
        return written

    def _arrow_schema(self, table: str) -> Any:
        pyarrow = import_module("pyarrow")

        return pyarrow.schema(list(self.arrow_types(table).items()))

    def _batches(self, table: str, file: str) -> Iterator[Any]:
        csv = import_module("pyarrow.csv")

        options = csv.ConvertOptions(
            column_types=self.arrow_types(table),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
        )
        # Names may hold line breaks.
        with csv.open_csv(
            file, parse_options=csv.ParseOptions(newlines_in_values=True), convert_options=options
        ) as rows:
            yield from rows


def tables(run: str | os.PathLike[str]) -> Tables:
    """The tables of a run of ``crema cohort``.

    Examples
    --------
    >>> tables("results").to_parquet("parquet")  # doctest: +SKIP
    """
    return Tables(run)
