//! `declare variant` (OpenMP 5.2, section 7.5): a function that is called in the place of another where a context selector holds.
//!
//! ```text
//! declare variant(fast) match(construct={target}, device={kind(gpu)})        of the function that is declared next
//! declare variant(f: fast) match(…)                                          of f
//! ```

use super::selectors::{self, Construct, Matched, Place};
use crate::parser::Parser;
use crate::scan::Text;
use crate::{Diagnostic, Language, Span};

/// What the directive says.
pub struct FunctionVariant {
    /// The function that it is about, if it names it.
    pub base: Option<Span>,
    /// The function that is called.
    pub name: Span,
    /// Where.
    selectors: Span,
    /// Parameters that the variant gets as pointers to memory of the device.
    pub device_pointers: Vec<Span>,
    /// How many objects for foreign runtimes are added to the arguments.
    pub appended: usize,
}

impl FunctionVariant {
    /// Reads the directive's text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str, language: Language) -> Result<FunctionVariant, Diagnostic> {
        let parser = Parser::new(Text { text, language });
        let text = parser.text;
        let end = text.span().end;
        let mut at = 0;
        for _ in ["declare", "variant"] {
            let start = text.skip_blanks(at, end);
            at = text.word(start, end).map_or(end, |word| word.end);
        }
        let wrong = |span: Span, message: &str| {
            Diagnostic::error(span, message.to_string())
                .help("write `declare variant(function) match(selectors)`")
                .openmp("7.5")
        };
        let Some(group) = parser.group_after(at, end) else {
            let name = text.trim(text.span());
            return Err(wrong(
                name,
                "`declare variant` needs the name of a function",
            ));
        };
        let inside = text.inside(group);
        let (base, name) = match text.colons(inside).first() {
            Some(&colon) => (
                Some(text.trim(Span::new(inside.start, colon))),
                text.trim(Span::new(colon + 1, inside.end)),
            ),
            None => (None, inside),
        };
        let (mut selectors, mut adjust, mut append) = (None, None, None);
        let mut appended = 0;
        let mut device_pointers = Vec::new();
        let mut at = text.skip_blanks(group.end, end);
        while let Some(word) = text.word(at, end) {
            let list = parser.group_after(word.end, end);
            at = text.skip_blanks(list.map_or(word.end, |list| list.end), end);
            if at < end && text.of(Span::new(at, at + 1)) == "," {
                at = text.skip_blanks(at + 1, end);
            }
            match text.of(word) {
                "match" => selectors = list.map(|list| text.inside(list)),
                "adjust_args" => {
                    adjust = Some(word);
                    let inside = list.map(|list| text.inside(list));
                    let inside = inside.unwrap_or(Span::new(word.end, word.end));
                    let colon = text.colons(inside).first().copied().unwrap_or(inside.start);
                    let items = Span::new(inside.end.min(colon + 1), inside.end);
                    match text.of(Span::new(inside.start, colon)).trim() {
                        "need_device_ptr" => device_pointers.extend(text.split_commas(items)),
                        "nothing" => {}
                        other => {
                            let message = format!("`{other}` is nothing that `adjust_args` can do");
                            return Err(wrong(word, &message)
                                .help("it is `need_device_ptr` or `nothing`, and a colon"));
                        }
                    }
                }
                "append_args" => {
                    append = Some(word);
                    let items = list.map(|list| text.split_commas(text.inside(list)));
                    let items = items.unwrap_or_default();
                    let is_known = |item: &Span| {
                        let name = text.word(item.start, item.end);
                        name.is_some_and(|name| text.of(name) == "interop")
                    };
                    if items.is_empty() || !items.iter().all(is_known) {
                        let message = "`append_args` adds objects of `interop`";
                        return Err(wrong(word, message).help("write `interop(targetsync)`"));
                    }
                    appended = items.len();
                }
                other => {
                    let message = format!("`declare variant` does not take the clause `{other}`");
                    return Err(wrong(word, &message));
                }
            }
        }
        let Some(selectors) = selectors else {
            return Err(wrong(group, "`declare variant` needs a clause `match`"));
        };
        let constructs = selectors::constructs(text, selectors);
        if let Some(word) = adjust.or(append)
            && !constructs.contains(&Construct::Dispatch)
        {
            let message = format!("`{}` is for variants for `dispatch`", text.of(word));
            return Err(wrong(word, &message).help("add `construct={dispatch}` to `match`"));
        }
        Ok(FunctionVariant {
            base,
            name,
            selectors,
            device_pointers,
            appended,
        })
    }

    /// What its selectors say of a call, if they hold there.
    ///
    /// # Errors
    /// What cannot be said.
    pub fn matched(
        &self,
        text: &str,
        language: Language,
        place: &Place<'_>,
    ) -> Result<Option<Matched>, Diagnostic> {
        let text = Text { text, language };
        selectors::matched(text, self.selectors, place)
    }

    /// The constructs of its selectors.
    pub fn constructs(&self, text: &str, language: Language) -> Vec<Construct> {
        selectors::constructs(Text { text, language }, self.selectors)
    }
}

/// Whether the directive is one.
pub fn is_one(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == '(');
    let mut next = || words.find(|word| !word.is_empty());
    (next(), next()) == (Some("declare"), Some("variant"))
}

/// What follows the words of a `begin declare variant`, if the directive is one.
pub fn begin(text: &str) -> Option<&str> {
    behind(text, &["begin", "declare", "variant"])
}

/// Whether the directive ends such a pair.
pub fn is_end(text: &str) -> bool {
    behind(text, &["end", "declare", "variant"]).is_some()
}

fn behind<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    let mut rest = text.trim();
    for word in words {
        rest = rest.strip_prefix(word)?;
        let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        if !rest.is_empty() && !rest.starts_with(ends) {
            return None;
        }
        rest = rest.trim_start();
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_told_from_others() {
        assert!(is_one("declare variant(f) match(device={kind(gpu)})"));
        assert!(is_one(" declare  variant (f)"));
        assert!(!is_one("declare variants(f)"));
        assert!(!is_one("begin declare variant match(x)"));
        assert_eq!(begin("begin declare variant match(x)"), Some("match(x)"));
        assert_eq!(begin("begin declare variants match(x)"), None);
        assert!(is_end("end declare  variant"));
        assert!(!is_end("end declare target"));
    }

    #[test]
    fn the_function_may_be_named() {
        let text = "declare variant(f: g) match(construct={target, simd})";
        let read = FunctionVariant::read(text, Language::C).ok();
        let base = read.as_ref().and_then(|read| read.base);
        assert_eq!(base.map(|base| base.of(text)), Some("f"));
        assert_eq!(read.as_ref().map(|read| read.name.of(text)), Some("g"));
        let constructs = read.map(|read| read.constructs(text, Language::C));
        assert_eq!(constructs, Some(vec![Construct::Target, Construct::Simd]));
    }
}
