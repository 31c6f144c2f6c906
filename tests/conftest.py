"""Settings of every test: no property has a time limit for an example, since no test asserts timings."""

from hypothesis import settings

settings.register_profile("turnwire", deadline=None)
settings.load_profile("turnwire")


def pytest_collection_modifyitems(items):
    """Put tests of `test_faults.py` that share a pair of dialects side by side, so that one process judges the pair."""

    def pair(item):
        params = item.callspec.params if hasattr(item, "callspec") else {}
        return params.get("source", ""), params.get("target", "")

    places = [at for at, item in enumerate(items) if item.path.name == "test_faults.py"]
    for at, item in zip(places, sorted((items[at] for at in places), key=pair), strict=True):
        items[at] = item
