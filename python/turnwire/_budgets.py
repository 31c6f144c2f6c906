"""Makes budgets of what callers give, and copies of budgets with other values."""

from __future__ import annotations

from typing import Any

from ._core import Budget

__all__ = ["changed", "grown", "whole"]


def whole(budget: int | Budget | None) -> Budget:
    """The budget that an argument means; one without a limit for None.

    Raises:
        TurnwireError: `negative_budget`.
        TypeError: It is neither an int nor a `Budget`.
    """
    return budget if isinstance(budget, Budget) else Budget(budget)


def changed(budget: Budget, **values: Any) -> Budget:
    """A copy of a budget with other values. None takes a value away."""
    given = {**budget._given, **values}
    return Budget(**{name: value for name, value in given.items() if value is not None})


def grown(budget: Budget, extra: int) -> Budget:
    """A copy with so much more room, or less. A budget without a limit stays as it is."""
    name = f"max_{budget.unit}"
    limit = getattr(budget, name)
    return budget if limit is None or extra == 0 else changed(budget, **{name: max(limit + extra, 0)})
