"""The step callback of smolagents, which edits what the agent keeps."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import turnwire as tw
from histories import LARGE
from needs import framework, rows

smolagents = framework("smolagents", "smolagents")
from smolagents import ChatMessage, CodeAgent, MessageRole, Model, TokenUsage, ToolCallingAgent, tool  # noqa: E402
from smolagents.memory import ActionStep, MemoryStep, PlanningStep, TaskStep  # noqa: E402
from smolagents.models import ChatMessageToolCall, ChatMessageToolCallFunction  # noqa: E402
from turnwire.adapters._smolagents_steps import texts_of  # noqa: E402
from turnwire.adapters.smolagents import step_callback  # noqa: E402

BUDGET = 60_000


@tool
def look(q: str) -> str:
    """Looks.

    Args:
        q: Where.
    """
    return f"{q}: " + "x" * 20_000


class Fake(Model):
    """Keeps its requests, and answers with a script."""

    def __init__(self, script):
        super().__init__(model_id="fake")
        self.script, self.seen = list(script), []

    def generate(self, messages, **more):
        self.seen.append(list(messages))
        said = self.script.pop(0)
        usage = TokenUsage(1, 1)
        if isinstance(said, str):
            return ChatMessage(role=MessageRole.ASSISTANT, content=said, token_usage=usage)
        function = ChatMessageToolCallFunction(name=said[0], arguments=said[1])
        call = ChatMessageToolCall(id=f"c{len(self.seen)}", type="function", function=function)
        return ChatMessage(role=MessageRole.ASSISTANT, content="I look.", tool_calls=[call], token_usage=usage)


def code(line):
    return f"Thought: on.\n<code>\n{line}\n</code>"


def sent(messages):
    """The bytes of all texts but the system prompt."""
    blocks = (block for message in messages[1:] for block in message.content)
    return sum(len(block["text"].encode()) for block in blocks if block["type"] == "text")


def by_code(receipts, **settings):
    script = [code(f"print(look('{n}'))") for n in range(29)]
    script += [code("print(undefined_name)"), code("final_answer('done')")]
    fake = Fake(script)
    callback = step_callback(budget=BUDGET, on_receipt=receipts.append, **settings)
    return fake, CodeAgent([look], fake, step_callbacks=[callback], max_steps=40, verbosity_level=0)


def by_calls(receipts):
    script = [("look", {"q": str(n)}) for n in range(30)] + [("final_answer", {"answer": "done"})]
    fake = Fake(script)
    callback = step_callback(budget=BUDGET, on_receipt=receipts.append)
    return fake, ToolCallingAgent([look], fake, step_callbacks=[callback], max_steps=40, verbosity_level=0)


@pytest.mark.parametrize("make", [by_code, by_calls])
@pytest.mark.parametrize("streamed", [False, True])
def test_a_loop_of_thirty_steps(make, streamed, receipts):
    fake, agent = make(receipts)
    said = list(agent.run("TASK", stream=True))[-1].output if streamed else agent.run("TASK")
    assert said == "done"
    assert len(fake.seen) == 31 > len(receipts) > 20
    for seen in fake.seen:
        assert sent(seen) <= BUDGET
        assert "TASK" in seen[1].content[0]["text"]
    assert sent(fake.seen[-1]) > BUDGET // 3
    # The newest result is not cut, and each step is still there with its number.
    assert "x" * 20_000 in fake.seen[28][-1].content[0]["text"]
    assert [step.step_number for step in agent.memory.steps if isinstance(step, ActionStep)] == [*range(1, 32)]
    assert {entry.code for receipt in receipts for entry in receipt} >= {"cut_result"}


def test_what_fits_is_the_same_objects(receipts):
    fake = Fake([code("print('a lake')"), code("final_answer('done')")])
    callback = step_callback(budget=BUDGET, on_receipt=receipts.append)
    kept = []

    def spy(step, agent):
        kept.append((step, {**vars(step)}))

    agent = CodeAgent([], fake, step_callbacks=[spy, callback], verbosity_level=0)
    agent.run("TASK")
    assert receipts == []
    for step, before in kept:
        names = ("model_output", "tool_calls", "observations", "error", "model_output_message")
        assert all(vars(step)[name] is before[name] for name in names)


def action(number, **more):
    from smolagents.monitoring import Timing

    return ActionStep(step_number=number, timing=Timing(0.0, 1.0), **more)


class Memory:
    def __init__(self, steps):
        self.memory, self.steps = self, steps


def run(steps, **settings):
    step_callback(**settings)(steps[-1], agent=Memory(steps[:-1]))
    return sum(len(text.encode()) for step in steps for text in texts_of(step))


def test_every_text_of_a_step_can_pay():
    from smolagents.agents import AgentError
    from smolagents.memory import ToolCall

    class Log:
        def log_error(self, message):
            pass

    error = AgentError("bad " + LARGE, Log())
    call = ToolCall(name="python_interpreter", arguments="print('''" + LARGE + "''')", id="c1")
    keyed = ToolCall(name="look", arguments={"q": LARGE, "n": 1}, id="c2")
    steps = [
        TaskStep(task="TASK"),
        PlanningStep([], None, "The plan.", None),
        action(1, model_output="I.", tool_calls=[call, keyed], observations=LARGE, error=error),
        action(2, model_output="So.", observations="short"),
        action(3, model_output="And.", observations="newest"),
    ]
    assert run(steps, budget=3_000) <= 3_000
    first = steps[2]
    assert (first.step_number, first.timing.start_time) == (1, 0.0)
    assert [one.id for one in first.tool_calls or [call, keyed]] == ["c1", "c2"]
    assert steps[0].task == "TASK"
    assert steps[4].observations == "newest"
    assert call.arguments.endswith("''')") and len(str(error)) > 20_000
    if first.error is not None:
        assert type(first.error) is AgentError and len(str(first.error)) < 20_000


def test_a_removed_step_is_left_empty():
    steps = [TaskStep(task="TASK"), *(action(n, model_output="I.", observations="x" * 60) for n in range(1, 100))]
    assert run(steps, budget=2_000) <= 2_000
    assert len(steps) == 100 and texts_of(steps[1]) == []
    assert steps[-1].observations == "x" * 60


def test_tokens():
    steps = [
        TaskStep(task="TASK"),
        action(1, model_output="I.", observations="word " * 900),
        action(2, observations="y"),
    ]

    def count(text):
        return len(text.split())

    run(steps, budget=tw.Budget(max_tokens=100, count=count))
    assert sum(count(text) for step in steps for text in texts_of(step)) <= 100


def test_errors_by_option(caplog):
    steps = [TaskStep(task="TASK"), action(1, model_output="I.", observations=LARGE)]
    with pytest.raises(tw.BuildError):
        run(steps, budget=1)
    run(steps, budget=1, on_error="log")
    assert steps[1].observations == LARGE
    assert "what there was is sent" in caplog.text
    with pytest.raises(TypeError):
        step_callback(max_byte=1)


def test_a_step_of_an_unknown_class_counts_and_stays(caplog):
    class Note(MemoryStep):
        def to_messages(self, summary_mode=False):
            return [ChatMessage(role=MessageRole.USER, content="n" * 1_000)]

    note = Note()
    steps = [TaskStep(task="TASK"), note, action(1, model_output="I.", observations=LARGE), action(2, observations="y")]
    assert run(steps, budget=3_000) <= 3_000
    assert steps[1] is note and len(texts_of(note)[0]) == 1_000
    assert len(steps[2].observations) < 2_000
    assert "does not know test_smolagents" in caplog.text


def test_concurrently():
    # The callback builds no request, so these options have no effect.
    shared = step_callback(budget=5_000, wording={"opening": "Go on.", "omitted": "Some are gone."})

    def many(number):
        steps = [TaskStep(task=f"TASK {number}"), action(1, model_output="I.", observations=LARGE), action(2)]
        shared(steps[-1], agent=Memory(steps[:-1]))
        return steps[0].task, sum(len(text.encode()) for step in steps for text in texts_of(step))

    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(many, range(24)))
    assert [task for task, _ in got] == [f"TASK {number}" for number in range(24)]
    assert all(size <= 5_000 for _, size in got)


def test_the_line_of_the_page():
    fake = Fake([code("print('" + "x" * 40_000 + "')")] * 12 + [code("final_answer('done')")])
    names = {"step_callback": step_callback, "CodeAgent": CodeAgent, "model": fake, "tools": []}
    exec(rows()["smolagents"], names)
    names["agent"].run("TASK")
    assert max(map(sent, fake.seen)) <= 300_000


def test_options_that_nothing_here_could_do():
    for settings, why in (
        ({"budget": tw.Budget(summarise=len)}, "the agent's own steps are edited"),
        ({"ledger": True}, "does not see whole requests"),
        ({"cache": "auto"}, "writes its payloads itself"),
        ({"settings": "convert"}, "writes the settings itself"),
    ):
        with pytest.raises(tw.TurnwireError, match=why) as error:
            step_callback(**settings)
        assert error.value.code == "unknown_option"
