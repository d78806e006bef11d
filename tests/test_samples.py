"""Every sample conversation is what its place says: clean for its provider, or broken in exactly the named way."""

from pathlib import Path

import pytest
from comparing import unified

import lighter
from lighter import formats, jsontext
from lighter.providers import TARGETS
from lighter.rules import rules

SAMPLES = Path(__file__).parent.parent / "sample_conversations"
GOOD = sorted((SAMPLES / "good").rglob("*.jsonl"))
BAD = sorted((SAMPLES / "bad").rglob("*.jsonl"))


def name_of(path: Path) -> str:
    return path.relative_to(SAMPLES).as_posix()


def target_of(bad: Path) -> str | None:
    folder = bad.parent.name
    return None if folder == "bad" else folder


@pytest.mark.parametrize("path", GOOD, ids=name_of)
def test_good_sample_is_clean(path: Path) -> None:
    format_name = path.parent.name
    assert lighter.lint(path) == []
    assert lighter.detect(path).format in {format_name, None}
    if format_name in TARGETS:
        found = lighter.lint(path, target=format_name, mode="log")  # what was answered asks for nothing
        assert [finding for finding in found if finding.severity != "info"] == []


@pytest.mark.parametrize("path", GOOD, ids=name_of)
def test_good_sample_is_written_as_it_was_read(path: Path) -> None:
    if path.parent.name not in formats.writable():
        return
    writer = formats.get(path.parent.name)
    for conversation in lighter.load(path):
        if conversation.layout == "messages" or len(conversation.records) != 1:
            continue
        own = writer.write(conversation)
        back = writer.write(lighter.parse(lighter.convert(conversation, "lighter").value))
        source = jsontext.value_at(conversation.records[0].value, conversation.place)
        if not own.losses:
            assert jsontext.is_same(unified(own.value), unified(source))
            assert jsontext.is_same(unified(back.value), unified(source))


@pytest.mark.parametrize("path", GOOD, ids=name_of)
@pytest.mark.parametrize("target", formats.writable())
def test_good_sample_is_converted(path: Path, target: str) -> None:
    for conversation in lighter.load(path):
        written = formats.get(target).write(conversation)
        said = {text for message in conversation.messages if message.role == "user" and (text := message.content)}
        back = {message.content for message in lighter.parse(written.value, target).messages}
        assert said <= back


@pytest.mark.parametrize("path", BAD, ids=name_of)
def test_bad_sample_breaks_the_rule_it_is_named_after(path: Path) -> None:
    found = lighter.lint(path, target=target_of(path))
    assert {finding.name for finding in found} == {path.stem}


@pytest.mark.parametrize("path", [bad for bad in BAD if target_of(bad)], ids=name_of)
def test_sample_for_a_target_is_fine_without_it(path: Path) -> None:
    assert [finding for finding in lighter.lint(path) if finding.severity == "error"] == []


def test_samples_cover_every_format() -> None:
    assert {path.parent.name for path in GOOD} == set(formats.names())


UNSHOWN = {"deep-nesting", "image-too-large", "schema-array-without-items", "secret-in-content"}
"""Rules without a sample, which would be huge or hold what looks like a credential; and one about schemas, not messages."""


def test_samples_cover_every_rule() -> None:
    assert {path.stem for path in BAD} | UNSHOWN == {module.rule.name for module in rules()}
