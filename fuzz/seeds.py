"""Writes the vectors as inputs of the fuzz targets that begin with a dialect, into `fuzz/corpus/vectors`."""

import json
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TO = ROOT / "fuzz/corpus/vectors"


def compact(value):
    """JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def seed(vector):
    """The target that a vector is for, and its input: dialects, a line each, the byte of settings, and the text."""
    if "messages" in vector:
        source = vector.get("dialect", "openai")
        return "builder", f"{source}\n{vector.get('build', {}).get('target', source)}\n\0{compact(vector['messages'])}"
    if "source" in vector:
        text = vector["payload_text"] if "payload_text" in vector else compact(vector["payload"])
        return "convert", f"{vector['source']}\n{vector['target']}\n\0{text}"
    if "reply" in vector:
        return "reply", f"{vector['dialect']}\n{compact(vector['reply'])}"
    # The body is split every seven bytes; that of Converse is binary, and its events are a line each.
    event = "{}\n" if vector["dialect"] == "bedrock" else "data: {}\n\n"
    text = vector["sse"] if "sse" in vector else "".join(event.format(compact(chunk)) for chunk in vector["chunks"])
    return "stream", f"{vector['dialect']}\n\6{text}"


def main():
    """Writes them anew."""
    shutil.rmtree(TO, ignore_errors=True)
    for file in sorted((ROOT / "tests/vectors").glob("*.json")):
        vectors = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(vectors, dict):
            vectors = vectors.get("build", [])
        for at, vector in enumerate(vectors):
            if not {"dialect", "source", "messages"} & set(vector):
                continue
            target, text = seed(vector)
            # What is converted can be built, too.
            for one in {"convert": ("convert", "builder")}.get(target, (target,)):
                (TO / one).mkdir(parents=True, exist_ok=True)
                (TO / one / f"{file.stem}-{at}").write_bytes(text.encode("utf-8", "surrogatepass"))


if __name__ == "__main__":
    main()
