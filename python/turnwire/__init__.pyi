# Every public name for type checkers and editors, including names that load on first use. tests/test_completion.py
# compares it with the package. `as` is there because Jedi accepts a re-exported name only in this form.

from . import adapters as adapters
from . import arrow as arrow
from . import batch as batch
from . import codes as codes
from . import constants as constants
from . import parts as parts
from . import replies as replies
from . import settings as settings
from . import spec as spec
from . import structured as structured
from . import text as text
from . import tools as tools
from . import types as types
from ._core import Budget as Budget
from ._core import Change as Change
from ._core import Conversation as Conversation
from ._core import Media as Media
from ._core import Receipt as Receipt
from ._core import Rendered as Rendered
from ._core import Reply as Reply
from ._core import StreamAssembler as StreamAssembler
from ._core import ToolUseResult as ToolUseResult
from ._core import Turn as Turn
from ._core import __version__ as __version__
from ._core import check as check
from ._core import convert as convert
from ._core import convert_json as convert_json
from ._core import detect as detect
from ._core import dialects as dialects
from ._core import diff as diff
from ._core import parse_reply as parse_reply
from ._core import prepare as prepare
from ._core import prepare_json as prepare_json
from ._core import truncate as truncate
from ._servers import Server as Server
from ._servers import server as server
from ._servers import servers as servers
from .answers import explain as explain
from .errors import BuildError as BuildError
from .errors import ParseError as ParseError
from .errors import RenderError as RenderError
from .errors import TurnwireError as TurnwireError
from .errors import UnknownDialectError as UnknownDialectError
from .history import MessageHistory as MessageHistory
from .ledger import Ledger as Ledger
from .lessons import Lesson as Lesson
from .lessons import learn as learn
from .types import DialectName as DialectName
from .wrapping import learned as learned
from .wrapping import wrap as wrap

__all__ = [
    "Budget",
    "BuildError",
    "Change",
    "Conversation",
    "DialectName",
    "Ledger",
    "Lesson",
    "Media",
    "MessageHistory",
    "ParseError",
    "Receipt",
    "RenderError",
    "Rendered",
    "Reply",
    "Server",
    "StreamAssembler",
    "ToolUseResult",
    "Turn",
    "TurnwireError",
    "UnknownDialectError",
    "__version__",
    "check",
    "convert",
    "convert_json",
    "detect",
    "dialects",
    "diff",
    "explain",
    "learn",
    "learned",
    "parse_reply",
    "prepare",
    "prepare_json",
    "server",
    "servers",
    "truncate",
    "wrap",
]
