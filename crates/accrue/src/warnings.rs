//! Which warnings are shown, and which are errors: the user's `-w`, `-Werror` and `-W…` options for the warnings that have
//! names, in gcc's way.
//!
//! ```text
//! -Wno-openacc-lost-value           not shown            -Wopenacc-lost-value        shown (the default)
//! -Werror                           all are errors       -Wno-error                  none is
//! -Werror=openacc-lost-value        this one is          -Wno-error=openacc-…        this one is not
//! -w                                no warning is shown
//! ```
//!
//! The last option wins, and one that names a warning wins over one that does not. That a region runs on the host is no
//! mistake, and its warning has no name: only `-w` concerns it.

use std::ffi::OsString;

use accrue_front_c::text::message::{Message, Severity};
use accrue_lower::{Diagnostic, Warning};

use crate::unit;

/// What the options say.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    words: Vec<OsString>,
}

/// What becomes of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Hidden,
    Shown,
    /// By `-Werror=NAME` or by `-Werror`.
    Error,
}

impl Policy {
    /// `words` are the options about warnings, in the user's order.
    pub fn new(words: Vec<OsString>) -> Policy {
        Policy { words }
    }

    /// The messages of `warnings` about the file `name`.
    pub fn messages(&self, name: &str, warnings: &[Warning]) -> Vec<Message> {
        let shown = |warning: &Warning| {
            let (severity, bracket) = match self.fate(warning.name) {
                Fate::Hidden => return None,
                Fate::Shown => (Severity::Warning, format!("-W{}", warning.name)),
                Fate::Error => (Severity::Error, format!("-Werror={}", warning.name)),
            };
            let mut message = message(name, warning);
            message.severity = severity;
            message.text += &format!(" [{bracket}]");
            Some(message)
        };
        warnings.iter().filter_map(shown).collect()
    }

    /// The warnings without a name that are shown.
    pub fn unnamed(&self, warnings: Vec<Message>) -> Vec<Message> {
        match self.none_at_all() {
            true => vec![],
            false => warnings,
        }
    }

    fn none_at_all(&self) -> bool {
        self.words.iter().any(|word| word == "-w")
    }

    fn fate(&self, name: &str) -> Fate {
        let last = |yes: &[String], no: &[String]| {
            self.words.iter().rev().find_map(|word| {
                let word = word.to_str()?;
                let is = |option: &String| option == word;
                match (yes.iter().any(is), no.iter().any(is)) {
                    (true, _) => Some(true),
                    (false, true) => Some(false),
                    (false, false) => None,
                }
            })
        };
        let named_error = format!("-Werror={name}");
        // `-Werror=NAME` switches the warning on, too.
        let shown = last(
            &[format!("-W{name}"), named_error.clone()],
            &[format!("-Wno-{name}")],
        );
        if self.none_at_all() || shown == Some(false) {
            return Fate::Hidden;
        }
        let named = last(&[named_error], &[format!("-Wno-error={name}")]);
        let all = last(&["-Werror".to_string()], &["-Wno-error".to_string()]);
        match named.or(all) {
            Some(true) => Fate::Error,
            Some(false) | None => Fate::Shown,
        }
    }
}

fn message(name: &str, warning: &Warning) -> Message {
    let related = Diagnostic {
        message: String::new(),
        file: warning.related.file.clone(),
        line: warning.related.line,
        column: warning.related.column,
        section: "",
        help: String::new(),
    };
    let message = unit::message(name, &warning.diagnostic).label(&warning.label);
    match unit::place(name, &related) {
        Some(place) => message.related(place, &warning.related.label),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fate(words: &str) -> Fate {
        let words = words.split_whitespace().map(OsString::from).collect();
        Policy::new(words).fate("x")
    }

    #[test]
    fn the_last_option_wins() {
        assert_eq!(fate(""), Fate::Shown);
        assert_eq!(fate("-Wno-x"), Fate::Hidden);
        assert_eq!(fate("-Wno-x -Wx"), Fate::Shown);
        assert_eq!(fate("-Werror"), Fate::Error);
        assert_eq!(fate("-Werror -Wno-error"), Fate::Shown);
        assert_eq!(fate("-Wno-error -Werror"), Fate::Error);
    }

    #[test]
    fn names_win_over_all() {
        assert_eq!(fate("-Werror=x -Wno-error"), Fate::Error);
        assert_eq!(fate("-Wno-error=x -Werror"), Fate::Shown);
        assert_eq!(fate("-Wno-x -Werror"), Fate::Hidden);
        assert_eq!(fate("-Wno-x -Werror=x"), Fate::Error);
        assert_eq!(fate("-Werror=x -w"), Fate::Hidden);
    }
}
