"""The pure parts: query, cursor, one match, the summary."""

import copy
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matches import answer_of, corpus, make_direct_message, make_match, make_reply
from turnwire.tools.slack import (
    Page,
    SlackCursor,
    SlackToolError,
    build_query,
    channel_name,
    extract_thread_ts,
    format_message_response,
    generate_summary,
    next_cursor,
    parse_cursor,
)

HINT = (
    " To get full message details, use slack_get_channel_history with channel_id and latest=ts, "
    "inclusive=true, limit=1. For threaded messages, use slack_get_thread_replies."
)
ROOT = "1700000001.000200"


def test_query_order_and_forms():
    query = build_query("  障害 from:@hanako ", channel_ids=["C01", "U0PEER", "D01", "C01"], to_me="dm", user_id="U0ME")
    assert query == "障害 from:@hanako to:<@U0ME> in:<#C01> in:<@U0PEER> in:<#D01>"
    assert build_query("x", to_me="mention", user_id="W0ME") == "x <@W0ME>"
    assert build_query("x", user_id="U0ME") == "x"
    assert build_query(" ", channel_ids=("C01",)) == "in:<#C01>"


@pytest.mark.parametrize("query", ["", "  ", "\n\t", "\u3000"])
def test_blank_query(query: str):
    with pytest.raises(SlackToolError) as caught:
        build_query(query)
    assert caught.value.code == "no_query"


@pytest.mark.parametrize(
    "channel_id",
    [
        "",
        "C",
        "general",
        "#general",
        "c012ab",
        "C01> from:<@U02",
        "C01 in:<#C02>",
        "C01\n",
        "X0123",
        "C01\u0661",
        "Ｃ01",
    ],
)
def test_injection_through_channel_ids(channel_id: str):
    with pytest.raises(SlackToolError, match="channel_ids") as caught:
        build_query("x", channel_ids=["C01", channel_id])
    assert caught.value.code == "invalid_arguments"


@pytest.mark.parametrize("user_id", [None, "", "me", "C01", "U0> in:<#C01"])
def test_to_me_needs_a_user_id(user_id: str | None):
    with pytest.raises(SlackToolError, match="user_id"):
        build_query("x", to_me="dm", user_id=user_id)


def test_query_with_half_a_surrogate_pair():
    with pytest.raises(SlackToolError, match="surrogate"):
        build_query("\ud83d")


@given(st.text(), st.lists(st.text()))
def test_whatever_comes_the_clauses_are_ours(query: str, channel_ids: list[str]):
    try:
        built = build_query(query, channel_ids=channel_ids)
    except SlackToolError:
        return
    assert built.startswith(query.strip())
    rest = built.removeprefix(query.strip()).strip()
    assert all(re.fullmatch(r"in:<[#@][CGDUW][A-Z0-9]{2,}>", clause) for clause in rest.split())


@pytest.mark.parametrize(
    ("cursor", "parsed"),
    [
        (None, None),
        ("", None),
        (" ", None),
        ("page:2", Page(2)),
        ("page:100", Page(100)),
        ("*", SlackCursor("*")),
        ("dXNlcjpVMDYx=", SlackCursor("dXNlcjpVMDYx=")),
    ],
)
def test_parse_cursor(cursor: str | None, parsed: object):
    assert parse_cursor(cursor) == parsed


@pytest.mark.parametrize(
    "cursor", ["page:", "page:0", "page:1", "page:-2", "page:101", "page:2.0", "page:٣", "page:9999999"]
)
def test_parse_cursor_refuses(cursor: str):
    with pytest.raises(SlackToolError, match="cursor") as caught:
        parse_cursor(cursor)
    assert caught.value.code == "invalid_arguments"


def test_next_cursor():
    messages = corpus(45)
    assert next_cursor(answer_of(messages, 1), 1) == "page:2"
    assert next_cursor(answer_of(messages, 2), 2) == "page:3"
    assert next_cursor(answer_of(messages, 3), 3) is None
    # Out of range, Slack sends the first page again; a walk must end there.
    assert next_cursor(answer_of(messages, 1), 7) is None
    # After Slack's own cursor the number of the page is not known.
    assert next_cursor(answer_of(messages, 1), None) is None
    assert next_cursor(answer_of(messages, 1, response_metadata={"next_cursor": "dXNl"}), None) == "dXNl"
    assert next_cursor(answer_of(messages, 3, response_metadata={"next_cursor": "dXNl"}), 3) == "dXNl"
    assert next_cursor(answer_of(messages, 3, response_metadata={"next_cursor": ""}), 3) is None
    only_paging = answer_of(messages, 1)
    del only_paging["messages"]["pagination"]
    assert next_cursor(only_paging, 1) == "page:2"
    assert next_cursor({"ok": True, "messages": None, "response_metadata": []}, 1) is None


def test_next_cursor_stops_at_the_last_page_that_slack_serves():
    answer = answer_of([])
    answer["messages"]["pagination"] |= {"page": 99, "page_count": 500}
    assert next_cursor(answer, 99) == "page:100"
    answer["messages"]["pagination"]["page"] = 100
    assert next_cursor(answer, 100) is None


def test_concise_match_has_seven_fields():
    match = make_match(4, "ja")
    before = copy.deepcopy(match)
    assert format_message_response(match) == {
        "channel_id": "C01CHAN",
        "channel_name": "障害対応-1",
        "user_id": "U04USER",
        "username": "佐藤 花子",
        "ts": "1700000004.000100",
        "text": match["text"],
        "permalink": "https://example.slack.com/archives/C01CHAN/p1700000004000100",
    }
    assert match == before


def test_detailed_match_is_an_independent_copy():
    match = make_match(1)
    copied = format_message_response(match, "detailed")
    assert copied == match
    copied["channel"]["name"] = "changed"
    assert match["channel"]["name"] == "incidents-1"


def test_thread_ts_comes_from_the_match_or_its_link():
    reply = make_reply(2, ROOT)
    assert format_message_response(reply)["thread_ts"] == ROOT
    assert format_message_response(reply | {"thread_ts": "1.5"})["thread_ts"] == "1.5"
    assert format_message_response(reply | {"thread_ts": None})["thread_ts"] == ROOT
    assert "thread_ts" not in format_message_response(make_match(2))


@pytest.mark.parametrize(
    "permalink",
    [
        None,
        7,
        "",
        "https://a.slack.com/archives/C1/p1",
        "https://a.slack.com/?thread_ts=",
        "https://a.slack.com/?thread_ts=abc",
        "https://a.slack.com/?thread_ts=1.5%0A",
        "https://[bad/?thread_ts=1.5",
    ],
)
def test_links_without_a_thread(permalink: object):
    assert extract_thread_ts(permalink) is None


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({}, "incidents-1"),
        ({"channel": {"id": "G1X", "name": "mpdm-a--b-1", "is_mpim": True}}, "mpdm-a--b-1"),
        ({"channel": {"id": "C1X", "name": "U0PEER", "is_im": True}}, None),
        ({"type": "im", "channel": {"id": "X", "name": "U0PEER"}}, None),
        ({"channel": {"id": "D01", "name": "U0PEER"}}, None),
        ({"channel": {"id": "X", "name": "U0PEER", "user": "U0PEER"}}, None),
        ({"channel": {}}, None),
        ({"channel": None}, None),
        ({"channel": "C01"}, None),
    ],
)
def test_channel_name(change: dict, name: str | None):
    assert channel_name(make_match(1) | change) == name


def test_direct_message_and_bot():
    shaped = format_message_response(make_direct_message(1, user="", username="robot overlord"))
    assert (shaped["channel_id"], shaped["channel_name"]) == ("D01DM", None)
    assert (shaped["user_id"], shaped["username"]) == ("", "robot overlord")


def test_empty_match():
    assert set(format_message_response({}).values()) == {None}


@pytest.mark.parametrize(
    ("arguments", "summary"),
    [
        ((123, 20, True), "Found 123 messages, showing 20. Use next_cursor for more results." + HINT),
        ((123, 20, True, False), "Found 123 messages, showing 20. Use next_cursor for more results."),
        ((3, 3, False), "Found 3 messages." + HINT),
        ((0, 0, False, False), "Found 0 messages."),
        ((45, 5, False, False), "Found 45 messages, showing 5."),
    ],
)
def test_summary(arguments: tuple, summary: str):
    assert generate_summary(*arguments) == summary
