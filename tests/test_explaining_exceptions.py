"""An error is explained by its text or by the exception, whatever its SDK keeps; what is no error is refused."""

from typing import Any

import pytest

import lighter
from lighter.explaining_exceptions import text_of_error

SAID = "messages: text content blocks must be non-empty"


class APIStatusError(Exception):
    """As SDKs raise it: the text may be less than what they keep beside it."""

    def __init__(self, text: str, **kept: Any) -> None:
        super().__init__(text)
        self.__dict__.update(kept)


class MuteError(Exception):
    """Its text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    "error",
    [
        SAID,
        ValueError(SAID),
        APIStatusError("Error code: 400", message=SAID),
        APIStatusError("Error code: 400", body={"type": "error", "error": {"message": SAID}}),
        APIStatusError("Error code: 400", message="Bad Request", body=SAID),
        APIStatusError(SAID, message=SAID, body={"unwritable": object()}),
    ],
    ids=repr,
)
def test_what_an_error_says_is_found_wherever_it_stands(error: str | Exception) -> None:
    assert [told.rule.name for told in lighter.explain(error)] == ["empty-text-block"]


def test_nothing_is_told_twice() -> None:
    assert (
        text_of_error(APIStatusError("Error code: 400 - no", message="Error code: 400 - no", body="no"))
        == "Error code: 400 - no"
    )


def test_an_exception_without_a_text_is_explained_by_nothing() -> None:
    assert text_of_error(MuteError()) == "MuteError"
    assert lighter.explain(MuteError()) == ()


@pytest.mark.parametrize("value", [None, b"bytes", 5, [SAID], {"message": SAID}])
def test_what_is_no_error_is_refused(value: Any) -> None:
    with pytest.raises(lighter.NotRecognised, match=f"not by {type(value).__name__}"):
        lighter.explain(value)


def test_the_words_of_who_sent_an_error_count_more() -> None:
    text = "messages.1.role: unknown variant `developer`, expected one of `system`, `user`"
    assert lighter.explain(text, target="deepseek")[0].rule.name == "unsupported-role"
    with pytest.raises(lighter.UnknownTarget):
        lighter.explain(text, target="nobody")
