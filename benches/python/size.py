"""Prints how large the stripped library is in each wheel of a folder, and fails above the ceiling.

It measures wheels that are built anyway: `make wheel` and the workflow of the wheels call it.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

#: The largest library on Linux x86_64, in bytes. Lower it when the library shrinks; a commit that raises it says why.
#: Other machines' code differs in size: their wheels are only printed.
CEILING = 10_000_000


def library_size(wheel: Path) -> int:
    """The bytes of the extension in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        sizes = [entry.file_size for entry in archive.infolist() if entry.filename.endswith((".so", ".pyd"))]
    if len(sizes) != 1:
        sys.exit(f"expected one extension in {wheel.name}, got {len(sizes)}")
    return sizes[0]


def is_measured(name: str) -> bool:
    """Whether the ceiling is for this wheel."""
    return "linux" in name and name.endswith("x86_64.whl")


def main(folder: Path) -> None:
    """Print each wheel's size, then fail if one is too large."""
    wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        sys.exit(f"expected wheels in {folder}, got none: run `make wheel` first")
    sizes = {wheel.name: library_size(wheel) for wheel in wheels}
    for name, size in sizes.items():
        print(f"{size / 1e6:6.2f} MB  {name}")
    too_large = [name for name, size in sizes.items() if is_measured(name) and size > CEILING]
    if too_large:
        sys.exit(f"the library exceeds {CEILING / 1e6:.2f} MB, the ceiling of {__file__}, in {', '.join(too_large)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
