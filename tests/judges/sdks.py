"""The packages that judge: official SDKs, and those that own a format."""

import importlib
import sys
from typing import Any


class SdkMissingError(RuntimeError):
    """A package that a judge needs is not installed: nothing passes unchecked."""


def imported(module: str) -> Any:
    if held := sys.modules.get(module):
        return held
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise SdkMissingError(f"{module} is not installed (dependency group dev): {error}") from error
