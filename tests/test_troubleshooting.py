"""Messages of providers: each is found by its words, `check` reports its request, and the line of code repairs it."""

import html
import io
import textwrap
from typing import Any

import pytest
import turnwire as tw
from judges import wire
from site_pages import pages
from turnwire.answers.said import UNFIXED, Said, Unfixed, anchor, find, said, unfixed
from turnwire.answers.said import _words as words_of
from turnwire.errors import SITE

ALL = [pytest.param(one, id=f"{one.target}-{number}") for number, one in enumerate(said())]

# The judge of payloads does not know these rules: they concern schemas, models, or earlier messages.
UNSEEN = {
    "mended_schema",
    "not_strict",
    "repeated_item",
    "ends_with_assistant",
    "extra_marks",
    "renamed_tool",
    "stand_in",
}
# Nor these, though it knows others with the same code.
UNSEEN_TEXTS = (
    "should be non-empty for STRING type",
    "items: missing field",
    "required[0]: property is not defined",
    "it must be the only field set",
    "additionalProperties",
    "may only be specified while providing tools",
    "not found in provided tools",
    "does not match any of the functions",
    "set without function_declarations",
    "Duplicate function declaration",
    "for serving but got system",
    "ResponseOutputMessageParam",
    "Field required: status",
    "'loc': ['body', 'tools']",
    "but not none",
    "has an empty text parameter",
    "inputSchema.json is invalid",
    "must not come after a ttl",
    "found in `web_search_tool_result` blocks",
    "Request contains an invalid argument",
)


def mended(one: Said) -> tw.Rendered[Any]:
    """The request after the line of code."""
    return eval(one.line, {"tw": tw, "messages": one.messages})


def codes(one: Said) -> list[str]:
    """What `check` reports of the request as it is sent."""
    try:
        return [found.code for found in tw.check(one.messages, one.target, source=one.dialect)]
    except tw.TurnwireError as error:
        return [error.code]


def test_there_are_enough() -> None:
    assert len(said()) >= 60
    providers = {one.target.partition(":")[0] for one in said()}
    assert len(providers) >= 8
    # Frameworks, by where people met a message.
    seen = {place.partition("#")[0] for one in said() for place in one.seen}
    frameworks = {
        "langchain-ai/langchain", "langchain-ai/langgraph", "run-llama/llama_index", "crewAIInc/crewAI",
        "microsoft/autogen", "microsoft/semantic-kernel", "openai/openai-agents-python", "google/adk-python",
        "pydantic/pydantic-ai", "BerriAI/litellm", "vercel/ai", "strands-agents/harness-sdk", "agno-agi/agno",
        "camel-ai/camel", "mastra-ai/mastra", "spring-projects/spring-ai",
    }  # fmt: skip
    assert len(seen & frameworks) >= 10


@pytest.mark.parametrize("one", ALL)
def test_check_reports_it(one: Said) -> None:
    assert one.code in codes(one)


@pytest.mark.parametrize("one", ALL)
def test_the_line_fixes_it(one: Said) -> None:
    again = mended(one).payload
    assert one.code not in [found.code for found in tw.check(again, one.target, source=one.target)]


@pytest.mark.parametrize("one", [one for one in ALL if one.values[0].target in wire.PROVIDERS])
def test_a_judge_refuses_it_before_and_takes_it_after(one: Said) -> None:
    is_seen = one.code not in UNSEEN and not any(text in one.text for text in UNSEEN_TEXTS)
    if one.code == "user_after_result":
        # Only some of the models refuse it, so the judge warns.
        before, after = (wire.check(one.target, {"messages": given}) for given in (one.messages, mended(one).messages))
        assert {found.code for found in before} - {found.code for found in after}
    elif one.dialect == one.target and is_seen:
        assert wire.refused(one.target, one.messages) != []
    assert wire.refused(one.target, mended(one).payload) == []


@pytest.mark.parametrize("one", ALL)
def test_its_words_are_found_with_other_ids(one: Said) -> None:
    text = one.text.replace("t1", "toolu_01AB").replace("call_1", "call_OTNdB9").replace("messages.1", "messages.17")
    noisy = f"Error code: 400 - {{'error': {{'message': \"{text}\", 'type': 'invalid_request_error', 'code': None}}}}"
    for words in (text, noisy, one.text.upper()):
        assert find(words) in [other for other in said() if other.text == one.text]


@pytest.mark.parametrize("one", ALL)
def test_its_words_are_found_as_a_terminal_shows_them(one: Said) -> None:
    """With line breaks, in an exception of a client and in the body that it prints."""
    same = [other for other in said() if other.text == one.text]
    for width in range(30, 90, 7):
        text = textwrap.fill(one.text, width, break_long_words=False)
        assert find(f"openai.BadRequestError: {text}") in same
        assert find(f"Error code: 400 - {{'error': {{'message': {text!r}}}}}") in same


@pytest.mark.parametrize("one", unfixed(), ids=lambda one: one.text[:40])
def test_what_no_repair_fixes_has_an_answer(one: Unfixed) -> None:
    other = one.text.replace("rs_1", "rs_68a").replace("1500", "1801").replace("msg_1", "msg_02F").replace("130", "212")
    for words in (one.text, f"Error code: 400 - {{'error': {{'message': {other!r}, 'code': None}}}}"):
        assert find(words) == one
    explanation = tw.explain(other)
    assert (explanation.said, len(explanation)) == (one, 0)
    assert f'"{one.text}"' in str(explanation) and "](" not in str(explanation) and str(explanation).endswith(one.page)
    page = html.unescape(pages()[f"troubleshooting/{UNFIXED}.md"])
    do = one.do.replace("](", "](../").replace("](../https:", "](https:")
    assert f"\n### {one.text} {{#{anchor(one.text)}}}\n\n**{one.by}.** {do}" in page


@pytest.mark.parametrize("one", ALL)
def test_a_part_of_its_words_is_enough(one: Said) -> None:
    words = one.text.split()
    rest = " ".join(words[len(words) // 4 :])
    found = find(rest)
    # The rest may be in several messages.
    assert found is not None
    assert words_of(rest) <= words_of(found.text)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        # The same words in another order.
        ("Unexpected role 'user' after role 'tool'", "Unexpected role 'user' after role 'tool'"),
        ("Unexpected role 'tool' after role 'user'", "Unexpected role 'tool' after role 'user'"),
        # A word that is a part of an id.
        ("The toolResult blocks at messages.4.content contain duplicate Ids: tooluse_7", "The toolResult blocks at"),
        # A key of the body that is a word of another message.
        ("{'message': 'tools.3.custom.input_schema: Field required', 'type': 'x'}", "tools.0.custom.input_schema:"),
    ],
)
def test_the_right_one_of_two_that_are_alike_is_found(text: str, known: str) -> None:
    found = find(f"Error code: 400 - {text}")
    assert found is not None
    assert found.text.startswith(known)


@pytest.mark.parametrize(
    "text",
    [
        "invalid api key provided",
        "connection refused by peer",
        "rate limit exceeded, please try again later",
        "The model `gpt-9` does not exist or you do not have access to it.",
        "Your credit balance is too low to access the Anthropic API.",
        "ThrottlingException: Too many requests, please wait before trying again.",
        "ValueError: Last message is not an AIMessage",
        "Error code: 400 - {'error': {'message': 'Content Exists Risk', 'type': 'invalid_request_error'}}",
        # `code` is in what the client writes first, and in another message.
        "Error code: 400 - This model does not support the service tier parameter.",
        " ",
    ],
)
def test_other_words_are_not(text: str) -> None:
    assert find(text) is None
    with pytest.raises(tw.TurnwireError) as raised:
        tw.explain(text)
    assert raised.value.code == "unknown_option"


def test_it_stands_on_the_page_that_it_names() -> None:
    """A message of two providers stands on the page of each."""
    known = (*said(), *unfixed())
    for one in known:
        path, _, name = one.page.removeprefix(f"{SITE}troubleshooting/").partition("/#")
        page = pages()[f"troubleshooting/{path}.md"]
        assert f" {{#{name}}}\n" in page
        plain = html.unescape(page).replace("\\* ", "* ")
        assert plain.count(f"\n### {one.text} {{#") == sum(other.page == one.page for other in known)
    assert all(tw.explain(one.text).said is not None for one in known)
    assert all(str(tw.explain(one.text).said).endswith(tw.explain(one.text).said.page) for one in known)


def test_the_index_leads_to_each_page() -> None:
    index = pages()["troubleshooting/index.md"]
    names = [name.partition("/")[2] for name in pages() if name.startswith("troubleshooting/")]
    assert len(names) > 8
    assert [name for name in names if f"]({name}" not in index and name != "index.md"] == []


def test_an_exception_of_a_client_is_explained() -> None:
    class BadRequestError(Exception):
        code = None

    explained = tw.explain(BadRequestError("400 No tool output found for function call call_9."))
    assert isinstance(explained.said, Said)
    assert explained.said.line == 'tw.prepare(messages, "openai-responses")'
    assert [answer.code for answer in explained] == ["missing_result"]
    assert explained.said.line in str(explained)
    # The general answer of the code says something else, such as what to do where nothing is wrong.
    assert str(explained) == f"{explained.said}\n\nSee also: turnwire explain missing_result"


TRACEBACK = """\
Traceback (most recent call last):
  File "/app/agent.py", line 12, in <module>
    main()
  File "/app/agent.py", line 8, in main
    response = client.chat.completions.create(model="m", messages=messages, tools=tools)
  File "/app/openai/_utils/_utils.py", line 279, in wrapper
    return func(*args, **kwargs)
  File "/app/openai/resources/chat/completions/completions.py", line 1192, in create
    return self._post(
"""


def test_a_traceback_is_explained_by_its_last_line() -> None:
    said_so = "openai.BadRequestError: Error code: 400 - {'error': {'message': \"No tool call found for function call "
    said_so += "output with call_id call_7.\", 'type': 'invalid_request_error', 'param': 'input', 'code': None}}\n"
    found = find(TRACEBACK * 20 + said_so)
    assert found is not None
    assert found.text.startswith("No tool call found for function call output")
    assert find(TRACEBACK * 20 + "KeyError: 'choices'\n") is None


def test_the_command_reads_a_message_from_stdin(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from turnwire.cli import main

    monkeypatch.setattr("sys.stdin", io.StringIO("messages.3: `tool_result` blocks can only be in `user` messages\n"))
    assert main(["explain", "-"]) == 0
    assert 'tw.prepare(messages, "anthropic")' in capsys.readouterr().out


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    from turnwire.cli import main

    assert main(["explain", "No tool output found for function call call_9."]) == 0
    assert 'tw.prepare(messages, "openai-responses")' in capsys.readouterr().out
    assert main(["explain", "No tool output found for function call call_9.", "--format=json"]) == 0
    assert capsys.readouterr().out.startswith('{"kind": "said", "by": "OpenAI Responses"')


@pytest.mark.parametrize(
    ("text", "known"),
    [
        # The words of what a client writes first are in other messages, too.
        ('<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be a response to a preceeding '
         "message with \"tool_calls\".", "must be a response to a prece"),
        # All words are in two messages, but the pairs of neighbouring words are not.
        ("No tool call found for function call output", "No tool call found for function call output with call_id"),
        # The same field, of another provider.
        ("400 Missing `reasoning_content` field in the assistant message at message index 2.", "Missing `reasoning_"),
    ],
)  # fmt: skip
def test_words_in_order_decide(text: str, known: str) -> None:
    found = find(text)
    assert found is not None
    assert known in found.text


# What once got the answer of another message.
LIKE_OTHERS = [
    ("Invalid 'input[39].content': array too long. Expected an array with maximum length 0, but got one.", "reasoning"),
    ("Invalid 'input[2].id': string too long. Expected a string with maximum length 64, but got 416.", "id of an item"),
    ("Missing required parameter: 'input[42].id'.", "without its `id`"),
    ("Function call is missing a thought_signature in functionCall parts.", 'signatures="google"'),
    ("The `content[].thinking` in the thinking mode must be passed back to the API.", "Anthropic's format"),
    ("messages[7].role: unknown variant `system`, expected `user` or `assistant`", 'system="top"'),
    (
        "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path "
        "'properties.a.$ref': references must start with #/$defs/>",
        "`$ref`",
    ),
    (
        "{'type': 'extra_forbidden', 'loc': ['body', 'tools'], 'msg': 'Extra inputs are not permitted', 'input': []}",
        "list of tools is empty",
    ),
    ("messages.1.content.0: Invalid `signature` in `thinking` block", "another account"),
    ('messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter', 'system="top"'),
]


@pytest.mark.parametrize(("text", "said_of_it"), LIKE_OTHERS)
def test_what_is_like_another_message_has_its_own_answer(text: str, said_of_it: str) -> None:
    body = f"{{'error': {{'message': {text!r}}}}}"
    for words in (text, f"litellm.BadRequestError: OpenAIException - Error code: 400 - {body}"):
        assert said_of_it in str(tw.explain(words))


def test_common_words_in_another_order_are_not_enough() -> None:
    assert find("ValueError: messages must be a list") is None
