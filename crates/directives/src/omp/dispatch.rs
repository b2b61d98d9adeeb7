//! The directive `dispatch` (OpenMP 5.2, section 7.6).
//!
//! ```text
//! dispatch device(1) is_device_ptr(p) novariants(n < 9) depend(in: x) nowait
//! ```
//! A call that need not wait may wait, so that `nowait` says nothing.

use crate::ast::Language;
use crate::parser::Parser;
use crate::scan::Text;
use crate::{Diagnostic, Span};

/// What the directive says.
#[derive(Debug, Default)]
pub struct Dispatch {
    /// The default device during the call.
    pub device: Option<String>,
    /// What leads to memory of the device already.
    pub device_pointers: Vec<String>,
    /// Its `depend` clauses.
    pub depends: Vec<String>,
    /// Conditions with which the function itself is called.
    base_if: Vec<String>,
}

impl Dispatch {
    /// Reads the directive's text, if it is one.
    pub fn read(text: &str, language: Language) -> Option<Result<Dispatch, Diagnostic>> {
        (super::first_word(text) == Some("dispatch")).then(|| read(text, language))
    }

    /// The condition with which the function itself is called.
    pub fn stays_base(&self) -> Option<String> {
        let conditions: Vec<String> = self.base_if.iter().map(|it| format!("({it})")).collect();
        (!conditions.is_empty()).then(|| conditions.join("||"))
    }
}

fn read(text: &str, language: Language) -> Result<Dispatch, Diagnostic> {
    let parser = Parser::new(Text { text, language });
    let text = parser.text;
    let end = text.span().end;
    let mut dispatch = Dispatch::default();
    let start = text.skip_blanks(0, end);
    let mut at = text.word(start, end).map_or(end, |word| word.end);
    loop {
        at = text.skip_blanks(at, end);
        if at < end && text.of(Span::new(at, at + 1)) == "," {
            at += 1;
            continue;
        }
        let Some(word) = text.word(at, end) else {
            return Ok(dispatch);
        };
        let group = parser.group_after(word.end, end);
        at = group.map_or(word.end, |group| group.end);
        let inside = group.map(|group| text.inside(group));
        let wrong = |message: &str, help: &str| {
            let message = Diagnostic::error(word, message.to_string());
            Err(message.help(help).openmp("7.6"))
        };
        let name = text.of(word);
        match (name, inside) {
            ("nowait", None) => {}
            ("device", Some(inside)) => {
                let words = text.colons(inside);
                let start = words.first().map_or(inside.start, |colon| colon + 1);
                let expression = Span::new(start, inside.end);
                dispatch.device = Some(text.of(expression).trim().to_string());
            }
            ("is_device_ptr" | "has_device_addr", Some(inside)) => {
                let items = text.split_commas(inside).into_iter();
                dispatch
                    .device_pointers
                    .extend(items.map(|it| text.of(it).to_string()));
            }
            ("novariants" | "nocontext", Some(inside)) => {
                dispatch.base_if.push(text.of(inside).to_string());
            }
            ("depend", Some(inside)) => {
                dispatch
                    .depends
                    .push(format!("depend({})", text.of(inside)));
            }
            (
                "device" | "is_device_ptr" | "has_device_addr" | "novariants" | "nocontext"
                | "depend",
                None,
            ) => {
                let message = format!("the clause `{name}` needs an argument in parentheses");
                return wrong(&message, "write what it is about");
            }
            _ => {
                let message = format!("`dispatch` does not take the clause `{name}`");
                let help = "it takes `device`, `is_device_ptr`, `has_device_addr`, `novariants`, `nocontext`, `depend` and `nowait`";
                return wrong(&message, help);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_read() {
        let text = "dispatch device(device_num: 1) is_device_ptr(p, q) novariants(n < 9), nocontext(m) depend(in: x) nowait";
        let read = Dispatch::read(text, Language::C).and_then(Result::ok);
        let read = read.unwrap_or_default();
        assert_eq!(read.device.as_deref(), Some("1"));
        assert_eq!(read.device_pointers, ["p", "q"]);
        assert_eq!(read.depends, ["depend(in: x)"]);
        assert_eq!(read.stays_base().as_deref(), Some("(n < 9)||(m)"));
        assert!(Dispatch::read("dispatcher", Language::C).is_none());
        assert!(Dispatch::read("dispatch if(n)", Language::C).is_some_and(|it| it.is_err()));
    }
}
