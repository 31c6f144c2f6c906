"""Other people's gateways for `bench_gateway.py`: where each is installed, its configuration, and how it starts.

All of them take OpenAI's Chat Completions and ask an Anthropic server. `make bench-rivals` installs the two that are
written in Rust. LiteLLM's proxy is in the environment of `make adapters`, or at `LITELLM=path/to/litellm`.
"""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
#: LiteLLM refuses to start with a weak key.
KEY = "sk-4f9c2d7e61ab8830c5d2e9f07a1b6c34"
MODEL = "claude"
#: The server's name for the model.
SERVED = "claude-sonnet-4-6"
#: nemo-switchyard is a library: two lines start it.
SWITCHYARD = "import sys, threading; from switchyard_rust.server import Server; \
server = Server(sys.argv[1], int(sys.argv[2])); threading.Event().wait()"


def litellm(folder: Path, upstream: str, port: int) -> list[Any] | None:
    """LiteLLM's proxy with one worker."""
    places = [os.environ.get("LITELLM"), ROOT / ".venv/adapters-proxy/bin/litellm"]
    found = next((Path(place) for place in places if place and Path(place).exists()), None)
    if found is None:
        return None
    model = {"model": f"anthropic/{SERVED}", "api_key": "none", "api_base": upstream}
    config = {"model_list": [{"model_name": MODEL, "litellm_params": model}], "general_settings": {"master_key": KEY}}
    file = folder / "litellm.json"
    file.write_text(json.dumps(config), encoding="utf-8")
    return [found, "--config", file, "--host", "127.0.0.1", "--port", port]


def rolter(folder: Path, upstream: str, port: int) -> list[Any] | None:
    """A binary in a wheel."""
    found = Path(sys.executable).parent / "rolter"
    if not found.exists():
        return None
    tables = [
        f'[server]\nhost = "127.0.0.1"\nport = {port}',
        f'[[providers]]\nname = "anthropic"\nkind = "anthropic"\napi_base = "{upstream}"\napi_key_env = "GATEWAY_KEY"',
        f'[[routes]]\nmodel = "{MODEL}"\nstrategy = "round_robin"',
        f'[[routes.targets]]\nprovider = "anthropic"\nmodel = "{SERVED}"',
    ]
    return [found, "gateway", "-c", written(folder / "rolter.toml", tables)]


def switchyard(folder: Path, upstream: str, port: int) -> list[Any] | None:
    """A Rust library with a server in it."""
    if importlib.util.find_spec("switchyard_rust") is None:
        return None
    tables = [
        "schema_version = 1",
        f'[llm_clients.a]\nformat = "anthropic_messages"\nbase_url = "{upstream}/v1"\napi_key_env = "GATEWAY_KEY"',
        f'[targets.t]\nid = "{SERVED}"\nllm_client = "a"',
        f'[routes.p]\nid = "{MODEL}"\ntype = "passthrough"\ntarget = "t"',
    ]
    return [sys.executable, "-c", SWITCHYARD, written(folder / "switchyard.toml", tables), port]


def written(file: Path, tables: list[str]) -> Path:
    """The file, with these TOML tables written to it."""
    file.write_text("\n".join(tables), encoding="utf-8")
    return file


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


#: How each one starts; None where it is not installed.
COMMANDS = {"LiteLLM": litellm, "rolter": rolter, "nemo-switchyard": switchyard}


def installed(folder: Path, upstream: str) -> Iterator[tuple[str, list[Any], int]]:
    """Name, command and port of each gateway that is installed. Their configurations are written to `folder`."""
    for name, command in COMMANDS.items():
        port = free_port()
        if found := command(folder, upstream, port):
            yield name, found, port
