"""What is imported when, and the message about a missing extra; each in an interpreter of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON_PATH = os.pathsep.join(filter(None, [str(Path(__file__).parents[2] / "python"), os.environ.get("PYTHONPATH")]))


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"PYTHONPATH": PYTHON_PATH},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stdout + done.stderr


def test_turnwire_imports_none_of_it():
    code = "import sys, turnwire; print({'slack_sdk', 'aiohttp', 'mcp', 'turnwire.tools'} & set(sys.modules))"
    assert run(code).strip() == "set()"


def test_the_tool_does_not_need_mcp():
    code = "import sys; sys.modules['mcp'] = None; import turnwire.tools.slack; print('fine', 'uvicorn' in sys.modules)"
    assert run(code).strip() == "fine False"


@pytest.mark.parametrize("missing", ["slack_sdk", "aiohttp"])
@pytest.mark.parametrize("module", ["turnwire.tools.slack", "turnwire.tools.slack.search"])
def test_missing_slack_extra(module: str, missing: str):
    output = run(f"import sys; sys.modules[{missing!r}] = None; import {module}")
    last = output.strip().splitlines()[-1]
    assert last.startswith("ImportError: turnwire.tools.slack needs the package")
    assert 'pip install "turnwire[slack]"' in last


@pytest.mark.parametrize("missing", ["mcp", "uvicorn"])
def test_missing_mcp_extra(missing: str):
    output = run(f"import sys; sys.modules[{missing!r}] = None; import turnwire.tools.slack.server")
    last = output.strip().splitlines()[-1]
    assert last.startswith("ImportError: turnwire.tools.slack.server needs the package")
    assert 'pip install "turnwire[slack,mcp]"' in last
