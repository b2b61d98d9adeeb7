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

use accrue_diag::{Diagnostic, Severity};
use std::ffi::OsString;

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

    /// What becomes of warnings that have a name.
    pub fn named(&self, warnings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let shown = |mut warning: Diagnostic| {
            let name = warning.option?;
            let bracket = match self.fate(name) {
                Fate::Hidden => return None,
                Fate::Shown => format!("-W{name}"),
                Fate::Error => {
                    warning.severity = Severity::Error;
                    format!("-Werror={name}")
                }
            };
            warning.message += &format!(" [{bracket}]");
            Some(warning)
        };
        warnings.into_iter().filter_map(shown).collect()
    }

    /// The warnings without a name that are shown.
    pub fn unnamed(&self, warnings: Vec<Diagnostic>) -> Vec<Diagnostic> {
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
