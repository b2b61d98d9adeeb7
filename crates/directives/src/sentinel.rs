//! Finding the text of a directive in a source line (section 2.1).
//!
//! ```text
//! C, C++          # pragma acc parallel          text: ` parallel`
//! free Fortran      !$acc parallel &             text: ` parallel &`
//! fixed Fortran   C$ACC  PARALLEL                text: ` PARALLEL`
//!                 c$acc+ COPY(A)                 text: ` COPY(A)`, continues the directive before it
//! ```
//!
//! Joining continued lines is the work of the front ends.

/// How source lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceForm {
    /// C and C++.
    C,
    /// Free source form of Fortran.
    FortranFree,
    /// Fixed source form of Fortran.
    FortranFixed,
}

/// A line that belongs to a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectiveLine {
    /// Where in the line the text of the directive begins, behind the sentinel.
    pub text: usize,
    /// Whether the line goes on with the directive of the line before it, as column 6 of fixed form says.
    pub continues: bool,
}

/// The directive text of a line; `None` for every other line.
pub fn directive_line(line: &str, form: SourceForm) -> Option<DirectiveLine> {
    match form {
        SourceForm::C => {
            let rest = line.trim_start().strip_prefix('#')?.trim_start();
            let rest = rest
                .strip_prefix("pragma")
                .filter(|rest| rest.starts_with([' ', '\t']))?;
            let rest = rest.trim_start().strip_prefix("acc")?;
            begins(line, rest)
        }
        SourceForm::FortranFree => begins(line, strip_sentinel(line.trim_start(), &["!$acc"])?),
        SourceForm::FortranFixed => {
            let rest = strip_sentinel(line, &["!$acc", "c$acc", "*$acc"])?;
            let text = line.len() - rest.len();
            let Some(column_6) = rest.chars().next() else {
                return Some(DirectiveLine {
                    text,
                    continues: false,
                });
            };
            let continues = !matches!(column_6, ' ' | '\t' | '0');
            Some(DirectiveLine {
                text: text + column_6.len_utf8(),
                continues,
            })
        }
    }
}

/// A line whose sentinel ends where `rest` begins; the sentinel ends with its word.
fn begins(line: &str, rest: &str) -> Option<DirectiveLine> {
    let ends = !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_' || next == '$');
    ends.then(|| DirectiveLine {
        text: line.len() - rest.len(),
        continues: false,
    })
}

/// What follows one of the sentinels, in upper or lower case.
fn strip_sentinel<'a>(line: &'a str, sentinels: &[&str]) -> Option<&'a str> {
    sentinels.iter().find_map(|sentinel| {
        let head = line.get(..sentinel.len())?;
        if head.eq_ignore_ascii_case(sentinel) {
            line.get(sentinel.len()..)
        } else {
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The directive text, with `+` before it if it continues another one.
    fn text(line: &str, form: SourceForm) -> Option<String> {
        let found = directive_line(line, form)?;
        Some(format!(
            "{}{}",
            if found.continues { "+" } else { "" },
            &line[found.text..]
        ))
    }

    #[test]
    fn pragmas() {
        assert_eq!(
            text("#pragma acc loop", SourceForm::C).as_deref(),
            Some(" loop")
        );
        assert_eq!(
            text("  #\tpragma  acc\tloop", SourceForm::C).as_deref(),
            Some("\tloop")
        );
        assert_eq!(text("#pragma acc", SourceForm::C).as_deref(), Some(""));
        assert_eq!(text("#pragma accelerate", SourceForm::C), None);
        assert_eq!(text("#pragma omp for", SourceForm::C), None);
        assert_eq!(text("#pragmaacc loop", SourceForm::C), None);
        assert_eq!(text("#PRAGMA ACC loop", SourceForm::C), None);
        assert_eq!(text("pragma acc loop", SourceForm::C), None);
    }

    #[test]
    fn free_form() {
        let free = SourceForm::FortranFree;
        assert_eq!(text("   !$ACC loop &", free).as_deref(), Some(" loop &"));
        assert_eq!(text("!$acc& copy(a)", free).as_deref(), Some("& copy(a)"));
        assert_eq!(text("!$accloop", free), None);
        assert_eq!(text("c$acc loop", free), None);
        assert_eq!(text("x = 1 !$acc loop", free), None);
        assert_eq!(text("!$é", free), None);
    }

    #[test]
    fn fixed_form() {
        let fixed = SourceForm::FortranFixed;
        assert_eq!(text("!$acc loop", fixed).as_deref(), Some("loop"));
        assert_eq!(text("C$ACC0LOOP", fixed).as_deref(), Some("LOOP"));
        assert_eq!(text("*$acc+ gang", fixed).as_deref(), Some("+ gang"));
        assert_eq!(text("c$acc", fixed).as_deref(), Some(""));
        assert_eq!(text(" c$acc loop", fixed), None);
        assert_eq!(text("d$acc loop", fixed), None);
    }
}
