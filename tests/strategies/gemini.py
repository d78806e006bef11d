"""Request bodies of Gemini: generateContent, in both spellings of its keys, and Interactions."""

from typing import Any

from hypothesis import strategies as st

from strategies.values import PNG, json_values, names, objects, some, texts, unknown_keys

SIGNATURE = "c2lnbmF0dXJl"
signatures = some(thoughtSignature=st.just(SIGNATURE))


def snake(value: Any, keys: frozenset[str]) -> Any:
    """Spell some keys as the Python SDK does; what a function is called with or gives is nobody's key."""
    if isinstance(value, list):
        return [snake(item, keys) for item in value]
    if not isinstance(value, dict):
        return value
    untouched = ("args", "response", "parameters", "parametersJsonSchema", "value", "x_trace", "x_custom")
    return {_spelled(key, keys): item if key in untouched else snake(item, keys) for key, item in value.items()}


def _spelled(key: str, keys: frozenset[str]) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in key) if key in keys else key


KEYS = ["inlineData", "mimeType", "fileData", "fileUri", "functionCall", "functionResponse", "thoughtSignature", "displayName",
        "systemInstruction", "generationConfig", "maxOutputTokens", "topP", "functionDeclarations", "parametersJsonSchema",
        "toolConfig", "functionCallingConfig", "allowedFunctionNames", "mediaResolution"]  # fmt: skip


@st.composite
def media_parts(draw: st.DrawFn) -> dict[str, Any]:
    """A part with media."""
    match draw(st.sampled_from(["image", "named", "url", "file", "film", "odd"])):
        case "image":
            return {"inlineData": {"mimeType": "image/png", "data": PNG}}
        case "named":
            return {"inlineData": {"mimeType": "application/pdf", "data": "JVBERi0x", "displayName": draw(names)}}
        case "url":
            return {"fileData": {"fileUri": "https://example.com/a.png", "mimeType": "image/png"}}
        case "file":
            return {"fileData": {"fileUri": "gs://bucket/a.mp4", "mimeType": "video/mp4"}}
        case "film":
            return {"fileData": {"fileUri": "https://youtu.be/abc"}, "videoMetadata": {"startOffset": "1s"}}
        case _:
            return {
                "inlineData": {
                    "mimeType": "image/png",
                    "data": draw(st.sampled_from(["-_8", "-_8=", "+/8=", "!!", ""])),
                }
            }


@st.composite
def user_parts(draw: st.DrawFn) -> dict[str, Any]:
    """A part of a user's content."""
    match draw(st.sampled_from(["text", "text", "media", "unknown"])):
        case "text":
            return {"text": draw(texts)} | draw(unknown_keys)
        case "media":
            resolution = some(mediaResolution=st.just({"level": "MEDIA_RESOLUTION_LOW"}))
            return draw(media_parts()) | draw(resolution) | draw(unknown_keys)
        case _:
            return {"x_" + draw(names): draw(json_values)}


@st.composite
def said_parts(draw: st.DrawFn) -> dict[str, Any]:
    """A part of a model's content that is no call."""
    match draw(st.sampled_from(["text", "thought", "bare", "code", "result", "tool"])):
        case "text":
            return {"text": draw(texts)} | draw(signatures) | draw(unknown_keys)
        case "thought":
            return {"text": draw(texts), "thought": True} | draw(signatures)
        case "bare":
            return draw(some(text=st.just(""))) | {"thoughtSignature": SIGNATURE}
        case "code":
            return {"executableCode": {"language": "PYTHON", "code": draw(texts)}} | draw(signatures)
        case "result":
            return {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": draw(texts)}}
        case _:
            return {"toolCall": {"id": "t1", "toolType": "GOOGLE_SEARCH_WEB", "args": draw(objects)}}


@st.composite
def exchanges(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """Calls of one turn, with or without ids, and their responses in one content, in any order."""
    has_ids = draw(st.booleans())
    name = draw(names)
    calls = []
    for n in range(draw(st.integers(1, 3))):
        call: dict[str, Any] = {"name": draw(st.just(name) | names), "args": draw(objects)}
        calls.append(call | ({"id": f"id_{number}_{n}"} if has_ids else {}))
    results = []
    for call in draw(st.permutations(calls)) if has_ids else calls:
        given = {key: call[key] for key in ("name", "id") if key in call}
        wrapped = st.sampled_from(["result", "output", "error", "content"])
        output = draw(st.builds(lambda key, value: {key: value}, wrapped, texts | json_values) | objects)
        response = given | {"response": output} | draw(some(parts=st.lists(media_parts(), min_size=1, max_size=2)))
        results.append({"functionResponse": response} | draw(unknown_keys))
    parts = [{"functionCall": call} | draw(signatures) | draw(unknown_keys) for call in calls]
    before = draw(st.lists(said_parts(), max_size=1))
    beside = draw(st.lists(user_parts(), max_size=1))
    answers = {"role": "user", "parts": [*results, *beside]} | draw(unknown_keys)
    return [{"role": "model", "parts": [*before, *parts]}, answers]


@st.composite
def content_turns(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """A few contents: calls with their responses, or a plain one."""
    kind = draw(st.sampled_from(["user", "roleless", "model", "calls", "calls"]))
    match kind:
        case "user":
            return [
                {"role": "user", "parts": draw(st.lists(user_parts(), min_size=1, max_size=3))} | draw(unknown_keys)
            ]
        case "roleless":
            return [{"parts": [{"text": draw(texts)}]}]
        case "model":
            return [
                {"role": "model", "parts": draw(st.lists(said_parts(), min_size=1, max_size=3))} | draw(unknown_keys)
            ]
        case _:
            return draw(exchanges(number))


schemas = st.sampled_from([
    {"type": "OBJECT", "properties": {"a": {"type": "STRING", "nullable": True}}, "required": ["a"]},
    {"type": "OBJECT", "properties": {"b": {"type": "ARRAY", "items": {"type": "INTEGER"}, "minItems": "1"}}, "propertyOrdering": ["b"]},
    {"type": "OBJECT", "properties": {"c": {"anyOf": [{"type": "STRING"}, {"type": "NUMBER", "maximum": 1.5}], "example": "e"}}},
])  # fmt: skip
dialects = st.sampled_from([{}, {"parametersJsonSchema": {"type": "object"}}]) | schemas.map(
    lambda schema: {"parameters": schema}
)
functions = st.builds(
    lambda function, dialect: function | dialect,
    st.fixed_dictionaries({"name": names}, optional={"description": texts}),
    dialects,
)
declared: st.SearchStrategy[dict[str, Any]] = st.lists(functions, min_size=1, max_size=2).map(
    lambda held: {"functionDeclarations": held}
)
tool_objects: st.SearchStrategy[dict[str, Any]] = declared | st.sampled_from(
    [{"googleSearch": {}}, {"codeExecution": {}}]
)
choices = st.sampled_from([{"mode": "AUTO"}, {"mode": "NONE"}, {"mode": "ANY"}, {"mode": "VALIDATED"},
                           {"mode": "ANY", "allowedFunctionNames": ["f"]}])  # fmt: skip


@st.composite
def contents(draw: st.DrawFn) -> dict[str, Any]:
    """A request body of generateContent."""
    turns = [draw(content_turns(number)) for number in range(draw(st.integers(1, 4)))]
    texts_only = st.lists(st.fixed_dictionaries({"text": texts}), min_size=1, max_size=2)
    body: dict[str, Any] = {"contents": [content for turn in turns for content in turn]}
    settings = some(
        temperature=st.just(0.5), topP=st.just(1), maxOutputTokens=st.integers(1, 99), stopSequences=st.lists(texts, max_size=2),
        seed=st.integers(0, 9), thinkingConfig=st.just({"includeThoughts": True}),
    )  # fmt: skip
    shared = draw(some(
        systemInstruction=texts_only.map(lambda parts: {"parts": parts}) | texts, tools=st.lists(tool_objects, min_size=1, max_size=3),
        toolConfig=choices.map(lambda choice: {"functionCallingConfig": choice}),
    ))  # fmt: skip
    if draw(st.booleans()):
        body |= shared | draw(some(generationConfig=settings, x_custom=json_values, cachedContent=names))
    else:
        body |= {"model": "gemini-2.5-pro", "config": shared | draw(settings)}
    keys = draw(st.just([]) | st.just(KEYS) | st.lists(st.sampled_from(KEYS)))
    spelled: dict[str, Any] = snake(body, frozenset(keys))
    return spelled


@st.composite
def step_contents(draw: st.DrawFn) -> dict[str, Any]:
    """A content of a step of the Interactions API."""
    kind = draw(st.sampled_from(["text", "text", "image", "uri", "video", "unknown"]))
    content: dict[str, Any]
    match kind:
        case "text":
            content = {"type": "text", "text": draw(texts)}
            return content | draw(some(annotations=st.just([{"type": "url_citation", "url": "u"}])))
        case "image":
            content = {"type": "image", "mime_type": "image/png", "data": PNG}
            return content | draw(some(resolution=st.sampled_from(["low", "high", "ultra"])))
        case "uri":
            content = {"type": "document", "mime_type": "application/pdf", "uri": "https://example.com/a.pdf"}
            return content | draw(unknown_keys)
        case "video":
            return {"type": "video", "uri": "https://youtu.be/abc", "name": draw(names)}
        case _:
            return {"type": "x_" + draw(names), "value": draw(json_values)}


@st.composite
def step_turns(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """A few steps: an input, an output, a thought, calls with their results, a tool of the provider."""
    listed = st.lists(step_contents(), min_size=1, max_size=3)
    kind = draw(st.sampled_from(["user", "said", "thought", "calls", "calls", "server"]))
    match kind:
        case "user":
            return [{"type": "user_input", "content": draw(listed)} | draw(unknown_keys)]
        case "said":
            return [{"type": "model_output", "content": draw(listed)} | draw(some(error=st.just({"code": 3})))]
        case "thought":
            summary = st.lists(texts.map(lambda text: {"type": "text", "text": text}), max_size=2)
            return [{"type": "thought"} | draw(some(signature=st.just(SIGNATURE), summary=summary))]
        case "server":
            search = {"type": "google_search_call", "id": f"g{number}", "arguments": {"queries": [draw(texts)]}}
            return [search, {"type": "google_search_result", "call_id": search["id"], "result": [draw(json_values)]}]
        case _:
            calls: list[dict[str, Any]] = [
                {"type": "function_call", "id": f"id_{number}_{n}", "name": draw(names), "arguments": draw(objects)}
                | draw(unknown_keys)
                for n in range(draw(st.integers(1, 3)))
            ]
            results = [
                {"type": "function_result", "call_id": call["id"], "result": draw(texts | json_values | listed)}
                | draw(some(is_error=st.booleans(), name=st.just(call["name"])))
                for call in draw(st.permutations(calls))
            ]
            return [*calls, *results]


@st.composite
def interactions(draw: st.DrawFn) -> dict[str, Any]:
    """A request body of the Interactions API."""
    steps = [step for number in range(draw(st.integers(1, 4))) for step in draw(step_turns(number))]
    function = st.fixed_dictionaries({"type": st.just("function"), "name": names}, optional={"description": texts})
    chosen = st.sampled_from(["auto", "any", "validated", {"allowed_tools": {"mode": "any", "tools": ["f"]}}])
    settings = some(
        temperature=st.just(0.5), max_output_tokens=st.integers(1, 9), thinking_level=st.just("low"), tool_choice=chosen
    )
    more = draw(some(
        system_instruction=texts, tools=st.lists(function | st.just({"type": "google_search"}), min_size=1, max_size=2),
        generation_config=settings, previous_interaction_id=names, store=st.booleans(), x_custom=json_values,
    ))  # fmt: skip
    known = step_contents().filter(lambda item: not item["type"].startswith("x_"))
    asked = draw(st.just(steps) | texts | st.lists(known, min_size=1, max_size=2))
    if isinstance(asked, str):  # a text is told from the input of other APIs by what stands beside it
        more.pop("x_custom", None)
    return {"model": "gemini-3-flash", "input": asked, **more}
