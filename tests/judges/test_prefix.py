"""Planted edits: the judge of prefixes sees each kind of edit, and nothing in what is none."""

import copy

import pytest

from judges import prefix as sim

MODEL = "claude-opus-5-5"
TOOLS = [
    {
        "name": "read",
        "description": "Read a file.",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
    },
    {"name": "list", "description": "List.", "input_schema": {"type": "object"}},
    {"name": "late", "description": "Late.", "input_schema": {"type": "object"}, "defer_loading": True},
]
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
URL = {"type": "image", "source": {"type": "url", "url": "https://a/1?sig=x"}}
PDF = {
    "type": "document",
    "source": {"type": "text", "media_type": "text/plain", "data": "d"},
    "title": "T",
    "citations": {"enabled": True},
}
REMINDER = {"role": "system", "content": "Note: be brief.", "clear_at": "next_user_message"}


def call(n):
    return [
        {"type": "thinking", "thinking": f"t{n}"},
        {"type": "text", "text": f"step {n}"},
        {"type": "tool_use", "id": f"toolu_{n}", "name": "read", "input": {"n": n, "path": "a"}},
    ]


def result(n):
    return {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": f"result {n}", "is_error": False}],
    }


def conversation(model=MODEL):
    """Five turns with signatures: the body of the next request."""
    body = {
        "model": model,
        "system": "Be exact.\nBe kind.",
        "tools": copy.deepcopy(TOOLS),
        "messages": [{"role": "user", "content": [{"type": "text", "text": "go  on"}, IMAGE, URL, PDF]}],
    }
    for n in range(5):
        answer = sim.server(body, call(n))
        assert answer.status == 200, answer
        body = {**body, "messages": [*body["messages"], {"role": "assistant", "content": answer.content}, result(n)]}
        if n == 1:
            body["messages"] += [REMINDER]
        if n == 2:
            body["messages"] += [
                {
                    "role": "system",
                    "content": [{"type": "tool_addition", "tool": {"type": "tool_reference", "name": "late"}}],
                }
            ]
    return body


def place(body, kind, nth=0):
    return [
        (m, b) for m in body["messages"] if isinstance(m["content"], list) for b in m["content"] if b["type"] == kind
    ][nth]


def put(path, value):
    def change(body):
        for key in path[:-1]:
            body = body[key]
        body[path[-1]] = value

    return change


def thinking(*gone):
    def change(body):
        kept = [
            b["signature"]
            for m in body["messages"]
            if m["role"] == "assistant"
            for b in m["content"]
            if b["type"] == "thinking"
        ]
        gone_ids = {kept[n] for n in gone}
        for m in body["messages"]:
            if m["role"] == "assistant":
                m["content"] = [b for b in m["content"] if b.get("signature") not in gone_ids]

    return change


def swap(body):
    a, b = place(body, "thinking", 1)[1], place(body, "thinking", 2)[1]
    a["signature"], b["signature"], a["thinking"], b["thinking"] = (
        b["signature"],
        a["signature"],
        b["thinking"],
        a["thinking"],
    )


def summary(body):
    body["messages"][1:5] = [{"role": "user", "content": "Summary."}]


def reorder_blocks(body):
    body["messages"][1]["content"][1:] = body["messages"][1]["content"][:0:-1]


EDITS = {  # name: (change, number of blocks that go stale of 5)
    "system text": (put(("system",), "Be exact."), 5),
    "system inner whitespace": (put(("system",), "Be exact. \nBe kind."), 5),
    "system second block": (
        put(("system",), [{"type": "text", "text": "Be exact.\nBe kind."}, {"type": "text", "text": "Now."}]),
        5,
    ),
    "tool added": (lambda b: b["tools"].append({"name": "x", "input_schema": {"type": "object"}}), 5),
    "tool removed": (lambda b: b["tools"].pop(1), 5),
    "tools removed whole": (lambda b: b.pop("tools"), 5),
    "tool description": (put(("tools", 0, "description"), "Reads a file."), 5),
    "tool schema": (put(("tools", 1, "input_schema", "required"), []), 5),
    "tool no longer deferred": (put(("tools", 2, "defer_loading"), False), 5),
    "shown deferred tool changed": (put(("tools", 2, "description"), "Later."), 2),
    "first message": (put(("messages", 0, "content", 0, "text"), "go on!"), 5),
    "text inner whitespace": (put(("messages", 0, "content", 0, "text"), "go on"), 5),
    "image bytes": (put(("messages", 0, "content", 1, "source", "data"), "BBBB"), 5),
    "image to other bytes by url": (put(("messages", 0, "content", 2, "source", "url"), "https://a/2"), 5),
    "document title": (put(("messages", 0, "content", 3, "title"), "U"), 5),
    "document citations": (put(("messages", 0, "content", 3, "citations", "enabled"), False), 5),
    "media dropped": (lambda b: b["messages"][0]["content"].pop(1), 5),
    "reminder block inserted in an old turn": (
        lambda b: b["messages"][2]["content"].append({"type": "text", "text": "r"}),
        4,
    ),
    "old result trimmed": (put(("messages", 2, "content", 0, "content"), "res"), 4),
    "old result's whitespace": (put(("messages", 2, "content", 0, "content"), "result 0 "), 4),
    "error flag": (put(("messages", 2, "content", 0, "is_error"), True), 4),
    "error flag left out": (lambda b: b["messages"][2]["content"][0].pop("is_error"), 4),
    "call input": (lambda b: place(b, "tool_use")[1]["input"].update(n=9), 4),
    "call id": (lambda b: place(b, "tool_use")[1].update(id="toolu_x"), 4),
    "assistant text": (put(("messages", 1, "content", 1, "text"), "step zero"), 4),
    "assistant blocks reordered": (reorder_blocks, 4),
    "message split in two": (
        lambda b: b["messages"].insert(1, {"role": "user", "content": [b["messages"][0]["content"].pop()]}),
        5,
    ),
    "oldest turns dropped": (lambda b: b["messages"].__delitem__(slice(1, 3)), 4),
    "tail kept behind a summary": (summary, 3),
    "answer inserted for an old call": (lambda b: b["messages"].insert(3, {"role": "user", "content": "late"}), 4),
    "reminder removed": (lambda b: b["messages"].remove(REMINDER), 3),
    "reminder reworded": (put(("messages", 5, "content"), "Note: be long."), 3),
    "clear_at changed": (put(("messages", 5, "clear_at"), "never"), 3),
    "system message moved to the head": (lambda b: b.update(system=b["system"] + b["messages"].pop(5)["content"]), 5),
    "tool_addition removed": (lambda b: b["messages"].pop(8), 2),
    "thinking removed from the middle": (thinking(2), 2),
    "thinking reordered": (swap, 4),
}
FREE = {
    "nothing": lambda b: None,
    "cache_control moved": lambda b: (
        b["tools"][0].update(cache_control={"type": "ephemeral"}),
        b["messages"][2]["content"][0].update(cache_control={"type": "ephemeral", "ttl": "1h"}),
    ),
    "tools reordered": lambda b: b["tools"].reverse(),
    "key order": lambda b: b.update(tools=[dict(reversed(t.items())) for t in b["tools"]]),
    "key order in a call's input": lambda b: place(b, "tool_use")[1].update(input={"path": "a", "n": 0}),
    "1 as 1.0": lambda b: place(b, "tool_use", 1)[1]["input"].update(n=1.0),
    "system as a block": put(
        ("system",), [{"type": "text", "text": "Be exact.\nBe kind.", "cache_control": {"type": "ephemeral"}}]
    ),
    "reminder as a block": put(("messages", 5, "content"), [{"type": "text", "text": "Note: be brief."}]),
    "outer whitespace": lambda b: (
        b.update(system="  Be exact.\nBe kind.\n"),
        b["messages"][0]["content"][0].update(text="go  on \n"),
    ),
    "blank text block": lambda b: b["messages"][1]["content"].append({"type": "text", "text": " \n"}),
    "settings": lambda b: b.update(
        max_tokens=9,
        temperature=1,
        tool_choice={"type": "none"},
        metadata={"user_id": "u"},
        output_config={"effort": "low"},
        thinking={"type": "adaptive"},
        stream=True,
        service_tier="auto",
        context_management={"edits": [{"type": "clear_tool_uses_20250919"}]},
    ),
    "deferred tool added": lambda b: b["tools"].append(
        {"name": "y", "input_schema": {"type": "object"}, "defer_loading": True}
    ),
    "url signed again": put(("messages", 0, "content", 2, "source", "url"), "https://a/1?sig=y"),
    "oldest thinking removed": thinking(0, 1),
    "newest thinking removed": thinking(3, 4),
    "both ends removed": thinking(0, 4),
    "all thinking removed": thinking(0, 1, 2, 3, 4),
    "deferred tool withdrawn unseen": lambda b: (
        b["tools"].append({"name": "z", "input_schema": {"type": "object"}, "defer_loading": True}),
        b["messages"].append(
            {"role": "system", "content": [{"type": "tool_removal", "tool": {"type": "tool_reference", "name": "z"}}]}
        ),
    ),
    "turns appended": lambda b: b["messages"].extend(
        [{"role": "assistant", "content": "from another maker"}, {"role": "user", "content": "go"}]
    ),
    "system message appended": lambda b: b["messages"].append({"role": "system", "content": "New date."}),
    "omitted text": lambda b: [
        block.update(thinking="")
        for m in b["messages"]
        if m["role"] == "assistant"
        for block in m["content"]
        if block["type"] == "thinking"
    ],
    "model that reads it": put(("model",), "claude-fable-5-1"),
}


@pytest.fixture(scope="module", autouse=True)
def urls():
    """What stands behind the URLs: two names of one picture, and another picture."""
    with pytest.MonkeyPatch.context() as patch:
        for url, data in {
            "https://a/1?sig=x": "bytes1",
            "https://a/1?sig=y": "bytes1",
            "https://a/2": "bytes2",
        }.items():
            patch.setitem(sim.URLS, url, data)
        yield


@pytest.fixture(scope="module")
def made(urls):
    return conversation()


@pytest.fixture
def body(made):
    return copy.deepcopy(made)


def stale(body):
    return [fault for fault in sim.judge(body)[0] if fault.reason == "prefix_binding_mismatch"]


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_makes_blocks_stale(name, body):
    change, count = EDITS[name]
    change(body)
    assert len(stale(body)) == count
    assert sim.server(body, call(9)).status == 400


@pytest.mark.parametrize("name", FREE)
def test_a_change_that_is_none_makes_nothing_stale(name, body):
    FREE[name](body)
    assert stale(body) == []
    assert sim.server(body, call(9)).status == 200


DROP = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}


def continued(body, reply, n):
    """The next request, behind a reply that was made for another body."""
    made = sim.server(reply, call(n)).content
    return {**body, "messages": [*body["messages"], {"role": "assistant", "content": made}, result(n)]}


def test_a_server_may_drop_stale_blocks(body):
    drop = {**body, "system": "Other.", "thinking": DROP}
    dropped = sim.server(drop, call(5))
    assert (dropped.status, len(dropped.faults)) == (200, 5)
    after = continued(drop, drop, 5)
    assert [fault.path for fault in sim.judge(after)[0]] == [fault.path for fault in dropped.faults]


def test_blocks_that_are_left_out_stay_away(body):
    front = copy.deepcopy(body)
    thinking(0, 1)(front)
    assert sim.judge(continued(front, front, 5))[0] == []
    none = copy.deepcopy(body)
    thinking(0, 1, 2, 3, 4)(none)
    # They come back in front of a block that was made without them.
    assert len(sim.judge(continued(body, none, 5))[0]) == 1


@pytest.mark.parametrize(("gone", "count"), [(0, 0), (3, 0), (1, 1)])
def test_several_blocks_of_one_turn(gone, count, body):
    short = {**body, "messages": body["messages"][:1]}
    reply = [
        {"type": "thinking", "thinking": "a"},
        {"type": "redacted_thinking", "data": ""},
        {"type": "text", "text": "x"},
        {"type": "thinking", "thinking": "b"},
    ]
    content = sim.server(short, reply).content
    left = [{"role": "assistant", "content": [block for at, block in enumerate(content) if at != gone]}]
    assert len(sim.judge({**short, "messages": short["messages"] + left})[0]) == count


def test_a_removal_does_not_show_a_deferred_tool(body):
    late = {"type": "tool_removal", "tool": {"type": "tool_reference", "name": "late"}}
    removal = {**body, "messages": [*body["messages"][:5], {"role": "system", "content": [late]}]}
    assert sim.judge({**continued(removal, removal, 2), "tools": TOOLS[:2]})[0] == []


def test_changed_text_of_thinking_is_refused_whatever_is_set(body):
    place(body, "thinking")[1]["thinking"] = "[cleared]"
    assert sim.server({**body, "thinking": DROP}, call(5)).status == 400
    assert sim.judge(body)[0][0].reason == "thinking_modified"


def test_a_server_that_does_not_enforce_takes_stale_blocks(body):
    assert sim.server({**body, "system": "Other."}, call(5), enforced=False).status == 200


def test_a_model_that_cannot_read_a_block_drops_it_first(body):
    answer = sim.server({**body, "model": "claude-sonnet-5-5", "system": "Other."}, call(5))
    assert (answer.status, {fault.reason for fault in answer.faults}) == (200, {"model_binding_mismatch"})


def test_some_models_bind_to_the_account():
    other = conversation("claude-sonnet-5-5")
    assert {fault.reason for fault in sim.judge(other, org="else")[0]} == {"organization_binding_mismatch"}


def test_older_models_bind_to_nothing():
    assert sim.judge({**conversation("claude-opus-5"), "model": MODEL, "system": "Other."})[0] == []


def test_turns_behind_an_on_demand_compaction_keep_their_thinking(body):
    following = {"role": "user", "content": "next"}
    kept = {**body, "messages": [{"role": "assistant", "content": [sim.compact(body, "S")]}, following]}
    adopted = continued(kept, {**body, "messages": [*body["messages"], following]}, 5)
    assert sim.judge(adopted)[0] == []
    assert len(sim.judge({**adopted, "system": "Other."})[0]) == 1


def test_turns_before_a_compaction_block_are_not_read(body):
    compaction = {"role": "assistant", "content": [{"type": "compaction", "content": "S"}]}
    whole = {**body, "messages": [*body["messages"][:-1], compaction, {"role": "user", "content": "next"}]}
    after = continued(whole, whole, 6)
    short = [{"role": "user", "content": "anything"}, *after["messages"][-4:]]
    assert sim.judge({**body, "messages": short})[0] == []


def test_a_check_names_the_place(body):
    first = {**body, "messages": body["messages"][:-2]}
    seen = sim.check([(first, body["messages"][-2]["content"]), ({**body, "tools": []}, None)])
    assert seen[1]["answer"] == 400
    assert (seen[1]["stale"][-1]["made_by"], seen[1]["stale"][-1]["was"]) == (0, "tools.list")
