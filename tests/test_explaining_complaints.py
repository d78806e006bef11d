"""Complaints are told from one another by their kind and place, in whichever validator's words."""

import pytest

from lighter.explaining_complaints import Complaint, complaints_in

TOLD = [
    ("message[4].content must be a string", "type", "messages content"),
    ("'messages[3].content' should be an array", "type", "messages content"),
    ("messages[1].content 字段必须是字符串", "type", "messages content"),
    ("messages[2]:content和tool_calls 字段不能同时为空", "empty", "messages content"),
    ("content or tool_calls must not both be empty in messages[4]", "empty", "messages content"),
    ("messages[1].content不能为空", "empty", "messages content"),
    ("messages:输入不能为空", "empty", "messages"),
    ("messages[1]：role 为必填", "missing", "messages role"),
    ("messages[1]: content cannot be empty", "empty", "messages content"),
    ("Invalid request: message content must not be empty at index 5", "empty", "messages content"),
    ("messages 参数不能为空", "empty", "messages"),
    ("messages cannot be empty", "empty", "messages"),
    ('Messages with role "assistant" must have content or tool_calls', "empty", "messages content"),
    ("messages[3].role: unsupported value 'developer'", "value", "messages role"),
    ("Unsupported role: developer", "value", "messages role"),
    ("role 参数非法，取值必须为 user、assistant、system", "value", "messages role"),
    ("Last message must have role `user`", "value", "messages last"),
    ("Expected last role to be one of: [user, tool] but got assistant", "value", "messages last"),
    ("messages[2].content must not be null", "null", "messages content"),
    ("messages[1].tool_call_id is required", "missing", "messages toolcallid"),
    ("缺少必填参数：messages[0].role", "missing", "messages role"),
    ("jinja2.exceptions.UndefinedError: 'dict object' has no attribute 'content'", "missing", "messages content"),
    ("messages[0].role must be one of 'user', 'assistant'", "value", "messages role"),
    ("messages.1.content.0.tool_use.id: Field required", "missing", "messages content tooluse id"),
    ("Missing required parameter: 'messages[2].tool_call_id'.", "missing", "messages toolcallid"),
    ("messages[1]: missing field `content` at line 8 column 5", "missing", "messages content"),
    ("'content' is a required property - 'messages.0'", "missing", "messages content"),
    ("('messages.3.tool_call_id' : property 'tool_call_id' is missing)", "missing", "messages toolcallid"),
    ('Missing required parameter in messages[0]: "role"', "missing", "messages role"),
    ("{'type': 'missing', 'loc': ('body', 'messages', 0, 'role'), 'msg': 'Field required'}", "missing", "messages role"),
    (
        '{"received": "undefined", "path": ["messages", 0, "content"], "message": "Required"}',
        "missing",
        "messages content",
    ),
    ("1 validation error for Chat\nmessages -> 0 -> content\n  field required", "missing", "messages content"),
    ("2 validation errors\nmessages.1.content.str\n  Input should be a valid string", "type", "messages content"),
    ("messages[9]: invalid type: sequence, expected a string", "type", "messages *"),
    ("Invalid type for 'messages[1].content': expected a string, but got an object instead.", "type", "messages content"),
    ("Invalid type for 'messages[1].content': expected a string, but got null instead.", "null", "messages content"),
    ("None is not of type 'string' - 'messages.1.content'", "null", "messages content"),
    ("json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string", "type", "messages content"),
    ("[] is too short - 'messages'", "empty", "messages"),
    ("Invalid 'messages[1].content': string too long.", "long", "messages content"),
    ("Value at 'messages.2.member.role' failed to satisfy constraint: Member must satisfy enum value set", "value", "messages role"),
    ("messages.0.content.1.text.text: Input should be a valid string", "type", "messages content text"),
    ("('messages.1' : property 'status' is unsupported)", "extra", "messages status"),
    ("property 'reasoning_content' is unsupported", "extra", "messages reasoningcontent"),
    ("property 'top_k' is unsupported", "extra", "topk"),
    ("{'error': {'message': 'Field required'}}", "missing", ""),
    ("Invalid value for 'x'. Error: Field required", "missing", ""),
]  # fmt: skip
"""Texts with the kind and the keys of what they complain of."""


@pytest.mark.parametrize(("text", "kind", "keys"), TOLD, ids=[text[:40] for text, *_ in TOLD])
def test_the_kind_and_the_place_are_read(text: str, kind: str, keys: str) -> None:
    assert [(found.kind, " ".join(found.place)) for found in complaints_in(text)] == [(kind, keys)]


@pytest.mark.parametrize(
    "text",
    [
        "fatal: not a git repository",
        "Rate limit reached for gpt-4o in organization org-1",
        "KeyError: 'messages'",
        "docker: invalid reference format",
        "the string is too long",
        "max_tokens must be an integer",
        "the API key must be a string",
        "'dict object' has no attribute 'steam_headless'",
        "用户名不能为空",
        "a message must not be empty",
        "comment content cannot be empty",
        "invalid role system in IAM policy",
        "Last turn must be completed before rolling",
        "",
    ],
)
def test_other_errors_are_no_complaints(text: str) -> None:
    assert complaints_in(text) == ()


@pytest.mark.parametrize(
    ("one", "other", "is_like"),
    [
        ("messages.1.role: Field required", "'role' is a required property - 'messages.0'", True),
        ("messages.1.content.0.tool_use.id: Field required", "tool_use.id: Field required", True),
        (
            "messages.1.content.0.tool_use.id: Field required",
            "messages.1.content.0.tool_use.input: Field required",
            False,
        ),
        ("messages.1.role: Field required", "messages.1.role: Input should be 'user' or 'assistant'", False),
        ("messages.1.content.0.tool_use.input: Field required", "Missing required parameter: 'input'.", False),
        ("messages: Input should be a valid list", "messages.0: Input should be a valid dictionary", False),
        ("messages.1.a: Extra inputs are not permitted", "Unknown parameter: 'messages[0].b'.", True),
        ("messages.1.a: Extra inputs are not permitted", "a: Extra inputs are not permitted", False),
        ("Field required", "messages.1.role: Field required", False),
    ],
)
def test_places_are_compared(one: str, other: str, *, is_like: bool) -> None:
    [first], [second] = complaints_in(one), complaints_in(other)
    assert first.is_like(second) == second.is_like(first) == is_like


@pytest.mark.parametrize("piece", ["messages[1].content.", "Field required ", "a.", "'", "[", "x: ", "->", "a -> "])
def test_endless_repetition_is_read_in_no_time(piece: str) -> None:
    """Quadratic work would take minutes."""
    assert len(complaints_in(piece * (60_000 // len(piece)))) < 3


def test_a_complaint_can_be_compared_and_kept() -> None:
    assert complaints_in("messages.1.role: Field required; messages.2.role: Field required") == (
        Complaint("missing", ("messages", "role")),
    )
