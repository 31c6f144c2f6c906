"""Bodies for Llama 3 with tools as JSON: accepted, refused, and flagged."""

from . import FN_TOOL, Cases, asst, user

CASES = Cases("llama_json")
ok, bad, flag, quiet = CASES.ok, CASES.bad, CASES.flag, CASES.quiet

SHOWN = user('Given the following functions ...\n{"type": "function", "function": {"name": "f"}}\n\nq')


def ll(*messages, tools=(FN_TOOL,)):
    body = {"messages": list(messages)}
    return {**body, "tools": list(tools)} if tools else body


def ipy(content='{"output": 1}', role="ipython"):
    return {"role": role, "content": content}


CALL = asst('{"name": "f", "parameters": {"x": 1}}')

ok("text", ll({"role": "system", "content": "s"}, user("q"), asst("a"), user("q"), tools=None))
ok("tools shown", ll({"role": "system", "content": "s"}, SHOWN))
ok("call", ll(SHOWN, CALL, ipy(), asst("a")))
ok("two calls in sequence", ll(SHOWN, CALL, ipy("plain"), CALL, ipy(role="tool"), asst("a")))
ok("result in user message", ll(SHOWN, CALL, user('{"result": 1}'), asst("a")), result_role="user")
ok("JSON answer is not a call", ll(user("q"), asst('{"answer": 1}'), tools=None))

bad("shape", {"messages": [], "tools": []})
bad("shape", {"prompt": "q"})
bad("json", ll(user("\udfff"), tools=None))
bad("role.bad", ll({"role": "function", "content": "x"}, tools=None))
bad("content.string", ll(user([{"type": "text", "text": "q"}]), tools=None))
bad("content.blank", ll(user(" "), tools=None))
bad("system.position", ll(user("q"), {"role": "system", "content": "s"}, tools=None))
bad("tools.first-user", ll({"role": "system", "content": "s"}, asst("a"), SHOWN))
bad("tools.not-shown", ll(user("q")))
bad("tool_calls.key", ll(SHOWN, asst("a", tool_calls=None)))
bad("call.many", ll(SHOWN, asst(f"{CALL['content']}; {CALL['content']}"), ipy()))
bad("call.many", ll(SHOWN, asst(f"[{CALL['content']}]"), ipy()))
bad("call.shape", ll(SHOWN, asst('{"name": "f", "arguments": {}}'), ipy()))
bad("call.shape", ll(SHOWN, asst('{"name": "f", "parameters": "{}"}'), ipy()))
bad("call.unknown", ll(SHOWN, asst('{"name": "g", "parameters": {}}'), ipy()))
bad("call.unanswered", ll(SHOWN, CALL, user("q")))
bad("call.unanswered", ll(SHOWN, CALL))
bad("result.orphan", ll(SHOWN, ipy()))
flag("result.json", ll(SHOWN, CALL, user("one")), result_role="user")
flag("alternate", ll(user("q"), user("q"), tools=None))
