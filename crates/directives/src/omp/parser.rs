//! The text of an OpenMP directive to [`Directive`].
//!
//! Steps: brackets must match → directive name, leaf by leaf → clauses one after another → restrictions from [`super::table`].
//! A mistake in one clause does not hide mistakes in the next.

use super::declared::DeclaredReduction;
use super::hints::ErrorDirective;
use super::table::{self, Rule, Support};
use super::variant::FunctionVariant;
use super::{
    Clause, ClauseArgs, ClauseKind, Directive, DirectiveKind, Inside, Leaf, Mapper, section_like,
};
use crate::ast::Language;
use crate::parser::{Parser, balance_error};
use crate::scan::Text;
use crate::suggest::{list, nearest};
use crate::{Diagnostic, Span};

/// See [`super::parse`].
pub(super) fn parse(text: &str, language: Language) -> Result<Directive, Vec<Diagnostic>> {
    let text = Text { text, language };
    if let Err(unbalanced) = text.check_balance() {
        return Err(vec![in_openmp(balance_error(text, unbalanced))]);
    }
    let mut parser = Parser::new(text);
    let span = text.trim(text.span());
    let parsed = parser.omp_directive(span);
    let complete = !parser.has_errors();
    if let Some(directive) = &parsed {
        parser.omp_restrictions(directive, complete);
    }
    let failed = parser.has_errors();
    let found: Vec<Diagnostic> = parser.sorted().into_iter().map(in_openmp).collect();
    match parsed {
        Some(directive) if !failed => Ok(Directive {
            warnings: found,
            ..directive
        }),
        Some(_) | None => Err(found),
    }
}

/// A message of code that OpenACC's grammar shares names OpenMP's section.
fn in_openmp(message: Diagnostic) -> Diagnostic {
    message.in_openmp(section_like)
}

impl Parser<'_> {
    fn omp_directive(&mut self, span: Span) -> Option<Directive> {
        let (kind, kind_span) = self.omp_name(span)?;
        let clauses = match kind {
            DirectiveKind::Other | DirectiveKind::Inside(Inside::Cancel) => Vec::new(),
            DirectiveKind::Inside(Inside::Error) => {
                if let Some(Err(mistake)) = ErrorDirective::read(self.text.text) {
                    return self.fail(mistake);
                }
                Vec::new()
            }
            DirectiveKind::Inside(Inside::Flush | Inside::Critical) => {
                // The list of what is made visible: all of it is. Or the name of what is locked.
                let list = self.group_after(kind_span.end, span.end);
                let end = list.map_or(kind_span.end, |list| list.end);
                self.omp_clauses(&kind, Span::new(end, span.end))
            }
            DirectiveKind::Construct(_)
            | DirectiveKind::TargetData
            | DirectiveKind::TargetEnterData
            | DirectiveKind::TargetExitData
            | DirectiveKind::TargetUpdate
            | DirectiveKind::Atomic
            | DirectiveKind::Inside(_)
            | DirectiveKind::Requires => {
                self.omp_clauses(&kind, Span::new(kind_span.end, span.end))
            }
            DirectiveKind::DeclareMapper => {
                self.omp_declare_mapper(kind_span)?;
                Vec::new()
            }
            DirectiveKind::DeclareReduction => {
                let read = DeclaredReduction::read(self.text.text, self.text.language);
                if let Err(mistake) = read {
                    return self.fail(mistake);
                }
                Vec::new()
            }
            DirectiveKind::DeclareVariant => {
                // What it says is read where its function is called.
                if let Err(mistake) = FunctionVariant::read(self.text.text, self.text.language) {
                    return self.fail(mistake);
                }
                Vec::new()
            }
            DirectiveKind::DeclareTarget => self.omp_declare_target(&kind, kind_span, span.end),
        };
        let names_iterations = |clause: &Clause| {
            clause.kind == ClauseKind::Depend || clause.kind == ClauseKind::Doacross
        };
        let kind = match kind == DirectiveKind::Inside(Inside::Ordered)
            && clauses.iter().any(names_iterations)
        {
            true => DirectiveKind::Inside(Inside::Doacross),
            false => kind,
        };
        Some(Directive {
            kind,
            kind_span,
            clauses,
            span,
            warnings: Vec::new(),
        })
    }

    /// The longest name at the beginning of `span`.
    fn omp_name(&mut self, span: Span) -> Option<(DirectiveKind, Span)> {
        let Some(first) = self.text.word(span.start, span.end) else {
            return self.fail(
                Diagnostic::error(
                    Span::new(
                        span.start,
                        span.end.max(span.start + 1).min(self.text.text.len()),
                    ),
                    "a directive name is missing",
                )
                .openmp("3.1"),
            );
        };
        let named = [
            (
                &["target", "enter", "data"][..],
                DirectiveKind::TargetEnterData,
            ),
            (&["target", "exit", "data"], DirectiveKind::TargetExitData),
            (&["target", "update"], DirectiveKind::TargetUpdate),
            (&["target", "data"], DirectiveKind::TargetData),
            (&["atomic"], DirectiveKind::Atomic),
            (&["barrier"], DirectiveKind::Inside(Inside::Barrier)),
            (&["single"], DirectiveKind::Inside(Inside::Single)),
            (&["scope"], DirectiveKind::Inside(Inside::Scope)),
            (&["task"], DirectiveKind::Inside(Inside::Task)),
            (&["taskgroup"], DirectiveKind::Inside(Inside::Taskgroup)),
            (&["taskwait"], DirectiveKind::Inside(Inside::Taskwait)),
            (&["taskyield"], DirectiveKind::Inside(Inside::Taskyield)),
            (&["flush"], DirectiveKind::Inside(Inside::Flush)),
            (&["section"], DirectiveKind::Inside(Inside::Section)),
            (&["critical"], DirectiveKind::Inside(Inside::Critical)),
            (&["ordered"], DirectiveKind::Inside(Inside::Ordered)),
            (&["scan"], DirectiveKind::Inside(Inside::Scan)),
            (&["cancel"], DirectiveKind::Inside(Inside::Cancel)),
            (
                &["cancellation", "point"],
                DirectiveKind::Inside(Inside::Cancel),
            ),
            (&["nothing"], DirectiveKind::Inside(Inside::Nothing)),
            (&["error"], DirectiveKind::Inside(Inside::Error)),
            (&["requires"], DirectiveKind::Requires),
            (&["declare", "mapper"], DirectiveKind::DeclareMapper),
            (&["declare", "reduction"], DirectiveKind::DeclareReduction),
            (&["declare", "variant"], DirectiveKind::DeclareVariant),
            (&["declare", "target"], DirectiveKind::DeclareTarget),
            (
                &["begin", "declare", "target"],
                DirectiveKind::DeclareTarget,
            ),
            (&["end", "declare", "target"], DirectiveKind::DeclareTarget),
        ];
        for (words, kind) in named {
            if let Some(end) = self.omp_words(span, words) {
                return Some((kind, Span::new(span.start, end)));
            }
        }
        let (leaves, end) = self.omp_leaves(span);
        if leaves.is_empty() {
            return Some((DirectiveKind::Other, first));
        }
        Some((DirectiveKind::Construct(leaves), Span::new(span.start, end)))
    }

    /// The end of the words if `span` begins with them.
    fn omp_words(&self, span: Span, words: &[&str]) -> Option<usize> {
        let mut at = span.start;
        for word in words {
            let found = self
                .text
                .word(self.text.skip_blanks(at, span.end), span.end)?;
            if self.text.of(found) != *word {
                return None;
            }
            at = found.end;
        }
        Some(at)
    }

    /// The leaves of a combined construct, and where its name ends.
    fn omp_leaves(&self, span: Span) -> (Vec<Leaf>, usize) {
        let (mut leaves, mut end): (Vec<Leaf>, usize) = (Vec::new(), span.start);
        loop {
            let at = self.text.skip_blanks(end, span.end);
            let Some(word) = self.text.word(at, span.end) else {
                break;
            };
            let next = match leaves.last() {
                Some(last) => last.followed_by(),
                None => &Leaf::ALL,
            };
            // `distribute parallel` and no `for` behind it is no construct; the clauses' parser says so.
            let Some(leaf) = next.iter().find(|leaf| leaf.is_named(self.text.of(word))) else {
                break;
            };
            leaves.push(*leaf);
            end = word.end;
        }
        (leaves, end)
    }

    /// What it says is read where its name stands in a clause.
    fn omp_declare_mapper(&mut self, name: Span) -> Option<()> {
        let mapper = Mapper::read(self.text.text, self.text.language);
        let (message, help) = match mapper {
            Some(mapper) if mapper.name != "default" => return Some(()),
            Some(_) => (
                "a mapper for all objects of a type is not supported yet",
                "give it a name, and write `mapper(name)` in the clauses that it is for",
            ),
            None => (
                "this is not how a mapper is declared",
                "write `declare mapper(name: type variable)` and `map` clauses with its members",
            ),
        };
        self.fail(Diagnostic::error(name, message).help(help).openmp("5.8.8"))
    }

    /// What follows `declare target`: a list in parentheses, which is that of `enter`, or clauses.
    fn omp_declare_target(&mut self, kind: &DirectiveKind, name: Span, end: usize) -> Vec<Clause> {
        let Some(group) = self.group_after(name.end, end) else {
            return self.omp_clauses(kind, Span::new(name.end, end));
        };
        let args = self.omp_args(kind, ClauseKind::Enter, name, Some(group));
        let listed = args.map(|args| Clause {
            kind: ClauseKind::Enter,
            name_span: name,
            args,
            span: group,
        });
        let more = self.omp_clauses(kind, Span::new(group.end, end));
        listed.into_iter().chain(more).collect()
    }

    fn omp_clauses(&mut self, directive: &DirectiveKind, span: Span) -> Vec<Clause> {
        let mut clauses = Vec::new();
        let mut at = self.text.skip_blanks(span.start, span.end);
        while at < span.end {
            if self.text.text.as_bytes().get(at) == Some(&b',') {
                at = self.text.skip_blanks(at + 1, span.end);
                continue;
            }
            let Some(name) = self.text.word(at, span.end) else {
                at = self.not_a_clause(at, span.end);
                continue;
            };
            let group = self.group_after(name.end, span.end);
            let end = group.map_or(name.end, |group| group.end);
            at = self.text.skip_blanks(end, span.end);
            let Some(kind) = self.omp_clause_kind(directive, name) else {
                continue;
            };
            let Some(args) = self.omp_args(directive, kind, name, group) else {
                continue;
            };
            clauses.push(Clause {
                kind,
                name_span: name,
                args,
                span: Span::new(name.start, end),
            });
        }
        clauses
    }

    fn omp_clause_kind(&mut self, directive: &DirectiveKind, name: Span) -> Option<ClauseKind> {
        let word = self.text.of(name);
        let legal: Vec<ClauseKind> = table::clauses_of(directive).collect();
        // Of version 6.0: the host's object is none of those that devices have, and nothing copies between them.
        if word == "local" && *directive == DirectiveKind::DeclareTarget {
            return Some(ClauseKind::Enter);
        }
        if let Some(kind) = legal.iter().copied().find(|kind| kind.name() == word) {
            return Some(kind);
        }
        let error = match ClauseKind::ALL.iter().any(|kind| kind.name() == word) {
            true => format!("`{}` does not take the clause `{word}`", directive.name()),
            false => format!("`{word}` is not a clause of `{}`", directive.name()),
        };
        let error = Diagnostic::error(name, error).openmp(directive.section());
        let names: Vec<&str> = legal.iter().map(|kind| kind.name()).collect();
        let nested = Leaf::ALL.iter().any(|leaf| leaf.name() == word);
        self.fail(match nearest(word, names.iter().copied()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None if nested => error.help(format!(
                "write `{word}` as a directive of its own inside of the construct"
            )),
            None => error.help(format!("it takes {}", list(names, "and"))),
        })
    }

    /// The construct that a clause names, in `if(target: …)`.
    fn modifier_of(&self, clause: &Clause) -> Option<&str> {
        match &clause.args {
            ClauseArgs::Modified { modifier, .. } => Some(self.text.of(*modifier)),
            _ => None,
        }
    }

    /// What needs no knowledge of the program. `complete`: no clause was dropped because of a mistake in it.
    fn omp_restrictions(&mut self, directive: &Directive, complete: bool) {
        for (index, clause) in directive.clauses.iter().enumerate() {
            let before = directive.clauses.iter().take(index);
            // Constructs in one directive have an `if` each.
            let is_if = clause.kind == ClauseKind::If;
            let mut same = before.filter(|other| {
                let named = (self.modifier_of(other), self.modifier_of(clause));
                let for_others = matches!(named, (Some(one), Some(other)) if one != other);
                other.kind == clause.kind && !(is_if && for_others)
            });
            let once = is_if || table::rule(&directive.kind, clause.kind) == Rule::Once;
            let name = clause.kind.name();
            if let Some(first) = same.next().filter(|_| once) {
                self.report(
                    Diagnostic::error(
                        clause.span,
                        format!("`{name}` stands twice on `{}`", directive.kind.name()),
                    )
                    .related(first.span, "the first time")
                    .openmp(clause.kind.section()),
                );
            }
            if let Support::Missing(help) = table::support(clause.kind) {
                self.report(
                    Diagnostic::error(
                        clause.span,
                        format!("the clause `{name}` is not supported yet"),
                    )
                    .help(help)
                    .openmp(clause.kind.section()),
                );
            }
        }
        let required = table::required(&directive.kind);
        if complete && !required.is_empty() && !required.iter().any(|kind| directive.has(*kind)) {
            let names = required.iter().map(|kind| kind.name());
            self.report(
                Diagnostic::error(
                    directive.kind_span,
                    format!("`{}` needs {}", directive.kind.name(), list(names, "or")),
                )
                .openmp(directive.kind.section()),
            );
        }
        let leaves = directive.kind.leaves();
        if leaves.starts_with(&[Leaf::Target]) && leaves.ends_with(&[Leaf::Sections]) {
            self.report(
                Diagnostic::error(
                    directive.kind_span,
                    "`target parallel sections` is no construct",
                )
                .help("put `parallel sections` into a `target`")
                .openmp("17"),
            );
        }
        if directive
            .kind
            .leaves()
            .ends_with(&[Leaf::Distribute, Leaf::Parallel])
        {
            self.report(
                Diagnostic::error(
                    directive.kind_span,
                    "`distribute parallel` is no construct without `for`",
                )
                .help("write `distribute parallel for`")
                .openmp("17"),
            );
        }
    }
}
