"""The form of a batch result at each provider: the keys that are read, and those that are written."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from turnwire._core import RenderedReply, Reply, _failure_status, _html, parse_reply
from turnwire.errors import ParseError, TurnwireError

from .batch_wires import WIRES, Request

__all__ = ["BatchResult", "failed_reply", "read_result", "whose", "write_result"]

_Status: TypeAlias = Literal["succeeded", "error", "expired", "cancelled", "unreadable", "missing"]


class BatchResult(NamedTuple):
    """What became of one request of a provider's batch."""

    id: str
    """The caller's id, from the file of requests."""
    status: _Status
    """`"succeeded"`; `"expired"` or `"cancelled"` if the batch ended before the request was done; `"error"` if the
    provider refused or failed; `"unreadable"` if its answer cannot be read; `"missing"` if the results have no answer
    for the request."""
    reply: Reply | None = None
    """The answer, if the request succeeded."""
    code: str | None = None
    """The provider's code for the failure. For `"unreadable"` and `"missing"`, one of `turnwire.error_codes()`."""
    message: str | None = None
    """What went wrong, in a sentence."""
    http_status: int | None = None
    """The HTTP status of the failure, where the results have it."""

    def _repr_html_(self) -> str:
        return _html(self, self._fields)


# Users import it from here, so pickles survive a move of this file.
BatchResult.__module__ = "turnwire.batch"

_OPENAI: Final[dict[str, _Status]] = {"batch_expired": "expired", "batch_cancelled": "cancelled"}
_ANTHROPIC: Final[dict[str, _Status]] = {"expired": "expired", "canceled": "cancelled"}
# gRPC's codes for a cancelled request, and for one that exceeded its deadline.
_GEMINI: Final[dict[str, _Status]] = {"1": "cancelled", "4": "expired"}
_INTERNAL: Final = 13
# The statuses that Bedrock's results have for a request that was cancelled or too late.
_ENDED: Final = {"cancelled": 499, "expired": 504}
_LEAST_FAILURE: Final = 400
# Where bodies of errors have their sentence.
_SAID: Final = ("message", "Message", "detail", "error", "errors")
# gRPC's codes, each with the HTTP statuses that mean the same; the first is written for the others.
_GRPC: Final[dict[int, tuple[int, ...]]] = {
    3: (400, 413, 422),
    16: (401,),
    7: (403, 402),
    5: (404,),
    10: (409,),
    8: (429,),
    4: (504, 408),
    14: (503, 529),
    13: (500,),
}


def whose(line: dict[str, Any]) -> tuple[str, str]:
    """The provider that a result's form belongs to, and the result's id. Mistral's form is OpenAI's.

    Raises:
        ParseError: `wrong_dialect` for a line that is not a result; `missing_key` for a result without an id.
    """
    wire, given = "", None
    if "result" in line:
        wire, given = "anthropic", line.get("custom_id")
    elif "modelOutput" in line or "modelInput" in line or "recordId" in line:
        wire, given = "bedrock", line.get("recordId")
    elif "custom_id" in line:
        wire, given = "openai", line["custom_id"]
    elif "response" in line or "error" in line:
        wire, given = "gemini", line.get("key") or _object(line, "metadata").get("key")
    else:
        raise ParseError("expected a result of a batch: an id, and a reply or an error", code="wrong_dialect")
    if not isinstance(given, str):
        key = WIRES[wire].id_key
        raise ParseError(f"expected the key `{key}`, a text", code="missing_key", path=f"$.{key}")
    return wire, given


def read_result(own: str, wire: str, line: dict[str, Any], request: Request) -> BatchResult:
    """The result in a line, for the request with the caller's id `own`."""
    match wire:
        case "anthropic":
            result = _object(line, "result")
            kind = result.get("type")
            if kind == "succeeded":
                return _good(own, "anthropic", result.get("message"), request)
            error = _error(_object(result, "error")) or _error(result)
            return _bad(own, _ANTHROPIC.get(str(kind), "error"), error.get("type"), _message(error))
        case "bedrock":
            body, error = line.get("modelOutput"), _error(line)
            if body is not None and not error:
                dialect = "bedrock" if isinstance(body, dict) and "output" in body else "anthropic"
                return _good(own, dialect, body, request)
            return _bad(own, "error", error.get("errorCode"), _message({**error, "message": error.get("errorMessage")}))
        case "gemini":
            error = _error(line)
            if not error:
                return _good(own, "gemini", line.get("response"), request)
            status = _GEMINI.get(str(error.get("code")), "error")
            return _bad(own, status, error.get("status") or error.get("code"), _message(error))
        case _:
            return _openai(own, line, request)


def _openai(own: str, line: dict[str, Any], request: Request) -> BatchResult:
    answer, error = _object(line, "response"), _error(line)
    body, number = _object(answer, "body"), _number(answer.get("status_code"))
    failed = number is not None and number >= _LEAST_FAILURE
    if answer and not error and not failed:
        return _good(own, _openai_dialect(body), answer.get("body"), request)
    # A proxy answers with a page or a text.
    said = answer.get("body")
    error = error or _error(body) or body or ({"error": said} if said else {})
    code = error.get("code") or error.get("type") or number
    failure = _bad(own, _OPENAI.get(str(code), "error"), code, _message(error))
    return failure._replace(http_status=number) if failed else failure


def _openai_dialect(body: dict[str, Any]) -> str:
    if body.get("object") == "response":
        return "openai-responses"
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    # Only Mistral answers in parts, and only Mistral has these finish reasons.
    parts = isinstance(_object(first, "message").get("content"), list)
    return "mistral" if parts or first.get("finish_reason") in ("model_length", "error") else "openai"


def _object(value: dict[str, Any], key: str) -> dict[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _error(value: dict[str, Any]) -> dict[str, Any]:
    """What stands under `error`. A text or a list there is all that is known."""
    found = value.get("error")
    return found if isinstance(found, dict) else {"error": found} if found else {}


def _number(value: object) -> int | None:
    """A status, which some servers write as a text."""
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _message(error: dict[str, Any]) -> str | None:
    """The sentence of an error. Some servers say what is wrong at each place of the request, or have another key."""
    said = error.get("message")
    if isinstance(said, str):
        return said
    if not any(error.get(key) for key in _SAID):
        return None
    return cast("str", _failed(error, _LEAST_FAILURE).render("cohere").payload["message"])


def _failed(error: dict[str, Any], status: int) -> Reply:
    """An error as a reply. In a list it is in the form of no provider, so that it is written anew for every client."""
    return parse_reply([{"error": error}], "openai", status=status)


def _good(own: str, dialect: Any, body: Any, request: Request) -> BatchResult:
    try:
        return BatchResult(own, "succeeded", parse_reply(body, dialect, request=request.body))
    except TurnwireError as error:
        return BatchResult(own, "unreadable", None, error.code, str(error.args[0]))


def _bad(own: str, status: _Status, code: object, message: str | None) -> BatchResult:
    return BatchResult(own, status, None, None if code is None else str(code), message)


def failed_reply(result: BatchResult, body: dict[str, Any], status: int) -> BatchResult:
    """A reply that ended in an error, as a failure. `body` is the error in the form of the target's clients."""
    error = _object(body, "error") or body
    code = error.get("code") or error.get("type") or status
    return _bad(result.id, "error", code, _message(error))._replace(http_status=status)


def write_result(result: BatchResult, body: dict[str, Any] | None, request: Request, line: dict[str, Any]) -> Any:
    """A result as the provider of its request would write it. `line` is the request's line, `body` the reply."""
    own = result.id
    match request.wire:
        case "anthropic":
            return {"custom_id": own, "result": _anthropic_result(result, body)}
        case "gemini":
            if body is not None:
                return {"key": own, "response": body}
            number = {status: int(code) for code, status in _GEMINI.items()}.get(result.status) or _grpc(result)
            return {"key": own, "error": {"code": number, "message": _sentence(result)}}
        case "bedrock":
            code = _http(result) if result.status == "error" else _ENDED.get(result.status) or result.code
            error = {"errorCode": code, "errorMessage": _said(result)}
            said = ("error", error) if body is None else ("modelOutput", body)
            return {"recordId": own, "modelInput": line["modelInput"], said[0]: said[1]}
        case _:
            made = {"id": f"batch_req_{own}", "custom_id": own}
            if body is not None:
                answer = {"status_code": 200, "request_id": made["id"], "body": body}
                return {**made, "response": answer, "error": None}
            if result.status == "error":
                # The provider refused the request, as it refuses one that is sent alone.
                refused = _rendered(result, request.dialect)
                answer = {"status_code": refused.status, "request_id": made["id"], "body": refused.payload}
                return {**made, "response": answer, "error": None}
            ended = {status: code for code, status in _OPENAI.items()}.get(result.status) or result.code or "error"
            return {**made, "response": None, "error": {"code": ended, "message": _said(result)}}


def _anthropic_result(result: BatchResult, body: dict[str, Any] | None) -> dict[str, Any]:
    if body is not None:
        return {"type": "succeeded", "message": body}
    for kind, status in _ANTHROPIC.items():
        if result.status == status:
            return {"type": kind}
    if result.status == "error":
        fault: Any = _rendered(result, "anthropic").payload
        return {"type": "errored", "error": {"request_id": None, **fault}}
    said = {"type": "api_error", "message": _sentence(result)}
    return {"type": "errored", "error": {"type": "error", "error": said, "request_id": None}}


def _http(result: BatchResult) -> int:
    """The HTTP status of a failure, or the one that means what its code does: itself, gRPC's code, or a word."""
    if result.http_status is not None:
        return result.http_status
    code = result.code or ""
    if code.isdecimal():
        number = int(code)
        return _GRPC[number][0] if number in _GRPC else number if _LEAST_FAILURE <= number < 600 else 500
    return _failure_status(code) or 500


def _grpc(result: BatchResult) -> int:
    """The code of gRPC for a failure."""
    number = _http(result) if result.status == "error" else None
    return next((code for code, statuses in _GRPC.items() if number in statuses), _INTERNAL)


def _rendered(result: BatchResult, dialect: str) -> RenderedReply[Any]:
    """A failure as the provider of a dialect answers one request."""
    # A number is the status, and no word that a client knows.
    code = None if result.code is None or result.code.isdecimal() else result.code
    words = {} if code is None else {"type": code, "code": code}
    made = _failed({"message": _said(result), **words}, _http(result)).render(cast("Any", dialect))
    error: dict[str, Any] = _object(made.payload, "error") or made.payload
    if code is not None and "code" in error and error["code"] is None and _failure_status(code) is None:
        # A word that no format has a meaning for.
        error["code"] = code
    return made


def _said(result: BatchResult) -> str:
    return result.message or f"the request: {result.status}"


def _sentence(result: BatchResult) -> str:
    """What went wrong, with the provider's code, for forms that have no key for the code."""
    return _said(result) if result.code is None else f"{_said(result)} ({result.code})"
