//! Directives without a statement that change nothing in what a program computes, or end its compilation.
//!
//! ```text
//! allocate(x, y) allocator(omp_default_mem_alloc)      where variables are is the compiler's choice
//! error at(compilation) severity(warning) message("…")  said, and that is all
//! ```

use crate::ast::Language;
use crate::parser::words;
use crate::scan::Text;
use crate::{Diagnostic, Span};

/// The words of a directive, each with what stands in its parentheses.
fn clauses(text: Text<'_>) -> Vec<(Span, Option<Span>)> {
    let inside = |(word, group): (Span, Option<Span>)| (word, group.map(|g| text.inside(g)));
    words(text).into_iter().map(inside).collect()
}

/// An `allocate` directive (6.5) whose allocator promises nothing that a program can rely on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The variables.
    pub items: Vec<String>,
    /// What their addresses are multiples of.
    pub align: Option<u64>,
}

impl Allocation {
    /// Reads the directive's text, if it is one.
    pub fn read(text: &str) -> Option<Allocation> {
        const ALLOCATORS: [&str; 8] = [
            "omp_default_mem_alloc",
            "omp_large_cap_mem_alloc",
            "omp_const_mem_alloc",
            "omp_high_bw_mem_alloc",
            "omp_low_lat_mem_alloc",
            "omp_cgroup_mem_alloc",
            "omp_pteam_mem_alloc",
            "omp_thread_mem_alloc",
        ];
        if super::first_word(text) != Some("allocate") {
            return None;
        }
        let source = Text {
            text,
            language: Language::C,
        };
        let clauses = clauses(source);
        let ((_, items), clauses) = clauses.split_first()?;
        let items = source.split_commas((*items)?).into_iter();
        let mut allocation = Allocation {
            items: items.map(|item| source.of(item).to_string()).collect(),
            align: None,
        };
        for (word, inside) in clauses {
            let value = source.of((*inside)?);
            match source.of(*word) {
                "allocator" if ALLOCATORS.contains(&value) => {}
                "align" => {
                    let align = value.parse().ok();
                    allocation.align = Some(align.filter(|it: &u64| it.is_power_of_two())?);
                }
                _ => return None,
            }
        }
        Some(allocation)
    }
}

/// An `error` directive (8.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorDirective {
    /// It is about the program that runs.
    pub at_execution: bool,
    /// It ends the compilation, or the program.
    pub is_fatal: bool,
    /// What it says.
    pub message: Option<String>,
}

impl ErrorDirective {
    /// Reads the directive's text, if it is one.
    pub fn read(text: &str) -> Option<Result<ErrorDirective, Diagnostic>> {
        (super::first_word(text) == Some("error")).then(|| read(text))
    }
}

fn read(text: &str) -> Result<ErrorDirective, Diagnostic> {
    let source = Text {
        text,
        language: Language::C,
    };
    let mut read = ErrorDirective {
        at_execution: false,
        is_fatal: true,
        message: None,
    };
    for (word, inside) in clauses(source).into_iter().skip(1) {
        let value = inside.map_or("", |inside| source.of(inside));
        match (source.of(word), value) {
            ("at", "compilation") => read.at_execution = false,
            ("at", "execution") => read.at_execution = true,
            ("severity", "fatal") => read.is_fatal = true,
            ("severity", "warning") => read.is_fatal = false,
            ("message", text) if !text.is_empty() => read.message = Some(text.to_string()),
            (name, _) => {
                let known = ["at", "severity", "message"].contains(&name);
                let message = match known {
                    true => format!("`{value}` is nothing that `{name}` can say"),
                    false => format!("`{name}` is not a clause of `error`"),
                };
                return Err(Diagnostic::error(word, message)
                    .help("it takes `at(compilation)` or `at(execution)`, `severity(fatal)` or `severity(warning)`, and `message(text)`")
                    .openmp("8.5"));
            }
        }
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations() {
        let of = Allocation::read;
        assert!(
            of("allocate(x, y)").is_some_and(|it| it.items == ["x", "y"] && it.align.is_none())
        );
        assert!(of(" allocate (x) allocator( omp_high_bw_mem_alloc )").is_some());
        assert_eq!(of("allocate(x) allocator(mine)"), None);
        assert!(of("allocate(x) align(64)").is_some_and(|it| it.align == Some(64)));
        assert_eq!(of("allocate(x) align(n)"), None);
        assert_eq!(of("allocate"), None);
    }

    #[test]
    fn errors() {
        let of = |text| ErrorDirective::read(text).and_then(Result::ok);
        assert_eq!(
            of("error severity(warning), message(\"here\")"),
            Some(ErrorDirective {
                at_execution: false,
                is_fatal: false,
                message: Some("\"here\"".to_string()),
            })
        );
        assert!(of("error at(execution)").is_some_and(|it| it.at_execution && it.is_fatal));
        assert_eq!(of("error at(once)"), None);
        assert_eq!(of("errors"), None);
    }
}
