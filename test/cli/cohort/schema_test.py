# SPDX-License-Identifier: Apache-2.0
"""The types of columns do not depend on the data, and programs that read tables in place agree on them."""

import importlib.util
import json
import re
from pathlib import Path

import pytest
from cohort_kit import make_cohort, mask, read_table, save

ROOT = Path(__file__).resolve().parents[3]
MODULE = ROOT / "python/crema/cohort/__init__.py"
PAGE = (ROOT / "docs/cohort.md").read_text(encoding="utf-8")
LINES = re.findall(r"^(?:raters = )?((duckdb|polars|pandas)\..*)  # ", PAGE, re.MULTILINE)
assert {name for _, name in LINES} == {"pandas", "polars", "duckdb"}
JSON_TYPES = {"text": str, "integer": int, "number": (int, float), "boolean": bool}


@pytest.fixture
def tables():
    """The package's module alone, so that the extension need not be built."""
    spec = importlib.util.spec_from_file_location("crema_cohort", MODULE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.tables


@pytest.fixture
def run(crema, tmp_path):
    make_cohort(tmp_path / "data", cases=4)
    (tmp_path / "data/case03/ben.nii.gz").write_bytes(b"")
    assert crema("cohort", "plan", "data", "-o", "results", "--shards", "3", "-m", "paper").code == 0
    for shard in "123":
        assert crema("cohort", "run", "--shard", shard, "-o", "results", "-q").code in (0, 5)
    assert crema("cohort", "merge", "results").code == 5
    return tmp_path / "results"


def check_types(folder):
    schema = json.loads((folder / "schema.json").read_text())
    for path in folder.glob("*.csv"):
        with open(path, encoding="utf-8") as file:
            assert list(schema[path.stem]) == file.readline().strip().split(","), path
    for result in folder.glob("cases/*/result.json"):
        for table, rows in json.loads(result.read_text())["tables"].items():
            for row in rows[1:]:
                for name, cell in zip(rows[0], row, strict=True):
                    kind = schema[table][name]
                    assert cell is None or isinstance(cell, JSON_TYPES[kind]), (table, name, cell)
                    assert kind == "boolean" or not isinstance(cell, bool), (table, name, cell)


def test_every_cell_is_of_the_type_of_its_column(crema, run, tmp_path):
    check_types(run)
    for words in (("--methods", "all", "--certify"), ("--labels", "all"), ("--slice-wise", "z", "--roi", "box")):
        crema("cohort", "run", "data", "-o", "other", "--force", *words)
        check_types(tmp_path / "other")
    for rater in range(3):
        save(tmp_path / f"flat/case00/r{rater}.nii.gz", mask(0, rater)[:, :, 1:2])
    assert crema("cohort", "run", "flat", "-o", "flat-run", "--methods", "paper").code == 0
    check_types(tmp_path / "flat-run")


@pytest.mark.parametrize("line, name", LINES, ids=[line for line, _ in LINES])
def test_a_line_of_the_documentation_reads_the_table(run, tables, monkeypatch, line, name):
    library, rows = pytest.importorskip(name), read_table(run / "raters.csv")
    monkeypatch.chdir(run.parent)
    found = eval(line, {name: library, "run": tables("results")})
    frame = found.df() if name == "duckdb" else found.collect() if hasattr(found, "collect") else found
    if "GROUP BY" in line:
        of = {
            method: [float(row["dice"]) for row in rows if row["method"] == method] for method in set(frame["method"])
        }
        means = {method: sum(values) / len(values) for method, values in of.items()}
        assert dict(zip(frame["method"], frame["avg(dice)"], strict=True)) == pytest.approx(means) and len(means) > 1
        assert set(means) == {row["method"] for row in rows}
        return
    mean = sum(float(row["dice"]) for row in rows) / len(rows)
    assert len(frame) == len(rows) and abs(frame["dice"].mean() - mean) < 1e-12
    if "pandas_types" in line:
        assert str(frame["hd95_mm"].dtype) == "float64"


def test_parquet_has_the_rows_and_types_of_the_tables(run, tables, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    written = tables(run).to_parquet(tmp_path / "parquet")
    assert {path.stem for path in written} == {path.stem for path in run.glob("*.csv")}
    for path in written:
        table, rows = parquet.read_table(path), read_table(run / f"{path.stem}.csv")
        assert table.num_rows == len(rows)
        assert set(table.column_names) == set(tables(run).schema[path.stem])
    cases = parquet.read_table(tmp_path / "parquet/cases.parquet").to_pylist()
    assert sorted(row["status"] for row in cases) == ["done", "done", "done", "failed"]
    assert {str(field.type) for field in parquet.read_schema(tmp_path / "parquet/raters.parquet")} >= {
        "double",
        "string",
    }


def test_what_is_not_there_is_said(crema, run, tables, tmp_path):
    (run / "parts/00002/part.json").unlink()
    with pytest.raises(FileNotFoundError, match="1 of 3 shards have no tables"):
        tables(run).files("raters")
    with pytest.raises(KeyError, match="the tables are cases"):
        tables(run).files("nothing")
    with pytest.raises(FileNotFoundError, match=r"has no schema\.json"):
        tables(tmp_path)
