//! Commands as people type them in a shell.

/// A text as one word of a command.
pub fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.to_string(), |word| word.into_owned())
}

/// Words as one command.
pub fn quoted_words(words: &[String]) -> String {
    let joined = shlex::try_join(words.iter().map(String::as_str));
    joined.unwrap_or_else(|_| words.join(" "))
}

/// How this program was called, for commands that people type again.
pub fn own_name() -> String {
    let called = std::env::args().next();
    called
        .filter(|name| name.contains('/'))
        .map_or_else(|| "santorini".into(), |name| quoted(&name))
}
