//! Packs a turn and the frame of a conversation as plain Python values, with every field, and unpacks them unchanged.
//!
//! A wire value alone is not enough: an id may be made up from other turns, and a stage may have changed what no wire
//! value can express.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex, PoisonError},
};

use pyo3::{
    IntoPyObjectExt,
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyList, PyString, PyTuple},
};
use turnwire_core::{
    model::{
        choice::{Among, Choice, ChoiceKind, Chosen},
        conversation::{Frame, FramePlaces, Outer, Rest, RestKey, System},
        entity::Entity,
        flaw::{Flaw, Served},
        media::{Media, MediaClass, MediaData, Texts},
        part::{Inner, Kind, Part, Parts, Reasoning},
        tool::{Args, Call, Content, Tool, ToolResult},
        turn::{Role, Tie, Turn},
    },
    report::{path::Place, provenance::Home, tool_names::ToolNames},
    rules::{CallForm, dialect_id::DialectId},
    value::{
        handle::{Input, Raw, Text, Value},
        json,
    },
};

use super::{lasting, named};
use crate::{
    error::raise,
    freeze,
    host::PyHost,
    part::handle,
    rendered::Stored,
    sink::{string, thaw},
};

/// What packing needs: the interpreter, and the bytes that spans point into.
pub(crate) struct Packing<'a, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) input: Option<&'a Input>,
}

/// A value that can be packed.
pub(crate) trait State: Sized {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>>;
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self>;
}

/// Packs a struct as the tuple of its fields, in this order. Fields after the arrow are not packed.
macro_rules! fields {
    ($type:ty { $($field:ident),+ } $(=> { $($gone:ident: $value:expr),+ })? $(later { $($late:ident),+ })?) => {
        impl State for $type {
            fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(PyTuple::new(to.py, [$(self.$field.pack(to)?,)+ $($(self.$late.pack(to)?),+)?])?.into_any())
            }
            fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
                let mut fields = state.cast::<PyTuple>()?.iter();
                let mut next = || fields.next().ok_or_else(|| of_another_version(state));
                Ok(Self {
                    $($field: State::unpack(&next()?)?,)+
                    $($($gone: $value,)+)?
                    // Earlier versions stored less.
                    $($($late: fields.next().map(|late| State::unpack(&late)).transpose()?.unwrap_or_default(),)+)?
                })
            }
        }
    };
}

fields!(Turn<PyHost> { role, id, parts, origin, extras, from, list, lone, tie, entity, flaw, touched } => { input: None });
fields!(Entity<PyHost> { id, raw_id, extras, origin });
fields!(Part<PyHost> { kind, origin, extras, inner, place, flaw, touched, signed } later { home });
fields!(Inner<PyHost> { key, extras });
fields!(Place { key, index });
fields!(Reasoning<PyHost> { text });
fields!(Media<PyHost> { class, mime, data, name });
fields!(Texts<PyHost> { whole, each, has_images } later { images, keys });
fields!(Call<PyHost> { id, made_up_id, name, args, custom, before } later { form, namespace });
fields!(ToolResult<PyHost> { id, made_up_id, name, content, error, synthetic } later { form, custom });
fields!(Frame<PyHost> { from, order, rest, system, tools, tools_origin, choice, outer, places, continues, unread, flaw, names }
    => { whole: None, lost_tie: None, input: None });
// A stored rest comes from one dialect: that of the frame.
fields!(Rest<PyHost> { keys } => { origin: None, from: DialectId::NONE });
fields!(RestKey<PyHost> { before, key, value, continues });
fields!(System<PyHost> { parts, origin, extras });
fields!(Outer<PyHost> { name, origin, extras, settings });
fields!(FramePlaces { system, tools, tools_in_text, choice });
fields!(Tool<PyHost> { name, description, schema, untyped, by_provider, custom, inside, origin, extras, flaw, translated, keys }
    later { functions, namespace, form, of });
fields!(Among<PyHost> { must, tools });
fields!(Chosen<PyHost> { group, name });
fields!(Choice<PyHost> { kind, origin, extras, flaw });

/// Packs a variant as its name and its content.
macro_rules! variants {
    ($type:ident<PyHost> { $($variant:ident),+ } $(, $($bare:ident),+)?) => {
        impl State for $type<PyHost> {
            fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(match self {
                    $(Self::$variant(held) => (stringify!($variant), held.pack(to)?).into_pyobject(to.py)?.into_any(),)+
                    $($(Self::$bare => PyString::intern(to.py, stringify!($bare)).into_any(),)+)?
                })
            }
            fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
                $($(if state.eq(stringify!($bare))? {
                    return Ok(Self::$bare);
                })+)?
                let (name, held) = state.extract::<(String, Bound<'_, PyAny>)>()?;
                match name.as_str() {
                    $(stringify!($variant) => State::unpack(&held).map(Self::$variant),)+
                    _ => Err(of_another_version(state)),
                }
            }
        }
    };
}

variants!(Kind<PyHost> { Text, Refusal, Json, Reasoning, Media, Call, Result, Opaque });
variants!(MediaData<PyHost> { Base64, DataUrl, Url, File, Frames, Plain, Texts, Bytes });
variants!(Args<PyHost> { Text, Value });
variants!(Content<PyHost> { Text, Blocks }, Absent);
variants!(ChoiceKind<PyHost> { Tool, Among }, Auto, Required, None, Opaque);

impl State for Home {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.index().into_pyobject(to.py)?)
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(state.extract::<Option<usize>>()?.map_or(Self::NONE, Self::of))
    }
}

impl State for ToolNames {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let tools = self.tools().map(|(wire, tool)| Stored::of(wire, tool).into_bound_py_any(to.py));
        let pairs = self.iter().map(|pair| pair.into_bound_py_any(to.py));
        Ok(PyTuple::new(to.py, pairs.chain(tools).collect::<PyResult<Vec<_>>>()?)?.into_any())
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (mut pairs, mut tools) = (Vec::new(), Vec::new());
        for one in state.try_iter()? {
            match one?.extract() {
                Ok(Entry::Tool(tool)) => tools.push(tool),
                Ok(Entry::Pair(pair)) => pairs.push(pair),
                Err(error) => return Err(error),
            }
        }
        let mut names = Self::of(pairs);
        for tool in tools {
            tool.add_to(&mut names);
        }
        Ok(names)
    }
}

/// What is stored of a tool's name.
#[derive(FromPyObject)]
enum Entry {
    Tool(Stored),
    Pair((String, String)),
}

fn of_another_version(state: &Bound<'_, PyAny>) -> PyErr {
    PyValueError::new_err(format!("a pickle of another version: {} is no state", state.get_type()))
}

/// Types that Python has itself.
macro_rules! plain {
    ($($type:ty),+) => {
        $(impl State for $type {
            fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(self.into_pyobject(to.py)?.to_owned().into_any())
            }
            fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
                state.extract()
            }
        })+
    };
}

plain!(bool, u32, usize);

/// Packs one of a few words.
macro_rules! words {
    ($($type:ty: $all:expr, $name:expr;)+) => {
        $(impl State for $type {
            fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
                Ok(PyString::intern(to.py, $name(*self)).into_any())
            }
            fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
                named(&$all, &state.extract::<String>()?, $name)
            }
        })+
    };
}

words! {
    Role: Role::ALL, Role::name;
    Tie: TIES, tie;
    MediaClass: CLASSES, class;
}

const TIES: [Tie; 5] = [Tie::None, Tie::Refers, Tie::GivesBack, Tie::Continues, Tie::Bridges];
const CLASSES: [MediaClass; 4] = [MediaClass::Image, MediaClass::Audio, MediaClass::Video, MediaClass::Document];

fn tie(tie: Tie) -> &'static str {
    match tie {
        Tie::None => "none",
        Tie::Refers => "refers",
        Tie::GivesBack => "gives back",
        Tie::Continues => "continues",
        Tie::Bridges => "bridges",
    }
}

fn class(class: MediaClass) -> &'static str {
    match class {
        MediaClass::Image => "image",
        MediaClass::Audio => "audio",
        MediaClass::Video => "video",
        MediaClass::Document => "document",
    }
}

impl State for &'static str {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyString::intern(to.py, self).into_any())
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(lasting(&state.extract::<String>()?))
    }
}

impl State for &'static Flaw {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let served = Served::ALL.iter().position(|one| *one == self.served);
        Ok((self.says, served).into_pyobject(to.py)?.into_any())
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        static FLAWS: LazyLock<Mutex<HashMap<(&'static str, usize), &'static Flaw>>> = LazyLock::new(Mutex::default);
        // A pickle of version 0.1.0 has the sentence alone.
        let (says, at): (Bound<'_, PyAny>, usize) = state.extract().unwrap_or_else(|_| (state.clone(), 0));
        let says = <&'static str>::unpack(&says)?;
        let served = *Served::ALL.get(at).ok_or_else(|| PyValueError::new_err("no such flaw"))?;
        let mut flaws = FLAWS.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(flaws.entry((says, at)).or_insert_with(|| Box::leak(Box::new(Flaw { says, served }))))
    }
}

impl State for CallForm {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyString::intern(to.py, self.call()).into_any())
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::named(&state.extract::<String>()?).ok_or_else(|| of_another_version(state))
    }
}

impl State for DialectId {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let name = (*self != Self::NONE).then(|| self.name());
        Ok(name.into_pyobject(to.py)?.into_any())
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let name: Option<String> = state.extract()?;
        name.map_or(Ok(Self::NONE), |name| Self::named(&name)).map_err(raise)
    }
}

impl State for Text<PyHost> {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        string(to.py, self, to.input).map(Bound::into_any).map_err(raise)
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        handle(state.cast::<PyString>()?)
    }
}

/// JSON text is packed as bytes. Python values are packed as a tuple around them.
impl State for Raw<PyHost> {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = match self {
            Self::Tree(value) if !is_spelled(value) => {
                let value = thaw(to.py, value).map_err(raise)?;
                return Ok((value,).into_pyobject(to.py)?.into_any());
            }
            _ => json::encode::to_string(self, to.input).map_err(raise)?,
        };
        Ok(PyBytes::new(to.py, text.as_bytes()).into_any())
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = state.cast::<PyBytes>() {
            let text = str::from_utf8(text.as_bytes()).map_err(|_| of_another_version(state))?;
            return Ok(Self::Own(text.into()));
        }
        let (value,) = state.extract::<(Bound<'_, PyAny>,)>()?;
        freeze::value(&value).map(Self::Tree).map_err(raise)
    }
}

/// Whether a value was read from JSON text and keeps the spelling of its numbers.
fn is_spelled(value: &Value<PyHost>) -> bool {
    match value {
        Value::Number(_) => true,
        Value::List(items) => items.iter().any(is_spelled),
        Value::Map(entries) => entries.iter().any(|(_, value)| is_spelled(value)),
        Value::Null | Value::Bool(_) | Value::Leaf(_) | Value::Text(_) => false,
    }
}

impl<T: State> State for Option<T> {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        self.as_ref().map_or_else(|| Ok(to.py.None().into_bound(to.py)), |held| held.pack(to))
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        if state.is_none() { Ok(None) } else { T::unpack(state).map(Some) }
    }
}

impl<T: State> State for Box<T> {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        (**self).pack(to)
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        T::unpack(state).map(Self::new)
    }
}

impl<A: State, B: State> State for (A, B) {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok((self.0.pack(to)?, self.1.pack(to)?).into_pyobject(to.py)?.into_any())
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (first, second) = state.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?;
        Ok((A::unpack(&first)?, B::unpack(&second)?))
    }
}

impl<T: State> State for Vec<T> {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        listed(self, to)
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut items = Self::new();
        for item in state.cast::<PyList>()? {
            items.push(T::unpack(&item)?);
        }
        Ok(items)
    }
}

impl State for Parts<PyHost> {
    fn pack<'py>(&self, to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        listed(self, to)
    }
    fn unpack(state: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut parts = Self::new();
        for item in state.cast::<PyList>()? {
            parts.push(Part::unpack(&item)?);
        }
        Ok(parts)
    }
}

fn listed<'py, T: State>(items: &[T], to: &Packing<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::empty(to.py);
    items.iter().try_for_each(|item| list.append(item.pack(to)?))?;
    Ok(list.into_any())
}
