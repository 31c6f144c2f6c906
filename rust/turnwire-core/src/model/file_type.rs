//! Lists the types of files with the endings of their names, and says which of them are text.

use crate::rules::media_class::MediaClass;

/// Media types and their file extensions. Of several rows, the first with a type gives its extension, and the first
/// with an extension gives its type.
const EXTENSIONS: &[(MediaClass, &str, &str)] = &[
    (MediaClass::Image, "png", "image/png"),
    (MediaClass::Image, "jpeg", "image/jpeg"),
    (MediaClass::Image, "jpg", "image/jpeg"),
    (MediaClass::Image, "gif", "image/gif"),
    (MediaClass::Image, "webp", "image/webp"),
    (MediaClass::Image, "heic", "image/heic"),
    (MediaClass::Image, "heif", "image/heif"),
    (MediaClass::Document, "pdf", "application/pdf"),
    (MediaClass::Document, "csv", "text/csv"),
    (MediaClass::Document, "doc", "application/msword"),
    (MediaClass::Document, "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (MediaClass::Document, "xls", "application/vnd.ms-excel"),
    (MediaClass::Document, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (MediaClass::Document, "html", "text/html"),
    (MediaClass::Document, "htm", "text/html"),
    (MediaClass::Document, "txt", "text/plain"),
    (MediaClass::Document, "md", "text/markdown"),
    (MediaClass::Video, "mkv", "video/x-matroska"),
    (MediaClass::Video, "mov", "video/quicktime"),
    (MediaClass::Video, "mp4", "video/mp4"),
    (MediaClass::Video, "webm", "video/webm"),
    (MediaClass::Video, "flv", "video/x-flv"),
    (MediaClass::Video, "mpeg", "video/mpeg"),
    (MediaClass::Video, "mpg", "video/mpeg"),
    (MediaClass::Video, "wmv", "video/x-ms-wmv"),
    (MediaClass::Video, "3gp", "video/3gpp"),
    (MediaClass::Audio, "mp3", "audio/mpeg"),
    (MediaClass::Audio, "mp3", "audio/mp3"),
    (MediaClass::Audio, "mpeg", "audio/mpeg"),
    (MediaClass::Audio, "mpga", "audio/mpeg"),
    (MediaClass::Audio, "opus", "audio/opus"),
    (MediaClass::Audio, "wav", "audio/wav"),
    (MediaClass::Audio, "wav", "audio/x-wav"),
    (MediaClass::Audio, "wav", "audio/wave"),
    (MediaClass::Audio, "aac", "audio/aac"),
    (MediaClass::Audio, "x-aac", "audio/aac"),
    (MediaClass::Audio, "flac", "audio/flac"),
    (MediaClass::Audio, "mp4", "audio/mp4"),
    (MediaClass::Audio, "m4a", "audio/x-m4a"),
    (MediaClass::Audio, "ogg", "audio/ogg"),
    (MediaClass::Audio, "mkv", "audio/x-matroska"),
    (MediaClass::Audio, "mka", "audio/x-matroska"),
    (MediaClass::Audio, "pcm", "audio/pcm"),
    (MediaClass::Audio, "webm", "audio/webm"),
];

/// The file extension of a type, without the dot.
#[must_use]
pub fn extension_of(class: MediaClass, mime: &str) -> Option<&'static str> {
    EXTENSIONS.iter().find(|(of, _, known)| *of == class && *known == mime).map(|(_, extension, _)| *extension)
}

/// The type of a file extension, or of a name or an address that ends in one. `class` decides between several types.
#[must_use]
pub fn type_by_name(class: MediaClass, name: &str) -> Option<&'static str> {
    let name = name.split(['?', '#']).next().unwrap_or_default();
    let extension = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let known = || EXTENSIONS.iter().filter(|(_, known, _)| *known == extension);
    known().find(|(of, ..)| *of == class).or_else(|| known().next()).map(|(_, _, mime)| *mime)
}

/// The types that a file of this class with this ending may have.
pub(super) fn of_ending(class: MediaClass, ending: &str) -> impl Iterator<Item = &'static str> {
    EXTENSIONS.iter().filter(move |(of, known, _)| *of == class && *known == ending).map(|(_, _, mime)| *mime)
}

/// The types of text files whose names do not say that they are text.
const TEXTS: &[&str] = &[
    "application/json",
    "application/x-ndjson",
    "application/jsonl",
    "application/xml",
    "application/yaml",
    "application/x-yaml",
    "application/toml",
    "application/javascript",
    "application/x-javascript",
    "application/typescript",
    "application/x-python",
    "application/x-sh",
    "application/sql",
];

/// Types whose names begin like that of a text, but whose files are written for a program.
const FOR_PROGRAMS: &[&str] = &["text/rtf"];

/// The types that a client writes where it knows none.
const UNKNOWN: &[&str] = &["application/octet-stream", "binary/octet-stream"];

/// The endings of further text files, which no name of a document loses, each with its type.
const ENDINGS: &[(&str, &str)] = &[
    ("json", "application/json"),
    ("jsonl", "application/jsonl"),
    ("ndjson", "application/x-ndjson"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
    ("toml", "application/toml"),
    ("sql", "application/sql"),
    ("js", "text/javascript"),
    ("mjs", "text/javascript"),
    ("jsx", "text/javascript"),
    ("ts", "application/typescript"),
    ("tsx", "application/typescript"),
    ("css", "text/css"),
    ("tsv", "text/tab-separated-values"),
    ("markdown", "text/markdown"),
    ("rst", "text/plain"),
    ("log", "text/plain"),
    ("ini", "text/plain"),
    ("cfg", "text/plain"),
    ("diff", "text/x-diff"),
    ("patch", "text/x-diff"),
    ("py", "text/x-python"),
    ("rs", "text/x-rust"),
    ("go", "text/x-go"),
    ("java", "text/x-java"),
    ("kt", "text/x-kotlin"),
    ("swift", "text/x-swift"),
    ("c", "text/x-c"),
    ("h", "text/x-c"),
    ("cpp", "text/x-c++"),
    ("hpp", "text/x-c++"),
    ("cs", "text/x-csharp"),
    ("rb", "text/x-ruby"),
    ("php", "text/x-php"),
    ("sh", "text/x-sh"),
    ("tex", "text/x-tex"),
];

/// Whether a file of this type is text.
#[must_use]
pub(crate) fn is_text(mime: &str) -> bool {
    let named =
        mime.starts_with("text/") || mime.ends_with("+json") || mime.ends_with("+xml") && mime != "image/svg+xml";
    named && !FOR_PROGRAMS.contains(&mime) || TEXTS.contains(&mime)
}

/// Whether a type says nothing about a file.
#[must_use]
pub(crate) fn says_nothing(mime: &str) -> bool {
    UNKNOWN.contains(&mime)
}

/// The type of a text file by the ending of its name.
#[must_use]
pub(super) fn of_text(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, mime)| *mime)
}
