"""Types of a conversion through both functions."""

from typing import reveal_type

import turnwire as tw

plain = tw.convert([{"role": "user", "content": "x"}], "anthropic", source="openai")
reveal_type(plain.losses)  # tuple[Loss, ...]
reveal_type(plain.losses[0].code)  # str
reveal_type(plain.payload)  # Any
reveal_type(tw.convert(b"[]", "history").payload)  # Any
reveal_type(tw.convert_json(b"[]", "history").payload)  # bytes
