//! Every directive with every clause: what the table allows is parsed, what it forbids is rejected with the section.

mod common;

use accrue_directives::table::{self, Rule};
use accrue_directives::{ClauseKind, DirectiveKind, Language, Severity, parse};

use common::{directive_before, sample};

fn language(directive: DirectiveKind) -> Language {
    if directive.is_end() {
        Language::Fortran
    } else {
        Language::C
    }
}

/// The sections of the errors that `text` has.
fn error_sections(text: &str, language: Language) -> Vec<&'static str> {
    match parse(text, language) {
        Ok(_) => Vec::new(),
        Err(found) => found
            .into_iter()
            .filter(|one| one.severity == Severity::Error)
            .map(|one| one.details.section.expect("a section"))
            .collect(),
    }
}

fn each_pair(mut check: impl FnMut(DirectiveKind, ClauseKind)) {
    for directive in DirectiveKind::ALL {
        for clause in ClauseKind::ALL {
            check(directive, clause);
        }
    }
}

#[test]
fn every_directive_takes_the_clauses_of_the_table() {
    each_pair(|directive, clause| {
        if table::rule(directive, clause).allows() {
            let text = format!("{} {}", directive_before(directive, clause), sample(clause));
            let parsed = parse(&text, language(directive))
                .unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
            assert_eq!(parsed.kind, directive, "{text}");
            assert!(parsed.has(clause), "{text}");
        }
    });
}

/// The number of clauses of each directive, counted in the specification.
#[test]
fn the_table_has_the_clauses_of_the_specification() {
    let counts = [
        ("parallel", 20),
        ("serial", 17),
        ("kernels", 17),
        ("parallel loop", 28),
        ("serial loop", 25),
        ("kernels loop", 27),
        ("data", 13),
        ("enter data", 6),
        ("exit data", 7),
        ("host_data", 3),
        ("loop", 11),
        ("cache", 0),
        ("atomic", 1),
        ("declare", 8),
        ("init", 3),
        ("shutdown", 3),
        ("set", 4),
        ("update", 7),
        ("routine", 7),
        ("wait", 2),
    ];
    for directive in DirectiveKind::ALL {
        let expected = counts
            .iter()
            .find(|(name, _)| *name == directive.name())
            .map_or(0, |(_, count)| *count);
        assert_eq!(
            table::clauses_of(directive).count(),
            expected,
            "{}",
            directive.name()
        );
    }
}

#[test]
fn every_directive_rejects_the_other_clauses() {
    each_pair(|directive, clause| {
        // `self` is two clauses; one directive takes at most one of them, under the same name.
        let other_self = match clause {
            ClauseKind::SelfCondition => directive == DirectiveKind::Update,
            _ => false,
        };
        if !table::rule(directive, clause).allows() && !other_self {
            let text = format!("{} {}", directive_before(directive, clause), sample(clause));
            // Other compilers take them: a warning.
            let is_tolerated = directive == DirectiveKind::Kernels
                && matches!(clause, ClauseKind::Private | ClauseKind::Reduction);
            if is_tolerated {
                let parsed = parse(&text, language(directive)).expect("with a warning");
                assert_eq!(parsed.warnings.len(), 1, "{text}");
                return;
            }
            assert_eq!(
                error_sections(&text, language(directive)),
                [directive.section()],
                "{text}"
            );
        }
    });
}

#[test]
fn a_clause_is_repeated_as_often_as_the_table_says() {
    each_pair(|directive, clause| {
        let one = sample(clause);
        let before = directive_before(directive, clause);
        let twice = format!("{before} {one} {}", one.replace('x', "z"));
        match table::rule(directive, clause) {
            Rule::Never => {}
            Rule::Any | Rule::AnyPerDevice => {
                assert!(parse(&twice, language(directive)).is_ok(), "{twice}");
            }
            Rule::Once => {
                let section = directive.restrictions_section();
                assert_eq!(
                    error_sections(&twice, language(directive)),
                    [section],
                    "{twice}"
                );
            }
            Rule::OncePerDevice => {
                assert_eq!(
                    error_sections(&twice, language(directive)),
                    [clause.section()],
                    "{twice}"
                );
                let each = format!("{before} {one} device_type(nvidia) {one} device_type(*) {one}");
                assert!(parse(&each, language(directive)).is_ok(), "{each}");
            }
        }
    });
}

#[test]
fn only_device_specific_clauses_follow_device_type() {
    each_pair(|directive, clause| {
        let rule = table::rule(directive, clause);
        if !table::device_type_scopes(directive) || !rule.allows() {
            return;
        }
        let mut text = format!(
            "{} device_type(nvidia) {}",
            directive_before(directive, clause),
            sample(clause)
        );
        if directive == DirectiveKind::Update && rule == Rule::Any {
            text = text.replace("update", "update host(y)");
        }
        let sections = error_sections(&text, language(directive));
        if rule.may_follow_device_type() {
            assert!(sections.is_empty(), "{text}: {sections:?}");
        } else {
            assert_eq!(sections, [directive.restrictions_section()], "{text}");
        }
    });
}

#[test]
fn what_is_required_is_asked_for() {
    for directive in DirectiveKind::ALL {
        let Some(required) = table::required(directive) else {
            continue;
        };
        assert_eq!(
            error_sections(directive.name(), Language::C),
            [required.section]
        );
        for clause in required.one_of {
            let text = format!("{} {}", directive.name(), sample(*clause));
            assert!(parse(&text, Language::C).is_ok(), "{text}");
        }
    }
}

#[test]
fn every_spelling_in_either_case_is_fortran_and_only_lower_case_is_c() {
    each_pair(|directive, clause| {
        if !table::rule(directive, clause).allows() {
            return;
        }
        for spelling in clause.spellings() {
            let written = sample(clause).replacen(clause.name(), spelling, 1);
            let written = if clause == ClauseKind::UpdateSelf {
                written.replace("host", spelling)
            } else {
                written
            };
            let lower = format!("{} {written}", directive_before(directive, clause));
            let upper = lower.to_ascii_uppercase();
            let fortran = upper.replace("A[I]", "A(I)");
            assert!(parse(&lower, language(directive)).is_ok(), "{lower}");
            assert!(parse(&fortran, Language::Fortran).is_ok(), "{fortran}");
            assert!(parse(&upper, Language::C).is_err(), "{upper}");
        }
    });
}
