"""Types of a conversion through both functions."""

from typing import reveal_type

import turnwire as tw

plain = tw.convert([{"role": "user", "content": "x"}], "anthropic", source="openai")
reveal_type(plain.receipt)  # Receipt
reveal_type(plain.receipt[0])  # Change
reveal_type(plain.receipt.counts.get("lost", 0))  # int
reveal_type(plain.receipt.only("lost"))  # tuple[Change, ...]
reveal_type(plain.payload)  # Any
reveal_type(tw.convert(b"[]", "history").payload)  # Any
reveal_type(tw.convert_json(b"[]", "history").payload)  # bytes
