"""Tools that the caller runs and only their own format describes: converted, cut, paired, and put back in replies."""

import itertools
import json
import random

import pytest
import turnwire as tw
from judges import gemini_interactions, wire

GO, ON = {"role": "user", "content": "go"}, {"role": "user", "content": "and?"}
PNG = "data:image/png;base64,iVBORw0KGgo="
FOREIGN = ("openai", "anthropic", "gemini", "gemini-interactions", "bedrock", "mistral", "cohere", "ollama")
NOTHING = {"type": "object", "properties": {}}
PLAIN = {"type": "function", "name": "plain", "parameters": NOTHING, "strict": False}


def entry(out="", err="", code=0):
    return {"stdout": out, "stderr": err, "outcome": {"type": "exit", "exit_code": code}}


# Each pair of items, and the plain call and texts that stand for them.
ITEMS = {
    "shell": (
        {"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls x"], "timeout_ms": None}},
        {"type": "shell_call_output", "call_id": "c1", "output": [entry(err="no such file", code=2)]},
        {"commands": ["ls x"]},
        ["no such file", '{"type":"exit","exit_code":2}'],
    ),
    "local_shell": (
        {
            "type": "local_shell_call",
            "id": "lsh_1",
            "call_id": "c1",
            "status": "completed",
            "action": {"type": "exec", "command": ["ls"], "env": {}},
        },
        {"type": "local_shell_call_output", "id": "lsh_1", "output": "a file"},
        {"command": ["ls"], "env": {}},
        ["a file"],
    ),
    "apply_patch": (
        {
            "type": "apply_patch_call",
            "call_id": "c1",
            "status": "completed",
            "operation": {"type": "create_file", "path": "a.py", "diff": "+x"},
        },
        {"type": "apply_patch_call_output", "call_id": "c1", "status": "completed"},
        {"type": "create_file", "path": "a.py", "diff": "+x"},
        ['{"status":"completed"}'],
    ),
    "computer": (
        {
            "type": "computer_call",
            "id": "cu_1",
            "call_id": "c1",
            "status": "completed",
            "pending_safety_checks": [],
            "actions": [{"type": "screenshot"}],
        },
        {
            "type": "computer_call_output",
            "call_id": "c1",
            "output": {"type": "computer_screenshot", "image_url": PNG},
        },
        {"actions": [{"type": "screenshot"}]},
        [],
    ),
    "tool_search": (
        {"type": "tool_search_call", "call_id": "c1", "execution": "client", "arguments": {"q": "rain"}},
        {
            "type": "tool_search_output",
            "call_id": "c1",
            "execution": "client",
            "tools": [{"type": "function", "name": "rain", "parameters": NOTHING, "strict": False}],
        },
        {"q": "rain"},
        ['{"tools":["rain"]}'],
    ),
}
TOOLS = {
    "shell": {"type": "shell"},
    "local_shell": {"type": "local_shell"},
    "apply_patch": {"type": "apply_patch"},
    "computer": {"type": "computer"},
    "tool_search": {"type": "tool_search", "execution": "client", "description": "finds", "parameters": NOTHING},
}


def prepared(body, target, **options):
    return tw.prepare({"model": "m", **body}, target, source="openai-responses", blobs="base64", **options)


def refused(target, payload):
    if target == "gemini-interactions":
        return [str(problem) for problem in gemini_interactions.check(payload)]
    return wire.refused(target, payload)


def calls(payload, target):
    """The calls in a payload: id, name and arguments."""
    chat = tw.convert(payload, "openai", source=target).payload["messages"]
    each = [call for message in chat for call in message.get("tool_calls", ())]
    return [(call["id"], call["function"]["name"], json.loads(call["function"]["arguments"])) for call in each]


def texts(value):
    """All texts in a payload."""
    if isinstance(value, str):
        return [value]
    each = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in each for text in texts(one)]


@pytest.mark.parametrize("name", ITEMS)
@pytest.mark.parametrize("target", FOREIGN)
def test_a_call_and_its_result_are_plain_ones_elsewhere(name, target):
    call, result, args, said = ITEMS[name]
    ready = prepared({"input": [GO, call, result, ON], "tools": [TOOLS[name], PLAIN]}, target)
    [(_, called, given)] = calls(ready.payload, target)
    assert (called, given) == (name, args)
    everything = "\n".join(texts(ready.payload)) + json.dumps(ready.payload)
    for text in said:
        assert text in everything or all(word in everything for word in json.loads(text)), text
    if name == "computer":
        assert "iVBORw0KGgo=" in json.dumps(ready.payload)
    told = [loss for loss in ready.receipt if loss.code == "client_tool"]
    assert [loss.path for loss in told][-2:] == ["$.input[1]", "$.input[2]"]
    assert {loss.kind for loss in told} == {"restated"}
    assert not any(loss.code == "opaque" for loss in ready.receipt)
    assert refused(target, ready.payload) == []


def test_the_shell_of_the_reference_on_some_wires():
    call, result, args, said = ITEMS["shell"]
    body = {"input": [GO, call, result], "tools": [{"type": "shell"}]}
    chat = prepared(body, "openai").payload["messages"]
    [made] = chat[1]["tool_calls"]
    assert made["function"] == {"name": "shell", "arguments": '{"commands":["ls x"]}'}
    assert [one["text"] for one in chat[2]["content"]] == said
    claude = prepared(body, "anthropic").payload["messages"]
    assert claude[1]["content"] == [{"type": "tool_use", "id": "c1", "name": "shell", "input": args}]
    assert [one["text"] for one in claude[2]["content"][0]["content"]] == said
    aws = prepared(body, "bedrock").payload["messages"]
    assert aws[2]["content"][0]["toolResult"]["content"] == [{"text": said[0]}, {"json": json.loads(said[1])}]


@pytest.mark.parametrize("target", FOREIGN)
def test_a_definition_is_a_function_unless_a_model_needs_training_for_it(target):
    functions = prepared({"input": [GO], "tools": list(TOOLS.values())}, target)
    made = tw.Conversation.parse(functions.payload, target).tools
    assert [tool["name"] for tool in made] == ["shell", "local_shell", "apply_patch", "tool_search"]
    assert made[0]["parameters"]["properties"]["commands"]["items"]["type"] == "string"
    lost = [(loss.kind, loss.code, loss.path) for loss in functions.receipt if loss.kind == "lost"]
    assert ("lost", "tool", "$.tools[3]") in lost
    hosted = {"type": "shell", "environment": {"type": "container_auto"}}
    assert not tw.Conversation.parse(prepared({"input": [GO], "tools": [hosted]}, target).payload, target).tools


@pytest.mark.parametrize("target", ("openai", "openai-responses", "gemini", "bedrock", "ollama"))
def test_the_client_tools_of_claude_are_functions_elsewhere(target):
    kinds = {
        "bash_20250124": "bash",
        "text_editor_20250728": "str_replace_based_edit_tool",
        "memory_20250818": "memory",
    }
    tools = [{"type": kind, "name": name} for kind, name in kinds.items()]
    screen = {"type": "computer_20250124", "name": "computer", "display_width_px": 1, "display_height_px": 1}
    body = {"model": "m", "max_tokens": 9, "messages": [GO], "tools": [*tools, screen]}
    ready = tw.prepare(body, target, source="anthropic")
    made = tw.Conversation.parse(ready.payload, target).tools
    assert [tool["name"] for tool in made] == list(kinds.values())
    assert all("command" in tool["parameters"]["required"] for tool in made)
    assert [loss.path for loss in ready.receipt if (loss.kind, loss.code) == ("lost", "tool")] == ["$.tools[3]"]


def reply(*used):
    """A reply of Claude with these calls."""
    content = [
        {"type": "tool_use", "id": f"t{at}", "name": name, "input": args} for at, (name, args) in enumerate(used)
    ]
    usage = {"input_tokens": 1, "output_tokens": 1}
    made = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude", "content": content}
    return {**made, "stop_reason": "tool_use", "stop_sequence": None, "usage": usage}


def stream(whole):
    """The same reply as events."""
    yield {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}}
    for at, block in enumerate(whole["content"]):
        yield {"type": "content_block_start", "index": at, "content_block": {**block, "input": {}}}
        args = json.dumps(block["input"], separators=(",", ":"))
        for piece in (args[:5], args[5:]):
            delta = {"type": "input_json_delta", "partial_json": piece}
            yield {"type": "content_block_delta", "index": at, "delta": delta}
        yield {"type": "content_block_stop", "index": at}
    yield {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}


def back(body, *used):
    """What a client of Responses gets for such a reply: from the whole reply, which the stream repeats."""
    ready = prepared(body, "anthropic")
    whole = reply(*used)
    items = {}
    for request in ({"model": "m", **body}, ready):
        items["whole"] = tw.replies.convert_reply(
            whole, "openai-responses", source="anthropic", request=request
        ).payload["output"]
        converter = tw.replies.StreamConverter(source="anthropic", target="openai-responses", request=request)
        events = [event for chunk in stream(whole) for event in converter.feed(chunk)] + list(converter.finish())
        items["last"] = events[-1]["response"]["output"]
        done = [event["item"] for event in events if event["type"] == "response.output_item.done"]
        assert items["last"] == done
        bare = {way: [{k: v for k, v in item.items() if k != "id"} for item in all_] for way, all_ in items.items()}
        assert bare["whole"] == bare["last"]
        numbers = [event["sequence_number"] for event in events]
        assert numbers == list(range(len(numbers)))
    return items["last"], events


def test_a_reply_calls_the_tools_that_the_client_knows():
    body = {"input": [GO], "tools": list(TOOLS.values())}
    items, events = back(
        body,
        ("shell", {"commands": ["ls", "pwd"]}),
        ("local_shell", {"command": ["ls"]}),
        ("apply_patch", {"type": "delete_file", "path": "a"}),
        ("tool_search", {"q": "x"}),
    )
    shell, local, patch, search = items
    assert (shell["type"], shell["action"], shell["call_id"]) == ("shell_call", {"commands": ["ls", "pwd"]}, "t0")
    assert local["action"] == {"type": "exec", "command": ["ls"], "env": {}}
    assert patch["operation"] == {"type": "delete_file", "path": "a"}
    assert (search["type"], search["execution"], search["arguments"]) == ("tool_search_call", "client", {"q": "x"})
    assert all(item["status"] == "completed" for item in items)
    ids = [item["id"].split("_")[0] for item in items]
    assert ids == ["sh", "lsh", "apc", "tsc"]
    said = [event["command"] for event in events if event["type"] == "response.shell_call_command.done"]
    assert said == ["ls", "pwd"]
    read = tw.parse_reply({"id": "r", "object": "response", "status": "completed", "output": items}, "openai-responses")
    assert (read.finish, [call.name for call in read.tool_uses]) == ("tool_calls", [*list(TOOLS)[:3], "tool_search"])


def test_arguments_that_do_not_fit_stay_those_of_a_plain_call():
    body = {"input": [GO], "tools": list(TOOLS.values())}
    items, _ = back(body, ("shell", {"commands": "ls"}), ("apply_patch", {"type": "move"}), ("tool_search", {}))
    assert [item["type"] for item in items] == ["function_call", "function_call", "tool_search_call"]
    assert json.loads(items[0]["arguments"]) == {"commands": "ls"}


def test_a_stand_in_gets_the_next_free_name():
    mine = {"type": "function", "name": "shell", "parameters": NOTHING, "strict": False}
    call, result, *_ = ITEMS["shell"]
    body = {"input": [GO, call, result], "tools": [mine, {"type": "shell"}]}
    ready = prepared(body, "anthropic")
    assert [tool["name"] for tool in ready.payload["tools"]] == ["shell", "shell_2"]
    assert calls(ready.payload, "anthropic")[0][1] == "shell_2"
    items, _ = back(body, ("shell_2", {"commands": ["ls"]}), ("shell", {}))
    assert [item["type"] for item in items] == ["shell_call", "function_call"]


def group(name, *members, **more):
    tools = [{"type": "function", "name": member, "parameters": NOTHING, **more} for member in members]
    return {"type": "namespace", "name": name, "description": f"tools of {name}", "tools": tools}


def called(name, namespace=None, call_id="c1"):
    item = {"type": "function_call", "call_id": call_id, "name": name, "arguments": "{}"}
    answer = {"type": "function_call_output", "call_id": call_id, "output": "ok"}
    return [{**item, "namespace": namespace} if namespace else item, answer]


@pytest.mark.parametrize("target", FOREIGN)
def test_a_group_of_tools_is_flat_elsewhere(target):
    tools = [group("mcp__a", "status"), group("mcp__b", "status", "a__b")]
    history = [GO, *called("status", "mcp__a"), *called("status", "mcp__b", "c2"), *called("a__b", "mcp__b", "c3")]
    ready = prepared({"input": history, "tools": tools}, target)
    flat = ["mcp__a__status", "mcp__b__status", "mcp__b__a__b"]
    assert [tool["name"] for tool in tw.Conversation.parse(ready.payload, target).tools] == flat
    assert [name for _, name, _ in calls(ready.payload, target)] == flat
    assert not any(loss.code in ("tool", "key") for loss in ready.receipt)
    assert refused(target, ready.payload) == []


def test_a_group_is_put_back_by_the_table_of_the_request_only():
    top = {"type": "function", "name": "a__b", "parameters": NOTHING, "strict": False}
    tools = [group("mcp__a", "status", "only"), group("mcp__b", "status"), top]
    items, _ = back(
        {"input": [GO], "tools": tools},
        ("mcp__a__status", {}),
        ("b__status", {}),
        ("only", {}),
        ("status", {}),
        ("a__b", {}),
    )
    found = [(item["name"], item.get("namespace")) for item in items]
    assert found == [("status", "mcp__a"), ("status", "mcp__b"), ("only", "mcp__a"), ("status", None), ("a__b", None)]


def test_flat_names_stay_apart_and_short():
    long = "x" * 60
    same = {"type": "function", "name": "a__b", "parameters": NOTHING, "strict": False}
    tools = [same, group("a", "b"), group("g" * 30, long), group("outer", "in")]
    tools[3]["tools"].append(group("inner", "deep"))
    ready = prepared(
        {"input": [GO], "tools": tools, "tool_choice": {"type": "function", "name": "b", "namespace": "a"}}, "anthropic"
    )
    names = [tool["name"] for tool in ready.payload["tools"]]
    assert names[:2] == ["a__b", "a__b_2"]
    assert len(names) == len(set(names)) == 5
    short = [tool["function"]["name"] for tool in prepared({"input": [GO], "tools": tools}, "openai").payload["tools"]]
    assert all(len(name) <= 64 for name in short)
    assert len(set(short)) == 5
    assert names[3:] == ["outer__in", "outer__inner__deep"]
    assert ready.payload["tool_choice"] == {"type": "tool", "name": "a__b_2"}
    items, _ = back({"input": [GO], "tools": tools}, (names[2], {}), (names[4], {}))
    assert [(item["name"], item["namespace"]) for item in items] == [(long, "g" * 30), ("deep", "outer__inner")]


def test_tools_that_a_search_has_loaded_are_defined():
    call, found, *_ = ITEMS["tool_search"]
    hidden = [
        {"type": "function", "name": name, "parameters": NOTHING, "defer_loading": True} for name in ("rain", "snow")
    ]
    more = {"type": "additional_tools", "role": "developer", "tools": [group("g", "one")]}
    history = [GO, call, found, more, *called("rain", "rain", "c2"), *called("one", "g", "c3")]
    ready = prepared({"input": history, "tools": [*hidden, TOOLS["tool_search"]]}, "anthropic")
    assert [tool["name"] for tool in ready.payload["tools"]] == ["rain", "tool_search", "g__one"]
    assert [name for _, name, _ in calls(ready.payload, "anthropic")] == ["tool_search", "rain", "g__one"]
    hosted = prepared({"input": [GO], "tools": [*hidden, {"type": "tool_search"}]}, "anthropic")
    assert [tool["name"] for tool in hosted.payload["tools"]] == ["rain", "snow"]


def test_a_large_output_is_cut_in_its_own_form():
    call, *_ = ITEMS["shell"]
    output = [entry("o" * 9000, "e" * 9000), entry("short", "", 3)]
    given = {"type": "shell_call_output", "call_id": "c1", "output": output}
    ready = prepared({"input": [GO, call, given, ON]}, "openai-responses", budget=tw.Budget(per_result=2000))
    first, second = ready.payload["input"][2]["output"]
    assert (first["outcome"], second) == (output[0]["outcome"], output[1])
    assert 0 < len(first["stdout"]) < 2000
    assert 0 < len(first["stderr"]) < 2000
    again = prepared(ready.payload, "openai-responses", budget=tw.Budget(per_result=2000))
    assert (again.payload["input"], list(again.receipt)) == (ready.payload["input"], [])
    assert refused("openai-responses", ready.payload) == []


@pytest.mark.parametrize("name", ("shell", "local_shell", "apply_patch", "computer"))
def test_a_long_run_of_such_calls_fits_its_budget(name):
    history = [GO]
    for at in range(12):
        call, result = (
            json.loads(
                json.dumps(item).replace("c1", f"c{at}").replace("lsh_1", f"lsh_{at}").replace("cu_1", f"cu_{at}")
            )
            for item in ITEMS[name][:2]
        )
        large = "x" * 3000
        if name == "shell":
            result["output"][0]["stdout"] = large
        elif name == "computer":
            result["output"]["image_url"] = "data:image/png;base64," + "A" * 3000
        else:
            result["output"] = large
        history += [call, result]
    ready = prepared({"input": history}, "openai-responses", budget=20_000)
    left = [item.get("type") for item in ready.payload["input"]]
    kinds = (ITEMS[name][1]["type"], "function_call_output")
    assert left.count(ITEMS[name][0]["type"]) == sum(left.count(kind) for kind in kinds) > 1
    assert refused("openai-responses", ready.payload) == []
    if name == "computer":
        assert all(item["output"]["type"] == "computer_screenshot" for item in ready.payload["input"][2::2])
    again = prepared(ready.payload, "openai-responses", budget=20_000)
    assert again.payload["input"] == ready.payload["input"]


BAD = {
    "no id": ("shell", lambda call, out: (call.pop("call_id"), out.pop("call_id"))),
    "the output is a text": ("shell", lambda call, out: out.update(output="x")),
    "the output is missing": ("shell", lambda call, out: out.pop("output")),
    "the output is an object": ("apply_patch", lambda call, out: out.update(output={"a": 1})),
    "an entry without its end": ("shell", lambda call, out: out["output"][0].pop("outcome")),
    "no screenshot": ("computer", lambda call, out: out.pop("output")),
    "a screenshot without an image": ("computer", lambda call, out: out["output"].pop("image_url")),
    "an action that is a text": ("shell", lambda call, out: call.update(action="ls")),
    "both ids": ("local_shell", lambda call, out: out.update(call_id="c1")),
    "a foreign id": ("local_shell", lambda call, out: out.update(id="nobody")),
    "arguments that are a text": ("tool_search", lambda call, out: call.update(arguments="x")),
}


@pytest.mark.parametrize("target", ("openai-responses", *FOREIGN))
@pytest.mark.parametrize("what", BAD)
def test_bad_items_fail_with_a_reason_or_are_mended(what, target):
    name, spoil = BAD[what]
    call, result = (json.loads(json.dumps(item)) for item in ITEMS[name][:2])
    spoil(call, result)
    body = {"input": [GO, call, result, ON], "tools": [TOOLS[name], PLAIN]}
    try:
        ready = prepared(body, target)
    except tw.TurnwireError as error:
        assert "$.input[" in str(error)
        return
    assert prepared_again(ready.payload, target) == ready.payload
    assert refused(target, ready.payload) == []


def prepared_again(payload, target):
    return tw.prepare(payload, target, source=target, blobs="base64").payload


def random_history(rng):
    """Pairs, open calls, orphans and moved results, with texts that say where they are."""
    history, number = [GO], 0
    for number in range(1, rng.randint(1, 6) + 1):
        name = rng.choice([*ITEMS, "plain"])
        key = f"k{number}"
        if name == "plain":
            pair = called("f", None, key)
        else:
            text = json.dumps(ITEMS[name][:2])
            for old, new in (
                ("c1", key),
                ("lsh_1", f"lsh_{number}"),
                ("cu_1", f"cu_{number}"),
                ("ls x", f"cmd {number}"),
            ):
                text = text.replace(old, new)
            pair = json.loads(text.replace("no such file", f"said {number}").replace("a file", f"said {number}"))
        rng.random() < 0.1 and pair.reverse()
        cut = rng.choice([pair, pair, pair, pair, pair[:1], pair[1:]])
        history += [cut[0], ON, *cut[1:]] if rng.random() < 0.1 else cut
        rng.random() < 0.3 and history.append(rng.choice([ON, {"role": "assistant", "content": f"text {number}"}]))
    return [*history, ON]


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("target", ("openai-responses", "openai", "anthropic", "gemini", "bedrock"))
def test_nothing_of_random_histories_vanishes_untold(seed, target):
    history = random_history(random.Random(seed))
    ready = prepared({"input": history, "tools": [*TOOLS.values(), PLAIN]}, target)
    assert refused(target, ready.payload) == []
    gone = {entry.id for entry in ready.receipt if entry.code in ("orphan_result", "orphan_call", "duplicate_result")}
    everything = json.dumps(ready.payload)
    for item in history:
        item_id = item.get("call_id") or item.get("id")
        for text in texts(item.get("action", {})) + texts(item.get("output", [])):
            if text.startswith(("cmd ", "said ")):
                assert text in everything or item_id in gone, text
    assert prepared_again(ready.payload, target) == ready.payload


WAITING = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}", "async": True}
CAME = {"type": "function_call_output", "call_id": "c1", "output": "done"}
MEANWHILE = {"role": "assistant", "content": "meanwhile"}
ASYNC = {
    "open": [GO, WAITING, MEANWHILE, ON],
    "at the end": [GO, WAITING, MEANWHILE, ON, CAME],
    "behind a text": [GO, WAITING, MEANWHILE, CAME],
    "at once": [GO, WAITING, CAME, ON],
    "beside a plain one": [GO, WAITING, *called("g", None, "c2"), ON, CAME, ON],
    "custom": [GO, {"type": "custom_tool_call", "call_id": "c1", "name": "f", "input": "x", "async": True}, ON],
}


@pytest.mark.parametrize("what", ASYNC)
def test_an_async_call_may_wait_in_its_own_format(what):
    ready = prepared({"input": ASYNC[what]}, "openai-responses")
    assert (ready.payload["input"], list(ready.receipt)) == (ASYNC[what], [])
    assert not [
        one for one in tw.check({"model": "m", "input": ASYNC[what]}, "openai-responses") if one.severity == "error"
    ]


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("what", ASYNC)
def test_an_async_call_has_its_result_elsewhere(what, target):
    ready = prepared({"input": ASYNC[what], "tools": [PLAIN]}, target)
    assert refused(target, ready.payload) == []
    if CAME in ASYNC[what]:
        assert "done" in json.dumps(ready.payload)


def test_a_plain_call_still_needs_its_result_and_a_second_one_goes():
    plain = {key: value for key, value in WAITING.items() if key != "async"}
    assert [entry.code for entry in prepared({"input": [GO, plain, ON]}, "openai-responses").receipt] == [
        "missing_result"
    ]
    twice = prepared({"input": [GO, WAITING, ON, CAME, ON, CAME]}, "openai-responses")
    assert [entry.code for entry in twice.receipt if entry.kind != "warning"] == ["duplicate_result"]
    alone = prepared({"input": [GO, CAME, ON]}, "openai-responses")
    assert [entry.code for entry in alone.receipt if entry.kind != "warning"] == ["orphan_result"]


def test_a_budget_drops_an_async_call_with_its_late_result():
    history = [{"role": "user", "content": "task"}, WAITING, MEANWHILE, ON, CAME | {"output": "x" * 4000}]
    for at in range(8):
        history += [*called("g", None, f"d{at}"), ON]
    ready = prepared({"input": history}, "openai-responses", budget=1200)
    ids = [item["call_id"] for item in ready.payload["input"] if "call_id" in item]
    assert ids.count("c1") in (0, 2)


def test_a_ledger_appends_a_late_result_as_the_item_it_is():
    ledger = tw.Ledger("openai-responses")
    first = [GO, WAITING, MEANWHILE, ON]
    sent = ledger.prepare(first).payload["input"]
    more = [*first, {"role": "assistant", "content": "still"}, ON, CAME]
    now = ledger.prepare(more).payload["input"]
    assert now[: len(sent)] == sent
    assert now[-1] == CAME


def update(**settings):
    return {"type": "configuration_update", **settings}


def test_a_change_of_settings_is_read_by_its_type():
    body = {"model": "m", "input": [GO, update(reasoning={"effort": "low"}, text={"format": {"type": "text"}}), ON]}
    assert tw.detect(body["input"]) == "openai-responses"
    assert tw.prepare(body, "openai-responses").payload["input"] == body["input"]


def test_changes_of_settings_side_by_side_become_one():
    effort, form = {"effort": "low"}, {"format": {"type": "text"}}
    given = [
        GO,
        update(reasoning=effort, text=form),
        update(reasoning={"effort": "high"}),
        update(reasoning=effort),
        ON,
    ]
    ready = prepared({"input": given}, "openai-responses")
    assert ready.payload["input"] == [GO, update(reasoning=effort, text=form), ON]
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["merged_turn", "merged_turn"]
    assert prepared_again(ready.payload, "openai-responses") == ready.payload


def test_a_budget_leaves_no_changes_of_settings_side_by_side():
    history = [{"role": "user", "content": "task"}]
    for at in range(12):
        history += [update(reasoning={"effort": "low"}), *called("g", None, f"d{at}"), ON]
        history[-2] = history[-2] | {"output": "x" * 900}
    ready = prepared({"input": history}, "openai-responses", budget=4000)
    kinds = [item.get("type") for item in ready.payload["input"]]
    assert not any(pair == ("configuration_update",) * 2 for pair in itertools.pairwise(kinds))
