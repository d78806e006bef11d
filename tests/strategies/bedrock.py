"""Request bodies of Bedrock Converse, with every kind of block."""

import base64
from typing import Any

from hypothesis import strategies as st

from strategies.values import PNG, json_values, names, objects, some, texts

CACHE_POINTS = st.sampled_from([{"cachePoint": {"type": "default"}}, {"cachePoint": {"type": "default", "ttl": "1h"}}])
REDACTED = base64.b64encode(b"EuYECkQIBBgCKkA").decode()
PDF = "JVBERi0x"

unknown_keys: st.SearchStrategy[dict[str, Any]] = st.just({}) | some(x_trace=json_values, weight=st.integers(0, 1))
document_names = st.from_regex(r"[A-Z][a-z]{1,8}( [0-9]{1,3})?", fullmatch=True)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """A document: bytes, text or pieces of text."""
    match draw(st.sampled_from(["pdf", "docx", "text", "pieces", "python"])):
        case "pdf":
            held: dict[str, Any] = {"format": "pdf", "source": {"bytes": PDF}}
        case "docx":
            held = {"format": "docx", "source": {"bytes": "UEsDBBQAAAAI"}}
        case "text":
            held = {"format": "txt", "source": {"text": draw(texts)}}
        case "pieces":
            pieces = draw(st.lists(texts, min_size=1, max_size=2))
            held = {"source": {"content": [{"text": piece} for piece in pieces]}}
        case _:
            held = {"format": "csv", "source": {"bytes": "b'day,level\\n1,2\\n'"}}
    told = draw(some(context=texts, citations=st.just({"enabled": True})) | unknown_keys)
    return {"document": {"name": draw(document_names), **held, **told}}


@st.composite
def blocks(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A block of a user message, and perhaps a cache point behind it."""
    block: dict[str, Any]
    match draw(
        st.sampled_from(["text", "text", "image", "s3", "document", "film", "sound", "guard", "search", "unknown"])
    ):
        case "text":
            block = {"text": draw(texts)}
        case "image":
            block = {"image": {"format": "png", "source": {"bytes": PNG}} | draw(unknown_keys)}
        case "s3":
            place = {"uri": "s3://harbour/a.png"} | draw(some(bucketOwner=st.just("123456789012")))
            block = {"image": {"format": "png", "source": {"s3Location": place}}}
        case "document":
            block = draw(documents())
        case "film":
            form = draw(st.sampled_from(["mp4", "mpg", "three_gp"]))
            block = {"video": {"format": form, "source": {"bytes": "AAAAIGZ0eXA="}}}
        case "sound":
            block = {
                "audio": {"format": draw(st.sampled_from(["wav", "mp3", "mpga"])), "source": {"bytes": "UklGRg=="}}
            }
        case "guard":
            guarded = {"text": draw(texts)} | draw(some(qualifiers=st.just(["query"])))
            block = {"guardContent": {"text": guarded}}
        case "search":
            found = {"source": draw(texts), "title": draw(texts), "content": [{"text": draw(texts)}]}
            block = {"searchResult": found | draw(some(citations=st.just({"enabled": False})))}
        case _:
            block = {"x" + draw(names): draw(json_values)}
    mark = draw(st.just([]) | CACHE_POINTS.map(lambda point: [point]))
    return [block | draw(unknown_keys), *mark]


def flat(listed: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Give the blocks of several lists as one list."""
    return [block for inner in listed for block in inner]


contents = st.lists(blocks(), min_size=1, max_size=3).map(flat)


@st.composite
def thoughts(draw: st.DrawFn) -> dict[str, Any]:
    """A block of reasoning: signed, unsigned or redacted."""
    if draw(st.booleans()):
        inner = {"text": draw(texts)} | draw(some(signature=st.just("c2ln")))
        return {"reasoningContent": {"reasoningText": inner}}
    return {"reasoningContent": {"redactedContent": draw(st.sampled_from([REDACTED, "AAEC/w==", "b'EuYECkQ'"]))}}


@st.composite
def results(draw: st.DrawFn, call_id: str) -> dict[str, Any]:
    """The result of a call: JSON values, texts and media."""
    inner = st.one_of(
        texts.map(lambda text: {"text": text}),
        json_values.map(lambda value: {"json": value}),
        st.just({"image": {"format": "png", "source": {"bytes": PNG}}}),
        documents(),
    )
    status = draw(some(status=st.sampled_from(["success", "error"])) | unknown_keys)
    return {"toolResult": {"toolUseId": call_id, "content": draw(st.lists(inner, min_size=1, max_size=2)), **status}}


@st.composite
def exchange(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """A user's turn and the assistant's answer; a turn of calls has its results and an answer to them."""
    asked = {"role": "user", "content": draw(contents)} | draw(unknown_keys)
    said = [{"text": draw(texts)}]
    match draw(st.sampled_from(["plain", "thinking", "cited", "calls", "calls"])):
        case "plain":
            return [asked, {"role": "assistant", "content": said}]
        case "thinking":
            return [asked, {"role": "assistant", "content": [draw(thoughts()), *said]}]
        case "cited":
            pieces = draw(st.lists(texts, min_size=1, max_size=2))
            cited = {"content": [{"text": piece} for piece in pieces], "citations": [{"title": draw(texts)}]}
            return [asked, {"role": "assistant", "content": [{"citationsContent": cited}]}]
        case _:
            calls = [
                {"toolUse": {"toolUseId": f"tooluse_{number}_{n}", "name": draw(names), "input": draw(objects)} | draw(unknown_keys)}
                for n in range(draw(st.integers(1, 3)))
            ]  # fmt: skip
            told = [draw(results(call["toolUse"]["toolUseId"])) for call in draw(st.permutations(calls))]
            after = draw(st.just([]) | contents)
            return [
                asked,
                {"role": "assistant", "content": flat([[*said, call] for call in calls])},
                {"role": "user", "content": [*told, *after]},
                {"role": "assistant", "content": said},
            ]


@st.composite
def converses(draw: st.DrawFn) -> dict[str, Any]:
    """A request body of Bedrock Converse."""
    turns = [draw(exchange(number)) for number in range(draw(st.integers(1, 3)))]
    schema = st.just({"json": {"type": "object"}})
    spec = st.fixed_dictionaries(
        {"name": names, "inputSchema": schema}, optional={"description": texts, "strict": st.booleans()}
    )
    tools = st.lists(spec.map(lambda tool: {"toolSpec": tool}), min_size=1, max_size=2)
    choice = st.sampled_from([{"auto": {}}, {"any": {}}, {"tool": {"name": "f"}}])
    more = draw(some(
        system=st.lists(texts.map(lambda text: {"text": text}), min_size=1, max_size=2),
        modelId=st.just("us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
        inferenceConfig=some(maxTokens=st.integers(1, 99), temperature=st.just(0.5), stopSequences=st.lists(texts, max_size=2)),
        toolConfig=st.fixed_dictionaries({"tools": tools}, optional={"toolChoice": choice}),
        additionalModelRequestFields=some(thinking=objects, top_k=st.integers(1, 50), x_more=json_values),
        requestMetadata=st.dictionaries(names, texts, max_size=2), xCustom=json_values,
    ))  # fmt: skip
    body = {"messages": [message for turn in turns for message in turn], **more}
    number_documents(body["messages"])
    return body


def number_documents(value: Any, count: int = 0) -> int:
    """Give each document a name of its own, as Bedrock wants; gives how many there are."""
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(item, dict) and isinstance(document := item.get("document"), dict) and "source" in document:
            count += 1
            document["name"] = f"{document['name']} {count}"
        count = number_documents(item, count)
    return count
