//! The clauses of a directive: their names, whether the directive takes them, and their device types.

use super::Parser;
use crate::Diagnostic;
use crate::Language;
use crate::Span;
use crate::ast::{AtomicKind, Clause, ClauseArgs, ClauseKind, DeviceScope, DirectiveKind};
use crate::scan::{Piece, Text, piece_span};
use crate::suggest::{list, nearest};
use crate::table;

/// What users of OpenMP write by habit, and what OpenACC has for it.
const OPENMP_WORDS: [(&str, &str); 8] = [
    ("for", "`loop`"),
    ("do", "`loop`"),
    ("map", "`copy`, `copyin`, `copyout` and `create`"),
    ("shared", "`copy`"),
    ("nowait", "`async`"),
    ("num_teams", "`num_gangs`"),
    ("num_threads", "`num_workers`"),
    ("simd", "`vector`"),
];

impl Parser<'_> {
    /// Blank- or comma-separated clauses.
    pub(super) fn clauses(&mut self, directive: DirectiveKind, span: Span) -> Vec<Clause> {
        let mut clauses = Vec::new();
        let mut devices = DeviceScope::All;
        // A comma may separate two clauses; this is the comma that still needs its second one.
        let mut comma: Option<usize> = None;
        let mut may_have_comma = false;
        let first = self.text.skip_blanks(span.start, span.end);
        let mut at = first;
        while at < span.end {
            if self.text.text.as_bytes().get(at) == Some(&b',') {
                if !may_have_comma && clauses.is_empty() && comma.is_none() && at == first {
                    self.report(
                        Diagnostic::warning(
                            Span::new(at, at + 1),
                            "OpenACC has no comma between a directive and its first clause",
                        )
                        .help("leave it out")
                        .section("2.1"),
                    );
                } else if !may_have_comma {
                    self.report(
                        Diagnostic::error(
                            Span::new(at, at + 1),
                            "a clause is missing before this comma",
                        )
                        .section("2.1"),
                    );
                }
                comma = Some(at);
                may_have_comma = false;
                at = self.text.skip_blanks(at + 1, span.end);
                continue;
            }
            let Some(name) = self.text.word(at, span.end) else {
                at = self.not_a_clause(at, span.end);
                continue;
            };
            comma = None;
            may_have_comma = true;
            let group = self.group_after(name.end, span.end);
            at = self
                .text
                .skip_blanks(group.map_or(name.end, |group| group.end), span.end);
            let Some(kind) = self.clause_kind(directive, name, &clauses) else {
                continue;
            };
            let Some((modifiers, args)) = self.clause_args(directive, kind, name, group) else {
                continue;
            };
            if let (ClauseArgs::Devices(listed), true) =
                (&args, table::device_type_scopes(directive))
            {
                devices = DeviceScope::Listed(listed.clone());
            }
            let span = Span::new(name.start, group.map_or(name.end, |group| group.end));
            clauses.push(Clause {
                kind,
                name_span: name,
                modifiers,
                args,
                devices: devices.clone(),
                span,
            });
        }
        if let Some(comma) = comma {
            let place = Span::new(comma, comma + 1);
            self.report(
                Diagnostic::error(place, "a clause is missing after this comma").section("2.1"),
            );
        }
        clauses
    }

    /// The parentheses that belong to a clause name that ends at `at`.
    pub(crate) fn group_after(&self, at: usize, end: usize) -> Option<Span> {
        let open = self.text.skip_blanks(at, end);
        match self.text.piece(open, end) {
            Ok(Piece::Group(group)) if open < end && self.text.of(group).starts_with('(') => {
                Some(group)
            }
            Ok(_) | Err(_) => None,
        }
    }

    /// Reports what is no clause and returns where the next one may begin.
    pub(crate) fn not_a_clause(&mut self, start: usize, end: usize) -> usize {
        let mut at = start;
        let mut last = start;
        while at < end {
            let begins_clause = at > start && self.text.word(at, end).is_some();
            match self.text.piece(at, end) {
                Ok(Piece::Byte(_, b',')) | Err(_) => break,
                Ok(_) if begins_clause => break,
                Ok(piece @ (Piece::Byte(..) | Piece::Group(_) | Piece::Literal(_))) => {
                    at = piece_span(piece).end;
                    last = at;
                }
                Ok(Piece::Blank(blank)) => at = blank.end,
            }
        }
        self.report(
            Diagnostic::error(Span::new(start, last), "a clause name is expected here")
                .section("2.1"),
        );
        at.max(start + 1)
    }

    /// The kind of the clause called `name`; reports a name that is no clause of the directive.
    fn clause_kind(
        &mut self,
        directive: DirectiveKind,
        name: Span,
        before: &[Clause],
    ) -> Option<ClauseKind> {
        let word = self.text.of(name);
        let language = self.text.language;
        let is_spelled = |kind: &ClauseKind| {
            kind.spellings()
                .iter()
                .any(|spelling| language.is_keyword(word, spelling))
        };
        let legal: Vec<ClauseKind> = table::clauses_of(directive).collect();
        if let Some(kind) = legal.iter().copied().find(is_spelled) {
            return Some(kind);
        }
        let elsewhere: Vec<ClauseKind> = ClauseKind::ALL.into_iter().filter(is_spelled).collect();
        let directive_name = directive.name();
        if self.is_tolerated(directive, name, before) {
            return None;
        }
        if elsewhere.is_empty() {
            let error = self.unknown_clause(directive, name, &legal);
            return self.fail(error);
        }
        let mut error = Diagnostic::error(
            name,
            format!("`{directive_name}` does not take the clause `{word}`"),
        )
        .section(directive.section());
        let takers: Vec<&str> = elsewhere
            .iter()
            .flat_map(|kind| table::directives_with(*kind))
            .map(|kind| kind.name())
            .collect();
        error = if legal.is_empty() {
            error.help(format!("`{directive_name}` takes no clauses"))
        } else {
            error.help(format!("it is a clause of {}", list(takers, "and")))
        };
        // `loop collapse (2) …` on the line of a construct that is not combined is the usual cause.
        let loop_clause = elsewhere
            .iter()
            .any(|kind| table::rule(DirectiveKind::Loop, *kind).allows());
        if loop_clause && directive.is_compute() && before.is_empty() {
            error = error.note(format!(
                "for a loop, write `{directive_name} loop` or a `loop` directive inside"
            ));
        }
        self.fail(error)
    }

    /// Words that other compilers accept and that say nothing that the compiler does not find out: with a warning, they have no effect.
    fn is_tolerated(&mut self, directive: DirectiveKind, name: Span, before: &[Clause]) -> bool {
        let word = self.text.of(name);
        let c = self.text.language != Language::Fortran;
        let warning = if c && word == "for" && directive.is_loop() && before.is_empty() {
            Diagnostic::warning(name, "`for` is a word of OpenMP, and has no effect here")
                .help("leave it out")
        } else if directive == DirectiveKind::Kernels && matches!(word, "private" | "reduction") {
            Diagnostic::warning(
                name,
                format!("`kernels` does not take the clause `{word}`, which has no effect here"),
            )
            .note("scalars of iterations and reductions are found in the loops of `kernels`")
            .help("write it on the loop that it is for")
        } else {
            return false;
        };
        self.report(warning.section(directive.section()));
        true
    }

    /// A word that is no clause at all.
    fn unknown_clause(
        &self,
        directive: DirectiveKind,
        name: Span,
        legal: &[ClauseKind],
    ) -> Diagnostic {
        let word = self.text.of(name);
        let directive_name = directive.name();
        let spellings = |kinds: &[ClauseKind]| -> Vec<&'static str> {
            kinds
                .iter()
                .flat_map(|kind| kind.spellings())
                .copied()
                .collect()
        };
        let mut here = spellings(legal);
        if directive == DirectiveKind::Atomic {
            here.extend(AtomicKind::ALL.iter().map(|kind| kind.name()));
        }
        let error = Diagnostic::error(name, format!("`{word}` is not a clause of OpenACC"))
            .section(directive.section());
        if let Some((_, ours)) = OPENMP_WORDS.iter().find(|(openmp, _)| *openmp == word) {
            return error.help(format!("`{word}` is a word of OpenMP; OpenACC has {ours}"));
        }
        if let Some(near) = nearest(word, here.iter().copied()) {
            return error.help(format!("did you mean `{near}`?"));
        }
        if let Some(other) = nearest(word, spellings(&ClauseKind::ALL)) {
            return error.help(format!(
                "there is a clause `{other}`, but `{directive_name}` does not take it"
            ));
        }
        if here.is_empty() {
            return error.note(format!("`{directive_name}` takes no clauses"));
        }
        let mut usual: Vec<&str> = legal.iter().map(|kind| kind.name()).collect();
        usual.extend(
            here.iter()
                .filter(|_| directive == DirectiveKind::Atomic)
                .copied(),
        );
        usual.dedup();
        error.note(format!("`{directive_name}` takes {}", list(usual, "and")))
    }
}

/// The words of the outermost level of a directive, each with the parentheses behind it.
pub(crate) fn words(text: Text<'_>) -> Vec<(Span, Option<Span>)> {
    let parser = Parser::new(text);
    let end = text.span().end;
    let (mut found, mut at) = (Vec::new(), 0);
    while at < end {
        at = text.skip_blanks(at, end);
        let Some(word) = text.word(at, end) else {
            at += 1;
            continue;
        };
        let group = parser.group_after(word.end, end);
        at = group.map_or(word.end, |group| group.end);
        found.push((word, group));
    }
    found
}
