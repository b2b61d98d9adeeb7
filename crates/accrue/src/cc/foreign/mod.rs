//! Options of other vendors' compilers, in the host compiler's spelling.
//!
//! Programs with OpenACC directives bring command lines for nvc, pgcc or icx. With an OpenACC or OpenMP option among
//! them, the options that only those know are translated or dropped, before anything else looks at the words:
//!
//! ```text
//! -acc -fast -c99 -Mlarge_arrays -c a.c     -acc -O3 -std=gnu99 -c a.c
//! accrue: note: options of other compilers: `-fast` is `-O3`, `-c99` is `-std=gnu99`; dropped: `-Mlarge_arrays`
//! ```
//!
//! Where the host compiler is such a compiler itself, its options stay its own.

mod table;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};

use accrue_front_c::text::preprocess::Family;

use super::openacc;
use super::options::{self, Takes as OptionTakes};
use crate::host;

/// How an option takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// No value.
    Exact,
    /// `-Mvect`, `-Mvect=simd`
    Valued,
    /// The rest of the word.
    Prefix,
    /// `-tp=zen`, `-tp zen`
    SeparateValue,
    /// `--diag_suppress177`, `--diag_suppress=177`, `--diag_suppress 177`
    JoinedOrSeparate,
}

/// What becomes of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// These words take its place.
    To(&'static [&'static str]),
    /// They do for a Fortran compiler; for others it has no meaning.
    Fortran(&'static [&'static str]),
    /// The words beside its value; it is dropped with a value that is not listed.
    ByValue(&'static [(&'static str, &'static [&'static str])]),
    /// The words beside each of its values, which commas separate. What becomes of other values, and the words that then
    /// take the option's place.
    EachValue(
        &'static [(&'static str, &'static [&'static str])],
        &'static Action,
        &'static [&'static str],
    ),
    /// Dropped, because …
    Drop(&'static str),
    /// Dropped, and the user must know what that means.
    Warn(&'static str),
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    pub takes: Takes,
    pub action: Action,
}

const fn row(name: &'static str, takes: Takes, action: Action) -> Row {
    Row {
        name,
        takes,
        action,
    }
}

/// A command line that the host compiler understands, and what was done to it.
#[derive(Debug, PartialEq, Eq)]
pub struct Translation {
    pub words: Vec<OsString>,
    /// One line for the user; `None` when nothing was done or `-w` asks for silence.
    pub note: Option<String>,
}

/// Translates the words after `accrue cc`, `@file` already expanded. `family` is asked only if there is something to do.
pub fn translate(
    words: Vec<OsString>,
    role: &host::Role,
    family: impl FnOnce() -> Family,
) -> Translation {
    let pieces = split(&words);
    let concerned = pieces.iter().any(Piece::asks_for_directives);
    let foreign = pieces.iter().any(|piece| piece.row.is_some());
    if !concerned || !foreign || family() == Family::Other {
        return Translation { words, note: None };
    }
    let mut told = Told::default();
    let mut translated = Vec::with_capacity(words.len());
    for piece in &pieces {
        match piece.row {
            None => translated.extend_from_slice(piece.words),
            Some(row) => translated.extend(told.apply(row, piece, role)),
        }
    }
    let silent = words.iter().any(|word| word == "-w");
    Translation {
        words: translated,
        note: told.note().filter(|_| !silent),
    }
}

/// One option with its argument, or one input.
struct Piece<'a> {
    words: &'a [OsString],
    row: Option<&'static Row>,
}

impl Piece<'_> {
    /// Whether it is an OpenACC or OpenMP option.
    fn asks_for_directives(&self) -> bool {
        let [word, ..] = self.words else {
            return false;
        };
        let switch = matches!(
            openacc::spelling(word),
            Some(openacc::Spelling::On | openacc::Spelling::Off)
        );
        let openmp = match self.row.map(|row| row.action) {
            Some(Action::To(words) | Action::EachValue(_, _, words)) => words.contains(&"-fopenmp"),
            Some(Action::Fortran(_) | Action::ByValue(_) | Action::Drop(_) | Action::Warn(_))
            | None => word == "-fopenmp" || starts(word, "-fopenmp="),
        };
        switch || openmp
    }
}

/// The words by options: an argument of another option is no option.
fn split(words: &[OsString]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        let row = match openacc::spelling(word) {
            Some(_) => None,
            None => find(word),
        };
        let separate = match row {
            Some(row) => match row.takes {
                Takes::Exact | Takes::Valued | Takes::Prefix => false,
                Takes::SeparateValue | Takes::JoinedOrSeparate => word == row.name,
            },
            None => takes_next_word(word),
        };
        let end = (at + 1 + usize::from(separate)).min(words.len());
        pieces.push(Piece {
            words: &words[at..end],
            row,
        });
        at = end;
    }
    pieces
}

fn takes_next_word(word: &OsStr) -> bool {
    options::find(word.as_encoded_bytes()).is_some_and(|rule| match rule.takes {
        OptionTakes::Nothing | OptionTakes::Joined => false,
        OptionTakes::Separate => true,
        OptionTakes::JoinedOrSeparate => word == rule.name,
    })
}

/// The row for a word.
fn find(word: &OsStr) -> Option<&'static Row> {
    let text = word.to_str()?;
    let applies = |row: &&Row| {
        let rest = text.strip_prefix(row.name);
        rest.is_some_and(|rest| match row.takes {
            Takes::Exact => rest.is_empty(),
            Takes::Valued | Takes::SeparateValue => rest.is_empty() || rest.starts_with('='),
            Takes::Prefix => !rest.is_empty(),
            Takes::JoinedOrSeparate => true,
        })
    };
    table::ROWS
        .iter()
        .filter(applies)
        .max_by_key(|row| row.name.len())
}

fn starts(word: &OsStr, prefix: &str) -> bool {
    word.as_encoded_bytes().starts_with(prefix.as_bytes())
}

/// What the note says.
#[derive(Default)]
struct Told {
    translated: Vec<String>,
    dropped: Vec<String>,
}

impl Told {
    /// The words in the place of an option.
    fn apply(&mut self, row: &Row, piece: &Piece, role: &host::Role) -> Vec<OsString> {
        let shown: Vec<_> = piece
            .words
            .iter()
            .map(|word| word.to_string_lossy())
            .collect();
        let shown = shown.join(" ");
        let value = shown[row.name.len()..].trim_start_matches(['=', ' ']);
        let words: Vec<&str> = match row.action {
            Action::To(words) => words.to_vec(),
            Action::Fortran(words) if role.command == host::FORTRAN.command => words.to_vec(),
            Action::Fortran(_) => return self.drop(&shown, None),
            Action::ByValue(values) => match known(values, value) {
                // It means what the host compiler does by itself.
                Some([]) => return Vec::new(),
                Some(words) => words.to_vec(),
                None => return self.drop(&shown, None),
            },
            Action::EachValue(values, other, always) => {
                let mut words = always.to_vec();
                for value in value.split(',') {
                    match known(values, value) {
                        Some(more) => words.extend(more),
                        None => self.say(&shown, *other),
                    }
                }
                words.sort_unstable();
                words.dedup();
                words
            }
            Action::Drop(_) | Action::Warn(_) => {
                self.say(&shown, row.action);
                Vec::new()
            }
        };
        if !words.is_empty() {
            let line = format!("`{shown}` is `{}`", words.join(" "));
            if !self.translated.contains(&line) {
                self.translated.push(line);
            }
        }
        words.into_iter().map(OsString::from).collect()
    }

    fn say(&mut self, shown: &str, action: Action) {
        let reason = match action {
            Action::Warn(reason) => Some(reason),
            Action::To(_)
            | Action::Fortran(_)
            | Action::ByValue(_)
            | Action::EachValue(..)
            | Action::Drop(_) => None,
        };
        self.drop(shown, reason);
    }

    fn drop(&mut self, shown: &str, reason: Option<&str>) -> Vec<OsString> {
        let line = match reason {
            Some(reason) => format!("`{shown}` ({reason})"),
            None => format!("`{shown}`"),
        };
        if !self.dropped.contains(&line) {
            self.dropped.push(line);
        }
        Vec::new()
    }

    fn note(&self) -> Option<String> {
        let dropped = match self.dropped.is_empty() {
            true => None,
            false => Some(format!("dropped: {}", self.dropped.join(", "))),
        };
        let translated = match self.translated.is_empty() {
            true => None,
            false => Some(self.translated.join(", ")),
        };
        let parts: Vec<String> = translated.into_iter().chain(dropped).collect();
        (!parts.is_empty()).then(|| format!("options of other compilers: {}", parts.join("; ")))
    }
}

fn known(
    values: &'static [(&'static str, &'static [&'static str])],
    value: &str,
) -> Option<&'static [&'static str]> {
    let found = values.iter().find(|(name, _)| *name == value);
    found.map(|(_, words)| *words)
}
