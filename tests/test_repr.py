"""What a terminal and a notebook show: short, and in a notebook no text of a conversation becomes HTML."""

from html.parser import HTMLParser
from pathlib import Path

import pytest
import turnwire as tw
from turnwire import batch

EVIL = "<script>alert(\"x\")</script>&amp;\n<img src=x onerror='y'>"
CALL = {"id": EVIL, "type": "function", "function": {"name": "f", "arguments": EVIL}}
MESSAGES = [
    {"role": "user", "content": [{"type": "text", "text": EVIL}, {"type": "image_url", "image_url": {"url": EVIL}}]},
    {"role": "assistant", "content": "", "reasoning_content": EVIL, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": EVIL, "content": EVIL},
    {"role": "tool", "tool_call_id": "nobody " + EVIL, "content": "é" * 100_000},
]


class Cells(HTMLParser):
    """The tags of a table, and the text of its cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "br":
            self.rows[-1][-1] += "\n"

    def handle_data(self, data: str) -> None:
        if self.rows:
            self.rows[-1][-1] += data


def test_reprs_are_short() -> None:
    payload = {"messages": MESSAGES * 1_000, "tools": [{"type": "function", "function": {"name": "f"}}]}
    conversation = tw.Conversation.parse(payload, "openai")
    builder = tw.spec.MessageBuilder().set_messages(conversation).set_system_prompts(["a", "b"])
    built = builder.build()
    for value, shown in (
        (
            tw.convert(payload, "openai", source="openai"),
            "<Rendered for openai, not repaired: 4,000 messages, 1 tool; unchanged>",
        ),
        (
            tw.convert(MESSAGES[:1], "amazon-q", source="openai"),
            "<Rendered for amazon-q, not repaired: 1 message; 1 lost>",
        ),
        (tw.convert_json([{"role": "user", "content": "x"}], "openai", source="openai"), "bytes of JSON; unchanged>"),
        (conversation, "<Conversation of 4000 turns, 1 tools from openai>"),
        (builder, "<MessageBuilder: 4000 messages, 2 system prompts>"),
        (built.receipt, "<Receipt: "),
    ):
        assert shown in repr(value)
        assert len(repr(value)) < 120


def test_a_conversation_is_a_table_in_which_everything_is_escaped() -> None:
    cells = Cells(tw.Conversation.parse(MESSAGES, "openai")._repr_html_())
    assert cells.tags == {"table", "caption", "tr", "th", "td", "br"}
    assert [row[:2] for row in cells.rows[1:]] == [["0", "user"], ["1", "assistant"], ["2", "tool"], ["3", "tool"]]
    # A preview is on one line.
    evil = " ".join(EVIL.split())
    assert cells.rows[1][2].startswith(evil)
    assert f"call {evil} of f: {evil}" in cells.rows[2][2]
    assert cells.rows[3][2] == f"result of {evil}: {evil}"
    assert cells.rows[4][2].endswith("é…")
    assert len(cells.rows[4][2]) < 500


def test_a_receipt_is_a_table_in_which_everything_is_escaped() -> None:
    receipt = tw.spec.MessageBuilder().set_messages(MESSAGES).build("anthropic").receipt
    cells = Cells(receipt._repr_html_())
    assert cells.tags == {"table", "caption", "tr", "th", "td", "br"}
    changes = cells.rows[1 : len(receipt) + 1]
    assert [row[:2] for row in changes] == [[change.kind, change.code] for change in receipt]
    assert all(
        change.path in row[2] and (change.id or "") in row[2] for row, change in zip(changes, receipt, strict=True)
    )
    assert EVIL in [change.id for change in receipt]
    warnings = [row[4] for row in changes if row[0] == "warning"]
    assert warnings == [told.reason for told in receipt.only("warning")] != []


def test_a_long_word_does_not_widen_the_page() -> None:
    rows = tw.Conversation(["x" * 10_000])._repr_html_().split("<tr>")[2:]
    assert [row.count("overflow-wrap:anywhere") for row in rows] == [1]
    assert (
        rows[0].rpartition("<td")[2].startswith(' style="text-align:left;vertical-align:top;overflow-wrap:anywhere">x')
    )


def test_a_long_table_ends() -> None:
    cells = Cells(tw.Conversation(["x"] * 1_000)._repr_html_())
    assert len(cells.rows) == 102
    assert cells.rows[-1] == ["… and 900 more"]


def test_a_rendering_is_a_table_of_its_receipt() -> None:
    named = {"role": "user", "content": "x", "name": EVIL}
    ready = tw.prepare([named, {"role": "assistant", "content": ""}, named], "anthropic", source="openai")
    html = ready._repr_html_()
    assert html.count("<table>") == 1
    cells = Cells(html)
    assert cells.tags <= {"table", "caption", "tr", "th", "td", "br"}
    listed = [[change.kind, change.code, change.path] for change in ready.receipt]
    assert [row[:3] for row in cells.rows[1 : len(listed) + 1]] == listed != []
    assert "empty_assistant" in html


def test_a_reply_is_a_table_of_its_turns() -> None:
    reply = tw.parse_reply({"choices": [{"message": {"role": "assistant", "content": EVIL}}]}, "openai")
    cells = Cells(reply._repr_html_())
    assert cells.rows[1][2] == " ".join(EVIL.split())


def test_a_turn_and_a_converted_reply_are_tables() -> None:
    cells = Cells(tw.Turn("user", EVIL)._repr_html_())
    assert cells.rows[1] == ["0", "user", " ".join(EVIL.split())]
    reply = {"choices": [{"message": {"role": "assistant", "content": "x"}, "logprobs": {"content": [EVIL]}}]}
    converted = tw.replies.convert_reply(reply, "anthropic", source="openai")
    cells = Cells(converted._repr_html_())
    assert [row[:3] for row in cells.rows[1:]] == [[one.kind, one.code, one.path] for one in converted.receipt] != []
    assert (
        repr(tw.replies.convert_reply(converted.payload, "anthropic", source="anthropic"))
        == "<RenderedReply: unchanged>"
    )


def test_an_answer_is_text_without_markup() -> None:
    for said in (tw.explain("missing_result"), tw.explain("missing_result")[0]):
        html = said._repr_html_()
        assert html.startswith("<pre>missing_result (change)")
        assert html.count("<") == 2


def test_a_receipt_as_text_names_its_warnings() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages = ["q", {"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c", "content": "r"}]
    receipt = tw.prepare(messages, "anthropic").receipt
    assert not receipt.changed
    assert str(receipt).startswith("  warning   tools_missing  $[1]: ")
    assert repr(receipt) == "<Receipt: 1 warning>"


def test_the_messages_of_a_history_are_short_to_look_at_and_whole_as_text() -> None:
    history = tw.MessageHistory([{"role": "user", "content": "word\n" * 1_000}] * 3)
    assert repr(history.messages).startswith("<3 messages, the last {'role': 'user'")
    assert len(repr(history.messages)) < 150
    assert str(history.messages) == str(history.get_messages())
    assert repr(tw.MessageHistory().messages) == "[]"


LINES = "line one\nline <b>two</b> & more " * 50
SHOWN = {
    tw.Change: lambda: tw.convert(MESSAGES[:1], "amazon-q", source="openai").receipt[0],
    tw.parts.Text: lambda: tw.parts.Text(LINES),
    tw.Media: lambda: part("image"),
    tw.parts.Reasoning: lambda: part("reasoning"),
    tw.parts.Opaque: lambda: part("opaque"),
    tw.replies.Tokens: lambda: tw.replies.Tokens(input=3, output=4),
    tw.ToolUseResult: lambda: tw.ToolUseResult("c", LINES),
    tw.parts.ToolUseResultBlock: lambda: tw.ToolUseResult("c", LINES).content[0],
    tw.parts.AssistantToolUse: lambda: tw.parts.AssistantToolUse("c", "f", {"a": LINES}),
    tw.spec.AssistantMessage: lambda: tw.spec.AssistantMessage.Response(None, LINES),
    tw.spec.UserMessage: lambda: tw.spec.UserMessage.new_prompt(LINES),
    tw.spec.UserMessageContent: lambda: tw.spec.UserMessageContent.Prompt(LINES),
    tw.parts.ImageBlock: lambda: tw.parts.ImageBlock("png", b"x" * 300),
    tw.spec.EnvState: lambda: tw.spec.EnvState("linux", LINES),
    tw.spec.UserEnvContext: lambda: tw.spec.UserEnvContext(tw.spec.EnvState("linux", LINES)),
    tw.parts.ToolResultStatus: lambda: tw.ToolUseResult("c", LINES).status,
    tw.StreamAssembler: lambda: tw.StreamAssembler("openai"),
    tw.replies.StreamConverter: lambda: tw.replies.StreamConverter(source="openai", target="anthropic"),
    tw.Ledger: lambda: tw.Ledger("anthropic", 9_000),
    tw.Server: lambda: tw.Server("openai:compatible+system=one"),
    tw.spec.MessageBuilder: lambda: tw.spec.MessageBuilder().set_messages(MESSAGES),
    batch.BatchFile: lambda: batch.BatchFile(Path(LINES), 3),
    batch.BatchReport: lambda: batch.BatchReport(1, 0, 0, 0, (batch.BatchFile(Path(LINES), 3),)),
    batch.BatchResult: lambda: batch.BatchResult("a", "error", None, "code", LINES),
    batch.Report: lambda: batch.Report(1, 0, 0, 9, 9, 0.5),
    batch.RowError: lambda: batch.RowError(1, "code", "$", LINES),
}  # fmt: skip
"""Each public class that has no table of turns, changes or losses, with what makes one."""


def part(kind: str) -> object:
    """A part of this kind that was read."""
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{'A' * 400}"}}
    user = {"role": "user", "content": [image, {"type": "odd"}]}
    reply = {"role": "assistant", "content": "", "reasoning_content": LINES}
    first, second = tw.Conversation.parse([user, reply], "openai").turns
    return {"image": first.parts[0], "opaque": first.parts[1], "reasoning": second.parts[0]}[kind]


@pytest.mark.parametrize("kind", SHOWN, ids=lambda kind: kind.__name__)
def test_an_object_is_a_table_with_a_line_for_each_attribute(kind: type) -> None:
    value = SHOWN[kind]()
    assert isinstance(value, kind)
    html = value._repr_html_()
    cells = Cells(html)
    assert cells.tags <= {"table", "caption", "tr", "td"}
    assert type(value).__name__ in html
    for name, shown in cells.rows:
        assert "\n" not in shown, name
        assert len(shown) <= 201, name
    if name_of := next((name for name, shown in cells.rows if shown.startswith("line one")), None):
        assert "line <b>two</b> & more line one" in dict(cells.rows)[name_of], "a preview is on one line, and escaped"


def test_what_a_table_of_an_object_shows() -> None:
    rows = dict(Cells(tw.check([{"role": "assistant", "content": ""}, "x"], target="anthropic")[0]._repr_html_()).rows)
    assert rows["code"] == "empty_assistant" and rows["path"] == "$[0]" and "id" not in rows
    assert dict(Cells(part("image")._repr_html_()).rows) == {
        "kind": "image", "media_type": "image/png", "data": "400 characters of base64",
        "url": f"data:image/png;base64,{'A' * 178}…",
    }  # fmt: skip
    assert dict(Cells(SHOWN[tw.parts.ImageBlock]()._repr_html_()).rows)["data"] == "300 bytes"
    assert Cells(tw.replies.Tokens(input=3, output=4)._repr_html_()).rows == [["input", "3"], ["output", "4"]]


def test_every_public_object_has_html() -> None:
    without = [
        name
        for module in (tw, batch)
        for name in module.__all__
        if isinstance(value := getattr(module, name), type)
        and not issubclass(value, BaseException)
        and not hasattr(value, "_repr_html_")
    ]
    assert without == []
