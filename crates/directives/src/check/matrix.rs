//! Walks the clause tables: how often a clause appears, where, together with what, and which is missing.

use crate::Diagnostic;
use crate::Span;
use crate::ast::{Clause, ClauseKind, DeviceScope, DeviceType, Directive, DirectiveKind};
use crate::device::in_force;
use crate::scan::Text;
use crate::suggest::list;
use crate::table::{self, Rule};

/// Only some clauses may follow a `device_type` clause (section 2.4).
pub(super) fn placement(directive: &Directive, found: &mut Vec<Diagnostic>) {
    let mut last_device_type: Option<Span> = None;
    for clause in &directive.clauses {
        if clause.kind == ClauseKind::DeviceType {
            last_device_type = Some(clause.span);
            continue;
        }
        let specific = clause.devices != DeviceScope::All;
        if !specific || table::rule(directive.kind, clause.kind).may_follow_device_type() {
            continue;
        }
        let may: Vec<&str> = table::clauses_of(directive.kind)
            .filter(|kind| *kind != ClauseKind::DeviceType)
            .filter(|kind| table::rule(directive.kind, *kind).may_follow_device_type())
            .map(ClauseKind::name)
            .collect();
        let mut error = Diagnostic::error(
            clause.span,
            format!(
                "`{}` may not follow a `device_type` clause",
                clause.kind.name()
            ),
        )
        .help(format!(
            "move it before `device_type`; only {} may follow it",
            list(may, "and")
        ))
        .section(directive.kind.restrictions_section());
        if let Some(span) = last_device_type {
            error = error.related(span, "this one");
        }
        found.push(error);
    }
}

/// Each clause appears as often as the table says.
pub(super) fn repetition(text: Text<'_>, directive: &Directive, found: &mut Vec<Diagnostic>) {
    for kind in table::clauses_of(directive.kind) {
        match table::rule(directive.kind, kind) {
            Rule::Never | Rule::Any | Rule::AnyPerDevice => {}
            Rule::Once => {
                let clauses: Vec<&Clause> = directive.clauses_of(kind).collect();
                let section = directive.kind.restrictions_section();
                report_repeated(directive.kind, &clauses, "", section, found);
            }
            Rule::OncePerDevice => {
                for clauses in by_device(text, directive) {
                    let same: Vec<&Clause> = clauses
                        .into_iter()
                        .filter(|clause| clause.kind == kind)
                        .collect();
                    let what = if directive.has(ClauseKind::DeviceType) {
                        " for one device type"
                    } else {
                        ""
                    };
                    report_repeated(directive.kind, &same, what, kind.section(), found);
                }
            }
        }
    }
}

fn report_repeated(
    directive: DirectiveKind,
    clauses: &[&Clause],
    what: &str,
    section: &'static str,
    found: &mut Vec<Diagnostic>,
) {
    let Some((first, repeated)) = clauses.split_first() else {
        return;
    };
    for clause in repeated {
        let name = clause.kind.name();
        let error = Diagnostic::error(
            clause.span,
            format!(
                "`{}` takes at most one `{name}` clause{what}",
                directive.name()
            ),
        )
        .related(first.span, "the first one")
        .section(section);
        push_once(error, found);
    }
}

/// For each device type that the directive tells apart, the clauses in force for it.
fn by_device<'d>(text: Text<'_>, directive: &'d Directive) -> Vec<Vec<&'d Clause>> {
    let name = |device: &DeviceType| text.of(device.span).to_ascii_lowercase();
    let mut names: Vec<String> = directive
        .clauses_of(ClauseKind::DeviceType)
        .flat_map(|clause| clause.devices.listed())
        .map(name)
        .collect();
    names.sort();
    names.dedup();
    let mut groups = vec![in_force(&directive.clauses, |_| false)];
    groups.extend(
        names
            .iter()
            .map(|wanted| in_force(&directive.clauses, |device| name(device) == *wanted)),
    );
    groups
}

/// Clauses that exclude each other, for each device type.
pub(super) fn exclusions(text: Text<'_>, directive: &Directive, found: &mut Vec<Diagnostic>) {
    for clauses in by_device(text, directive) {
        for exclusion in table::exclusions(directive.kind) {
            for (index, later) in clauses.iter().enumerate() {
                let clash = clauses.iter().take(index).find(|earlier| {
                    let pair = |left: ClauseKind, right: ClauseKind| {
                        exclusion.left.contains(&left) && exclusion.right.contains(&right)
                    };
                    earlier.kind != later.kind
                        && (pair(earlier.kind, later.kind) || pair(later.kind, earlier.kind))
                });
                if let Some(earlier) = clash {
                    let error = Diagnostic::error(
                        later.span,
                        format!(
                            "`{}` and `{}` exclude each other on `{}`",
                            earlier.kind.name(),
                            later.kind.name(),
                            directive.kind.name()
                        ),
                    )
                    .related(earlier.span, "the other one")
                    .section(exclusion.section);
                    push_once(error, found);
                }
            }
        }
    }
}

/// A directive that does nothing without certain clauses has one of them.
pub(super) fn required(directive: &Directive, found: &mut Vec<Diagnostic>) {
    let Some(required) = table::required(directive.kind) else {
        return;
    };
    if directive
        .clauses
        .iter()
        .any(|clause| required.one_of.contains(&clause.kind))
    {
        return;
    }
    let names = required.one_of.iter().map(|kind| kind.name());
    found.push(
        Diagnostic::error(
            directive.kind_span,
            match required.one_of {
                [only] => format!(
                    "`{}` needs a `{}` clause",
                    directive.kind.name(),
                    only.name()
                ),
                [..] => format!(
                    "`{}` needs a clause that says what to do",
                    directive.kind.name()
                ),
            },
        )
        .help(format!("add {}", list(names, "or")))
        .section(required.section),
    );
}

/// Several device types may show the same mistake.
fn push_once(error: Diagnostic, found: &mut Vec<Diagnostic>) {
    if !found.contains(&error) {
        found.push(error);
    }
}
