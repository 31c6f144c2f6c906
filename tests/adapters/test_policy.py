"""The options of every adapter: all are checked when it is made, and callbacks get what is new."""

import copy
import logging
import random

import pytest
import turnwire as tw
from generator import told
from histories import LARGE, broken, long, valid
from spelled import openai
from turnwire.adapters._changes import changed, lost
from turnwire.adapters._policy import Policy
from turnwire.adapters._told import Told

WRONG = {
    "target": ("gpt", tw.UnknownDialectError),
    "reasoning": ("strip", tw.TurnwireError),
    "server_tools": ("keep", tw.TurnwireError),
    "blobs": ("hex", tw.TurnwireError),
    "assistant_role": ("model", tw.TurnwireError),
    "tool_results": ("yes", TypeError),
    "cache": ("on", tw.TurnwireError),
    "on_error": ("ignore", tw.TurnwireError),
    "ledger": (3, TypeError),
    "settings": ("keep", tw.TurnwireError),
    "pinned": ([-1], tw.TurnwireError),
    "wording": ({"opening": 3}, TypeError),
    "model": (3, TypeError),
    "summary": ({"nothing": 1}, TypeError),
    "on_receipt": (3, TypeError),
    "end": ("yes", tw.TurnwireError),
    "strict": ("yes", TypeError),
    "learn": (True, tw.TurnwireError),
    "on_learn": (3, TypeError),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_option_is_an_error_where_the_adapter_is_made(name):
    value, error = WRONG[name]
    with pytest.raises(error):
        Policy(None, {name: value})


@pytest.mark.parametrize(
    ("budget", "error"), [(-1, tw.TurnwireError), ("9", TypeError), (True, TypeError), ({"max_bytes": 9}, TypeError)]
)
def test_a_wrong_budget_is_an_error_where_the_adapter_is_made(budget, error):
    with pytest.raises(error):
        Policy(budget, {})


@pytest.mark.parametrize("key", ["opening", "omitted", "missing_result", "closing"])
def test_each_text_is_a_str_and_no_other_is_known(key):
    with pytest.raises(TypeError):
        Policy(None, {"wording": {key: 3}})


def test_every_option_has_a_wrong_value_here():
    from turnwire.adapters._policy import _NAMES

    assert {*WRONG} == _NAMES


def test_settings_of_whole_bodies_are_converted():
    with pytest.raises(TypeError, match="settings: expected a str"):
        Policy(None, {"settings": 3})
    with pytest.raises(tw.TurnwireError, match="the framework of this adapter writes the settings") as error:
        Policy(None, {"settings": "convert"})
    assert error.value.code == "unknown_option"
    with pytest.raises(tw.TurnwireError, match="beside ledger") as error:
        Policy(None, {"settings": "convert", "ledger": True}, takes_ledger=True, no_rest="")
    assert error.value.code == "conflicting_options"
    # The options of the conversion imply it.
    for given in ("convert", {}, {"defaults": {"max_tokens": 9}}, {"effort_budgets": {"high": 9}}):
        assert Policy(None, {"settings": given}, no_rest="").converts
        with pytest.raises(tw.TurnwireError, match="the framework of this adapter writes the settings"):
            Policy(None, {"settings": given})
    for given in ({"defaults": 3}, {"effort_budgets": 3}, {"default": {}}):
        with pytest.raises(TypeError):
            Policy(None, {"settings": given}, no_rest="")
    assert not Policy(None, {"settings": "omit"}, no_rest="").converts


def test_cache_marks_are_added_to_whole_bodies():
    marked = tw.Ledger("anthropic", cache="auto")
    for settings in ({"cache": "auto"}, {"cache": "auto", "ledger": True}, {"ledger": marked}):
        with pytest.raises(tw.TurnwireError, match="expected no cache: the framework") as error:
            Policy(None, settings, takes_ledger=True)
        assert error.value.code == "unknown_option"
        assert Policy(None, settings, takes_ledger=True, no_cache="")
    for settings in ({}, {"cache": None}, {"ledger": True}, {"ledger": tw.Ledger("anthropic")}):
        assert Policy(None, settings, takes_ledger=True)


def test_a_ledger_that_cannot_be():
    with pytest.raises(tw.TurnwireError, match="no ledger") as error:
        Policy(None, {"ledger": True})
    assert error.value.code == "unknown_option"
    Policy(None, {"ledger": False, "end": "calls"})
    given = tw.Ledger("anthropic", 1_000)
    for budget, settings in (
        (None, {"ledger": True, "end": "calls"}),
        (None, {"ledger": True, "summary": "So far."}),
        (9_000, {"ledger": given}),
        (None, {"ledger": given, "wording": {"opening": "Go on."}}),
        (None, {"ledger": given, "target": "openai"}),
    ):
        with pytest.raises(tw.TurnwireError) as error:
            Policy(budget, settings, takes_ledger=True)
        assert error.value.code == "conflicting_options", settings


@pytest.mark.parametrize("pinned", ["01", 3, [1.0], [True], ["0"]])
def test_pinned_places_are_ints(pinned):
    with pytest.raises(TypeError, match="pinned"):
        Policy(None, {"pinned": pinned})


def test_options_that_contradict_each_other():
    with pytest.raises(TypeError, match="max_byte"):
        Policy(None, {"max_byte": 3})
    # The error for an option of 0.1 writes what replaced it.
    with pytest.raises(TypeError, match="pass budget=3"):
        Policy(None, {"max_bytes": 3})
    # A budget that is too small for one conversation may be enough for another, and a missing index may exist later.
    Policy(0, {"pinned": [99], "reasoning": "keep", "target": "anthropic", "wording": {"opening": "Go on."}})


def prepared(policy, messages, **more):
    return policy.prepared({"messages": messages}, "openai", "openai", "openai", **more)


@pytest.mark.parametrize("settings", [{}, {"settings": "convert"}, {"ledger": True}])
@pytest.mark.parametrize("history", [valid, broken])
def test_what_is_sent_has_the_elements_that_need_no_change(settings, history):
    policy, whole = Policy(None, settings, takes_ledger=True, no_rest=""), history()
    before = copy.deepcopy(whole)
    for count in range(1, len(whole) + 1):
        asked = whole[:count]
        sent = prepared(policy, asked).messages
        alone = prepared(Policy(None, settings, takes_ledger=True, no_rest=""), copy.deepcopy(asked)).messages
        assert "ledger" in settings or sent == alone
        assert sent is not asked
        for element in sent:
            assert element not in asked or any(element is own for own in asked)
    assert whole == before
    assert sum(any(element is own for own in whole) for element in sent) >= 6


def test_a_place_that_a_list_does_not_have_pins_nothing(receipts):
    policy = Policy(5_000, {"pinned": [2, 99], "on_receipt": receipts.append})
    assert prepared(policy, [*long(3)[:2], {**long(3)[2], "content": "small"}, *long(3)[3:]]) is not None
    assert receipts


def test_a_run_hears_each_change_once(receipts):
    policy, whole = Policy(None, {"on_receipt": receipts.append}), broken()
    for count in range(1, len(whole) + 1):
        prepared(policy, whole[:count])
    said = [{str(change) for change in receipt} for receipt in receipts]
    assert len(said) > 2 and all(map(set.isdisjoint, said, said[1:]))
    # Every change of the last state was reported.
    assert {str(change) for change in tw.prepare({"messages": whole}, "openai").receipt} <= set().union(*said)


@pytest.mark.parametrize("ledger", [False, True])
def test_a_run_whose_system_text_changes_hears_each_change_once(ledger, receipts):
    """The text may be of any number of messages that stays, in dicts or not."""
    for count in (1, 2):
        receipts.clear()
        policy, whole = Policy(None, {"on_receipt": receipts.append, "ledger": ledger}, takes_ledger=True), broken()
        for length in range(1, len(whole) + 1):
            system = [{"role": "system", "content": f"{at}: it is {length} o'clock"} for at in range(count)]
            prepared(policy, [*system, *whole[:length]])
        said = [{str(change) for change in receipt if change.code != "notice"} for receipt in receipts]
        assert len(said) > 2 and all(map(set.isdisjoint, said, said[1:]))


def test_a_healthy_run_says_nothing(receipts, caplog):
    policy, whole = Policy(60_000, {"on_receipt": receipts.append}), valid()
    with caplog.at_level(logging.WARNING, "turnwire"):
        for count in range(1, len(whole) + 1):
            if whole[count - 1]["role"] != "assistant":
                prepared(policy, [*whole[:2], *whole[2:4], *whole[4:count]])
    assert (receipts, caplog.messages) == ([], [])


def test_a_request_without_news_does_not_repeat_reports():
    told_of, receipt = Told(), tw.prepare(broken(), "openai").receipt
    nothing = tw.prepare(valid(), "openai").receipt
    whole = [{"role": "user", "content": str(at)} for at in range(4)]
    assert told_of.news(whole[:2], receipt) and not told_of.news(whole[:3], nothing)
    assert not told_of.news(whole, receipt)


def test_a_run_that_goes_from_one_provider_to_another_and_back_hears_each_loss_once():
    lost, policy = [], Policy(None, {"on_receipt": lambda losses: lost.append({loss.path for loss in losses})})
    talk = [
        {"role": "user", "content": "x", "name": "n"},
        {"role": "assistant", "content": "y", "reasoning_content": "hm"},
    ]
    for step in range(6):
        talk = [*talk, {"role": "user", "content": str(step)}]
        target = "anthropic" if step % 2 else "openai"
        policy.prepared({"messages": talk}, "openai", target, target)
        talk = [*talk, {"role": "assistant", "content": "y"}]
    # Each provider has a reason of its own for the reasoning.
    of_all = {"$.messages[0].name", "$.messages[1].reasoning_content"}
    assert lost == [{"$.messages[1].reasoning_content"}, of_all]


def test_of_many_conversations_at_once_each_hears_its_own():
    """Fifty conversations that begin alike, step by step in any order; all changes of each are reported."""
    heard = {}
    policy = Policy(20_000, {"on_receipt": lambda receipt: heard[now].update(str(change) for change in receipt)})
    talks = {seed: openai(told(f"talk {seed}").closed()) for seed in range(50)}
    for seed, messages in talks.items():
        messages.insert(0, {"role": "user", "content": "TASK"})
        heard[seed] = set()
    turns = [(seed, count) for seed, messages in talks.items() for count in range(1, len(messages) + 1)]
    dice = random.Random(50)
    waiting = {seed: [count for one, count in turns if one == seed] for seed in talks}
    while waiting:
        now = dice.choice([*waiting])
        prepared(policy, talks[now][: waiting[now].pop(0)])
        if not waiting[now]:
            del waiting[now]
    for seed, messages in talks.items():
        receipt = tw.prepare({"messages": messages}, "openai", 20_000, source="openai").receipt
        assert {str(change) for change in receipt} <= heard[seed], seed


def test_what_is_remembered_is_bounded():
    told_of, receipt = Told(), tw.prepare(broken(), "openai").receipt
    for number in range(700):
        told_of.news([{"role": "user", "content": str(number)}], receipt)
        told_of.news([{"role": "user", "content": "x"}] * (number % 600 + 1) + [number], receipt)
    for number in range(700):
        told_of.news([{"role": "user", "content": "x"}, {"role": "user", "content": str(number)}], receipt)
    assert len(told_of._known) == 256 and max(len(same) for same in told_of._known.values()) == 256


def test_losses_are_heard_and_else_logged(caplog):
    foreign = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y", "reasoning_content": "hm"}]
    lost, both = [], [*foreign, {"role": "user", "content": "z"}]
    policy = Policy(None, {"on_receipt": lost.append})
    policy.prepared({"messages": both}, "openai", "openai", "openai")
    assert [[(loss.kind, loss.code) for loss in losses] for losses in lost] == [[("lost", "reasoning")]]
    policy.prepared({"messages": [*both, *both[1:]]}, "openai", "openai", "openai")
    assert [[loss.path for loss in losses] for losses in lost][1:] == [["$.messages[3].reasoning_content"]]
    assert caplog.messages == []
    Policy(None, {}).prepared({"messages": both}, "openai", "openai", "openai")
    assert any("reasoning" in said for said in caplog.messages)


def test_strict_refuses_what_only_the_adapter_knows_to_be_lost(caplog):
    gone = lost("opaque", ("messages", 1, "content", 0), "only its own dialect knows it")
    with pytest.raises(tw.RenderError) as error:
        prepared(Policy(None, {"strict": True}), valid(), lost=[gone])
    assert (error.value.code, error.value.path, error.value.dialect) == ("loss", "$.messages[1].content[0]", "openai")
    assert prepared(Policy(None, {"strict": True, "on_error": "log"}), valid(), lost=[gone]) is None
    assert "only its own dialect knows it" in caplog.text
    kept = changed("stand_in", ("messages", 1), "Gemini wants a signature on this call")
    assert prepared(Policy(None, {"strict": True}), valid(), lost=[kept]) is not None
    assert prepared(Policy(None, {}), valid(), lost=[gone]) is not None


def test_a_callback_that_raises(caplog):
    def fails(told):
        raise RuntimeError("no disk")

    messages = [*broken(), {"role": "assistant", "content": "y", "reasoning_content": "hm"}, *broken()[:1]]
    with pytest.raises(RuntimeError, match="no disk"):
        prepared(Policy(None, {"on_receipt": fails}), messages)
    ready = prepared(Policy(None, {"on_receipt": fails, "on_error": "log"}), messages)
    assert ready is not None and ready.receipt
    assert "no disk; what was prepared is sent" in caplog.text


def test_objects_are_compared_by_what_they_hold():
    class Block:
        def __init__(self, text):
            self.type, self.text = "text", text

    told_of, receipt = Told(), tw.prepare(broken(), "openai").receipt

    def say(*texts):
        return [{"role": "user", "content": [Block(text)]} for text in texts]

    assert told_of.news(say("a", LARGE), receipt)
    assert not told_of.news(say("a", LARGE, "b"), receipt)
    assert told_of.news(say("a", LARGE + "x", "b"), receipt)
    assert told_of.news([], receipt) == receipt


SUMMARY = {"summary": "s", "startMessageId": "a", "messageIds": ["a"]}
# For each option, a value that differs from the default.
CHOSEN = {
    "budget": 5_000,
    "end": "calls",
    "model": "gpt-5",
    "wording": {"opening": "Go on.", "missing_result": "None came."},
    "strict": True,
    "reasoning": "text",
    "blobs": "base64",
    "assistant_role": "gemini",
    "tool_results": True,
    "cache": "auto",
    "settings": {"defaults": {"max_tokens": 9}},
    "pinned": [0],
    "summary": SUMMARY,
    "target": "openai",
    "on_receipt": print,
    "ledger": True,
    "on_error": "log",
}
NEVER = {"assistant_role", "blobs"}


def refusal(names, **adapter):
    """The code of the error for these options, and the names in its text; None if they are taken."""
    chosen = {name: CHOSEN[name] for name in names}
    try:
        Policy(chosen.pop("budget", None), chosen, **adapter)
    except tw.TurnwireError as error:
        return error.code, str(error)
    return None


def test_an_option_without_an_effect_is_refused_alone_and_beside_any_other():
    """What never has an effect is named, with each other option; what has one is taken where the other is."""
    client = {"takes_ledger": True, "no_rest": "", "no_cache": ""}
    for name in CHOSEN:
        refused = refusal([name], **client)
        if name in NEVER:
            assert refused is not None and refused[0] == "unknown_option" and name in refused[1], name
        else:
            assert refused is None, (name, refused)
        for other in NEVER - {name}:
            refused = refusal([name, other], **client)
            assert refused is not None and refused[0] in ("unknown_option", "conflicting_options"), (name, other)
    for pair in (("end", "ledger"), ("settings", "ledger"), ("summary", "ledger")):
        code, text = refusal([*pair], **client)
        assert code in ("conflicting_options", "unknown_option") and pair[0] in text, pair
    summed = tw.Budget(900, summarise=lambda gone: "")
    for option in ({"wording": {"omitted": "gone"}}, {"summary": SUMMARY}, {"ledger": True}):
        with pytest.raises(tw.TurnwireError) as error:
            Policy(summed, option, **client)
        assert error.value.code == "conflicting_options"


def test_an_empty_value_beside_a_ledger_of_your_own_is_refused_too():
    for option in ({"budget": tw.Budget(reserve=0.0)}, {"wording": {"opening": ""}}, {"budget": 0}):
        (name,) = option
        with pytest.raises(tw.TurnwireError, match=f"no {name} beside ledger") as error:
            Policy(option.pop("budget", None), {"ledger": tw.Ledger("openai", 1_000), **option}, takes_ledger=True)
        assert error.value.code == "conflicting_options"


def test_options_of_lists_are_checked_and_have_no_effect_where_there_is_no_list():
    for name, wrong in {"wording": {"opening": 3}, "pinned": "a", "end": "soon"}.items():
        policy = Policy(tw.Budget(900, per_result=400), {name: CHOSEN[name]}, heeds_options=False)
        assert policy.options == {} and policy.budget == tw.Budget(900, per_result=400)
        with pytest.raises((TypeError, tw.TurnwireError)):
            Policy(900, {name: wrong}, heeds_options=False)
