"""Complaints that validators make of any place (`messages.1.role: Field required`): the place tells the fault, not the words."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from msgspec import Struct

Kind = Literal["missing", "null", "type", "extra", "empty", "long", "pattern", "value"]
"""What is wrong at a place: nothing is there, null, another type, a key that nobody knows, too little, too much …"""

MOST_COMPLAINTS = 64
"""Complaints of one text that are looked at; who tries each form of a message in turn makes dozens."""

MOST_BEFORE = 240
"""Characters before the words of a complaint in which its place may stand."""

ELEMENT = "*"
"""Stands for the index at the end of a path: not the list is wrong but what is in it."""


class Complaint(Struct, frozen=True):
    """What is wrong, and the keys that lead there, without the indices between them; no keys where no place is told."""

    kind: Kind
    place: tuple[str, ...] = ()

    def is_like(self, other: "Complaint") -> bool:
        """Say whether both are about one place; of a path that was cut off at its beginning the rest must be the same."""
        if self.kind != other.kind:
            return False
        if self.kind == "extra":
            # Whoever sends a key that nobody knows has named it: what counts is in what it stands.
            return self.holder == other.holder
        shorter, longer = sorted((self.place, other.place), key=len)
        if shorter[:1] in _WHOLE or (len(shorter) == 1 and shorter[0] not in _UNMISTAKABLE):
            return shorter == longer
        return bool(shorter or not longer) and longer[len(longer) - len(shorter) :] == shorter

    @property
    def holder(self) -> str:
        """In what a key stands: the list of messages or of tools, or the request itself; nothing where that is not told."""
        match self.place:
            case [holder, _, *_]:
                return holder
            case [_]:
                return "request"
            case _:
                return ""


class _Saying(NamedTuple):
    """Words of a complaint; its place is the group `at` or stands before them, and `key` or `own` is a further step of it."""

    kind: Kind
    words: re.Pattern[str]
    needs_place: bool


# All is bounded: a text may be one endless word.
_Q = r"""[\\'"`]{0,8}"""
_STEP = r"(?:\.?\[[^\[\]\s]{0,60}\]|\.[\w-]{1,80})"
_PATH = rf"(?<![\w-])[A-Za-z_][\w-]{{0,80}}{_STEP}{{0,24}}"
_KEY = rf"(?<![\w-]){_Q}(?P<key>[\w-]{{1,80}}){_Q}"
_OWN_CONTENT = r"(?<![\w-])(?P<own>content)"
_TYPE = r"(?:string|str|list|array|dict(?:ionary)?|object|map|sequence|boolean|integer|number)s?\b"
_KEYS = "role|content|name|type|id|tool_call_id|tool_calls|tool_use_id|parts|function|arguments"
_SCALAR = r"(?:bool|int|num|float|decimal|date|url)"
_MAY_NOT = r"(?:cannot|can't|can not|must not|may not|should not)"
_SLOT = r"(?:字段|参数|内容|输入|值)?\s?"
_ROLES = "developer|system|tool|function|assistant|human|ai|bot|model|gpt"
# A training row must end with an answer, a request must not.
_NOT_ANSWER = (
    rf"(?=.{{0,40}}\b(?:user|tool|human|role)\b)(?! (?:to )?(?:be )?(?:from |by )?(?:the |an? )?{_Q}assistant)"
)
_BROKEN = r"failed to satisfy constraint: (?:\[?)Member must"


def _saying(kind: Kind, words: str, *, needs_place: bool = True) -> _Saying:
    return _Saying(kind, re.compile(words.replace("PATH", rf"{_Q}(?P<at>{_PATH}){_Q}"), re.IGNORECASE), needs_place)


_SAYINGS = (
    # pydantic; `Required` is zod's
    _saying("missing", r"\bfield required\b", needs_place=False),
    _saying("missing", r"(?<=: )(?-i:Required)(?=\W|$)"),
    _saying(
        "type",
        rf"\bInput should be an? (?!(?:valid )?{_SCALAR})[a-z]|\b{_TYPE} type expected|value is not a valid {_TYPE}",
        needs_place=False,
    ),
    _saying("value", rf"\bInput should be an? (?:valid )?{_SCALAR}", needs_place=False),
    _saying("extra", r"\bExtra (?:inputs|fields)(?: are)? not permitted", needs_place=False),
    _saying("empty", r"\b(?:String|List|Tuple) should have at least 1\b"),
    _saying("long", r"\b(?:String|List) should have at most\b"),
    _saying("pattern", r"\bString should match pattern\b"),
    _saying("value", r"\bInput should be ['\"`]|\bInput tag \S+ found using \S+ does not match"),
    # OpenAI
    _saying("missing", r"\bMissing (?:required )?parameters?:? (?!in )PATH"),
    _saying("null", rf"\bexpected (?:one of )?(?:an? )?{_TYPE}[\w ,]{{0,60}}?(?:got|received) (?:a )?(?:null|None)\b"),
    _saying("missing", rf"\bexpected (?:an? )?{_TYPE}, received undefined"),
    _saying(
        "type",
        rf"\bexpected (?:one of )?(?:(?:an?|or|of|{_TYPE})[\s,]+){{1,9}}(?:but )?(?:got|received) (?:an? )?(?!null|None|undefined)\w",
    ),
    _saying("extra", r"\b(?:Unknown parameter|Unrecognized request arguments? supplied): PATH"),
    _saying("empty", r"(?<=: )(?:empty (?:string|array)\b|(?:string|array) too short\b)"),
    _saying("long", r"(?<=: )(?:string|array) too long\b"),
    _saying("pattern", r"(?<=: )string does not match pattern\b"),
    # serde
    _saying("missing", rf"\bmissing field (?=[\\'\"`]|\w+ at line){_KEY}"),
    _saying("null", r"\binvalid type: null\b"),
    _saying(
        "type", r"\binvalid type: (?!null\b)\w|\bdata did not match any variant of untagged enum", needs_place=False
    ),
    _saying("extra", rf"\bunknown field {_KEY}, expected"),
    _saying("value", r"\bunknown variant\b"),
    # jsonschema
    _saying("missing", rf"{_KEY} is a required property - PATH"),
    _saying("null", r"\bNone is not of type [^-]{1,60} - PATH"),
    _saying("type", r"(?<!None )\bis not of type [^-]{1,60} - PATH"),
    _saying("extra", rf"\bAdditional properties are not allowed \({_KEY} was unexpected\) - PATH"),
    _saying("empty", r"\b(?:is too short|should be non-empty) - PATH"),
    _saying("long", r"\bis too long - PATH"),
    _saying("pattern", r"\bdoes not match ['\"][^'\"]{1,160}['\"] - PATH"),
    _saying("value", r"\bis not one of \[[^\]]{0,300}\] - PATH"),
    # Groq
    _saying("missing", rf"\bproperty {_KEY} is missing"),
    _saying("type", rf"\bvalue must be an? {_TYPE}"),
    _saying("extra", rf"\bproperty (?:{_KEY.replace('<key>', '<own>')}|PATH) is unsupported"),
    _saying("empty", r"\bminimum number of items is 1\b"),
    # Google
    _saying("missing", r"(?<=: )missing field\b(?! [\w\\'\"`])"),
    _saying("extra", r"\bUnknown name PATH: Cannot find field"),
    _saying("extra", rf"\bUnknown name {_KEY} at PATH: Cannot find field"),
    _saying("empty", rf"(?<=: )(?:(?!(?:{_KEYS}) )[\w.]+ )?(?:cannot|must not|should not) be empty\b"),
    # anyone's own words, in English and in Chinese
    _saying("missing", r"\bis (?:required|missing)\b"),
    _saying("missing", rf"缺少(?:必填|必需|必要)?的?(?:字段|参数)?[:：]?\s?PATH|{_SLOT}[为是]?(?:必填|必需)"),
    _saying("null", rf"\b{_MAY_NOT} be (?:null|None|nil)\b"),
    _saying("type", rf"\b(?:must|should|has to) be an? (?:valid )?{_TYPE}"),
    _saying("type", rf"{_SLOT}(?:必须|应当?|需要?)[是为](?:一个)?(?:字符串|数组|列表|对象|字典)"),
    _saying("empty", rf"\b{_MAY_NOT} be (?:an )?(?:empty|blank)\b"),
    _saying("empty", rf"{_SLOT}(?:不能|不可|不得|不允许)为空"),
    _saying(
        "empty",
        rf"{_OWN_CONTENT}.{{0,3}}(?:和|与|and|or).{{0,3}}tool_?calls.{{0,20}}?(?:{_MAY_NOT} both be|不[能可]同时为)",
    ),
    _saying("value", r"\bmust be (?:one of|either)\b|(?<=: )(?:unsupported|invalid|unknown|illegal) value\b"),
    _saying(
        "value",
        rf"\b(?:unsupported|invalid|unknown|illegal) (?:message )?(?P<own>role)(?::\s?|\s(?=[\\'\"`])){_Q}(?:{_ROLES})\b",
    ),
    _saying("value", rf"(?P<own>role)\s?{_SLOT}(?:非法|无效|错误|不合法)"),
    _saying("empty", rf"\bmessages?(?:'s)? (?P<own>content)s? {_MAY_NOT} be (?:an )?(?:empty|blank)\b"),
    _saying("empty", rf"\bmust have (?:either )?{_Q}(?P<own>content){_Q} or {_Q}tool_?calls\b(?!.{{0,20}}not both)"),
    _saying(
        "value", rf"\b(?P<own>last) (?:message|turn)(?:'s)?(?: role)? (?:must|should|has to|needs to)\b{_NOT_ANSWER}"
    ),
    _saying("value", rf"\bexpected (?P<own>last) (?:message|role|turn)\b{_NOT_ANSWER}"),
    # Jinja, of the messages that a chat template is given
    _saying("missing", r"'dict object' has no attribute '(?P<own>content|role)'"),
    # Ollama
    _saying("type", r"\binto Go struct field PATH of type\b"),
    # Bedrock, and botocore before it
    _saying("missing", rf"\bMissing required parameter in PATH: {_KEY}"),
    _saying("type", r"\bInvalid type for parameter PATH, value\b"),
    _saying("empty", rf"PATH {_BROKEN} have length greater than or equal to 1\b"),
    _saying("long", rf"PATH {_BROKEN} have length less than"),
    _saying("pattern", rf"PATH {_BROKEN} satisfy regular expression"),
    _saying("value", rf"PATH {_BROKEN} satisfy enum"),
)

_BEFORE = re.compile(
    rf"(?P<path>{_PATH}|{_STEP}{{1,24}}){_Q}\)?\s?[:：]\s?{_Q}(?:Value error, |(?P<last>{_KEYS}){_Q}\s?)?$"
    rf"|(?P<lined>(?<![\w-])[A-Za-z_][\w-]{{0,80}}{_STEP}{{1,24}}){_Q}\s?$"
    rf"|(?<![\w.-]){_Q}(?P<whole>messages|contents){_Q}\s?$"
)
_STEPS = re.compile(r"\[[^\[\]]*\]|[\w-]+")
_WRAPPED = re.compile(r"[\s│┃]+")
_ARROWS = re.compile(r"\b\w{1,80}(?: -> \w{1,80})+")
_LINED = re.compile(r"^([\w.\[\],-]{1,400})\n[ \t]+(?=\S)", re.MULTILINE)
_LOCATED = re.compile(
    r"""[\\'"](?:loc|path)[\\'"]{1,8}:\s?[\[(]([^\[\]()]{0,240}?),?[\])],\s?[\\'"]{1,8}(?:msg|message)[\\'"]{1,8}:\s?[\\'"]{1,8}"""
)
_OF_VALIDATORS = re.compile(
    r"body|member|root|custom|str|list|dict|typed-dict|function-.*|tagged-.*|\w+request|\w+param"
)
"""Steps of paths that are no keys but what validators call the forms of a value."""

_OF_CLIENTS = re.compile(
    r"message|msg|request|details?|reason|raw|description|[\w.]*(?:error|exception)", re.IGNORECASE
)
"""What stands before a whole error text."""

_ROOTS = frozenset({"contents", "input", "messages", "system", "tools"})
_WHOLE = frozenset({(root,) for root in (*_ROOTS, "body")})
"""How a path begins that was not cut off."""

_UNMISTAKABLE = frozenset({"callid", "content", "toolcallid", "toolcalls", "tooluseid"})
"""Keys that tell a place alone; a `name` or an `id` may be anybody's."""

_OF_REQUESTS = frozenset(
    {
        "chattemplatekwargs",
        "enablethinking",
        "frequencypenalty",
        "includereasoning",
        "logitbias",
        "logprobs",
        "maxcompletiontokens",
    }
    | {
        "maxtokens",
        "minp",
        "paralleltoolcalls",
        "presencepenalty",
        "reasoningeffort",
        "reasoningformat",
        "repetitionpenalty",
    }
    | {
        "responseformat",
        "seed",
        "servicetier",
        "store",
        "stream",
        "streamoptions",
        "temperature",
        "thinking",
        "toolchoice",
        "tools",
    }
    | {"topk", "toplogprobs", "topp", "usage", "user", "verbosity"}
)
"""Keys of a request, where somebody names a key and not in what it stands; other keys are mostly those of messages."""


def complaints_in(text: str) -> tuple[Complaint, ...]:
    """List the complaints in a text, each once."""
    text = _WRAPPED.sub(" ", _LINED.sub(r"\1: ", text)).replace("Invalid input: ", "")
    text = _ARROWS.sub(lambda found: found[0].replace(" -> ", ".") + ":", text)
    text = _LOCATED.sub(lambda found: f" {_joined(found[1])}: ", text)
    return tuple(dict.fromkeys(islice(_found(text), MOST_COMPLAINTS)))


def _found(text: str) -> Iterator[Complaint]:
    for saying in _SAYINGS:
        for match in saying.words.finditer(text):
            groups = match.groupdict()
            place = _place(groups.get("at") or "") or _before(text, match.start())
            if key := groups.get("key") or groups.get("own"):
                place = _with(place, _plain(key), is_own=bool(groups.get("own")))
            if place or not saying.needs_place:
                yield Complaint(saying.kind, place)


def _with(place: tuple[str, ...], key: str, *, is_own: bool) -> tuple[str, ...]:
    """Go a step further than a place, unless that is told already; without a place the key of a message is meant if it `is_own`."""
    if is_own and not place and key not in _OF_REQUESTS:
        return "messages", key
    return place if place[-1:] == (key,) else (*(step for step in place if step != ELEMENT), key)


def _before(text: str, end: int) -> tuple[str, ...]:
    """Read the path that ends before the words of a complaint."""
    found = _BEFORE.search(text[max(end - MOST_BEFORE, 0) : end])
    path = (found["path"] or found["lined"] or found["whole"]) if found else ""
    if not found or not path or (_OF_CLIENTS.fullmatch(path) and not found["last"]):
        return ()
    return _with(_place(path), _plain(found["last"]), is_own=False) if found["last"] else _place(path)


def _place(path: str) -> tuple[str, ...]:
    steps = [step for step in _STEPS.findall(path) if not _OF_VALIDATORS.fullmatch(step.casefold())]
    if path.startswith("body.") and steps[:1] and _plain(steps[0]) not in _ROOTS:
        steps = ["body", *steps]
    keys = [ELEMENT if step[0] == "[" or step.isdecimal() else _plain(step) for step in steps]
    if keys[:2] == ["message", ELEMENT]:
        keys[0] = "messages"
    # A union's tag is often the name of the key that follows: `content.0.text.text`.
    keys = [key for at, key in enumerate(keys) if keys[at + 1 : at + 2] != [key]]
    return (*(key for key in keys[:-1] if key != ELEMENT), *keys[-1:])


def _joined(steps: str) -> str:
    """Write a path that is told as a list of keys."""
    return ".".join(step.strip(" '\"\\") for step in steps.split(","))


def _plain(key: str) -> str:
    return key.replace("_", "").casefold()
