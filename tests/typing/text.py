"""Types of the text functions, as both checkers see them."""

from typing import reveal_type

import turnwire as tw

reveal_type(tw.truncate("text"))  # str
reveal_type(tw.truncate("text", 10, suffix="…", keep="middle"))  # str
reveal_type(tw.text.truncate_safe("text", 10))  # str
reveal_type(tw.text.utf8_len("text"))  # int
reveal_type(tw.text.split_budget([1, 2], 10, split="fair"))  # list[int]
reveal_type(tw.constants.MAX_USER_MESSAGE_SIZE)  # int
reveal_type(tw.constants.TRUNCATED_SUFFIX)  # str
reveal_type(tw.__version__)  # str
