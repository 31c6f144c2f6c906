"""Bodies for Anthropic's Messages: accepted, refused, and flagged."""

from . import DATA_PNG, HTTPS_PNG, PDF, PNG, SCHEMA, Cases, asst, user

CASES = Cases("anthropic")
ok, bad, flag, quiet = CASES.ok, CASES.bad, CASES.flag, CASES.quiet

AN_TOOL = {"name": "f", "description": "d", "input_schema": SCHEMA}


def an(*messages, tools=(AN_TOOL,), **more):
    body = {"model": "m", "max_tokens": 4096, "messages": list(messages), **more}
    return {**body, "tools": list(tools)} if tools else body


def use(ident="t1", **more):
    return {"type": "tool_use", "id": ident, "name": "f", "input": {"x": 1}, **more}


def result(ident="t1", **more):
    return {"type": "tool_result", "tool_use_id": ident, "content": "ok", **more}


def text(value="t", **more):
    return {"type": "text", "text": value, **more}


THINK = {"type": "thinking", "thinking": "hmm", "signature": "c2ln"}
IMG = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
CACHE = {"cache_control": {"type": "ephemeral"}}

ok("text", an(user("q"), asst("a"), user("q2"), tools=None, system="s"))
ok(
    "blocks and images",
    an(
        user([IMG, {"type": "image", "source": {"type": "url", "url": HTTPS_PNG}}, text()]),
        tools=None,
        system=[text("s", **CACHE)],
    ),
)
ok("call and error result", an(user("q"), asst([text(), use()]), user([result(is_error=True), text("go on")])))
ok("parallel", an(user("q"), asst([use("a"), use("b")]), user([result("b"), result("a")])))
ok("image in result", an(user("q"), asst([use()]), user([result(content=[text(), IMG])])))
ok(
    "thinking loop",
    an(user("q"), asst([THINK, use()]), user([result()]), thinking={"type": "enabled", "budget_tokens": 1024}),
)
ok(
    "omitted thinking and redacted",
    an(
        user("q"),
        asst(
            [
                {"type": "thinking", "thinking": "", "signature": "c2ln"},
                {"type": "redacted_thinking", "data": "x"},
                text(),
            ]
        ),
        user("q"),
        tools=None,
    ),
)
ok("runs of one role", an(user("a"), user("b"), asst("c"), asst("d"), user("e"), tools=None))
ok("empty result", an(user("q"), asst([use(input={})]), user([{"type": "tool_result", "tool_use_id": "t1"}])))
ok(
    "document",
    an(
        user(
            [
                {
                    "type": "document",
                    "source": {"type": "base64", "media_type": "application/pdf", "data": PDF},
                    "title": "a",
                },
                text(),
            ]
        ),
        tools=None,
        stream=True,
    ),
)

bad("type", an(user("q"), {"role": "tool", "content": "x"}, tools=None))
bad("type", an(user([{"type": "text", "text": "a", "bogus": 1}]), tools=None))
bad("type", {"model": "m", "messages": [user("q")]})
bad("type", an(user("q"), asst([use(input="{}")]), user([result()])))
bad("type", an(user([{"type": "image_url", "image_url": {"url": HTTPS_PNG}}]), tools=None))
bad("type", an(user("q"), asst([use()]), user([result(content={"x": 1})])))
bad(
    "type",
    an(user([{"type": "image", "source": {"type": "base64", "media_type": "image/tiff", "data": PNG}}]), tools=None),
)
bad("type", an(user("q"), tools=None, stop=["x"]))
bad("json", an(user("q"), asst([use(input={"x": float("nan")})]), user([result()])))
bad("messages.empty", an(tools=None))
bad("first-role", an(asst("a"), user("q"), tools=None))
bad("system.leading", an({"role": "system", "content": "s"}, user("q"), tools=None))
bad("system.position", an(user("q"), asst("a"), {"role": "system", "content": "s"}, user("q"), tools=None))
bad("content.empty", an(user(""), tools=None))
bad("content.empty", an(user("q"), asst("a"), user([]), tools=None))
bad("text.empty", an(user([text("")]), tools=None))
bad("text.empty", an(user("q"), asst([text(""), use()]), user([result()])))
bad("text.blank", an(user([text(" \n")]), tools=None))
bad("prefill.whitespace", an(user("q"), asst("Answer: "), tools=None))
bad("prefill.thinking", an(user("q"), asst([text("a"), THINK]), tools=None))
bad("block.role", an(user([use()]), tools=[AN_TOOL]))
bad("block.role", an(user("q"), asst([IMG]), user("x"), tools=None))
bad("tool_use.id", an(user("q"), asst([use("call:1")]), user([result("call:1")])))
bad("tool_use.id", an(user("q"), asst([use("")]), user([result("")])))
bad("tool_use.duplicate", an(user("q"), asst([use()]), user([result()]), asst([use()]), user([result()])))
bad("tool_use.unanswered", an(user("q"), asst([use("a"), use("b")]), user([result("a")])))
bad("tool_use.unanswered", an(user("q"), asst([use()]), user([text("first"), result()])))
bad("tool_result.orphan", an(user("q"), asst("a"), user([result()])))
bad("tool_result.orphan", an(user("q"), asst([use()]), user([result()]), asst("a"), user([result()])))
bad("tool_result.duplicate", an(user("q"), asst([use()]), user([result(), result()])))
bad("tool_result.late", an(user("q"), asst([use("a"), use("b")]), user([result("a"), text(), result("b")])))
bad("tool_result.error", an(user("q"), asst([use()]), user([result(is_error=True, content=[IMG])])))
bad("thinking.signature", an(user("q"), asst([{**THINK, "signature": ""}, text()]), user("x"), tools=None))
bad(
    "thinking.missing",
    an(user("q"), asst([use()]), user([result()]), thinking={"type": "enabled", "budget_tokens": 1024}),
)
bad(
    "thinking.tool_choice",
    an(user("q"), thinking={"type": "enabled", "budget_tokens": 1024}, tool_choice={"type": "any"}),
)
bad("thinking.budget", an(user("q"), tools=None, thinking={"type": "enabled", "budget_tokens": 4096}))
bad("name.bad", an(user("q"), tools=[{**AN_TOOL, "name": "a.b"}]))
bad("tools.duplicate", an(user("q"), tools=[AN_TOOL, AN_TOOL]))
bad("tools.empty", {**an(user("q"), tools=None), "tools": []})
bad("tools.missing", an(user("q"), asst([use()]), user([result()]), tools=None))
bad(
    "image.base64",
    an(
        user([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA_PNG}}]), tools=None
    ),
)
bad(
    "image.base64",
    an(user([{"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": PNG}}]), tools=None),
)
bad(
    "image.size",
    an(
        user([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA" * (2621441)}}]),
        tools=None,
    ),
)
bad("cache.many", an(user([text(str(i), **CACHE) for i in range(5)]), tools=None))
bad("messages.many", an(*[user("q")] * 100_001, tools=None))
flag("prefill", an(user("q"), asst("Answer:"), tools=None))
flag("system.model", an(user("q"), {"role": "system", "content": "s"}, asst("a"), user("q"), tools=None))


def sy(content="s", **more):
    return {"role": "system", "content": content, **more}


def on(model, *messages, **more):
    return {**an(*messages, tools=more.pop("tools", None), **more), "model": model}


LOW = sy([], output_config={"effort": "low"})
for model in (
    "claude-haiku-4-5",
    "claude-sonnet-4-5-20250929",
    "claude-opus-4-20250514",
    "claude-opus-4-7",
    "claude-sonnet-5",
    "claude-3-5-sonnet-20241022",
):
    bad("system.old", on(model, user("q"), sy(), asst("a"), user("q")))
    quiet(f"system at the top, {model}", on(model, user("q"), asst("a"), user("q"), system="s"))
for model in (
    "claude-opus-4-8",
    "claude-opus-4-8-20260528",
    "claude-opus-5",
    "claude-fable-5",
    "claude-mythos-5-1",
    "claude-haiku-5-5",
):
    quiet(f"system in the middle, {model}", on(model, user("q"), sy(), asst("a"), user("q"), sy(), sy("t")))
bad("system.old", on("claude-haiku-4-5", user("q"), LOW, asst("a"), user("q")))
bad("system.empty", an(user("q"), sy(""), asst("a"), user("q"), tools=None))
bad("system.empty", an(user("q"), sy([]), asst("a"), user("q"), tools=None))
bad("system.empty", an(user("q"), sy([], output_config={}), asst("a"), user("q"), tools=None))
bad("system.empty", an(user("q"), {"role": "system"}, asst("a"), user("q"), tools=None))
for name, body in (
    ("behind the user", [user("q"), LOW]),
    ("before the user", [user("q"), asst("a"), LOW, user("q")]),
    ("first", [LOW, user("q")]),
    ("between two users", [user("q"), LOW, user("q")]),
    ("twice", [user("q"), asst("a"), LOW, LOW, user("q")]),
    ("without content", [user("q"), {"role": "system", "output_config": {"effort": "low"}}, asst("a"), user("q")]),
):
    flag("beta", on("claude-opus-5", *body))
    ok(f"effort {name}", on("claude-opus-5", *body))
bad("system.position", on("claude-opus-5", user("q"), asst("a"), sy("s", output_config={"effort": "low"}), user("q")))
bad("system.position", on("claude-opus-5", user("q"), asst("a"), sy(), LOW, user("q")))
bad("system.leading", on("claude-opus-5", LOW, sy(), user("q")))
bad("first-role", on("claude-opus-5", LOW, asst("a"), user("q")))
flag("system.after", on("claude-opus-5", user("q"), asst("a"), sy(), asst("b"), user("q")))
flag("system.between", on("claude-opus-5", user("q"), asst([use()]), LOW, user([result()]), tools=[AN_TOOL]))
quiet("system behind results", on("claude-opus-5", user("q"), asst([use()]), user([result()]), sy(), tools=[AN_TOOL]))
flag("beta", an(user("q"), tools=None, context_management={"edits": [{"type": "clear_tool_uses_20250919"}]}))
bad("type", an(user("q"), tools=None, context_management={"edits": [{"type": "zz"}]}))
bad("type", an(user("q"), tools=None, betas=["mid-conversation-output-config-2026-07-01"]))
bad("type", an(user("q"), tools=None, temperature=0.1))
quiet("sampling in the older version", an(user("q"), tools=None, temperature=0.1, top_k=3), version="2023-06-01")
for empty in ({}, {"content": ""}, {"content": []}, {"content": [text("")]}):
    broken = {"type": "tool_result", "tool_use_id": "t1", "is_error": True, **empty}
    bad("tool_result.error-empty", an(user("q"), asst([use()]), user([broken])))
    ok("the same without is_error", an(user("q"), asst([use()]), user([{**broken, "is_error": False}])))
quiet("an error that says something", an(user("q"), asst([use()]), user([result(is_error=True)])))
flag("tool_result.blank", an(user("q"), asst([use()]), user([result(is_error=True, content=" ")])))


def found(*names):
    return [
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "tool_search_tool_bm25", "input": {"query": "x"}},
        {
            "type": "tool_search_tool_result",
            "tool_use_id": "srvtoolu_1",
            "content": {
                "type": "tool_search_tool_search_result",
                "tool_references": [{"type": "tool_reference", "tool_name": n} for n in names],
            },
        },
    ]


SEARCH = {"type": "tool_search_tool_bm25_20251119", "name": "tool_search_tool_bm25"}
REFERS = user([result(content=[{"type": "tool_reference", "tool_name": "g"}])])
bad("tools.undefined", an(user("q"), asst(found("f", "g")), user("q"), tools=[AN_TOOL, SEARCH]))
bad("tools.undefined", an(user("q"), asst([use()]), REFERS))
quiet(
    "references to what is there",
    an(user("q"), asst(found("f")), user("q"), tools=[{**AN_TOOL, "defer_loading": True}, SEARCH]),
)
quiet("no references", an(user("q"), asst(found()), user("q"), tools=[AN_TOOL, SEARCH]))
quiet(
    "references in a client's result", an(user("q"), asst([use()]), REFERS, tools=[AN_TOOL, {**AN_TOOL, "name": "g"}])
)
ok(
    "a toolset's members are not known",
    an(
        user("q"),
        asst([use()]),
        REFERS,
        tools=[AN_TOOL, {"type": "mcp_toolset", "mcp_server_name": "s"}],
        mcp_servers=[{"type": "url", "name": "s", "url": "https://e.x"}],
    ),
)
flag("tools.absent", an(user("q"), asst(found("f")), user("q"), tools=None))


def change(kind, **tool):
    return sy([{"type": kind, "tool": tool}])


flag(
    "tools.change",
    on("claude-opus-5", user("q"), change("tool_addition", type="tool_reference", name="g"), tools=[AN_TOOL]),
)
ok(
    "tools added by name and by value",
    on(
        "claude-opus-5",
        user("q"),
        change("tool_addition", type="tool_reference", name="f"),
        asst("a"),
        user("q"),
        change("tool_addition", type="tool_definition", definition={**AN_TOOL, "name": "g"}),
        asst([use(name="g")]),
        user([result()]),
        change("tool_removal", type="tool_reference", name="g"),
        tools=[{**AN_TOOL, "defer_loading": True}],
    ),
)
bad("tool_choice.model", on("claude-fable-5-1", user("q"), tools=[AN_TOOL], tool_choice={"type": "any"}))
bad("tool_choice.model", on("claude-mythos-5-1", user("q"), tools=[AN_TOOL], tool_choice={"type": "tool", "name": "f"}))
quiet("an earlier Fable", on("claude-fable-5", user("q"), tools=[AN_TOOL], tool_choice={"type": "any"}))
quiet("no forced choice", on("claude-fable-5-1", user("q"), tools=[AN_TOOL], tool_choice={"type": "auto"}))
quiet(
    "adaptive thinking and a forced choice",
    on("claude-opus-4-6", user("q"), tools=[AN_TOOL], tool_choice={"type": "any"}, thinking={"type": "adaptive"}),
)
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
bad(
    "cache.many",
    an(
        user([text(**CACHE)]),
        tools=[{**AN_TOOL, **CACHE}, {**AN_TOOL, "name": "g", **CACHE}],
        system=[text(**CACHE), text("t", **CACHE)],
    ),
)
bad("cache.many", an(user([text(str(i), **CACHE) for i in range(4)]), tools=None, cache_control={"type": "ephemeral"}))
bad("cache.many", an(user("q"), asst([use()]), user([result(content=[text(str(i), **CACHE) for i in range(5)])])))
quiet("four marks", an(user([text(**CACHE)]), tools=[{**AN_TOOL, **CACHE}], system=[text(**CACHE), text("t", **CACHE)]))
bad("cache.order", an(user([text(**HOUR)]), tools=None, system=[text(**CACHE)]))
bad("cache.order", an(user([text("a", **CACHE), text("b", **HOUR)]), tools=None))
quiet("the long mark first", an(user([text(**CACHE)]), tools=[{**AN_TOOL, **HOUR}], system=[text(**HOUR)]))
bad("type", an(user([{**text(), "cache_control": {"type": "ephemeral", "scope": "global"}}]), tools=None))
flag("cache.top", an(user([text(**HOUR)]), tools=None, cache_control={"type": "ephemeral"}))
quiet(
    "top and last mark alike", an(user([text(**CACHE)]), tools=None, cache_control={"type": "ephemeral", "ttl": "5m"})
)
flag("cache.deferred", an(user("q"), tools=[{**AN_TOOL, "defer_loading": True, **CACHE}, SEARCH]))
CITE = {
    "type": "char_location",
    "cited_text": "h",
    "document_index": 0,
    "document_title": "a",
    "start_char_index": 0,
    "end_char_index": 1,
}
PAPER = {
    "type": "document",
    "source": {"type": "text", "media_type": "text/plain", "data": "hi"},
    "citations": {"enabled": True},
}
bad("citations.user", an(user([PAPER, text(citations=[CITE])]), tools=None))
quiet(
    "citations of the user, older version", an(user([PAPER, text(citations=[CITE])]), tools=None), version="2023-06-01"
)
quiet("a citation", an(user([PAPER]), asst([text(citations=[CITE])]), user("q"), tools=None))
flag(
    "citations.index", an(user([PAPER]), asst([text(citations=[{**CITE, "document_index": 1}])]), user("q"), tools=None)
)
quiet(
    "search results",
    an(
        user("q"),
        asst([use()]),
        user([result(content=[{"type": "search_result", "source": "https://e.x", "title": "T", "content": [text()]}])]),
    ),
)
flag("tool_use.text-after", an(user("q"), asst([use(), text()]), user([result()])))
flag("tool_result.blank", an(user("q"), asst([use()]), user([result(content=[text("")])])))
flag("tool_result.split", an(user("q"), asst([use("a"), use("b")]), user([result("a")]), user([result("b")])))
flag("image.many", an(user([IMG] * 101), tools=None))


def an_by(model, tools=None, **more):
    """A body for one model."""
    return {**an(user("q"), tools=tools, **more), "model": model}


bad("model.effort", an_by("claude-opus-4-6", output_config={"effort": "xhigh"}))
quiet("a word that the model has", an_by("claude-opus-4-7", output_config={"effort": "xhigh"}))
bad("model.thinking", an_by("claude-opus-4-7", thinking={"type": "enabled", "budget_tokens": 1024}))
bad("model.thinking", an_by("claude-opus-5-5", thinking={"type": "disabled"}))
quiet("thinking by hand", an_by("claude-opus-4-6", thinking={"type": "enabled", "budget_tokens": 1024}))
quiet("a model that may rest", an_by("claude-opus-5", thinking={"type": "disabled"}))
bad("model.tool_choice", an_by("claude-opus-5-5", [AN_TOOL], tool_choice={"type": "any"}))
quiet("a model that may have to call", an_by("claude-opus-5", [AN_TOOL], tool_choice={"type": "any"}))
bad("model.sampling", an_by("claude-opus-4-8", temperature=0.2), version="2023-06-01")
quiet("a model with sampling", an_by("claude-opus-4-6", temperature=0.2), version="2023-06-01")
