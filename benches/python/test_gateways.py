"""Whether the gateways of `bench_gateway.py` start and answer, each a few times."""

import contextlib
from pathlib import Path

import bench_gateway
import gateway_rivals
import pytest


def test_each_gateway_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_rivals, "installed", lambda *_: iter(()))
    with contextlib.ExitStack() as stack:
        made = bench_gateway.contenders(stack, tmp_path)
        bench_gateway.take_turns(made, rounds=1, seconds=0.2)
        memory = {gateway.name: gateway.memory() for gateway in made}
        assert [gateway.name for gateway in made] == ["turnwire", "pass-through", "hand-written"]
        for gateway in made:
            assert all(len(gateway.rates[stream]) == 1 and gateway.rates[stream][0] > 0 for stream in (False, True))
        rows = bench_gateway.measured(made, memory)
        assert all({"ours", "pass-through", "by hand"} <= row.keys() for row in rows)
