"""Servers whose rules a program states: a row that is based on a shipped one, and whose name says what differs."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self

from ._core import _html, _server, _server_row
from ._families import family
from .errors import TurnwireError

__all__ = ["Server", "server", "server_at", "server_called", "servers"]

Value = str | bool | int | Iterable[str]

_LISTS: Final = ("effort", "formats", "media", "refuses", "thinking", "tool_choice", "tool_choice_thinking", "urls")
_WORDS: Final = {"yes": True, "no": False}
_EMPTY: Final = ("none", "nothing")

# By the host and the wire: one host may speak several.
_addresses: dict[tuple[str, str], Server] = {}
_named: dict[str, Server] = {}


class Server(str):
    """A server's rules: a shipped row with other columns, as one name that is accepted wherever a dialect's is.

        lab = turnwire.server("lab", base="openai:compatible", system="one")
        turnwire.prepare(messages, lab)

    The text is the canonical name, as in `openai:compatible+system=one`. It says all there is: a pickle, a ledger's
    state and another process need nothing else.
    """

    _row: tuple[str, str, str | None, str, list[tuple[str, str, str, str]]]
    _models: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    _hosts: tuple[str, ...]

    def __new__(cls, name: str) -> Self:
        """Read the name of a row.

        Raises:
            UnknownDialectError: No row has this name.
        """
        row = _server_row(name)
        made = super().__new__(cls, row[0])
        made._row, made._models, made._hosts = row, (), ()
        return made

    @property
    def name(self) -> str:
        """The short name; the canonical one if there is none."""
        return _server_row(self)[2] or str(self)

    @property
    def base(self) -> str:
        """The shipped row that it differs from."""
        return self._row[1]

    @property
    def columns(self) -> Mapping[str, str | bool | int | tuple[str, ...]]:
        """What differs from the base."""
        return MappingProxyType({name: _read(name, value) for name, value, was, _ in self._row[4] if value != was})

    @property
    def row(self) -> Mapping[str, str | bool | int | tuple[str, ...]]:
        """Every column."""
        return MappingProxyType({name: _read(name, value) for name, value, _, _ in self._row[4]})

    @property
    def addresses(self) -> tuple[str, ...]:
        """The hosts at which a wrapped client takes these rules."""
        return self._hosts

    def but(self, **columns: Value) -> Server:
        """Another row that differs from this one in these columns.

        Args:
            columns: As in `server`.

        Raises:
            UnknownDialectError: A column does not exist, or has another value than it may have.
        """
        return Server(_server(self, _spelled(columns), None))

    def for_model(self, model: str) -> Server:
        """The row for one model: the first of `models` whose pattern its name matches says what differs.

        Args:
            model: The model's name, as the request has it.
        """
        for pattern, columns in self._models:
            if fnmatchcase(model, pattern):
                return Server(_server(self, [*columns], None))
        return Server(self)

    def toml(self) -> str:
        """A table for `servers`, with what differs from the base."""
        lines = [f"[servers.{_key(self.name)}]", f"base = {_text(self.base)}"]
        lines += [f"address = {_written([*self._hosts])}"] if self._hosts else []
        lines += [f"{name} = {_written(value)}" for name, value in self.columns.items()]
        for pattern, columns in self._models:
            lines += ["", f"[servers.{_key(self.name)}.models.{_text(pattern)}]"]
            lines += [f"{name} = {_written(_read(name, value))}" for name, value in columns]
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        if self.name == str(self):
            return f"Server({self.name!r})"
        said = "".join(f", {name}={value!r}" for name, value in self.columns.items())
        return f"server({self.name!r}, base={self.base!r}{said})"

    def _repr_html_(self) -> str:
        """A table of what it is and what differs from its base."""
        return _html(self, ("name", "base", "columns", "addresses"))

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process may have given the short name to another row.
        return (Server, (str(self),))


def server(
    name: str,
    *,
    base: str = "openai:compatible",
    address: str | Iterable[str] = (),
    models: Mapping[str, Mapping[str, Value]] | None = None,
    **columns: Value,
) -> Server:
    """State the rules of a server, which then stand wherever a dialect's name may.

        lab = server("lab-vllm", base="openai:compatible", system="one", tool_choice=("auto", "none"))
        lab == "openai:compatible+system=one+tool_choice=auto,none"

    Args:
        name: A short name for messages and for the command line, or a name with columns, which is read.
        base: The shipped row that it differs from, or another server.
        address: The hosts at which a wrapped client takes these rules.
        models: What differs for some models, by a pattern of their names such as `"qwen3*"`. The first one counts.
        columns: What differs from the base: `turnwire dialects NAME` lists the columns. A flag may be a bool, a list a
            tuple, a number an int.

    Raises:
        UnknownDialectError: No row has the name of the base, a column does not exist, or a value is not one of its own.
        TurnwireError: `unknown_option` for a short name that is a dialect's or has a `+` or `=`, for a text with half a
            character, and for an address that is no host; `conflicting_options` for a short name that another row has.
        TypeError: An argument is of another type.
    """
    is_read = "+" in _whole("name", name) and not columns
    made = Server(name if is_read else _server(_whole("base", base), _spelled(columns), None))
    made._models = _by_model(made, models)
    made._hosts = _hosts_of(address)
    if not is_read:
        # Last, so that nothing wrong leaves a name behind.
        _server(base, _spelled(columns), name)
        _named[name] = made
    _addresses.update({(host, family(made)): made for host in made._hosts})
    return made


def servers(source: str | PathLike[str] | Mapping[str, Any]) -> dict[str, Server]:
    """The servers of a TOML file, or of its content as a dict, by their short names.

        [servers.lab-vllm]
        base = "openai:compatible"
        system = "one"

        [servers.lab-vllm.models."qwen3*"]
        needs_user = true

    Args:
        source: The path of the file, or what it holds.

    Raises:
        OSError: The file cannot be read.
        TurnwireError: `unknown_option` for what is no table of servers, and what `server` raises.
    """
    held = source if isinstance(source, Mapping) else _content(source)
    tables = held.get("servers")
    if not isinstance(tables, Mapping):
        raise TurnwireError("expected a table [servers.NAME] for each server", code="unknown_option")
    made = {}
    for name, table in tables.items():
        if not isinstance(table, Mapping):
            raise TurnwireError(f"servers.{name}: expected a table, got {type(table).__name__}", code="unknown_option")
        if "name" in table:
            text = f"servers.{name}: expected base, address, models and columns, got name, which is the table's own"
            raise TurnwireError(text, code="unknown_option")
        made[name] = server(name, **table)
    return made


def _content(path: str | PathLike[str]) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TurnwireError(f"{path}: expected TOML: {error}", code="unknown_option") from error


def server_called(name: str) -> Server | None:
    """The server that a program has given this short name."""
    return _named.get(name)


def server_at(host: str, wire: str) -> Server | None:
    """The server that a program has stated for a host, of this format. The longest address decides."""
    fits = [known for known, of in _addresses if of == wire and (host == known or host.endswith(f".{known}"))]
    return _addresses[max(fits, key=len), wire] if fits else None


def _by_model(row: Server, models: object) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    if not isinstance(models, Mapping | None):
        raise TypeError(f"models: expected a mapping of patterns to columns, got {type(models).__name__}")
    made = []
    for pattern, said in (models or {}).items():
        if not isinstance(said, Mapping):
            raise TypeError(f"models: expected a mapping of columns for {pattern!r}, got {type(said).__name__}")
        spelled = tuple(_spelled(said))
        # A wrong column is told now, and not by the first request for the model.
        _server(row, [*spelled], None)
        made.append((_whole("models", pattern), spelled))
    return tuple(made)


def _hosts_of(address: object) -> tuple[str, ...]:
    if not isinstance(address, Iterable) or isinstance(address, bytes | Mapping):
        raise TypeError(f"address: expected a host or several, got {type(address).__name__}")
    hosts = [address] if isinstance(address, str) else address
    made = tuple(_whole("address", host).lower() for host in hosts)
    for host in made:
        if not host or set(host) & set(":/ "):
            text = (
                f"address: expected a host, as in 'vllm.lab.example', without a scheme, a port or a path, got {host!r}"
            )
            raise TurnwireError(text, code="unknown_option")
    return made


def _whole(what: str, value: object) -> str:
    """A text that is one, and that UTF-8 can hold."""
    if not isinstance(value, str):
        raise TypeError(f"{what}: expected a str, got {type(value).__name__}")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise TurnwireError(f"{what}: expected whole characters, got half of one in {value!r}", code="unknown_option")
    return value


def _spelled(columns: Mapping[str, Value]) -> list[tuple[str, str]]:
    return [(name, _word(name, value)) for name, value in columns.items()]


def _word(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | str):
        return _whole(name, str(value))
    if isinstance(value, Iterable) and not isinstance(value, bytes | Mapping):
        words = [_whole(name, one) for one in value]
        return ",".join(words) or ("nothing" if name == "refuses" else "none")
    raise TypeError(f"{name}: expected a str, a bool, an int or some str, got {type(value).__name__}")


def _read(name: str, value: str) -> str | bool | int | tuple[str, ...]:
    if name in _LISTS:
        return () if value in _EMPTY and name != "effort" else tuple(value.split(","))
    return _WORDS.get(value, int(value) if value.isdecimal() else value)


def _key(name: str) -> str:
    plain = name.replace("-", "").replace("_", "")
    return name if plain.isascii() and plain.isalnum() else _text(name)


def _text(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_text(str(one)) for one in value) + "]"
    return _text(str(value))
