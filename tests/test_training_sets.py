"""A trainer can read what `openai:hf`, `llama:3` and `sharegpt` write: a chat template, or a reader of ShareGPT."""

import json
import random
import re
from typing import Any

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from judges.training import BETWEEN
from random_runs import tries
from turnwire import batch

jinja2 = pytest.importorskip("jinja2", reason="templates are written in jinja2, from the group dev")

CALLS = [("a", {"city": "Ōsaka"}), ("b", {"city": "Kyōto"})]
CHAT = {
    "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Weather?"},
        {
            "role": "assistant",
            "content": "Let me see.",
            "tool_calls": [
                {"id": id, "type": "function", "function": {"name": "weather", "arguments": json.dumps(args)}}
                for id, args in CALLS
            ],
        },
        # Not in the order of their calls: a template does not look at ids.
        {"role": "tool", "tool_call_id": "b", "content": "rain"},
        {"role": "tool", "tool_call_id": "a", "content": "sun"},
        {"role": "assistant", "content": "Sun and rain."},
    ],
    "tools": [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}],
}

# Like most templates: absent values must be absent, arguments must be a mapping, a result names its tool.
HF = """\
{%- for tool in tools or [] %}<tool>{{ tool.function.name }} {{ tool.function.parameters | tojson }}</tool>
{% endfor %}
{%- for message in messages %}
<{{ message.role }}>{% if message.content is defined %}{{ message.content }}{% endif %}
    {%- if message.tool_calls %}
        {%- for call in message.tool_calls %}
            {%- if call.function.arguments is not mapping %}
                {{- raise_exception("arguments are no mapping") }}
            {%- endif %}
            {{- "[" + call.function.name + " " + (call.function.arguments | tojson) + "]" }}
        {%- endfor %}
    {%- endif %}
    {%- if message.role == "tool" %}{{ " of " + message.name }}{% endif %}
</{{ message.role }}>
{% endfor %}"""

# By the rules of Llama's template: one call a message, found by its key; results with role ipython, quoted unless they
# are objects.
LLAMA = """\
{%- if messages[0].role == "system" %}
    {{- messages[0].content }}
    {%- set messages = messages[1:] %}
{%- endif %}
{%- for message in messages %}
|{{ message.role }}|
    {%- if "tool_calls" in message %}
        {%- if message.tool_calls | length != 1 %}{{ raise_exception("one call a message") }}{% endif %}
        {%- set call = message.tool_calls[0].function %}
        {{- '{"name": "' + call.name + '", "parameters": ' + (call.arguments | tojson) + "}" }}
    {%- elif message.role in ("tool", "ipython") %}
        {{- message.content | tojson }}
    {%- elif message.role in ("user", "assistant") %}
        {{- message.content }}
    {%- else %}
        {{- raise_exception("role " + message.role) }}
    {%- endif %}
{%- endfor %}"""


def by_jinja(template, messages, tools=None):
    """Rendered like transformers does it: the same environment, without the rest of that library."""
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    def raise_exception(message):
        raise jinja2.exceptions.TemplateError(message)

    def tojson(value, indent=None):
        return json.dumps(value, ensure_ascii=False, indent=indent)

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    return environment.from_string(template).render(messages=messages, tools=tools, add_generation_prompt=False)


def by_transformers(template, messages, tools=None):
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"?": 0}, unk_token="?")))
    return tokenizer.apply_chat_template(messages, tools=tools, chat_template=template, tokenize=False)


# `make templates` installs transformers.
@pytest.fixture(params=[by_jinja, pytest.param(by_transformers, marks=pytest.mark.needs("transformers", "tokenizers"))])
def apply_chat_template(request):
    return request.param


def test_a_chat_template_renders_training_sets(apply_chat_template):
    made = tw.convert(CHAT, "openai:hf", source="openai").payload
    assert apply_chat_template(HF, made["messages"], made["tools"]) == (
        '<tool>weather {"type": "object"}</tool>\n'
        "<system>Be brief.</system>\n"
        "<user>Weather?</user>\n"
        '<assistant>Let me see.[weather {"city": "Ōsaka"}][weather {"city": "Kyōto"}]</assistant>\n'
        "<tool>sun of weather</tool>\n<tool>rain of weather</tool>\n"
        "<assistant>Sun and rain.</assistant>\n"
    )
    # The template refuses a server's own messages: the test can fail.
    with pytest.raises(jinja2.exceptions.TemplateError, match="no mapping"):
        apply_chat_template(HF, CHAT["messages"], CHAT["tools"])


def test_no_template_says_none(apply_chat_template):
    silent = [{"role": "user", "content": "q"}, {**CHAT["messages"][2], "content": None}]
    made = tw.convert(silent, "openai:hf", source="openai").payload["messages"]
    assert "None" not in apply_chat_template(HF, made)
    # transformers 5.23 writes nothing for a None; without it, the template writes the word.
    assert "None" in by_jinja(HF, [{"role": "assistant", "content": None}])


def test_a_template_by_the_rules_of_llama(apply_chat_template):
    made = tw.convert(CHAT, "llama:3", source="openai").payload
    assert apply_chat_template(LLAMA, made) == (
        "Be brief.|user|Weather?|assistant|Let me see."
        '|assistant|{"name": "weather", "parameters": {"city": "Ōsaka"}}'
        '|ipython|"sun"|assistant|{"name": "weather", "parameters": {"city": "Kyōto"}}'
        '|ipython|"rain"|assistant|Sun and rain.'
    )
    with pytest.raises(jinja2.exceptions.TemplateError, match="one call a message"):
        apply_chat_template(LLAMA, CHAT["messages"])


def test_a_build_repairs_what_the_template_refuses(apply_chat_template):
    calls = [{"function": {"name": "f", "arguments": {"n": n}}} for n in (1, 2)]
    messages = [
        {"role": "user", "content": "q", "tool_calls": None},
        {"role": "assistant", "content": "see", "tool_calls": calls},
        {"role": "ipython", "content": "one"},
        {"role": "ipython", "content": {"two": 2}},
    ]
    with pytest.raises((jinja2.exceptions.TemplateError, TypeError)):
        apply_chat_template(LLAMA, messages)
    ready = tw.prepare(messages, "llama:3", source="llama:3")
    assert apply_chat_template(LLAMA, ready.payload) == (
        '|user|q|assistant|see|assistant|{"name": "f", "parameters": {"n": 1}}'
        '|ipython|"one"|assistant|{"name": "f", "parameters": {"n": 2}}|ipython|{"two": 2}'
    )
    assert ready.receipt


def test_a_reader_of_sharegpt():
    """By LLaMA-Factory's rules for its columns: the trainer's reading of a row."""
    made = tw.convert(CHAT, "sharegpt", source="openai").payload
    assert made["system"] == "Be brief."
    assert [tool["name"] for tool in json.loads(made["tools"])] == ["weather"]
    said = [(one["from"], one["value"]) for one in made["conversations"]]
    assert [who for who, _ in said] == ["human", "function_call", "observation", "gpt"]
    (calls,) = [json.loads(value) for who, value in said if who == "function_call"]
    assert calls == [{"name": "weather", "arguments": args} for _, args in CALLS]
    assert [value for who, value in said if who == "observation"] == [f"sun{BETWEEN}rain"]


@pytest.mark.parametrize("target", ["openai:hf", "llama:3", "sharegpt", "structured"])
def test_there_and_back(target):
    """Calls, arguments and results of each exchange come back, paired as they were, by order where there are no ids."""
    there = tw.convert(CHAT, target, source="openai").payload
    back = tw.convert(there, "openai", source=target).payload["messages"]
    names, results = {}, {}
    for message in back:
        for call in message.get("tool_calls", ()):
            # An id may come again in another step.
            names[call["id"]] = json.loads(call["function"]["arguments"])["city"]
        if message["role"] == "tool":
            results[names[message["tool_call_id"]]] = message["content"]
    assert results == {"Ōsaka": "sun", "Kyōto": "rain"}
    texts = [message["content"] for message in back if message["role"] in ("user", "system") or message.get("content")]
    assert {"Be brief.", "Weather?", "Let me see.", "Sun and rain."} <= {*texts}


@pytest.mark.parametrize("target", ["openai:hf", "llama", "llama:3", "sharegpt", "structured"])
def test_what_is_built_is_stable(target):
    first = tw.prepare(CHAT, target)
    # Only this test speaks as the user.
    again = tw.prepare(tw.Conversation.parse(first.payload, target, tool_results=True), target)
    assert again.payload == first.payload


def texts_of(payload):
    """The content of each message, in a format whose messages are texts."""
    rows = payload["conversations"] if isinstance(payload, dict) else payload
    return [row.get("value", row.get("content")) for row in rows]


@pytest.mark.parametrize("target", ["llama", "llama:3", "sharegpt"])
@pytest.mark.parametrize("seed", range(40))
def test_lines_between_joined_texts_are_paid_for(target, seed):
    dice = random.Random(seed)

    def blocks():
        return [{"type": "text", "text": "x" * dice.randint(1, 4)} for _ in range(dice.randint(1, 60))]

    roles = ["user", "assistant"] * dice.randint(0, 3)
    messages = [{"role": role, "content": blocks()} for role in [*roles, "user"]]
    # The last message, of 300 bytes at most, always fits.
    budget = dice.randint(300, 600)
    texts = texts_of(tw.prepare(messages, target, budget, source="openai").payload)
    assert sum(len(text.encode()) for text in texts) <= budget


@pytest.mark.parametrize("seed", range(60))
def test_an_answer_that_reads_as_a_call_says_so(seed):
    """The judge is the reader: where an answer comes back as a call, and only there, a loss says so."""
    dice = random.Random(seed)
    said = {
        "name": dice.choice(["Bob", 1]),
        dice.choice(["parameters", "arguments", "age"]): dice.choice([{}, {"a": 1}, "x"]),
    }
    text = dice.choice(["", " "]) + json.dumps(said if dice.random() < 0.7 else [said, said])
    if dice.random() < 0.2:
        text += "; " + text
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": text}]
    made = tw.convert(messages, "llama", source="openai")
    back = tw.convert(made.payload, "openai", source="llama").payload["messages"]
    told = [loss.path for loss in made.receipt if loss.code == "ambiguous_call"]
    assert told == (["$[1].content"] if "tool_calls" in back[1] else [])


def refused(rows):
    """Why LLaMA-Factory's reader of ShareGPT skips a row: both sides alternate, and a call is JSON of calls."""
    sides = (("human", "observation"), ("gpt", "function_call"))
    for at, row in enumerate(rows):
        if row["from"] not in sides[at % 2]:
            return f"{row['from']} at {at}"
        if row["from"] == "function_call":
            calls = json.loads(row["value"])
            for call in calls if isinstance(calls, list) else [calls]:
                if sorted(call) != ["arguments", "name"]:
                    return f"call at {at}"
    return None


def chat_of_any_order(dice):
    """Speakers are drawn at random: one side twice, users between calls and results, calls without results."""
    messages, open_ids, count = [{"role": "user", "content": "u0"}], [], 0
    for at in range(1, dice.randint(2, 14)):
        kind = dice.choice(["user", "assistant", "call", "result", "result"])
        if kind == "call":
            ids = [f"c{count + more}" for more in range(dice.choice([1, 1, 2, 3]))]
            count += len(ids)
            open_ids += ids
            calls = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in ids]
            messages.append({"role": "assistant", "content": dice.choice([None, f"a{at}"]), "tool_calls": calls})
        elif kind == "result" and open_ids:
            messages.append({"role": "tool", "tool_call_id": open_ids.pop(0), "content": f"r{at}"})
        elif kind != "result":
            messages.append({"role": kind, "content": f"{kind[0]}{at}"})
    return messages


@pytest.mark.parametrize("via", ["openai", "openai-responses", "anthropic", "gemini", "sharegpt"])
@pytest.mark.parametrize("seed", range(60))
def test_a_trainer_takes_whatever_is_prepared(via, seed):
    """Sides alternate, the user is first, and every text is in its own row."""
    messages = chat_of_any_order(random.Random(seed))
    source = messages
    if via == "sharegpt":
        # One element for each message, as older sets have it.
        names = {"user": "human", "assistant": "gpt", "tool": "observation"}
        call = {"from": "function_call", "value": '{"name": "f", "arguments": {}}'}
        source = [
            dict(call) if one.get("tool_calls") else {"from": names[one["role"]], "value": one["content"]}
            for one in messages
        ]
    elif via != "openai":
        source = tw.convert(messages, via, source="openai").payload
    ready = tw.prepare(source, "sharegpt", source=via)
    rows = ready.payload["conversations"]
    assert refused(rows) is None, rows
    said = [text for text in json.dumps(source).replace('"', " ").split() if re.fullmatch(r"[uar]\d+", text)]
    written = re.findall(r"[uar]\d+", " ".join(row["value"] + " " + row.get("text", "") for row in rows))
    dropped = {change.code for change in ready.receipt} & {"dropped_result", "orphan_result"}
    assert dropped or sorted(said) == sorted(written)
    assert tw.prepare(ready.payload, "sharegpt").payload == ready.payload


@pytest.mark.parametrize("via", ["openai", "openai-responses", "anthropic", "gemini"])
@pytest.mark.parametrize("seed", range(40))
def test_a_trainer_takes_parallel_calls(via, seed):
    """In every format the calls are one list and their results one text, and reading gives each of them back."""
    dice = random.Random(seed)
    messages, said, beside = [{"role": "user", "content": "q"}], [], []
    for step in range(dice.randint(1, 4)):
        ids = [f"c{step}_{at}" for at in range(dice.choice([1, 2, 3, 5]))]
        calls = [
            {"id": id, "type": "function", "function": {"name": dice.choice("fg"), "arguments": json.dumps({"n": id})}}
            for id in ids
        ]
        # Responses has text in a separate item, which stays separate.
        content = None if via == "openai-responses" else dice.choice([None, None, f"Let me see {step}."])
        beside += [content] if content else []
        messages.append({"role": "assistant", "content": content, "tool_calls": calls})
        texts = {id: dice.choice(["", "a", "a\nb", "[1, 2]", "<tool_response>"]) + id for id in ids}
        said += texts.items()
        results = [{"role": "tool", "tool_call_id": id, "content": text} for id, text in texts.items()]
        messages += dice.sample(results, len(results))
        if dice.random() < 0.4:
            messages += [{"role": "assistant", "content": "so"}, {"role": "user", "content": "more"}]
    if messages[-1]["role"] == "user":
        messages.pop()
    else:
        messages.append({"role": "assistant", "content": "done"})
    made = tw.convert(tw.convert(messages, via, source="openai").payload, "sharegpt", source=via)
    assert refused(made.payload["conversations"]) is None
    assert len(made.payload["conversations"]) % 2 == 0
    assert len([loss for loss in made.receipt if loss.code == "joined"]) == len(beside)
    found, waiting = [], {}
    for message in tw.convert(made.payload, "openai", source="sharegpt").payload["messages"]:
        for call in message.get("tool_calls", ()):
            waiting[call["id"]] = json.loads(call["function"]["arguments"])["n"]
        if message["role"] == "tool":
            found.append((waiting.pop(message["tool_call_id"]), message["content"]))
    assert sorted(found) == sorted(said)
    back = tw.convert(made.payload, "openai", source="sharegpt").payload["messages"]
    assert [one["content"] for one in back if "tool_calls" in one and one.get("content")] == beside


def test_a_result_like_several_says_so():
    said = f"one{BETWEEN}two"
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": said},
    ]
    made = tw.convert(messages, "sharegpt", source="openai")
    assert made.payload["conversations"][2]["value"] == said
    assert [loss.path for loss in made.receipt if loss.code == "joined"] == ["$[2].content"]


@given(count=st.integers(1, 20), size=st.integers(0, 300), budget=st.integers(300, 5000))
@settings(max_examples=tries(60), deadline=None)
def test_text_between_results_counts_against_the_budget(count, size, budget):
    uses = [{"type": "tool_use", "id": f"c{at}", "name": "f", "input": {}} for at in range(count)]
    results = [{"type": "tool_result", "tool_use_id": f"c{at}", "content": "r" * size or "-"} for at in range(count)]
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": uses},
        {"role": "user", "content": results},
    ]
    try:
        ready = tw.prepare(messages, "sharegpt", budget)
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return
    observation = next(one["value"] for one in ready.payload["conversations"] if one["from"] == "observation")
    assert len(observation) <= ready.receipt.totals["after"] <= budget


def test_speakers_by_the_names_of_other_trainers_are_read_and_repaired():
    rows = [("user", "q"), ("function_call", '{"name": "f", "arguments": {}}'), ("tool", "r"), ("assistant", "a")]
    payload = {"conversations": [{"from": speaker, "value": value} for speaker, value in rows]}
    assert tw.detect(payload) == "sharegpt"
    ready = tw.prepare(payload, "sharegpt")
    names = [row["from"] for row in ready.payload["conversations"]]
    assert names == ["human", "function_call", "observation", "gpt"]
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["reshaped"] * 3
    assert not tw.prepare(ready.payload, "sharegpt").receipt
    plain = tw.convert(payload, "openai", source="sharegpt").payload["messages"]
    assert [message["role"] for message in plain] == ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize("target", [name for name in tw.dialects() if name != "history"])
@pytest.mark.parametrize("ends", ["text", "call"])
def test_a_row_may_end_with_the_assistant(target: Any, ends: str) -> None:
    call = {"id": "call00001", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
    last = {"content": "Sunny."} if ends == "text" else {"content": None, "tool_calls": [call]}
    messages = [{"role": "user", "content": "How is the weather?"}, {"role": "assistant", **last}]
    ready = tw.prepare(messages, target, source="openai", end="row")
    back = tw.Conversation.parse(ready.payload, target)
    assert [turn.role for turn in back] == ["user", "assistant"]
    said = "Sunny." if ends == "text" else '{"a": 1}'
    assert said.replace(" ", "") in json.dumps(ready.payload).replace("\\", "").replace(" ", "")
    assert "missing_result" not in [entry.code for entry in ready.receipt if entry.kind != "warning"]
    # Each line of a file is such a row.
    (line,) = batch.prepare_lines([json.dumps({"messages": messages}).encode()], target, source="openai", end="row")
    assert json.loads(line)
