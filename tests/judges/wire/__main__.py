"""Check a body by hand: `python -m judges.wire PROVIDER FILE.json` in `tests/`, with `-` for the standard input."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from . import CHECKS, SdkMissingError, check, errors


def main(argv: list[str] | None = None) -> int:
    """0 if the body conforms, 1 if it has problems, 2 if it could not be checked."""
    parser = argparse.ArgumentParser(prog="judges.wire", description="Check the body of a request.")
    parser.add_argument("provider", choices=sorted(CHECKS))
    parser.add_argument("file", help="the body as JSON; '-' is the standard input")
    parser.add_argument("--json", action="store_true", help="print the problems as JSON")
    parser.add_argument("--strict", action="store_true", help="warnings fail, too")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="an option of the check, such as server=vllm"
    )
    args = parser.parse_args(argv)
    try:
        text = sys.stdin.read() if args.file == "-" else Path(args.file).read_text(encoding="utf-8")
        given = (one.partition("=") for one in args.set)
        options = {name: int(value) if value.isdigit() else value for name, _, value in given}
        problems = check(args.provider, json.loads(text), **options)
    except (OSError, ValueError, KeyError, TypeError, SdkMissingError) as error:
        print(f"cannot check: {error}", file=sys.stderr)
        return 2
    if args.json:
        print(json.dumps([asdict(one) for one in problems], indent=1))
    else:
        print(*problems, sep="\n", end="\n" if problems else "")
        print(f"{args.provider}: {len(errors(problems))} errors, {len(problems) - len(errors(problems))} warnings")
    return 1 if (problems if args.strict else errors(problems)) else 0


if __name__ == "__main__":
    sys.exit(main())
