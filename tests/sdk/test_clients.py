"""What lighter writes goes through each provider's own client unchanged: built with the SDK, sent to a server that listens."""

import contextlib
import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import lighter
from sdk.clients import ADDED, CLIENTS, differences
from sdk.listening import listening

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "conversion_cases.jsonl").read_text("utf-8").splitlines()
]
FORMATS = {"openai": "openai-chat", "openai_responses": "openai-responses"}

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # the SDKs import slowly, and warn of one another


@pytest.mark.parametrize("target", CLIENTS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_providers_client_sends_what_was_written(target: str, case: dict[str, Any]) -> None:
    """Every key and value arrives; the client adds its model and the like at the top only."""
    source = FORMATS.get(case["format"], case["format"])
    given = {"messages": case["messages"]} if source != "openai-responses" else {"input": case["messages"]}
    if source == "gemini":
        given = {"contents": case["messages"]}
    body = lighter.convert(given | case.get("env", {}), target, format=source).value
    with listening() as listener, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.suppress(Exception):  # the server refuses everything
            CLIENTS[target](listener.url, body)
    assert listener.bodies, "the client did not send it"
    sent = listener.bodies[0]
    added = {"model", "stream", *ADDED.get(target, ())}
    assert differences({key: sent[key] for key in sent if key not in added - body.keys()}, body) == []
