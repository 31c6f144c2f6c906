//! Reports what the target cannot hold: keys, ids, texts and parts.

use super::{Where, Writer};
use crate::{
    k,
    model::{Kind, Part, Turn},
    report::{ChangeKind, Edit, Error, Path, Step, error::Code},
    rules::{DialectId, MarkForm, ToolName, option_rule::Given},
    value::{Extras, Host, Input, Key, Raw, Sink, Text, Value},
    wire::{
        plan::{Cached, Item, Message, Planner, behind_results::said_first, options, rules},
        respelled,
    },
};

/// The only key of a part that separates steps.
const TYPE: &str = "type";

/// What helps where only newer models have marks.
const NEWER_MARKS: &str =
    ": models from GPT-5.6 on have marks of their own. Name one as model where settings are converted";

impl<H: Host> Planner<'_, H> {
    /// Reports the turn's own id, which the target cannot hold.
    pub(crate) fn turn_id_lost(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        match &turn.id {
            // It is among the options of what is written of the item.
            Some(_) if self.target.id.facts.options.is_some() && options::has_item(turn) => Ok(()),
            Some(id) if !id.is_empty() => {
                self.losses.lost(Edit::Id, turn.path(index), "the target's messages have no id")
            }
            _ => Ok(()),
        }
    }

    /// Reports the entity around a message, for a target that has none.
    pub(crate) fn entity_lost(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        let Some(entity) = &turn.entity else { return Ok(()) };
        let path = || Path::element(turn.list, index);
        if entity.raw_id.as_ref().is_some_and(|id| !id.says_nothing(turn.input.as_ref())) {
            self.losses.lost(Edit::Id, path().then(Step::Key(k::ID.name)), "the target's messages have no entity")?;
        }
        self.extras_lost(entity.extras.as_deref(), turn.input.as_ref(), &path)
    }

    /// Reports everything beside the parts of another format's turn, for a target that cannot hold it.
    pub(crate) fn rest_lost(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        self.turn_id_lost(turn, index)?;
        self.entity_lost(turn, index)?;
        let (input, mark) = (turn.input.as_ref(), self.turn_mark(turn).map_or("", |(name, _)| name));
        for (key, raw) in turn.extras.iter().flat_map(|extras| extras.iter()) {
            if mark.is_empty() || !key.is(mark, input) {
                self.options_lost((turn.from, &[mark], false), (key, raw), input, &|| turn.path(index))?;
            }
        }
        Ok(())
    }

    /// Reports a turn that losses have emptied, and its content beside the parts.
    pub(crate) fn empty_turn(&mut self, turn: &Turn<H>, index: usize) -> Result<(), Error> {
        self.losses.changed(Edit::EmptyTurn, turn.path(index), "this turn has no content left");
        self.rest_lost(turn, index)
    }

    /// Reports blank text that would become a separate message of the assistant.
    pub(crate) fn silent_lost(&mut self, empty: bool, path: Path) -> Result<(), Error> {
        if empty {
            self.losses.changed(Edit::BlankText, path, rules::SILENT.says);
            return Ok(());
        }
        self.losses.lost(Edit::BlankText, path, rules::SILENT.says)
    }

    /// Reports parts before a result in one turn, if the target needs results first.
    pub(crate) fn results_first(&mut self, turn: &Turn<H>, index: usize) {
        for at in said_first(turn) {
            self.losses.changed(Edit::Order, turn.part_path(index, at), rules::RESULTS_FIRST);
        }
    }

    /// Reports a text that the target refuses because it is blank. Empty text is not a loss.
    pub(crate) fn blank(&mut self, text: &Text<H>, input: Option<&Input>, at: Where<'_>) -> Result<bool, Error> {
        if self.target.limits.blank_text || !text.is_blank(input) {
            return Ok(false);
        }
        if text.is_empty() {
            self.losses.changed(Edit::BlankText, at(), rules::BLANK.says);
        } else {
            self.losses.lost(Edit::BlankText, at(), rules::BLANK.says)?;
        }
        Ok(true)
    }

    /// Reports a part that only its own dialect knows.
    pub(crate) fn opaque(
        &mut self,
        name: &Text<H>,
        (from, part): (DialectId, &Part<H>),
        input: Option<&Input>,
        at: Where<'_>,
    ) -> Result<(), Error> {
        if self.point_lost((from, part), input, at)? {
            return Ok(());
        }
        self.losses.lost(Edit::Opaque, at(), rules::only_own(&name.to_str(input)))
    }

    /// Reports a part that is only a cache mark, as marks that are keys are reported. Whether it is one.
    pub(crate) fn point_lost(
        &mut self,
        (from, part): (DialectId, &Part<H>),
        input: Option<&Input>,
        at: Where<'_>,
    ) -> Result<bool, Error> {
        let Kind::Opaque(name) = &part.kind else { return Ok(false) };
        self.named_point_lost((from, name, part.origin.as_ref()), input, at)
    }

    /// The same for anything with a type name.
    pub(crate) fn named_point_lost(
        &mut self,
        (from, name, origin): (DialectId, &Text<H>, Option<&Raw<H>>),
        input: Option<&Input>,
        at: Where<'_>,
    ) -> Result<bool, Error> {
        let form = MarkForm::Point;
        let is_one = !from.same_wire(self.target.id) && from.facts.marks.reads.contains(&form);
        let Some(raw) = origin.filter(|_| is_one && name.is(form.key().name, input)) else { return Ok(false) };
        self.extra_lost((name, raw), input, at)?;
        // A mark may be told already, but not what stands beside it.
        self.others_lost(Some(raw), form.key().name, input, at)?;
        Ok(true)
    }

    /// Reports content that a trace does not have because it was not recorded.
    pub(crate) fn unrecorded(&mut self, turn: &Turn<H>, part: &Part<H>, at: Where<'_>) -> Result<(), Error> {
        let keys = turn.from.facts.recorded;
        if keys.is_empty() || turn.from.same_wire(self.target.id) {
            return Ok(());
        }
        let origin = part.origin.as_ref().map(|origin| origin.to_value(turn.input.as_ref())).transpose()?;
        if let Some(Value::Map(entries)) = origin
            && !entries.iter().any(|(key, _)| keys.iter().any(|known| key.is(known, None)))
        {
            self.losses.changed(Edit::StandIn, at(), "this content is not recorded: it is written as empty");
        }
        Ok(())
    }

    /// Reports the unknown keys of a part that only separates steps.
    pub(crate) fn mark_lost(&mut self, part: &Part<H>, input: Option<&Input>, at: Where<'_>) -> Result<(), Error> {
        self.others_lost(part.origin.as_ref(), TYPE, input, at)
    }

    /// Reports all keys of an object but one.
    fn others_lost(
        &mut self,
        origin: Option<&Raw<H>>,
        known: &str,
        input: Option<&Input>,
        at: Where<'_>,
    ) -> Result<(), Error> {
        let Some(Value::Map(entries)) = origin.map(|origin| origin.to_value(input)).transpose()? else {
            return Ok(());
        };
        let others = entries.iter().filter(|(key, _)| !key.is(known, None));
        others
            .map(|(key, value)| (key, Raw::Tree(value.share())))
            .try_for_each(|(key, raw)| self.extra_lost((key, &raw), None, at))
    }

    /// Reports what the target does not get of a cache mark.
    pub(crate) fn mark_told(&mut self, cached: Cached, at: Where<'_>) -> Result<(), Error> {
        if cached.usual {
            self.losses.tell(ChangeKind::Restated, Edit::CacheMark, at(), rules::USUAL_LIFETIME)?;
        }
        if cached.more { self.losses.lost(Edit::Key, at(), rules::MORE_OF_MARK) } else { Ok(()) }
    }

    /// Fails if the target refuses a tool's name.
    pub(crate) fn name(&self, name: &Text<H>, input: Option<&Input>, at: Where<'_>) -> Result<(), Error> {
        match self.target.limits.tool_name(name, input) {
            ToolName::Fine => Ok(()),
            // A build gives the legal one.
            ToolName::Legal(_) | ToolName::Refused => {
                Err(Error::new(Code::Refused, rules::name_refused(&name.to_str(input))).at_path(at()))
            }
        }
    }

    /// Reports another value of a key that the target's own format writes itself.
    pub(crate) fn own_key_lost(&mut self, item: &Item<'_, H>, known: &'static Key) -> Result<(), Error> {
        let mut extras = item.extras().into_iter().flatten();
        let Some((key, raw)) = extras.find(|(key, _)| key.is(known.name, item.input)) else { return Ok(()) };
        let path = self.path_of(item);
        self.extra_lost((key, raw), item.input, &|| path.clone())
    }

    /// Reports the unknown keys of a message that is written without an object for them.
    pub(crate) fn message_extras_lost(&mut self, message: &Message<'_, H>) -> Result<(), Error> {
        let Some((index, turn)) = message.own(self.target.id) else { return Ok(()) };
        self.extras_lost(turn.extras.as_deref(), turn.input.as_ref(), &|| turn.path(index))
    }

    /// Reports keys that the target does not have. `null` and the empty list are not a loss.
    pub(crate) fn extras_lost(
        &mut self,
        extras: Option<&Extras<H>>,
        input: Option<&Input>,
        at: Where<'_>,
    ) -> Result<(), Error> {
        extras.into_iter().flatten().try_for_each(|(key, raw)| self.extra_lost((key, raw), input, at))
    }

    /// Whether newer models of the target have marks for what another format's mark under this key says.
    fn has_newer_marks(&self, key: &str) -> bool {
        let newer = |form: MarkForm| self.target.id.marks().is_some() && self.target.marks_of(form).is_none();
        [MarkForm::Control, MarkForm::Point].into_iter().any(|form| key == form.key().name && newer(form))
    }

    /// Reports a key of another format, or those of the options under it that the target does not get. `given`: the format,
    /// the options that the target gets, and whether it is told already what becomes of reasoning and signatures.
    pub(crate) fn options_lost(
        &mut self,
        (from, used, told): (DialectId, &[&str], bool),
        (key, raw): (&Text<H>, &Raw<H>),
        input: Option<&Input>,
        at: Where<'_>,
    ) -> Result<(), Error> {
        let rule = from.facts.options.filter(|rule| rule.is_in(key, input));
        let Some(left) = rule.and_then(|rule| rule.left(raw, input, used, told)) else {
            return self.extra_lost((key, raw), input, at);
        };
        for Given { provider, key: option, value } in left {
            let name = |text: &Text<H>, input: Option<&Input>| Step::Name(text.to_str(input).as_ref().into());
            let under = || at().then(name(key, input)).then(name(&provider, None));
            self.extra_lost((&option, &Raw::Tree(value)), None, &under)?;
        }
        Ok(())
    }

    pub(crate) fn extra_lost(
        &mut self,
        (key, raw): (&Text<H>, &Raw<H>),
        input: Option<&Input>,
        at: Where<'_>,
    ) -> Result<(), Error> {
        if raw.says_nothing(input) {
            return Ok(());
        }
        let key = key.to_str(input);
        // One entry is for all cache marks of a request.
        if respelled::is_mark(&key) && respelled::is_told(self.losses) {
            return Ok(());
        }
        // A target that reads all of it itself would keep the key.
        let read_by_target = self.conversation.frame.lost_tie.filter(|dialect| dialect.same_wire(self.target.id));
        let way_out = read_by_target
            .map_or_else(String::new, |dialect| format!(": to keep it, name the source {:?}", dialect.name()));
        let way_out = if self.has_newer_marks(&key) { NEWER_MARKS.to_owned() } else { way_out };
        let reason = format!("the target has no place for the key {key:?}{way_out}");
        self.losses.lost(Edit::Key, at().then(Step::Name(key.as_ref().into())), reason)
    }
}

impl<H: Host, K: Sink<H>> Writer<'_, '_, H, K> {
    /// Writes the unknown keys of an item and of the object inside it into one object. Keys that are `known` there, or
    /// that come twice, are reported instead.
    pub(crate) fn flat_extras(&mut self, item: &Item<'_, H>, known: &[&'static Key]) -> Result<(), Error> {
        let (inner, outer) = (item.inner_extras(), item.extras());
        let is_inside = |name: &str| inner.into_iter().flatten().any(|(key, _)| key.is(name, item.input));
        let under = item.part.filter(|_| inner.is_some()).and_then(|part| part.inner.as_ref()).map(|inner| inner.key);
        for (extras, under) in [(inner, under), (outer, None)] {
            for (key, raw) in extras.into_iter().flatten() {
                let repeats = || under.is_none() && is_inside(&key.to_str(item.input));
                if known.iter().any(|known| key.is(known.name, item.input)) || repeats() {
                    let path = self.p.path_of(item);
                    let at = || under.iter().fold(path.clone(), |path, key| path.then(Step::Key(key)));
                    self.p.extra_lost((key, raw), item.input, &at)?;
                } else {
                    self.out.key_text(key);
                    self.out.raw(raw);
                }
            }
        }
        Ok(())
    }
}
