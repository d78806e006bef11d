"""The native search finds what `in` finds."""

from hypothesis import given
from hypothesis import strategies as st

from lighter.needles import finder
from lighter.rules import leaked_template_token, secret_in_content

NEEDLES = (*leaked_template_token.NEEDLES, *secret_in_content.NEEDLES)
FIND = finder(NEEDLES)


@given(
    st.lists(st.one_of(st.binary(max_size=6), st.sampled_from([*NEEDLES, b"sk-", b"<|", b"|"])), max_size=6).map(
        b"".join
    )
)
def test_finds_the_same(data: bytes) -> None:
    assert FIND(data) == any(needle in data for needle in NEEDLES)
