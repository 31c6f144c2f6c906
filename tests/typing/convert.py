"""Types of a conversion through both functions."""

from typing import reveal_type

import turnwire as tw

plain = tw.convert([{"role": "user", "content": "x"}], "openai", "anthropic")
reveal_type(plain.losses)  # tuple[Loss, ...]
reveal_type(plain.losses[0].code)  # str
reveal_type(plain.payload)  # dict[str, Any]
reveal_type(tw.convert(b"[]", "auto", "history").payload)  # list[Any]
reveal_type(tw.convert_json(b"[]", "auto", "history").payload)  # bytes
