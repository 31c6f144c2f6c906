"""Types of the errors and what they carry."""

from typing import reveal_type

import turnwire as tw

try:
    tw.truncate("text", -1)
except tw.TurnwireError as error:
    reveal_type(error.code)  # str
    reveal_type(error.path)  # str
    reveal_type(error.dialect)  # str | None

try:
    tw.spec.MessageBuilder().build()
except tw.BuildError as failure:
    reveal_type(failure.receipt)  # Receipt

reveal_type(tw.codes.ERRORS["loss"].error)  # type[Exception]
reveal_type(tw.codes.CHANGES["cut_result"].kinds)  # Mapping[str, str]
reveal_type(tw.explain("loss")[0].do)  # str
