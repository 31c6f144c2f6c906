"""The official SDKs' own types as strict checks."""

import collections.abc
import os
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

from judges.sdks import imported

from .findings import Report


def _not_json(tp: Any) -> bool:
    """True for alternatives that never appear in a JSON body: files, bytes, response models."""
    pydantic = imported("pydantic")
    te = imported("typing_extensions")

    if isinstance(tp, te.TypeAliasType):
        return _not_json(tp.__value__)
    origin, args = get_origin(tp), get_args(tp)
    if origin is typing.Annotated:
        return _not_json(args[0])
    if origin in (Union, types.UnionType):
        return all(_not_json(a) for a in args)
    base = origin or tp
    return base in (bytes, typing.IO, os.PathLike) or (
        isinstance(base, type) and issubclass(base, (pydantic.BaseModel, os.PathLike))
    )


def _literals(tp: Any) -> set | None:
    return set(get_args(tp)) if get_origin(tp) is Literal else None


def _one_of(members: Any) -> Any:
    """Union of types known only at run time."""
    return Union[tuple(members)]  # noqa: UP007


class _Closer:
    def __init__(self) -> None:
        self.memo: dict[Any, Any] = {}
        self.tags: dict[Any, dict[str, tuple[set | None, bool]]] = {}

    def closed(self, tp: Any) -> Any:
        te = imported("typing_extensions")

        if isinstance(tp, (typing.TypeVar, te.TypeVar)) or tp in (object, Any):
            return Any
        if isinstance(tp, te.TypeAliasType):
            return self.closed(tp.__value__)
        if te.is_typeddict(tp):
            return self._typeddict(tp)
        origin, args = get_origin(tp), get_args(tp)
        if origin is typing.Annotated or origin is te.Annotated:
            return self.closed(args[0])
        if origin in (Union, types.UnionType):
            return self._union(args)
        if origin is Literal or origin is None:
            return tp
        if origin in (dict, collections.abc.Mapping):
            return dict[str, self.closed(args[1])]
        if len(args) == 1:  # list, Iterable, Sequence, SequenceNotStr, ...
            return list[self.closed(args[0])]
        return tp

    def _typeddict(self, tp: Any) -> Any:
        te = imported("typing_extensions")

        if tp in self.memo:
            return self.memo[tp]
        self.memo[tp] = Any  # breaks recursive definitions
        fields, tags = {}, {}
        for key, hint in te.get_type_hints(tp, include_extras=True).items():
            required = key in tp.__required_keys__
            if get_origin(hint) is te.Required:
                required, hint = True, get_args(hint)[0]
            elif get_origin(hint) is te.NotRequired:
                required, hint = False, get_args(hint)[0]
            if key in ("type", "role"):
                inner = [a for a in get_args(hint) if a is not type(None)] if get_origin(hint) is Union else [hint]
                tags[key] = (_literals(inner[0]) if len(inner) == 1 else None, required)
            fields[key] = (te.Required if required else te.NotRequired)[self.closed(hint)]
        new = te.TypedDict(tp.__name__, fields)  # type: ignore[operator]
        extra = getattr(tp, "__pydantic_config__", {}).get("extra", "forbid")
        new.__pydantic_config__ = {"extra": extra, "strict": True}
        self.memo[tp] = new
        self.tags[new] = tags
        return new

    def _union(self, args: tuple) -> Any:
        members = [self.closed(a) for a in args if not _not_json(a)]
        dicts = [m for m in members if m in self.tags]
        rest = [m for m in members if m not in self.tags]
        if len(dicts) > 1:
            rest.append(self._tagged(dicts))
        else:
            rest.extend(dicts)
        return _one_of(rest)

    def _tagged(self, dicts: list) -> Any:
        """Group alternatives by their literal `type`/`role` so that errors name one alternative."""
        pydantic = imported("pydantic")

        for key in ("type", "role"):
            if not all(self.tags[d].get(key, (None, False))[0] for d in dicts):
                continue
            groups: dict[str, list] = {}
            for d in dicts:
                values, required = self.tags[d][key]
                for value in values or ():
                    groups.setdefault(value, []).append(d)
                if not required:
                    groups.setdefault("", []).append(d)

            def pick(value: Any, key: str = key) -> str:
                return (value.get(key) or "") if isinstance(value, dict) else "?"

            arms = [typing.Annotated[_one_of(ds), pydantic.Tag(tag)] for tag, ds in groups.items()]
            return typing.Annotated[_one_of(arms), pydantic.Discriminator(pick)] if len(arms) > 1 else _one_of(dicts)
        return _one_of(dicts)


@cache
def _adapter(module: str, name: str) -> Any:
    pydantic = imported("pydantic")

    return pydantic.TypeAdapter(_Closer().closed(getattr(imported(module), name)))


def report_validation(report: Report, payload: Any, exc: Any, prefix: str = "") -> None:
    """Turn a pydantic ValidationError into findings, leaving out what a deeper finding explains."""
    found: list[tuple[str, str]] = []
    for err in exc.errors(include_url=False, include_input=False):
        path, here, tag_seen = prefix, payload, False
        for n, step in enumerate(err["loc"]):
            last = n == len(err["loc"]) - 1
            if isinstance(here, dict) and step == here.get("type") and not last and not tag_seen:
                tag_seen = True  # the name of a union alternative, not a key
                continue
            if (isinstance(here, dict) and step in here) or (isinstance(here, list) and isinstance(step, int)):
                path += f"[{step}]" if isinstance(step, int) else (f".{step}" if path else str(step))
                here = here[step] if isinstance(here, dict) or step < len(here) else None
                tag_seen = False
            elif last and err["type"] in ("missing", "extra_forbidden"):
                path += f".{step}" if path else str(step)
        found.append((path, err["msg"]))
    paths = [path for path, _ in found]
    for path, msg in found:
        if not any(p.startswith((path + ".", path + "[")) for p in paths):
            report.add("type", path, msg)


def typed(report: Report, payload: Any, module: str, name: str) -> None:
    pydantic = imported("pydantic")

    try:
        _adapter(module, name).validate_python(payload)
    except pydantic.ValidationError as exc:
        report_validation(report, payload, exc)


# --- open pydantic models (ollama, mistralai, cohere): they ignore or keep unknown keys, so walk them


def model_extras(report: Report, tp: Any, value: Any, path: str, allowed: Callable[[type, str], bool]) -> None:
    """Report keys the SDK's model does not declare. Runs after the model itself accepted the value."""
    pydantic = imported("pydantic")
    te = imported("typing_extensions")

    if isinstance(tp, te.TypeAliasType):
        return model_extras(report, tp.__value__, value, path, allowed)
    origin, args = get_origin(tp), get_args(tp)
    if isinstance(origin, te.TypeAliasType):  # subscripted generic alias, e.g. Nullable[X]
        return model_extras(report, origin.__value__[args] if args else origin.__value__, value, path, allowed)
    if origin is typing.Annotated:
        return model_extras(report, args[0], value, path, allowed)
    if origin in (Union, types.UnionType):
        models = [m for m in (as_model(a) for a in args) if m]
        if isinstance(value, dict) and models:
            return model_extras(report, best_model(models, value), value, path, allowed)
        for arg in args:
            if isinstance(value, list) and (get_origin(arg) or arg) in (list, collections.abc.Sequence):
                return model_extras(report, arg, value, path, allowed)
        for arg in args:
            if isinstance(arg, te.TypeAliasType) or isinstance(get_origin(arg), te.TypeAliasType):
                model_extras(report, arg, value, path, allowed)
        return None
    if origin in (list, collections.abc.Sequence) and isinstance(value, list):
        for i, item in enumerate(value):
            model_extras(report, args[0], item, f"{path}[{i}]", allowed)
        return None
    if isinstance(tp, type) and issubclass(tp, pydantic.BaseModel) and isinstance(value, dict):
        names = {(f.alias or n): f for n, f in tp.model_fields.items()}
        for key, item in value.items():
            here = f"{path}.{key}" if path else key
            if key in names:
                model_extras(report, names[key].annotation, item, here, allowed)
            elif not allowed(tp, key):
                report.add("type", here, f"{tp.__name__} has no field {key!r}")
        for key in ("type", "role"):
            f = names.get(key)
            if f is not None and key not in value and _field_literals(f) and not allowed(tp, f"-{key}"):
                report.add("type", f"{path}.{key}", f"{tp.__name__} needs an explicit {key!r} on the wire")
    return None


def as_model(tp: Any) -> type | None:
    pydantic = imported("pydantic")

    if get_origin(tp) is typing.Annotated:
        tp = get_args(tp)[0]
    return tp if isinstance(tp, type) and issubclass(tp, pydantic.BaseModel) else None


def _field_literals(f: Any) -> set:
    def walk(tp: Any) -> set:
        if get_origin(tp) is Literal:
            return set(get_args(tp))
        return set().union(*(walk(a) for a in get_args(tp))) if get_args(tp) else set()

    return walk(f.annotation)


def best_model(models: list[type], value: dict) -> type:
    def score(m: type) -> tuple:
        fields = {(f.alias or n): f for n, f in m.model_fields.items()}  # type: ignore[attr-defined]
        tag = any(
            k in fields and isinstance(value.get(k), str) and value[k] in _field_literals(fields[k])
            for k in ("type", "role")
        )
        return (tag, len(set(fields) & set(value)))

    return max(models, key=score)


def sdk_keys(module: str, name: str) -> frozenset:
    tp = getattr(imported(module), name)
    return tp.__required_keys__ | tp.__optional_keys__
