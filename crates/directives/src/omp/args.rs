//! What stands in the parentheses of OpenMP's clauses.

use super::clauses::{AROUND, Form};
use super::declared;
use super::{
    ClauseArgs, ClauseKind, DefaultValue, DirectiveKind, MapBehavior, MapKind, MapModifier,
    VariableCategory,
};
use crate::ast::ReductionOperator;
use crate::parser::Parser;
use crate::suggest::{list, nearest};
use crate::{Diagnostic, Language, Span};

impl Parser<'_> {
    /// The argument of a clause; nothing, with a report, if there is a mistake in it.
    pub(super) fn omp_args(
        &mut self,
        directive: &DirectiveKind,
        kind: ClauseKind,
        name: Span,
        group: Option<Span>,
    ) -> Option<ClauseArgs> {
        let form = kind.form();
        let error =
            |span: Span, message: String| Diagnostic::error(span, message).openmp(kind.section());
        let Some(group) = group else {
            let optional = matches!(form, Form::None | Form::OptionalUnread);
            return match optional {
                true => Some(ClauseArgs::None),
                false => self.fail(error(
                    name,
                    format!("`{}` needs an argument in parentheses", kind.name()),
                )),
            };
        };
        let inside = self.text.inside(group);
        if inside.is_empty() {
            return self.fail(error(
                group,
                format!("an argument is missing in `{}`", kind.name()),
            ));
        }
        let exprs =
            |parser: &mut Self, span: Span| parser.exprs(span, group, kind.name(), kind.section());
        match form {
            Form::None => self.fail(
                error(group, format!("`{}` takes no argument", kind.name()))
                    .help("remove the parentheses"),
            ),
            Form::OptionalUnread | Form::Unread => Some(ClauseArgs::Unread(inside)),
            Form::Expr => match exprs(self, inside)?.as_slice() {
                [only] => Some(ClauseArgs::Exprs(vec![*only])),
                more => self.fail(error(
                    inside,
                    format!("`{}` takes one expression, not {}", kind.name(), more.len()),
                )),
            },
            Form::Modified => match self.text.keyword_colon(inside) {
                Some((modifier, expr)) => Some(ClauseArgs::Modified {
                    modifier,
                    expr: *exprs(self, expr)?.first()?,
                }),
                None => match self.text.colons(inside).first().copied() {
                    // `if(target data: x)`
                    Some(colon) => Some(ClauseArgs::Modified {
                        modifier: self.text.trim(Span::new(inside.start, colon)),
                        expr: self.text.trim(Span::new(colon + 1, inside.end)),
                    }),
                    None => Some(ClauseArgs::Exprs(vec![*exprs(self, inside)?.first()?])),
                },
            },
            Form::Bounds => match self.text.split_colons(inside).as_slice() {
                [upper] => Some(ClauseArgs::Exprs(vec![*upper])),
                [lower, upper] => Some(ClauseArgs::Exprs(vec![*upper, *lower])),
                _ => self.fail(error(
                    inside,
                    format!("`{}` takes `lower:upper`, or the upper bound", kind.name()),
                )),
            },
            Form::Word => self.omp_word(kind, inside),
            Form::Default => self.omp_default(kind, inside),
            Form::Defaultmap => self.omp_defaultmap(inside),
            Form::Vars => Some(ClauseArgs::Vars(self.omp_vars(kind, inside, group)?)),
            Form::Motion => {
                self.strides = matches!(kind, ClauseKind::To | ClauseKind::From);
                let motion = self.omp_motion(kind, inside, group);
                self.strides = false;
                motion
            }
            Form::Map => self.omp_map(directive, inside, group),
            Form::Linear => self.omp_linear(inside, group),
            Form::Reduction => self.omp_reduction(kind, inside, group),
        }
    }

    /// `[present:] variables`
    fn omp_motion(&mut self, kind: ClauseKind, inside: Span, group: Span) -> Option<ClauseArgs> {
        let Some(colon) = self.text.colons(inside).first().copied() else {
            return Some(ClauseArgs::Vars(self.omp_vars(kind, inside, group)?));
        };
        let modifiers = self.text.trim(Span::new(inside.start, colon));
        let is_motion = matches!(kind, ClauseKind::To | ClauseKind::From);
        match self.text.of(modifiers) {
            "present" if is_motion => Some(ClauseArgs::Present(self.omp_vars(
                kind,
                self.text.trim(Span::new(colon + 1, inside.end)),
                group,
            )?)),
            "conditional" if kind == ClauseKind::Lastprivate => {
                let list = self.text.trim(Span::new(colon + 1, inside.end));
                Some(ClauseArgs::Conditional(self.omp_vars(kind, list, group)?))
            }
            text => {
                let expanded = |word: &&str| text.contains(*word) && is_motion;
                if ["mapper", "iterator"].iter().any(expanded) {
                    return self.not_expanded(modifiers);
                }
                self.fail(
                    Diagnostic::error(
                        modifiers,
                        format!("this modifier of `{}` is not supported yet", kind.name()),
                    )
                    .help("leave the modifier out")
                    .openmp(kind.section()),
                )
            }
        }
    }

    /// A modifier that [`super::expand`] has not replaced.
    fn not_expanded<T>(&mut self, modifier: Span) -> Option<T> {
        let error = |message: &str| Diagnostic::error(modifier, message);
        self.fail(match self.text.of(modifier).contains("mapper") {
            true => error("this use of a mapper is not supported yet")
                .help("a name is that of one mapper, for objects, and for sections `p[0:n]`")
                .openmp("5.8.2"),
            false => error("this use of an iterator is not supported yet")
                .help("beside mappers it must be a whole subscript, as in `p[i][0:n]`, and stand nowhere else in an item: write `target enter data` in a loop")
                .openmp("3.2.6"),
        })
    }

    fn omp_vars(
        &mut self,
        kind: ClauseKind,
        inside: Span,
        group: Span,
    ) -> Option<Vec<crate::ast::Var>> {
        let of = format!("`{}`", kind.name());
        self.vars(inside, group, &of, "2.7.1")
    }

    /// `[modifier, …:] word [, expression]`
    fn omp_word(&mut self, kind: ClauseKind, inside: Span) -> Option<ClauseArgs> {
        let inside = match self.text.colons(inside).last() {
            Some(colon) => self.text.trim(Span::new(colon + 1, inside.end)),
            None => inside,
        };
        let parts = self.text.split_commas(inside);
        let known: &[&str] = match kind {
            ClauseKind::Schedule => &["static", "dynamic", "guided", "auto", "runtime"],
            ClauseKind::DistSchedule => &["static"],
            ClauseKind::Bind => &["teams", "parallel", "thread"],
            ClauseKind::DeviceType => &["host", "nohost", "any"],
            ClauseKind::AtomicDefaultMemOrder => {
                &["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
            }
            ClauseKind::ProcBind => &["master", "primary", "close", "spread"],
            _ => &[],
        };
        let word = parts.first().copied()?;
        if !known.contains(&self.text.of(word)) {
            return self.fail(
                Diagnostic::error(
                    word,
                    format!("`{}` does not take `{}`", kind.name(), self.text.of(word)),
                )
                .help(format!("it takes {}", list(known.iter().copied(), "or")))
                .openmp(kind.section()),
            );
        }
        Some(ClauseArgs::Word {
            word,
            expr: parts.get(1).copied(),
        })
    }

    fn omp_default(&mut self, kind: ClauseKind, inside: Span) -> Option<ClauseArgs> {
        let value = match self.text.of(inside) {
            "shared" => DefaultValue::Shared,
            "none" => DefaultValue::None,
            "private" => DefaultValue::Private,
            "firstprivate" => DefaultValue::Firstprivate,
            word => {
                return self.fail(
                    Diagnostic::error(inside, format!("`default` does not take `{word}`"))
                        .help("it takes `shared`, `none`, `private` or `firstprivate`")
                        .openmp(kind.section()),
                );
            }
        };
        Some(ClauseArgs::Default(value))
    }

    /// `behavior [: category]`
    fn omp_defaultmap(&mut self, inside: Span) -> Option<ClauseArgs> {
        let section = ClauseKind::Defaultmap.section();
        let parts = self.text.split_colons(inside);
        let word = |at: usize| parts.get(at).map(|part| self.text.of(*part));
        let behavior = MapBehavior::ALL
            .into_iter()
            .find(|(name, _)| Some(*name) == word(0));
        let category = match word(1) {
            None => Some(None),
            Some(word) => VariableCategory::ALL
                .into_iter()
                .find(|(name, _)| *name == word)
                .map(|(_, category)| category),
        };
        match (behavior, category) {
            (Some((_, behavior)), Some(category)) if parts.len() < 3 => {
                Some(ClauseArgs::Defaultmap { behavior, category })
            }
            _ => {
                let behaviors = list(MapBehavior::ALL.iter().map(|(name, _)| *name), "or");
                let categories = list(VariableCategory::ALL.iter().map(|(name, _)| *name), "or");
                let message = "`defaultmap` takes a behavior, and perhaps a category of variables";
                self.fail(
                    Diagnostic::error(inside, message)
                        .help(format!(
                            "write {behaviors}, and behind a colon {categories}"
                        ))
                        .openmp(section),
                )
            }
        }
    }

    /// `[[modifier[,]]… type:] variables`
    fn omp_map(
        &mut self,
        directive: &DirectiveKind,
        inside: Span,
        group: Span,
    ) -> Option<ClauseArgs> {
        let section = ClauseKind::Map.section();
        let mut modifiers = Vec::new();
        let mut kind = None;
        let mut list_of = inside;
        if let Some(colon) = self.text.colons(inside).first().copied() {
            list_of = self.text.trim(Span::new(colon + 1, inside.end));
            let mut at = inside.start;
            while let Some(word) = self.text.word(self.text.skip_blanks(at, colon), colon) {
                let argument = self.group_after(word.end, colon);
                at = argument.map_or(word.end, |group| group.end);
                at = self.text.skip_blanks(at, colon);
                if self.text.text.as_bytes().get(at) == Some(&b',') {
                    at += 1;
                }
                let text = self.text.of(word);
                let found = MapKind::ALL.into_iter().find(|(name, _)| *name == text);
                if let Some((_, found)) = found.filter(|_| kind.is_none()) {
                    kind = Some((found, word));
                    continue;
                }
                match text {
                    "always" => modifiers.push(MapModifier::Always),
                    "close" => modifiers.push(MapModifier::Close),
                    "present" => modifiers.push(MapModifier::Present),
                    "self" => modifiers.push(MapModifier::ToItself),
                    AROUND => modifiers.push(MapModifier::Around),
                    "mapper" | "iterator" => return self.not_expanded(word),
                    _ => {
                        let error = Diagnostic::error(
                            word,
                            format!("`{text}` is not a map type or modifier"),
                        )
                        .openmp(section);
                        let names: Vec<&str> = MapKind::ALL.iter().map(|(name, _)| *name).collect();
                        return self.fail(match nearest(text, names.iter().copied()) {
                            Some(near) => error.help(format!("did you mean `{near}`?")),
                            None => error.help(format!("the types are {}", list(names, "and"))),
                        });
                    }
                }
            }
        }
        let written = kind.map_or(group, |(_, span)| span);
        let kind = kind.map(|(kind, _)| kind);
        let fits = match directive {
            DirectiveKind::TargetEnterData => {
                matches!(
                    kind,
                    None | Some(MapKind::To | MapKind::Alloc | MapKind::ToFrom)
                )
            }
            DirectiveKind::TargetExitData => matches!(
                kind,
                None | Some(MapKind::From | MapKind::Release | MapKind::Delete | MapKind::ToFrom)
            ),
            DirectiveKind::Construct(_)
            | DirectiveKind::TargetData
            | DirectiveKind::TargetUpdate
            | DirectiveKind::Atomic
            | DirectiveKind::Inside(_)
            | DirectiveKind::DeclareTarget
            | DirectiveKind::DeclareMapper
            | DirectiveKind::DeclareReduction
            | DirectiveKind::DeclareVariant
            | DirectiveKind::Requires
            | DirectiveKind::Other => !matches!(kind, Some(MapKind::Release | MapKind::Delete)),
        };
        if !fits {
            let (takes, rule) = match directive {
                DirectiveKind::TargetEnterData => ("`to`, `tofrom` or `alloc`", "13.6"),
                DirectiveKind::TargetExitData => {
                    ("`from`, `tofrom`, `release` or `delete`", "13.7")
                }
                _ => ("`to`, `from`, `tofrom` or `alloc`", section),
            };
            return self.fail(
                Diagnostic::error(
                    written,
                    format!("a map type of `{}` is {takes}", directive.name()),
                )
                .openmp(rule),
            );
        }
        // What one of both directions means to a directive that has one (5.8.3).
        let kind = match (directive, kind.unwrap_or(MapKind::ToFrom)) {
            (DirectiveKind::TargetEnterData, MapKind::ToFrom) => MapKind::To,
            (DirectiveKind::TargetExitData, MapKind::ToFrom) => MapKind::From,
            (_, kind) => kind,
        };
        Some(ClauseArgs::Map {
            kind,
            modifiers,
            vars: self.omp_vars(ClauseKind::Map, list_of, group)?,
        })
    }

    /// `variables [: step]`, the old `val(variables): step` and the new `variables: val, step(step)`
    fn omp_linear(&mut self, inside: Span, group: Span) -> Option<ClauseArgs> {
        let kind = ClauseKind::Linear;
        let colon = self.text.colons(inside).first().copied();
        let list = self
            .text
            .trim(Span::new(inside.start, colon.unwrap_or(inside.end)));
        // What stands in the parentheses of a word.
        let inside_of = |parser: &Self, span: Span, word: &str| {
            let first = parser.text.word(span.start, span.end)?;
            let behind = parser.group_after(first.end, span.end)?;
            let is_it = parser.text.of(first) == word && behind.end == span.end;
            is_it.then(|| parser.text.inside(behind))
        };
        let list = inside_of(self, list, "val").unwrap_or(list);
        let mut step = None;
        for part in colon.map_or_else(Vec::new, |colon| {
            self.text.split_commas(Span::new(colon + 1, inside.end))
        }) {
            if self.text.of(part) != "val" {
                step = Some(inside_of(self, part, "step").unwrap_or(part));
            }
        }
        Some(ClauseArgs::Linear {
            vars: self.omp_vars(kind, list, group)?,
            step,
        })
    }

    /// `[modifier,] operator : variables`
    fn omp_reduction(
        &mut self,
        clause: ClauseKind,
        inside: Span,
        group: Span,
    ) -> Option<ClauseArgs> {
        let (name, section) = (clause.name(), clause.section());
        let Some(colon) = self.text.colons(inside).first().copied() else {
            return self.fail(
                Diagnostic::error(group, format!("`{name}` needs an operator and variables"))
                    .help(format!("write `{name}(operator: variables)`"))
                    .openmp(section),
            );
        };
        let head = self.text.split_commas(Span::new(inside.start, colon));
        let vars = self.text.trim(Span::new(colon + 1, inside.end));
        let operator_span = head.last().copied()?;
        if let [modifier, _] = head.as_slice()
            && !["default", "task", "inscan"].contains(&self.text.of(*modifier))
        {
            return self.fail(
                Diagnostic::error(
                    *modifier,
                    format!(
                        "`{}` reductions are not supported yet",
                        self.text.of(*modifier)
                    ),
                )
                .help("reduce without the modifier")
                .openmp(section),
            );
        }
        let inscan =
            head.len() == 2 && head.first().is_some_and(|it| self.text.of(*it) == "inscan");
        let word = self.text.of(operator_span);
        let language = self.text.language;
        let mut known = ReductionOperator::ALL.into_iter();
        let operator = match word {
            // Deprecated: partial results are added up.
            "-" => Some(ReductionOperator::Add),
            word => known.find(|operator| operator.spelling(language) == Some(word)),
        };
        if operator.is_none() && !declared::is_identifier(word) {
            return self.fail(unknown_reduction(operator_span, word, language));
        }
        Some(ClauseArgs::Reduction {
            operator,
            identifier: operator_span,
            inscan,
            vars: self.omp_vars(clause, vars, group)?,
        })
    }
}

/// A word that is no operator, nor the identifier of a reduction that is declared there.
pub fn unknown_reduction(span: Span, word: &str, language: Language) -> Diagnostic {
    let known = ReductionOperator::ALL.into_iter();
    let names = list(
        known.filter_map(|operator| operator.spelling(language)),
        "and",
    );
    Diagnostic::error(span, format!("`{word}` is not a reduction operator"))
        .note("no `declare reduction` with that name is visible here")
        .help(format!("the operators are {names}"))
        .openmp("5.5.8")
}
