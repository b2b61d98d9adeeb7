//! What stands in the parentheses of data clauses and of `reduction`: modifiers or an operator, and variables.

use super::Parser;
use crate::Diagnostic;
use crate::Span;
use crate::ast::{
    ClauseArgs, ClauseKind, DirectiveKind, Language, Modifier, ModifierKind, ReductionOperator,
    Subscript, Var,
};
use crate::suggest::{list, nearest};
use crate::table;

impl Parser<'_> {
    /// `[modifier, … :] var, …`
    pub(super) fn data_args(
        &mut self,
        directive: DirectiveKind,
        kind: ClauseKind,
        name: Span,
        group: Span,
    ) -> Option<(Vec<Modifier>, ClauseArgs)> {
        let inside = self.text.inside(group);
        let mut modifiers = Some(Vec::new());
        let mut vars = inside;
        if let Some(colon) = self.text.colons(inside).first().copied() {
            vars = self.text.trim(Span::new(colon + 1, inside.end));
            let words = self.text.split_commas(Span::new(inside.start, colon));
            modifiers = words
                .into_iter()
                .map(|word| self.modifier(directive, kind, word, colon))
                .collect();
        }
        let of = format!("`{}`", self.text.of(name));
        let vars = self.vars(vars, group, &of, kind.section());
        let vars = match kind {
            ClauseKind::Attach | ClauseKind::Detach if self.text.language != Language::Fortran => {
                self.pointers(vars?, &of, kind.section())
            }
            _ => vars,
        };
        Some((modifiers?, ClauseArgs::Vars(vars?)))
    }

    /// `attach(a[i])`: the pointer is the element. What is behind the pointer has no section here: it is present.
    fn pointers(&mut self, vars: Vec<Var>, of: &str, section: &'static str) -> Option<Vec<Var>> {
        vars.into_iter()
            .map(|var| {
                let element = |subscript: &Subscript| matches!(subscript, Subscript::Index(_));
                if !var.subscripts.iter().all(element) {
                    let pointer = self.text.of(var.base);
                    return self.fail(
                        Diagnostic::error(var.span, format!("{of} takes pointers, no sections"))
                            .help(format!(
                                "name the pointer alone, `{pointer}`, or a pointer that is an element, `{pointer}[i]`"
                            ))
                            .section(section),
                    );
                }
                Some(Var {
                    base: var.span,
                    subscripts: vec![],
                    ..var
                })
            })
            .collect()
    }

    fn modifier(
        &mut self,
        directive: DirectiveKind,
        clause: ClauseKind,
        word: Span,
        colon: usize,
    ) -> Option<Modifier> {
        if word.is_empty() {
            let place = Span::new(colon, colon + 1);
            return self.fail(
                Diagnostic::error(place, "a modifier is missing before this colon")
                    .section("2.7.4"),
            );
        }
        let text = self.text.of(word);
        let legal = table::modifiers(directive, clause);
        let known = ModifierKind::ALL
            .into_iter()
            .find(|kind| self.text.language.is_keyword(text, kind.name()));
        if let Some(kind) = known.filter(|kind| legal.contains(kind)) {
            return Some(Modifier { kind, span: word });
        }
        let message = match known {
            Some(_) => {
                format!(
                    "`{}` on `{}` does not take the modifier `{text}`",
                    clause.name(),
                    directive.name()
                )
            }
            None => format!("`{text}` is not a modifier of `{}`", clause.name()),
        };
        let mut error = Diagnostic::error(word, message).section("2.7.4");
        if let Some(name) =
            nearest(text, legal.iter().map(|kind| kind.name())).filter(|_| known.is_none())
        {
            error = error.help(format!("did you mean `{name}`?"));
        } else if legal.is_empty() {
            error = error.help("it takes no modifiers here");
        } else {
            error = error.help(format!(
                "it takes {}",
                list(legal.iter().map(|kind| kind.name()), "and")
            ));
        }
        self.fail(error)
    }

    /// `operator : var, …`
    pub(super) fn reduction_args(&mut self, inside: Span, group: Span) -> Option<ClauseArgs> {
        let section = ClauseKind::Reduction.section();
        let Some(colon) = self.text.colons(inside).first().copied() else {
            return self.fail(
                Diagnostic::error(group, "`reduction` needs an operator and variables")
                    .help("write `reduction(operator: variables)`")
                    .section(section),
            );
        };
        let operator_span = self.text.trim(Span::new(inside.start, colon));
        let vars = self.text.trim(Span::new(colon + 1, inside.end));
        let word = self.text.of(operator_span);
        let language = self.text.language;
        let operator = ReductionOperator::ALL.into_iter().find(|operator| {
            operator
                .spelling(language)
                .is_some_and(|spelling| language.is_keyword(word, spelling))
        });
        let vars = match self.text.colons(vars).is_empty() {
            true => self.vars(vars, group, "`reduction`", section),
            false => self.vars_with_operators(vars, word, section),
        };
        let operator = operator.or_else(|| self.minus(operator_span));
        let Some(operator) = operator else {
            let place = if operator_span.is_empty() {
                group
            } else {
                operator_span
            };
            let known = list(
                ReductionOperator::ALL
                    .into_iter()
                    .filter_map(|operator| operator.spelling(language)),
                "and",
            );
            let foreign = ReductionOperator::ALL.into_iter().find(|operator| {
                Some(word) == operator.c_spelling()
                    || word.eq_ignore_ascii_case(operator.fortran_spelling())
            });
            let message = match word {
                "" => "a reduction operator is missing".to_string(),
                word => format!("`{word}` is not a reduction operator"),
            };
            let error = Diagnostic::error(place, message).section(section);
            return self.fail(
                match foreign.and_then(|operator| operator.spelling(language)) {
                    Some(spelling) => error.help(format!("here it is written `{spelling}`")),
                    None => error.help(format!("the operators are {known}")),
                },
            );
        };
        Some(ClauseArgs::Reduction {
            operator,
            operator_span,
            vars: vars?,
        })
    }

    /// `+ : a, + : b` of which the first operator has been read: the others must be the same.
    fn vars_with_operators(
        &mut self,
        list: Span,
        operator: &str,
        section: &'static str,
    ) -> Option<Vec<Var>> {
        let parts = self.text.split_commas(list);
        let count = parts.len();
        let mut vars = vec![];
        for part in parts {
            let colon = self.text.colons(part).first().copied();
            let again = colon.map(|colon| self.text.trim(Span::new(part.start, colon)));
            let var = colon.map_or(part, |colon| self.text.trim(Span::new(colon + 1, part.end)));
            if let Some(again) = again.filter(|again| self.text.of(*again) != operator) {
                return self.fail(
                    Diagnostic::error(again, "a `reduction` clause has one operator")
                        .help("write a clause for each operator")
                        .section(section),
                );
            }
            if let Some(again) = again {
                self.report(
                    Diagnostic::warning(again, "the operator of a `reduction` clause stands once")
                        .help("leave it out behind the first variable")
                        .section(section),
                );
            }
            vars.extend(self.var(var, list, "`reduction`", section));
        }
        (vars.len() == count).then_some(vars)
    }

    /// `-`, which OpenMP had, means `+`: partial results are added up.
    fn minus(&mut self, operator: Span) -> Option<ReductionOperator> {
        if self.text.of(operator) != "-" {
            return None;
        }
        self.report(
            Diagnostic::warning(operator, "`-` is not a reduction operator of OpenACC")
                .note("it is taken for `+`: the partial results are added up")
                .help("write `+`")
                .section(ClauseKind::Reduction.section()),
        );
        Some(ReductionOperator::Add)
    }
}
