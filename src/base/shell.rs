//! Commands as people type them in a shell.

/// The text quoted as one word of a command.
pub(crate) fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.to_string(), |word| word.into_owned())
}

/// The words quoted and joined as one command.
pub(crate) fn quoted_words(words: &[String]) -> String {
    let joined = shlex::try_join(words.iter().map(String::as_str));
    joined.unwrap_or_else(|_| words.join(" "))
}

/// The name by which this program was called, for commands shown to people.
pub(crate) fn own_name() -> String {
    let called = std::env::args().next();
    called
        .filter(|name| name.contains('/'))
        .map_or_else(|| "santorini".into(), |name| quoted(&name))
}
