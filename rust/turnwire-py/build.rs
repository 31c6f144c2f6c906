//! Makes the macro `stub!("Class.name")` from the docstrings in `_core.pyi`, so that `help()` shows the same text as an
//! editor.

use std::{env, error::Error, fmt::Write, fs, path::PathBuf};

const STUB: &str = "../../python/turnwire/_core.pyi";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={STUB}");
    let stub = fs::read_to_string(STUB)?;
    let mut rules = String::new();
    for (name, doc) in documented(&stub) {
        writeln!(rules, "    ({name:?}) => {{ {doc:?} }};")?;
    }
    let out = PathBuf::from(env::var("OUT_DIR")?).join("stub.rs");
    fs::write(out, format!("macro_rules! stub {{\n{rules}}}\n"))?;
    Ok(())
}

/// Every name of the stub with its docstring, if it has one. The docstring of `__new__` is appended to its class's.
fn documented(stub: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    // The classes around the current line, each with its indentation.
    let mut around: Vec<(usize, &str)> = Vec::new();
    let mut header: Option<String> = None;
    let mut lines = stub.lines();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if let Some(rest) = text.strip_prefix("\"\"\"") {
            let doc = docstring(rest, indent, &mut lines);
            // A docstring without a header before it belongs to the module or to a constant.
            let Some(name) = header.take() else { continue };
            match name.strip_suffix(".__new__").and_then(|class| found.iter_mut().find(|(known, _)| known == class)) {
                Some((_, said)) => *said = format!("{said}\n\n{doc}"),
                None => found.push((name, doc)),
            }
            continue;
        }
        let word = |keyword| {
            let rest = text.strip_prefix(keyword)?;
            rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
        };
        if let Some(name) = word("class ").or_else(|| word("def ")) {
            around.retain(|(outer, _)| *outer < indent);
            let path: Vec<_> = around.iter().map(|(_, class)| *class).chain([name]).collect();
            header = Some(path.join("."));
            if text.starts_with("class ") {
                around.push((indent, name));
            }
        } else if !text.is_empty() && indent == 0 && !text.starts_with(')') {
            header = None;
        }
    }
    found
}

/// A docstring whose first line begins with `first`, without its indentation.
fn docstring<'a>(first: &str, indent: usize, lines: &mut impl Iterator<Item = &'a str>) -> String {
    let mut doc = String::new();
    let mut line = first;
    while !line.ends_with("\"\"\"") {
        doc += line;
        doc.push('\n');
        let Some(next) = lines.next() else { break };
        line = next.get(indent..).unwrap_or("");
    }
    doc += line.trim_end_matches("\"\"\"");
    doc.trim_end().to_owned()
}
