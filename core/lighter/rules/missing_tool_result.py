r"""A tool call is never answered although the conversation goes on.

## What
Every call that an assistant makes must be answered by a result with the same id, right after the turn that made it. Here the
conversation continues (with a user, system or assistant message) and no result for this call follows. A call in the very last
turn is not meant: that one is still pending, see `pending-tool-call`. An assistant that speaks on in a message of its own has
gone on, also where the provider joins the two messages into one turn. What may have stood in a line that cannot be read is not
missed. A `function_call` of the old kind is a warning only. In OpenAI's Responses a `local_shell_call`, `shell_call`,
`apply_patch_call`, `computer_call` and a `tool_search_call` of the client want their outputs too; what OpenAI runs itself does not.

## Why it is refused
All providers with tool calling refuse such a history, and since a session sends its whole history with each request, every
later request fails as well. Usual causes: the run was interrupted, the result was trimmed or compacted away, the tool crashed.

## Example
Bad:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "user", "content": "Never mind."}
```
Good:
```
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
{"role": "user", "content": "Never mind."}
```

## Fix
Insert the result directly after the call; where it is lost, say so in a result that is marked as an error ("result not
recorded"). Or remove the call and keep the text of its turn. Never invent a success. An output of a tool of OpenAI's own has a
form of its own, such as a screenshot, and is never made up: `--fix` can only remove such a call.
"""

from collections.abc import Iterator

from lighter.diagnostics import Fix
from lighter.passage import Passage
from lighter.rule import Aim, Example, Finding, Refusal, Rule
from lighter.rules._refusals import UNANSWERED
from lighter.rules._telling import mention_call, mention_next, tell_answer, tell_call

RULE = Rule(
    code="P101",
    name="missing-tool-result",
    summary="a tool call is never answered although the conversation goes on",
    severity={"generic": "error", "openai-chat": "error", "azure-openai": "error", "anthropic": "error"},
    refusals=(
        Refusal(
            ("openai-chat", "azure-openai"),
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'",
            "https://github.com/BerriAI/litellm/issues/10083",
        ),
        Refusal(
            ("openai-chat", "azure-openai"),
            "The following tool_call_ids did not have response messages: …",
            "https://github.com/router-for-me/CLIProxyAPI/issues/2798",
        ),
        *UNANSWERED,
        Refusal(
            ("deepseek",),
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
            " (insufficient tool messages following tool_calls message)",
            "https://github.com/langgenius/dify/issues/32222",
        ),
        Refusal(
            ("minimax",),
            "invalid params, tool call and result not match (2013)",
            "https://github.com/Kilo-Org/kilocode/issues/3967",
        ),
        Refusal(
            ("Codex",),
            "Custom tool call output is missing for call id: call_…",
            "openai/codex codex-rs/core/src/context_manager/normalize.rs",
        ),
        Refusal(
            ("langgraph",),
            "Found AIMessages with tool_calls that do not have a corresponding ToolMessage. Here are the first few of those tool calls: …",
            "https://github.com/langchain-ai/langgraph/issues/4289",
        ),
    ),
    source="https://platform.openai.com/docs/guides/function-calling",
    # Its own order of turns is all that it minds (`ft-row-skipped`).
    spares=("llamafactory",),
    fix=Fix("unsafe", "insert an error result that says there is none, or drop the call"),
)


def check(passage: Passage, _aim: Aim) -> Iterator[Finding]:
    """Report each call that nothing answers, at the call."""
    for call in passage.pairing.unanswered:
        from lighter.edits_results import answered  # noqa: PLC0415 - formats are loaded only for what is at fault

        yield Finding(
            record=call.wire.record,
            path=call.path,
            message=f"call of {tell_call(call)} is never answered",
            help=f"insert {tell_answer(call, ' right after the call')}, or remove the call",
            mentions=(
                mention_call(call, "no result answers this call"),
                *mention_next(passage, call.wire, "the conversation goes on"),
            ),
            # Nobody was seen to refuse a `function_call` of the old kind for want of an answer.
            severity="warning" if call.kind == "legacy" else None,
            refusals=() if call.kind == "legacy" else None,
            repair=answered(passage, call),
        )


VALID = (
    # Results may come in any order.
    Example(
        r"""{"role": "user", "content": "How high is the tide at both piers?"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{\"pier\": 1}"}}, {"id": "call_2", "type": "function", "function": {"name": "get_tide", "arguments": "{\"pier\": 2}"}}]}
{"role": "tool", "tool_call_id": "call_2", "content": "1.9 m"}
{"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}
{"role": "assistant", "content": "2.1 m and 1.9 m."}
"""
    ),
    # A pending call at the end of a log.
    Example(
        r"""{"role": "user", "content": "How high is the tide?"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
"""
    ),
    # Tools that the provider runs itself answer inside the assistant's turn.
    Example(
        r"""[{"role": "user", "content": "News?"}, {"role": "assistant", "content": [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "harbour"}}]}, {"role": "user", "content": "Go on."}]""",
        format="anthropic",
        target="anthropic",
    ),
    # The results of the turns before and after do not mix, though both use one id.
    Example(
        r"""{"role": "assistant", "tool_calls": [{"id": "call_0", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_0", "content": "2.1 m"}
{"role": "assistant", "tool_calls": [{"id": "call_0", "type": "function", "function": {"name": "get_wind", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_0", "content": "4 kn"}
{"role": "assistant", "content": "2.1 m, 4 kn."}
"""
    ),
    # What OpenAI runs itself, a result that names its call by the item's id, and one of a shell.
    Example(
        r"""{"model": "gpt-5", "input": [{"role": "user", "content": "News?"}, {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "harbour"}}, {"type": "local_shell_call", "id": "lsh_1", "call_id": "call_1", "status": "completed", "action": {"type": "exec", "command": ["ls"], "env": {}}}, {"type": "local_shell_call_output", "id": "lsh_1", "output": "a.txt"}, {"type": "shell_call", "call_id": "call_2", "action": {"commands": ["ls"]}}, {"type": "shell_call_output", "call_id": "call_2", "output": []}, {"role": "user", "content": "Thanks."}]}""",
        target="openai-responses",
    ),
    # A custom call is answered by a tool message too.
    Example(
        r"""{"role": "assistant", "tool_calls": [{"id": "call_1", "type": "custom", "custom": {"name": "run_sql", "input": "SELECT 1"}}]}
{"role": "tool", "tool_call_id": "call_1", "content": "1"}
{"role": "user", "content": "Thanks."}
"""
    ),
)

INVALID = (
    Example(
        r"""{"role": "user", "content": "How high is the tide?"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "user", "content": "Never mind, tell me a joke."}
""",
        where=("/1/tool_calls/0",),
    ),
    # One of two parallel calls.
    Example(
        r"""[{"role": "user", "content": "Tides?"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}, {"id": "call_2", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "call_1", "content": "2.1 m"}, {"role": "user", "content": "And?"}]""",
        where=("/1/tool_calls/1",),
        target="openai-chat",
    ),
    # The same id answered in another turn is no answer here.
    Example(
        r"""{"role": "assistant", "tool_calls": [{"id": "call_0", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "user", "content": "Still there?"}
{"role": "assistant", "tool_calls": [{"id": "call_0", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "call_0", "content": "2.1 m"}
{"role": "assistant", "content": "2.1 m."}
""",
        where=("/0/tool_calls/0",),
    ),
    Example(
        r"""[{"role": "user", "content": "How high is the tide?"}, {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, {"type": "tool_use", "id": "toolu_1", "name": "get_tide", "input": {}}]}, {"role": "user", "content": "[Request interrupted by user]"}, {"role": "user", "content": "Try again."}]""",
        where=("/1/content/1",),
        format="anthropic",
        target="anthropic",
    ),
    # A tool of OpenAI's own that the client runs.
    Example(
        r"""{"model": "gpt-5", "input": [{"role": "user", "content": "What is here?"}, {"type": "local_shell_call", "id": "lsh_1", "call_id": "call_1", "status": "completed", "action": {"type": "exec", "command": ["ls"], "env": {}}}, {"role": "user", "content": "Never mind."}]}""",
        where=("/input/1",),
        target="openai-responses",
    ),
)
