"""The tool over slack_sdk against the loopback Slack: pages, formats, arguments, to_me, the byte budget."""

import asyncio
import copy
from typing import Any

import pytest
from fake_slack import TOKEN, FakeSlack, body, refuse
from hypothesis import given
from hypothesis import strategies as st
from matches import ME, answer_of, corpus, make_direct_message, make_match
from turnwire.tools.slack import SlackSearchClient, SlackToolError, get_current_user_id, user_search_messages

CONCISE = {"channel_id", "channel_name", "user_id", "username", "ts", "text", "permalink"}


class Canned:
    """A provider that gives one answer and keeps the requests."""

    def __init__(self, answer: Any):
        self.answer = answer
        self.asked: list[dict[str, Any]] = []

    async def get_current_user_id(self) -> str:
        return ME

    async def search(self, **params: Any) -> dict[str, Any]:
        self.asked.append(params)
        return self.answer


@pytest.mark.asyncio
async def test_concise_is_the_default(slack: FakeSlack, client: SlackSearchClient):
    answer = await user_search_messages("incident", client=client)
    assert list(answer) == ["ok", "query", "messages", "summary", "response_metadata"]
    assert answer["ok"] is True
    assert answer["query"] == "incident"
    assert list(answer["messages"]) == ["total", "matches"]
    assert answer["messages"]["total"] == 45
    assert len(answer["messages"]["matches"]) == 20
    assert all(set(match) == CONCISE for match in answer["messages"]["matches"])
    assert answer["summary"].startswith("Found 45 messages, showing 20. Use next_cursor for more results. To get full")
    assert answer["response_metadata"] == {"next_cursor": "page:2"}
    assert slack.searches() == [
        {"query": "incident", "count": "20", "sort": "score", "sort_dir": "desc", "highlight": "1"}
    ]
    assert slack.calls[0].bearer == TOKEN


@pytest.mark.asyncio
async def test_detailed_is_everything_slack_sent(client: SlackSearchClient):
    answer = await user_search_messages("incident", response_format="detailed", client=client, highlight=False)
    expected = answer_of(corpus(45))
    assert answer["messages"] == expected["messages"]
    assert answer["summary"] == "Found 45 messages, showing 20. Use next_cursor for more results."
    assert answer["response_metadata"] == {"next_cursor": "page:2"}


@pytest.mark.asyncio
async def test_detailed_keeps_unknown_keys_and_does_not_touch_its_input():
    source = answer_of(corpus(2), response_metadata={"next_cursor": "", "warnings": ["w"]}, extra={"deep": [1]})
    before = copy.deepcopy(source)
    answer = await user_search_messages("x", response_format="detailed", client=Canned(source), max_text_bytes=0)
    assert answer["extra"] == {"deep": [1]}
    assert answer["response_metadata"] == {"warnings": ["w"]}
    assert answer["messages"] == before["messages"]
    answer["extra"]["deep"].append(2)
    answer["messages"]["matches"][0]["channel"]["id"] = "changed"
    assert source == before


@pytest.mark.asyncio
@pytest.mark.parametrize("cursors", [False, True])
@pytest.mark.parametrize("response_format", ["concise", "detailed"])
async def test_walk_over_all_pages(slack: FakeSlack, client: SlackSearchClient, response_format: str, cursors: bool):
    slack.cursors = cursors
    seen: list[str] = []
    cursor = None
    for _ in range(10):
        answer = await user_search_messages(
            "incident", count=7, cursor=cursor, response_format=response_format, client=client
        )
        seen += [match["ts"] for match in answer["messages"]["matches"]]
        cursor = answer.get("response_metadata", {}).get("next_cursor")
        assert ("Use next_cursor" in answer["summary"]) == (cursor is not None)
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == answer["messages"]["total"] == 45
    sent = [(params.get("page"), params.get("cursor")) for params in slack.searches()]
    if cursors:
        assert sent == [(None, None)] + [(None, f"c={page}") for page in range(2, 8)]
    else:
        assert sent == [(None, None)] + [(str(page), None) for page in range(2, 8)]


@pytest.mark.asyncio
async def test_page_that_is_gone_ends_the_walk(slack: FakeSlack, client: SlackSearchClient):
    answer = await user_search_messages("incident", cursor="page:9", client=client)
    assert "response_metadata" not in answer
    assert slack.searches()[0]["page"] == "9"


@pytest.mark.asyncio
@pytest.mark.parametrize(("count", "reachable"), [(100, "10,000"), (20, "2,000")])
async def test_ceiling_of_slack(count: int, reachable: str):
    source = answer_of(corpus(2), per_page=count)
    source["messages"] |= {"total": 54321}
    source["messages"]["pagination"] |= {"page": 100, "page_count": 544}
    answer = await user_search_messages("x", cursor="page:100", count=count, client=Canned(source))
    assert "response_metadata" not in answer
    assert answer["summary"].endswith(
        f"slack_get_thread_replies. Only the first {reachable} results are reachable; narrow the query."
    )
    source["messages"]["pagination"] |= {"page_count": 100}
    answer = await user_search_messages("x", cursor="page:100", count=count, client=Canned(source))
    assert "reachable" not in answer["summary"]


@pytest.mark.asyncio
@pytest.mark.parametrize(("to_me", "clause"), [(True, f"to:<@{ME}>"), ("dm", f"to:<@{ME}>"), ("mention", f"<@{ME}>")])
async def test_to_me(slack: FakeSlack, client: SlackSearchClient, to_me: bool | str, clause: str):
    slack.matches += [make_direct_message(90), make_match(91, text=f"incident <@{ME}> look")]
    answer = await user_search_messages("incident", to_me=to_me, client=client)
    assert slack.methods() == ["auth.test", "search.messages"]
    assert answer["query"] == f"incident {clause}"
    assert answer["messages"]["total"] == 1
    await user_search_messages("incident", to_me=to_me, client=client)
    assert slack.methods().count("auth.test") == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("to_me", [False, "off", None])
async def test_to_me_off(slack: FakeSlack, client: SlackSearchClient, to_me: Any):
    answer = await user_search_messages("incident", to_me=to_me, client=client)
    assert answer["query"] == "incident"
    assert slack.methods() == ["search.messages"]


@pytest.mark.asyncio
async def test_to_me_with_every_other_filter(slack: FakeSlack, client: SlackSearchClient):
    answer = await user_search_messages(
        "障害",
        ["C01CHAN", "C02CHAN"],
        True,
        sort="timestamp",
        sort_dir="asc",
        count=5,
        cursor="page:2",
        highlight=False,
        client=client,
    )
    assert answer["messages"] == {"total": 0, "matches": []}
    assert slack.searches() == [
        {
            "query": f"障害 to:<@{ME}> in:<#C01CHAN> in:<#C02CHAN>",
            "count": "5",
            "page": "2",
            "sort": "timestamp",
            "sort_dir": "asc",
            "highlight": "0",
        }
    ]


@pytest.mark.asyncio
async def test_blank_query_with_a_scope(slack: FakeSlack, client: SlackSearchClient):
    answer = await user_search_messages(" ", ["C01CHAN"], client=client)
    assert answer["query"] == "in:<#C01CHAN>"
    assert answer["messages"]["total"] == 15
    await user_search_messages("", to_me=True, client=client)
    assert slack.searches()[1]["query"] == f"to:<@{ME}>"


@pytest.mark.asyncio
@pytest.mark.parametrize("highlight", [True, False])
async def test_highlight_marks_are_kept(client: SlackSearchClient, highlight: bool):
    answer = await user_search_messages("incident", count=1, highlight=highlight, client=client)
    assert ("\ue000incident\ue001" in answer["messages"]["matches"][0]["text"]) is highlight


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("count", "sent"),
    [(0, "1"), (-5, "1"), (1, "1"), (20.0, "20"), (100, "100"), (101, "100"), (1e300, "100"), (10**400, "100")],
)
async def test_count_is_a_whole_number_within_slacks_limits(
    slack: FakeSlack, client: SlackSearchClient, count: float, sent: str
):
    await user_search_messages("incident", count=count, client=client)
    assert slack.searches()[0]["count"] == sent


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        ({"query": "", "to_me": False}, "no_query", "blank"),
        ({"query": "  ", "to_me": "off"}, "no_query", "blank"),
        ({"query": None}, "invalid_arguments", "query is required and must be a string"),
        ({"query": 5}, "invalid_arguments", "query must be a string, but it is 5"),
        ({"query": "\ud800"}, "invalid_arguments", "surrogate"),
        ({"count": 20.5}, "invalid_arguments", "count must be a whole number, but it is 20.5"),
        ({"count": "20"}, "invalid_arguments", "count must be a number, but it is '20'"),
        ({"count": True}, "invalid_arguments", "count must be a number, but it is True"),
        ({"count": float("nan")}, "invalid_arguments", "count must be a whole number, but it is nan"),
        ({"count": float("inf")}, "invalid_arguments", "count must be a whole number, but it is inf"),
        ({"channel_ids": "C01"}, "invalid_arguments", "channel_ids must be a list of strings, but it is 'C01'"),
        ({"channel_ids": ["C01", 2]}, "invalid_arguments", "channel_ids must be a list of strings"),
        ({"channel_ids": ["C01> from:<@U02"]}, "invalid_arguments", "ids such as C012AB3CD"),
        ({"to_me": "yes"}, "invalid_arguments", "to_me must be true or false or one of 'dm', 'mention', 'off'"),
        ({"to_me": 1}, "invalid_arguments", "to_me must be"),
        ({"sort": "date"}, "invalid_arguments", "sort must be one of 'score', 'timestamp', but it is 'date'"),
        ({"sort_dir": "DESC"}, "invalid_arguments", "sort_dir must be one of 'asc', 'desc'"),
        ({"response_format": "full"}, "invalid_arguments", "response_format must be one of 'concise', 'detailed'"),
        ({"highlight": "yes"}, "invalid_arguments", "highlight must be true or false"),
        ({"cursor": 2}, "invalid_arguments", "cursor must be a string"),
        ({"cursor": "page:101"}, "invalid_arguments", "page:2 to page:100"),
        ({"max_text_bytes": -1}, "invalid_arguments", "max_text_bytes must be a whole number of at least 0"),
        ({"max_text_bytes": True}, "invalid_arguments", "max_text_bytes"),
        ({"max_text_bytes": "9"}, "invalid_arguments", "max_text_bytes"),
    ],
)
async def test_bad_arguments_are_refused_before_anything_is_sent(
    slack: FakeSlack, client: SlackSearchClient, arguments: dict[str, Any], code: str, words: str
):
    # With to_me, auth.test would be the first call.
    with pytest.raises(SlackToolError) as caught:
        await user_search_messages(**{"query": "incident", "to_me": True} | arguments, client=client)
    assert caught.value.code == code
    assert words in caught.value.message
    assert slack.calls == []


@pytest.mark.asyncio
async def test_the_current_user_by_a_client_and_by_the_environment(
    slack: FakeSlack, client: SlackSearchClient, monkeypatch: pytest.MonkeyPatch
):
    assert await get_current_user_id(client=client) == ME
    monkeypatch.setenv("SLACK_USER_TOKEN", TOKEN)
    monkeypatch.setenv("SLACK_API_BASE_URL", slack.base_url)
    assert await get_current_user_id() == ME
    assert slack.methods() == ["auth.test", "auth.test"]
    slack.auth_faults.append(refuse("invalid_auth"))
    with pytest.raises(SlackToolError) as caught:
        await get_current_user_id()
    assert caught.value.code == "invalid_auth"
    assert caught.value.message.startswith("Failed to get current user info")


@pytest.mark.asyncio
async def test_long_texts_share_the_budget():
    texts = ["short", "長い" * 30_000, "x" * 90_000, None]
    source = answer_of([make_match(n, text=text) for n, text in enumerate(texts)])
    answer = await user_search_messages("x", client=Canned(source), max_text_bytes=2000)
    cut = [match["text"] for match in answer["messages"]["matches"]]
    assert cut[0] == "short"
    assert cut[3] is None
    sizes = [len(text.encode()) for text in cut[:3]]
    assert 1980 < sum(sizes) <= 2000
    assert abs(sizes[1] - sizes[2]) < 4
    assert cut[1].startswith("長い長い")
    assert answer["summary"].endswith(" 2 of 4 texts were cut to fit 2000 bytes in all.")
    assert source["messages"]["matches"][1]["text"] == texts[1]


@pytest.mark.asyncio
async def test_without_a_budget_no_text_is_cut():
    source = answer_of([make_match(n, text="障害" * 10_000) for n in range(100)], per_page=100)
    answer = await user_search_messages("x", count=100, client=Canned(source))
    assert {match["text"] for match in answer["messages"]["matches"]} == {"障害" * 10_000}
    assert "cut" not in answer["summary"]


@pytest.mark.asyncio
@pytest.mark.parametrize(("hint", "end"), [("Ask a colleague.", "results. Ask a colleague."), ("", "results.")])
async def test_a_hint_of_ones_own(client: SlackSearchClient, hint: str, end: str):
    answer = await user_search_messages("incident", client=client, hint=hint)
    assert answer["summary"] == f"Found 45 messages, showing 20. Use next_cursor for more {end}"
    detailed = await user_search_messages("incident", client=client, hint=hint, response_format="detailed")
    assert detailed["summary"].endswith("results.")


@pytest.mark.asyncio
async def test_texts_that_fit_stay_as_they_are(client: SlackSearchClient):
    answer = await user_search_messages("incident", client=client)
    assert "cut" not in answer["summary"]
    source = answer_of(corpus(1))
    shaped = await user_search_messages("x", client=Canned(source))
    assert shaped["messages"]["matches"][0]["text"] is source["messages"]["matches"][0]["text"]


@given(
    st.lists(st.text(st.characters(), max_size=60), min_size=1, max_size=6),
    st.integers(0, 200),
)
def test_budget_holds_for_every_text(texts: list[str], budget: int):
    source = answer_of([make_match(n, text=text) for n, text in enumerate(texts)])
    answer = asyncio.run(user_search_messages("x", client=Canned(source), max_text_bytes=budget))
    kept = [match["text"] for match in answer["messages"]["matches"]]
    changed = sum(a != b for a, b in zip(texts, kept, strict=True))
    whole = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    assert sum(len(text.encode("utf-8", "surrogatepass")) for text in kept) <= budget or changed == 0
    assert (changed > 0) == (whole > budget) == ("were cut" in answer["summary"])


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "source",
    [
        {"ok": True},
        {"ok": True, "messages": None},
        {"ok": True, "messages": {"total": 1}},
        {"ok": True, "messages": {"total": 1, "matches": {}}},
        {"ok": True, "messages": {"total": 1, "matches": ["text"]}},
    ],
)
@pytest.mark.parametrize("response_format", ["concise", "detailed"])
async def test_answers_without_matches(source: dict[str, Any], response_format: str):
    with pytest.raises(SlackToolError) as caught:
        await user_search_messages("x", response_format=response_format, client=Canned(source))
    assert caught.value.code == "unexpected_response"


@pytest.mark.asyncio
@pytest.mark.parametrize("response_format", ["concise", "detailed"])
async def test_missing_total_and_query_are_filled_in(response_format: str):
    source = {"ok": True, "messages": {"matches": corpus(3)}}
    answer = await user_search_messages("x", response_format=response_format, client=Canned(source))
    assert (answer["query"], answer["messages"]["total"]) == ("x", 3)


@pytest.mark.asyncio
async def test_deeply_nested_answer(slack: FakeSlack, client: SlackSearchClient):
    deep = '{"ok":true,"messages":{"total":0,"matches":[]},"x":%s}' % ("[" * 700 + "]" * 700)
    slack.faults.append(body(deep))
    with pytest.raises(SlackToolError) as caught:
        await user_search_messages("x", response_format="detailed", client=client)
    assert caught.value.code == "unexpected_response"


@pytest.mark.asyncio
async def test_client_from_the_environment(slack: FakeSlack, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SLACK_USER_TOKEN", f" {TOKEN}\n")
    monkeypatch.setenv("SLACK_API_BASE_URL", slack.base_url.rstrip("/"))
    monkeypatch.setenv("SLACK_TEAM_ID", "T0TEAM")
    answer = await user_search_messages("incident", to_me=True)
    assert answer["messages"]["total"] == 0
    assert [call.bearer for call in slack.calls] == [TOKEN, TOKEN]
    assert slack.searches()[0]["team_id"] == "T0TEAM"
