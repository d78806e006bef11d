"""The LangChain messages in `tests/data` are what the newest packages write, in every form."""

from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
WRITE_ANEW = "the packages write something else now: run tests/langchain_packages/regenerate.py and read the difference"


@pytest.mark.slow
def test_fixtures_are_what_the_packages_write(tmp_path: Path) -> None:
    pytest.importorskip("langchain_core")
    from langchain_packages import regenerate

    for name, text in regenerate.fixtures(tmp_path).items():
        assert (DATA / name).read_text("utf-8") == text, f"{name}: {WRITE_ANEW}"
