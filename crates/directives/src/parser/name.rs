//! The name of a directive and what stands between it and the clauses.

use super::Parser;
use crate::Diagnostic;
use crate::Span;
use crate::ast::{AtomicKind, ClauseKind, DirectiveArgs, DirectiveKind, Language};
use crate::scan::{Piece, is_word_byte};
use crate::suggest::{list, nearest};

impl Parser<'_> {
    /// The longest directive name at the beginning of `span`.
    pub(super) fn directive_name(&mut self, span: Span) -> Option<(DirectiveKind, Span)> {
        let fortran = self.text.language == Language::Fortran;
        let longest = DirectiveKind::ALL
            .into_iter()
            .filter_map(|kind| Some((kind, self.name_end(kind, span)?)))
            .max_by_key(|(_, end)| *end);
        match longest {
            Some((kind, end)) if fortran || !kind.is_end() => {
                Some((kind, Span::new(span.start, end)))
            }
            Some((kind, end)) => self.fail(
                Diagnostic::error(
                    Span::new(span.start, end),
                    format!("`{}` is a directive of Fortran only", kind.name()),
                )
                .help(
                    "in C and C++ the construct ends with its statement or block; remove this line",
                )
                .section(kind.section()),
            ),
            None => {
                let error = self.unknown_directive(span);
                self.fail(error)
            }
        }
    }

    /// The end of the name of `kind` if `span` begins with it. Fortran may leave out the blanks (`enddata`).
    fn name_end(&self, kind: DirectiveKind, span: Span) -> Option<usize> {
        let language = self.text.language;
        let mut at = span.start;
        for (index, word) in kind.name().split(' ').enumerate() {
            if index > 0 {
                let next = self.text.skip_blanks(at, span.end);
                if next == at && language != Language::Fortran {
                    return None;
                }
                at = next;
            }
            let end = at + word.len();
            if end > span.end || !language.is_keyword(self.text.of(Span::new(at, end)), word) {
                return None;
            }
            at = end;
        }
        let goes_on = at < span.end
            && self
                .text
                .text
                .as_bytes()
                .get(at)
                .copied()
                .is_some_and(is_word_byte);
        (!goes_on).then_some(at)
    }

    fn unknown_directive(&self, span: Span) -> Diagnostic {
        let Some(first) = self.text.word(span.start, span.end) else {
            let place = if span.is_empty() {
                Span::new(0, span.end)
            } else {
                Span::new(span.start, span.start + 1)
            };
            return Diagnostic::error(place, "a directive name is missing").section("2.1");
        };
        let fortran = self.text.language == Language::Fortran;
        let names: Vec<&str> = DirectiveKind::ALL
            .into_iter()
            .filter(|kind| fortran || !kind.is_end())
            .map(DirectiveKind::name)
            .collect();
        let word = self.text.of(first);
        let lower = word.to_ascii_lowercase();
        let error = Diagnostic::error(first, format!("`{word}` is not a directive of OpenACC"))
            .section("2.1");
        // `Parallel`, `enter`, `paralel loop`, `paralel`, `gang`, in this order.
        let same = names.iter().copied().find(|name| *name == lower);
        let begun: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| {
                name.strip_prefix(&lower)
                    .is_some_and(|rest| rest.starts_with(' '))
            })
            .collect();
        let second = self
            .text
            .word(self.text.skip_blanks(first.end, span.end), span.end);
        let both = second.map(|second| format!("{word} {}", self.text.of(second)));
        let near_both = both
            .as_deref()
            .and_then(|both| nearest(both, names.iter().copied()));
        let is_clause = ClauseKind::ALL
            .iter()
            .any(|kind| kind.spellings().contains(&lower.as_str()));
        if let Some(name) = same.or(near_both) {
            error.help(format!("did you mean `{name}`?"))
        } else if !begun.is_empty() {
            error.help(format!("did you mean {}?", list(begun, "or")))
        } else if let Some(name) = nearest(word, names.iter().copied()) {
            error.help(format!("did you mean `{name}`?"))
        } else if is_clause {
            error.help(format!(
                "`{word}` is a clause; the name of a directive must stand before it"
            ))
        } else {
            error.help(format!("the directives are {}", list(names, "and")))
        }
    }

    /// The argument of the directive, and what is left for the clauses. No argument is returned if there is a mistake
    /// in it, so that the mistake is not reported twice.
    pub(super) fn directive_args(
        &mut self,
        kind: DirectiveKind,
        rest: Span,
    ) -> (Option<DirectiveArgs>, Span) {
        let at = self.text.skip_blanks(rest.start, rest.end);
        let group = match self.text.piece(at, rest.end) {
            Ok(Piece::Group(group)) if at < rest.end && self.text.of(group).starts_with('(') => {
                Some(group)
            }
            Ok(_) | Err(_) => None,
        };
        let after = |group: Option<Span>| Span::new(group.map_or(at, |group| group.end), rest.end);
        match kind {
            DirectiveKind::Wait => {
                let args = match group {
                    Some(group) => self.wait_args(group).map(DirectiveArgs::Wait),
                    None => Some(DirectiveArgs::None),
                };
                (args, after(group))
            }
            DirectiveKind::Cache => {
                let args = match group {
                    Some(group) => self.cache_args(group),
                    None => self.fail(
                        Diagnostic::error(
                            Span::new(rest.start, rest.start),
                            "`cache` needs variables in parentheses",
                        )
                        .help("write `cache(a[lower:length])`")
                        .section("2.10"),
                    ),
                };
                (args, after(group))
            }
            DirectiveKind::Routine => {
                let args = match group {
                    Some(group) => self.routine_name(group),
                    None => Some(DirectiveArgs::None),
                };
                (args, after(group))
            }
            DirectiveKind::Atomic => {
                let word = self.text.word(at, rest.end);
                let kind = AtomicKind::ALL.into_iter().find(|kind| {
                    word.is_some_and(|word| {
                        self.text
                            .language
                            .is_keyword(self.text.of(word), kind.name())
                    })
                });
                let span = word.filter(|_| kind.is_some());
                let args = DirectiveArgs::Atomic {
                    kind: kind.unwrap_or(AtomicKind::Update),
                    span,
                };
                (Some(args), after(span))
            }
            DirectiveKind::Parallel
            | DirectiveKind::Serial
            | DirectiveKind::Kernels
            | DirectiveKind::ParallelLoop
            | DirectiveKind::SerialLoop
            | DirectiveKind::KernelsLoop
            | DirectiveKind::Data
            | DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::HostData
            | DirectiveKind::Loop
            | DirectiveKind::Declare
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set
            | DirectiveKind::Update
            | DirectiveKind::EndParallel
            | DirectiveKind::EndSerial
            | DirectiveKind::EndKernels
            | DirectiveKind::EndLoop
            | DirectiveKind::EndParallelLoop
            | DirectiveKind::EndSerialLoop
            | DirectiveKind::EndKernelsLoop
            | DirectiveKind::EndData
            | DirectiveKind::EndHostData
            | DirectiveKind::EndAtomic => (Some(DirectiveArgs::None), after(None)),
        }
    }

    fn cache_args(&mut self, group: Span) -> Option<DirectiveArgs> {
        let inside = self.text.inside(group);
        let (readonly, list) = match self.text.keyword_colon(inside) {
            Some((word, list))
                if self
                    .text
                    .language
                    .is_keyword(self.text.of(word), "readonly") =>
            {
                (Some(word), list)
            }
            Some((word, _)) => {
                return self.fail(
                    Diagnostic::error(
                        word,
                        format!("`{}` is not a modifier of `cache`", self.text.of(word)),
                    )
                    .help("its only modifier is `readonly`")
                    .section("2.10"),
                );
            }
            None => (None, inside),
        };
        let vars = self.vars(list, group, "`cache`", "2.10")?;
        Some(DirectiveArgs::Cache { readonly, vars })
    }

    fn routine_name(&mut self, group: Span) -> Option<DirectiveArgs> {
        let name = self.text.inside(group);
        let is_name = !name.is_empty() && self.is_qualified_name(name);
        if is_name {
            Some(DirectiveArgs::Routine { name })
        } else {
            let place = if name.is_empty() { group } else { name };
            self.fail(
                Diagnostic::error(
                    place,
                    "`routine` takes the name of one procedure in its parentheses",
                )
                .help("write one `routine` directive for each procedure")
                .section("2.15.1"),
            )
        }
    }

    /// `f`, in C++ also `ns::f`, `::f` and `f<int>`.
    pub(super) fn is_qualified_name(&self, span: Span) -> bool {
        let text = self.text.of(span);
        let bytes = text.as_bytes();
        let first_is_letter = |text: &str| {
            text.bytes()
                .next()
                .is_some_and(|byte| is_word_byte(byte) && !byte.is_ascii_digit())
        };
        match self.text.language {
            Language::C | Language::Fortran => {
                first_is_letter(text) && bytes.iter().copied().all(is_word_byte)
            }
            Language::Cxx => {
                first_is_letter(text.trim_start_matches("::"))
                    && bytes
                        .iter()
                        .all(|byte| is_word_byte(*byte) || b":<>, *&()[]".contains(byte))
            }
        }
    }
}
