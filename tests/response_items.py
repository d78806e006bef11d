"""Items of the Responses API that its tests share, and an answer that holds one."""

from typing import Any

CALL: dict[str, Any] = {"type": "function_call", "call_id": "call_1", "name": "f", "arguments": "{}"}
RESULT: dict[str, Any] = {"type": "function_call_output", "call_id": "call_1", "output": "42"}
SAID: dict[str, Any] = {
    "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
    "content": [{"type": "output_text", "text": "hello", "annotations": []}],
}  # fmt: skip
REASONING: dict[str, Any] = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ZQ=="}
ANSWER: dict[str, Any] = {
    "object": "response", "id": "resp_1", "model": "gpt-5", "status": "completed", "output": [SAID], "usage": {"total_tokens": 3},
}  # fmt: skip
