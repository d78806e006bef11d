"""An error is explained by its text or by the exception, whatever its SDK keeps; what is no error is refused."""

from types import SimpleNamespace
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
        APIStatusError("Client error '400 Bad Request'", response=SimpleNamespace(text=f'{{"error": "{SAID}"}}')),
        APIStatusError("An error occurred", response={"Error": {"Message": SAID}}),
        ExceptionGroup("2 sub-exceptions", [ValueError("no"), ExceptionGroup("1 sub-exception", [ValueError(SAID)])]),
    ],
    ids=repr,
)
def test_what_an_error_says_is_found_wherever_it_stands(error: str | Exception) -> None:
    assert [told.rule.name for told in lighter.explain(error)] == ["empty-text-block"]


def step(*, is_told: bool) -> None:
    """Fail, and say why or not."""
    try:
        raise ValueError(SAID)  # noqa: TRY301 - it is the one behind
    except ValueError as error:
        raise RuntimeError("the step failed") from (error if is_told else None)


@pytest.mark.parametrize(("is_told", "expected"), [(True, ["empty-text-block"]), (False, [])])
def test_what_an_exception_was_raised_from_is_read_as_well(*, is_told: bool, expected: list[str]) -> None:
    with pytest.raises(RuntimeError) as caught:
        step(is_told=is_told)
    assert [told.rule.name for told in lighter.explain(caught.value)] == expected


def test_exceptions_behind_one_another_in_a_circle_end() -> None:
    one, other = ValueError(SAID), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    assert text_of_error(other) == f"other\n{SAID}"


class StreamedAnswer:
    """One whose text was not read."""

    @property
    def text(self) -> str:
        """Fail as httpx does."""
        raise RuntimeError("not read")


def test_an_answer_that_was_not_read_says_nothing() -> None:
    assert text_of_error(APIStatusError("Bad Request", response=StreamedAnswer())) == "Bad Request"
    assert text_of_error(APIStatusError("Bad Request", response=SimpleNamespace(text=lambda: SAID))) == "Bad Request"


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
