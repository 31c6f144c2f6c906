"""What LiteLLM's objects hold, read from their fields: equal to their own dumps."""

import os

from needs import framework
from test_held import fields_say_what_a_dump_says

# LiteLLM must not download its prices when it is imported.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
framework("litellm", "litellm")


def test_fields_say_what_a_dump_says() -> None:
    fields_say_what_a_dump_says("litellm.types.utils")
