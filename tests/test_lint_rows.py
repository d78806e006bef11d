"""Rows of data sets and histories of frameworks as people have them, in which nothing is wrong: neither as logs nor for training."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from lighter.linting import LintOptions, report_on
from lighter.rule import Mode
from lighter.source import read_records

ROWS = [json.loads(line) for line in Path(__file__).with_name("lint_rows.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("mode", ["log", "finetune"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_nothing_is_wrong_with_a_row(row: dict[str, Any], mode: Mode) -> None:
    data = json.dumps(row["row"]).encode() + b"\n"
    report = report_on(read_records(io.BytesIO(data * 10), filename="a"), "a", LintOptions("generic", mode))
    assert report.is_recognised
    assert [(item.name, item.path) for item in report.diagnostics if item.severity != "info"] == []
