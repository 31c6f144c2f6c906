//! The bytes door: what is read and what is written, by hand-made vectors and against `serde_json`.

use turnwire_core::{
    convert,
    dialect::DialectId,
    error::Error,
    handle::{Input, NoHost},
    json::{read, write},
};

#[test]
fn a_payload_goes_back_byte_for_byte() -> Result<(), Error> {
    let list = r#"[ {"role":"user", "content":"h\u00e9 \ud800", "x": [1.50, {}, [], null, true, -0]} ]"#;
    let payload = format!(r#"{{"messages":{list}}}"#);
    let tape = read::tape(&Input::new(payload.clone()))?;
    let openai = DialectId::named("openai")?;
    let mut sink = write::JsonSink::default();
    let losses = convert::convert(&tape.root::<NoHost>(), openai, openai, &convert::Options::default(), &mut sink)?;
    assert!(losses.is_empty());
    assert_eq!(String::from_utf8_lossy(&sink.into_bytes()), payload);
    Ok(())
}
