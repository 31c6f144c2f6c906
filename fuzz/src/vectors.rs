//! The vectors as inputs of the targets that begin with a dialect.

use std::{fs, path::Path};

use serde_json::Value;

/// Each vector's target, name and input, in the order of the files.
pub fn inputs(folder: &Path) -> Vec<(&'static str, String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder of the vectors")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    let mut inputs = Vec::new();
    for path in files {
        let text = fs::read(&path).expect("a file of vectors");
        let all: Value = serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let list = all.as_array().or_else(|| all["build"].as_array());
        for (at, vector) in list.into_iter().flatten().enumerate() {
            let name = format!("{}-{at}", path.file_stem().expect("a name").to_string_lossy());
            let Some((target, input)) = input(vector) else { continue };
            // What is converted can be built, too, and what is streamed can be converted.
            match target {
                "convert" => inputs.push(("builder", name.clone(), input.clone().into_bytes())),
                "stream" => inputs.push(("convert_stream", name.clone(), converted(&input).into_bytes())),
                _ => {}
            }
            inputs.push((target, name, input.into_bytes()));
        }
    }
    inputs
}

/// The input of `convert_stream` for one of `stream`: it names another dialect, too.
fn converted(input: &str) -> String {
    let (source, body) = input.split_once('\n').expect("it begins with a dialect");
    let target = if source == "anthropic" { "openai" } else { "anthropic" };
    format!("{source}\n{target}\n{body}")
}

/// The target that a vector is for, and its input: dialects, a line each, the byte of settings, and the text.
fn input(vector: &Value) -> Option<(&'static str, String)> {
    let text = |key: &str| vector[key].as_str();
    if !vector["messages"].is_null() {
        let source = text("dialect").unwrap_or("openai");
        let target = vector["build"]["target"].as_str().unwrap_or(source);
        return Some(("builder", format!("{source}\n{target}\n\0{}", vector["messages"])));
    }
    if let (Some(source), Some(target)) = (text("source"), text("target")) {
        let payload = text("payload_text").map_or_else(|| vector["payload"].to_string(), str::to_owned);
        return Some(("convert", format!("{source}\n{target}\n\0{payload}")));
    }
    let dialect = text("dialect")?;
    if !vector["reply"].is_null() {
        return Some(("reply", format!("{dialect}\n{}", vector["reply"])));
    }
    let body = text("sse").map(str::to_owned).or_else(|| {
        let chunks = vector["chunks"].as_array()?.iter();
        // The body of Converse is binary, and its events are a line each.
        let line = |chunk| if dialect == "bedrock" { format!("{chunk}\n") } else { format!("data: {chunk}\n\n") };
        Some(chunks.map(line).collect())
    })?;
    // The body is split every seven bytes.
    Some(("stream", format!("{dialect}\n\u{6}{body}")))
}
