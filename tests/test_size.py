"""The ceiling of the library's size: a wheel above it fails, and only where the ceiling was measured."""

from __future__ import annotations

import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "benches" / "python" / "size.py"
CEILING: int = runpy.run_path(str(SCRIPT))["CEILING"]


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    """The script's output for a folder."""
    return subprocess.run([sys.executable, str(SCRIPT), str(folder)], capture_output=True, text=True)


def put_wheel(folder: Path, platform: str, *libraries: int) -> str:
    """A wheel with libraries of these sizes."""
    name = f"turnwire-0.1.0-cp311-cp311-{platform}.whl"
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("turnwire/__init__.py", "")
        for at, size in enumerate(libraries):
            archive.writestr(f"turnwire/_core{at}.so", bytes(size))
    return name


@pytest.mark.parametrize("platform", ["linux_x86_64", "manylinux_2_28_x86_64", "musllinux_1_2_x86_64"])
def test_a_library_above_the_ceiling_fails_by_name(platform: str, tmp_path: Path) -> None:
    name = put_wheel(tmp_path, platform, CEILING)
    assert run(tmp_path).returncode == 0
    assert put_wheel(tmp_path, platform, CEILING + 1) == name
    done = run(tmp_path)
    assert done.returncode == 1
    assert name in done.stderr


def test_other_machines_are_printed_only(tmp_path: Path) -> None:
    name = put_wheel(tmp_path, "macosx_11_0_arm64", CEILING + 1)
    done = run(tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{(CEILING + 1) / 1e6:6.2f} MB  {name}\n")


@pytest.mark.parametrize("libraries", [(), (1, 1)])
def test_a_wheel_with_another_number_of_libraries_fails(libraries: tuple[int, ...], tmp_path: Path) -> None:
    put_wheel(tmp_path, "linux_x86_64", *libraries)
    assert run(tmp_path).returncode == 1


def test_a_folder_without_wheels_fails(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 1
    assert "make wheel" in done.stderr
