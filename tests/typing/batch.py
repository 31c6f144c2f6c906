"""Types of files and streams of lines."""

from typing import reveal_type

from turnwire import batch

report = batch.convert_file("in", "out", "anthropic", source="openai", settings="keep", strict=True)
reveal_type(report)  # Report
reveal_type(report.rows)  # int
reveal_type(report.seconds)  # float
reveal_type(batch.check_file("in", "out", target="gemini").changes)  # tuple[Count, ...]
reveal_type(batch.prepare_lines([b""], "openai", 100, wording={"opening": "go"}))  # Iterator[bytes]
reveal_type(list(batch.truncate_lines([b""], 100, split="fair")))  # list[bytes]
batch.prepare_file("in", "out", errors=lambda error: print(error.line, error.code, error.path, error.message))
