//! Reads the title of a page of HTML, which proxies send in place of an error.

/// Whether a text is a page of HTML.
pub(super) fn is_page(text: &str) -> bool {
    let begins = |mark: &str| text.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark));
    ["<!doctype", "<html", "<head", "<title"].into_iter().any(begins)
}

/// The title of a page.
pub(super) fn title(page: &str) -> Option<String> {
    let lower = page.to_ascii_lowercase();
    let begin = lower.find("<title")?;
    let begin = begin + lower[begin..].find('>')? + 1;
    let end = begin + lower[begin..].find("</title")?;
    let words: Vec<_> = page.get(begin..end)?.split_whitespace().collect();
    (!words.is_empty()).then(|| unescaped(&words.join(" ")))
}

/// The text of a page with its characters in place of their names.
fn unescaped(text: &str) -> String {
    const NAMED: [(&str, char); 6] =
        [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("nbsp", ' ')];
    let numbered = |name: &str| {
        let number = name.strip_prefix('#')?;
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        char::from_u32(code).filter(|letter| !letter.is_control())
    };
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('&') {
        out.push_str(before);
        let letter = behind.split_once(';').and_then(|(name, behind)| {
            let named = NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, letter)| letter);
            Some((named.or_else(|| numbered(name))?, behind))
        });
        let (letter, behind) = letter.unwrap_or(('&', behind));
        out.push(letter);
        rest = behind;
    }
    out + rest
}
