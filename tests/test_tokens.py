"""The estimate of tokens: near what OpenAI's `o200k_base` counts in any script, and media are not counted as text."""

import pytest

from lighter import AssistantMessage, Conversation, MediaBlock, OpaqueBlock, Tool, ToolCall, ToolMessage, UserMessage
from lighter.tokens import FRAME, IMAGE, estimated, text_tokens, tokens_of_tools

COUNTED = {
    "Сегодня утром корабли вернулись в гавань после долгой бури, и рыбаки начали чинить свои сети на берегу.": 29,
    "عادت السفن إلى الميناء هذا الصباح بعد عاصفة طويلة وبدأ الصيادون في إصلاح شباكهم على الشاطئ": 33,
    "आज सुबह जहाज लंबे तूफान के बाद बंदरगाह पर लौट आए और मछुआरों ने किनारे पर अपने जाल ठीक करना शुरू किया": 33,
    "今天早上,船只在漫长的暴风雨后返回港口,渔民们开始在岸上修补渔网。": 32,
    "今朝、船は長い嵐の後に港に戻り、漁師たちは岸で網を直し始めました。": 33,
    "오늘 아침 배들이 긴 폭풍 후에 항구로 돌아왔고 어부들은 해안에서 그물을 고치기 시작했습니다.": 30,
    "Heute Morgen kehrten die Schiffe nach einem langen Sturm in den Hafen zurück, und die Fischer begannen, ihre Netze "
    "auszubessern.": 31,
    'def f(x):\n    if x > 3:\n        return {\'a\': [1, 2, 3], "b": x**2}\n    raise ValueError(f"bad {x!r}")\n': 44,
    '{"city":"Oslo","when":"2026-11-30T10:00:00Z","n":12.50,"tags":["a","b"]}': 35,
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08": 43,
}
"""Texts, and their tokens as counted by bpe-openai 0.1.4."""


@pytest.mark.parametrize(("text", "tokens"), COUNTED.items())
def test_texts_are_estimated_within_a_third(text: str, tokens: int) -> None:
    assert 0.8 * tokens <= text_tokens(text) <= 1.34 * tokens


def test_media_have_a_price_of_their_own() -> None:
    image = MediaBlock("image", "base64", "iVBORw0KGgo" * 100_000)
    assert estimated(UserMessage("", blocks=(image,))) == FRAME + IMAGE
    unknown = OpaqueBlock("x", "picture", '{"data":"' + "iVBORw0KGgo" * 1000 + '"}')
    assert IMAGE < estimated(UserMessage("", blocks=(unknown,))) < IMAGE + 20


def test_calls_and_results_are_counted_with_their_names() -> None:
    call = ToolCall("c", "get_weather", '{"city":"Oslo"}')
    assert estimated(AssistantMessage("", tool_calls=(call,))) > estimated(AssistantMessage('{"city":"Oslo"}'))
    assert estimated(ToolMessage("c", "get_weather", "12 °C")) > estimated(UserMessage("12 °C"))


def test_tool_definitions_are_counted_by_any_counter() -> None:
    tools = (Tool(name="f", description="Gives the tide.", parameters='{"type":"object"}'),)
    assert tokens_of_tools(Conversation(tools=tools), lambda message: len(message.content)) == len(
        'f\nGives the tide.\n{"type":"object"}'
    )
    assert tokens_of_tools(Conversation(), estimated) == 0
