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
    tw.MessageBuilder().build()
except tw.BuildError as failure:
    reveal_type(failure.receipt)  # Receipt

reveal_type(tw.error_codes())  # dict[str, tuple[type[Exception], str]]
