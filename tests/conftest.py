"""Settings of every test: no property has a time limit for an example, since no test asserts timings."""

import gc

import pytest
from hypothesis import settings
from random_runs import tries

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


def pytest_collection_modifyitems(items):
    """Put tests of `test_faults.py` with the same pair of dialects together, so that one process judges the pair."""

    def pair(item):
        params = item.callspec.params if hasattr(item, "callspec") else {}
        return params.get("source", ""), params.get("target", "")

    places = [at for at, item in enumerate(items) if item.path.name == "test_faults.py"]
    for at, item in zip(places, sorted((items[at] for at in places), key=pair), strict=True):
        items[at] = item
