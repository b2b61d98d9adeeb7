//! The directive `interop` (OpenMP 5.2, section 14.1).
//!
//! ```text
//! interop init(prefer_type("cuda"), targetsync: obj) device(1) depend(in: x) nowait
//! ```

use crate::ast::Language;
use crate::parser::Parser;
use crate::scan::Text;
use crate::{Diagnostic, Span};

/// What the directive says.
#[derive(Debug, Default)]
pub struct Interop {
    /// The objects that it makes or destroys.
    pub objects: Vec<String>,
    /// The number of the device.
    pub device: Option<String>,
    /// Its `depend` clauses.
    pub depends: Vec<String>,
}

impl Interop {
    /// Reads the directive's text, if it is one.
    pub fn read(text: &str, language: Language) -> Option<Result<Interop, Diagnostic>> {
        (super::first_word(text) == Some("interop")).then(|| read(text, language))
    }
}

fn read(text: &str, language: Language) -> Result<Interop, Diagnostic> {
    let parser = Parser::new(Text { text, language });
    let text = parser.text;
    let end = text.span().end;
    let mut interop = Interop::default();
    let start = text.skip_blanks(0, end);
    let name = text.word(start, end).unwrap_or_else(|| text.span());
    let (mut at, mut does) = (name.end, false);
    loop {
        at = text.skip_blanks(at, end);
        if at < end && text.of(Span::new(at, at + 1)) == "," {
            at += 1;
            continue;
        }
        let Some(word) = text.word(at, end) else {
            break;
        };
        let group = parser.group_after(word.end, end);
        at = group.map_or(word.end, |group| group.end);
        let inside = group.map(|group| text.inside(group));
        let wrong = |message: String, help: &str| {
            Err(Diagnostic::error(word, message).help(help).openmp("14.1"))
        };
        let clause = text.of(word);
        match (clause, inside) {
            ("nowait", _) => {}
            ("device", Some(inside)) => interop.device = Some(text.of(inside).to_string()),
            ("use", Some(_)) => does = true,
            ("init", Some(inside)) => {
                let Some(colon) = text.colons(inside).last().copied() else {
                    let message = "`init` says what the object is for".to_string();
                    return wrong(message, "write `init(targetsync: object)`");
                };
                let object = text.trim(Span::new(colon + 1, inside.end));
                interop.objects.push(text.of(object).to_string());
                does = true;
            }
            ("destroy", Some(inside)) => {
                interop.objects.push(text.of(inside).to_string());
                does = true;
            }
            ("depend", Some(inside)) => {
                interop.depends.push(format!("depend({})", text.of(inside)))
            }
            ("device" | "use" | "init" | "destroy" | "depend", None) => {
                let message = format!("the clause `{clause}` needs an argument in parentheses");
                return wrong(message, "write what it is about");
            }
            _ => {
                let message = format!("`interop` does not take the clause `{clause}`");
                return wrong(
                    message,
                    "it takes `init`, `use`, `destroy`, `device`, `depend` and `nowait`",
                );
            }
        }
    }
    match does {
        true => Ok(interop),
        false => Err(
            Diagnostic::error(name, "`interop` needs `init`, `use` or `destroy`").openmp("14.1"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_read() {
        let of = |text| Interop::read(text, Language::C).and_then(Result::ok);
        let read = of(
            "interop init(prefer_type(\"cuda\"), targetsync: o[1]) destroy(p) depend(in: x) device(1)",
        );
        let read = read.unwrap_or_default();
        assert_eq!(read.objects, ["o[1]", "p"]);
        assert_eq!(read.depends, ["depend(in: x)"]);
        for wrong in ["interop nowait", "interop init(o)", "interop free(o)"] {
            assert!(of(wrong).is_none(), "{wrong}");
        }
    }
}
