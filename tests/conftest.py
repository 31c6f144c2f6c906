"""Settings of every test: no property has a time limit for an example, since no test asserts timings."""

from hypothesis import settings

settings.register_profile("turnwire", deadline=None)
settings.load_profile("turnwire")
