"""What all tests share: the option that rewrites goldens, and properties without a deadline, since machines are busy."""

import signal

import pytest
from hypothesis import settings

settings.register_profile("lighter", deadline=None)
settings.load_profile("lighter")

# Started in the background or by nohup, a process ignores these, and so would the processes that tests end by them.
for _number, _handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite expected output with what is printed now")


@pytest.fixture
def is_updating(request: pytest.FixtureRequest) -> bool:
    """Say whether goldens are to be rewritten instead of compared."""
    return bool(request.config.getoption("--update-golden"))
