"""Settings of every test: no property has a time limit for an example, since no test asserts timings.

With `--no-skips`, which `make test` gives in CI, a skipped test is an error, except for the reasons in `MAY_SKIP`.
A test that needs another environment is not collected: the mark `needs` says what it needs, and for a whole file the
reason ends with the verb that makes the environment.
"""

import gc
import importlib.util
import os
import re

import made_models
import pytest
from hypothesis import settings
from judges.sdks import SdkMissingError
from random_runs import tries

# What no environment of ours can change.
MAY_SKIP = re.compile(
    # Recordings of others, which are not in the repository.
    "the recorded traffic is not here"
    # Versions of frameworks: what one lacks, another has, or it was tried in another environment.
    r"|this (version|ADK|LangGraph|build)\b.* (has|knows)\b|adapters-newest(-more)? has the same versions?\b"
    # A framework of another group of `make adapters`, which runs each group in an environment of its own.
    r"|[\w-]+ is not installed: make adapters$"
    # Platforms and interpreters.
    "|the system |a shell of Unix|Windows has no |Linux tells |forks, signals and devices|a device that is always full"
    "|a directory in use stays there|the module for subinterpreters has another name"
)
# A file for another environment: the reason ends with the verb that makes it.
ELSEWHERE = re.compile(r"make (adapters|engines|templates)$")

# Without the official clients there is no pydantic.
if importlib.util.find_spec("pydantic"):
    made_models.keep()

settings.register_profile("turnwire", deadline=None, max_examples=tries(100))
settings.load_profile("turnwire")


@pytest.fixture(scope="session", autouse=True)
def one_certificate(tmp_path_factory):
    """The tests' servers have no TLS, and each client takes 15 ms to read all certificates that `certifi` brings."""
    try:
        import certifi
    except ImportError:  # It comes with the clients.
        yield
        return
    first, end, _ = certifi.contents().partition("-----END CERTIFICATE-----\n")
    file = tmp_path_factory.mktemp("tls") / "one.pem"
    file.write_text(first + end, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSL_CERT_FILE", str(file))
        yield


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Make the 20,000 tests without looking for garbage, which took half of the time. They all live to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_addoption(parser):
    parser.addoption("--no-skips", action="store_true", help="a skipped test is an error, except for a closed list")


def pytest_configure(config):
    config.addinivalue_line("markers", "needs(*modules, group=): collected where these are installed, or in this group")


def _is_here(mark):
    installed = all(importlib.util.find_spec(name) for name in mark.args)
    return installed and mark.kwargs.get("group") in (None, os.environ.get("TURNWIRE_ENGINES"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    """A judge without its SDK skips the test: `make test` installs all, a wheel is tried without them."""
    try:
        return (yield)
    except SdkMissingError as error:
        pytest.skip(str(error))


pytest_runtest_setup = pytest_runtest_call


def _refuse(report, config, reason):
    """Make an error of a skip, unless its reason is allowed."""
    reason = reason.removeprefix("Skipped: ")
    if config.getoption("--no-skips") and not MAY_SKIP.match(reason):
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} is skipped, which --no-skips forbids: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        _refuse(report, item.config, report.longrepr[2])
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    if report.skipped and ELSEWHERE.search(report.longrepr[2]):
        report.outcome, report.result, report.longrepr = "passed", [], None
    elif report.skipped:
        _refuse(report, collector.config, report.longrepr[2])
    return report


def pytest_collection_modifyitems(config, items):
    """Leave out what needs another environment."""
    here = [all(map(_is_here, item.iter_markers("needs"))) for item in items]
    config.hook.pytest_deselected(items=[item for item, stays in zip(items, here, strict=True) if not stays])
    items[:] = [item for item, stays in zip(items, here, strict=True) if stays]
