//! Rules about the arguments of clauses. Values are only looked at where they are plain numbers; the others are for
//! the front end, which knows constants.

use crate::Diagnostic;
use crate::Span;
use crate::ast::{
    Clause, ClauseArgs, ClauseKind, Directive, DirectiveArgs, DirectiveKind, SizeExpr, Subscript,
    Var,
};
use crate::scan::Text;

type Found<'f> = &'f mut Vec<Diagnostic>;

pub(super) fn check(text: Text<'_>, directive: &Directive, found: Found<'_>) {
    num_gangs(directive, found);
    reduction_with_gang_dimensions(text, directive, found);
    gang_dimension(text, directive, found);
    level_arguments(directive, found);
    level_sizes_twice(directive, found);
    positive_counts(text, directive, found);
    cache_subscripts(directive, found);
    names_only(directive, found);
    declared_once(text, directive, found);
    private_once(text, directive, found);
    routine_without_level(directive, found);
}

/// Section 2.5.10: up to three gang dimensions on `parallel`, one number on `kernels`.
fn num_gangs(directive: &Directive, found: Found<'_>) {
    let limit = if directive.kind.compute_part() == Some(DirectiveKind::Parallel) {
        3
    } else {
        1
    };
    for clause in directive.clauses_of(ClauseKind::NumGangs) {
        let ClauseArgs::Exprs(exprs) = &clause.args else {
            continue;
        };
        if exprs.len() > limit {
            let most = if limit == 3 {
                "three arguments"
            } else {
                "one argument"
            };
            found.push(
                Diagnostic::error(
                    clause.span,
                    format!(
                        "`num_gangs` on `{}` takes at most {most}",
                        directive.kind.name()
                    ),
                )
                .section("2.5.10"),
            );
        }
    }
}

/// Sections 2.5.4 and 2.9.11: a reduction over gangs has one gang dimension only.
fn reduction_with_gang_dimensions(text: Text<'_>, directive: &Directive, found: Found<'_>) {
    let Some(reduction) = directive.clauses_of(ClauseKind::Reduction).next() else {
        return;
    };
    let many = directive
        .clauses_of(ClauseKind::NumGangs)
        .find(|clause| matches!(&clause.args, ClauseArgs::Exprs(exprs) if exprs.len() > 1));
    if let Some(many) = many {
        found.push(
            Diagnostic::error(
                reduction.span,
                "`reduction` cannot be used with more than one gang dimension",
            )
            .related(many.span, "several dimensions here")
            .help("give `num_gangs` one argument, or reduce on an inner `loop`")
            .section("2.5.4"),
        );
    }
    for clause in directive.clauses_of(ClauseKind::Gang) {
        let ClauseArgs::Gang { dim: Some(dim), .. } = &clause.args else {
            continue;
        };
        if number(text, *dim).is_some_and(|dim| dim > 1) {
            found.push(
                Diagnostic::error(
                    reduction.span,
                    "`reduction` cannot be used on a loop over gang dimension 2 or 3",
                )
                .related(clause.span, "the dimension is given here")
                .section("2.9.11"),
            );
        }
    }
}

/// Sections 2.9.2 and 2.15.1: there are three gang dimensions.
fn gang_dimension(text: Text<'_>, directive: &Directive, found: Found<'_>) {
    for clause in directive.clauses_of(ClauseKind::Gang) {
        let ClauseArgs::Gang { dim: Some(dim), .. } = &clause.args else {
            continue;
        };
        if number(text, *dim).is_some_and(|dim| !(1..=3).contains(&dim)) {
            let section = if directive.kind == DirectiveKind::Routine {
                "2.15.1"
            } else {
                "2.9.2"
            };
            found.push(Diagnostic::error(*dim, "a gang dimension is 1, 2 or 3").section(section));
        }
    }
}

/// Sections 2.9.2 to 2.9.4 and 2.15.1: which arguments `gang`, `worker` and `vector` take depends on the compute
/// construct; that of a plain `loop` is not known here.
fn level_arguments(directive: &Directive, found: Found<'_>) {
    let routine = directive.kind == DirectiveKind::Routine;
    let compute = directive.kind.compute_part();
    if !routine && (compute.is_none() || !directive.kind.is_combined()) {
        return;
    }
    let kernels = compute == Some(DirectiveKind::Kernels);
    let parallel = compute == Some(DirectiveKind::Parallel);
    for clause in &directive.clauses {
        let (num, dim, static_size) = match &clause.args {
            ClauseArgs::Gang {
                num,
                dim,
                static_size,
            } => (*num, *dim, *static_size),
            ClauseArgs::Worker(expr) | ClauseArgs::Vector(expr) => (Some(*expr), None, None),
            ClauseArgs::None
            | ClauseArgs::Expr(_)
            | ClauseArgs::Exprs(_)
            | ClauseArgs::Vars(_)
            | ClauseArgs::Reduction { .. }
            | ClauseArgs::Wait(_)
            | ClauseArgs::Devices(_)
            | ClauseArgs::Default { .. }
            | ClauseArgs::Collapse { .. }
            | ClauseArgs::Tile(_)
            | ClauseArgs::Bind { .. } => continue,
        };
        let name = clause.kind.name();
        let section = if routine {
            "2.15.1"
        } else {
            clause.kind.section()
        };
        if let Some(num) = num.filter(|_| !kernels) {
            let message = format!("`{name}` on `{}` takes no size", directive.kind.name());
            // Other compilers take it for the construct's.
            let found_one = match parallel {
                true => Diagnostic::warning(num, message),
                false => Diagnostic::error(num, message),
            };
            let found_one = found_one.section(section);
            let sizes = [
                (ClauseKind::Gang, "num_gangs"),
                (ClauseKind::Worker, "num_workers"),
                (ClauseKind::Vector, "vector_length"),
            ];
            let size = sizes.into_iter().find(|(kind, _)| *kind == clause.kind);
            found.push(match size {
                Some((_, size)) if parallel => found_one.help(format!(
                    "it is taken for that of a `{size}` clause, which is where it belongs"
                )),
                Some(_) | None => found_one.help(format!("write `{name}` without it")),
            });
        }
        if let Some(dim) = dim.filter(|_| !parallel && !routine) {
            found.push(
                Diagnostic::error(
                    dim,
                    format!("`{}` has one gang dimension only", directive.kind.name()),
                )
                .section(section),
            );
        }
        if let Some(SizeExpr::Any(size) | SizeExpr::Expr(size)) = static_size.filter(|_| routine) {
            found.push(
                Diagnostic::error(size, "`gang` on `routine` takes `dim` only").section(section),
            );
        }
    }
}

/// Sections 2.9.2 to 2.9.4: a size stands either on the construct or on the loop.
fn level_sizes_twice(directive: &Directive, found: Found<'_>) {
    let pairs = [
        (ClauseKind::Gang, ClauseKind::NumGangs),
        (ClauseKind::Worker, ClauseKind::NumWorkers),
        (ClauseKind::Vector, ClauseKind::VectorLength),
    ];
    let kinds = [DirectiveKind::KernelsLoop, DirectiveKind::ParallelLoop];
    if !kinds.contains(&directive.kind) {
        return;
    }
    for (level, size) in pairs {
        let with_size = |clause: &&Clause| {
            matches!(
                clause.args,
                ClauseArgs::Gang { num: Some(_), .. }
                    | ClauseArgs::Worker(_)
                    | ClauseArgs::Vector(_)
            )
        };
        let level_clause = directive.clauses_of(level).find(with_size);
        let size_clause = directive.clauses_of(size).next();
        if let (Some(level_clause), Some(size_clause)) = (level_clause, size_clause) {
            found.push(
                Diagnostic::error(
                    level_clause.span,
                    format!("`{}` takes no size beside `{}`", level.name(), size.name()),
                )
                .related(size_clause.span, "the size is given here")
                .section(level.section()),
            );
        }
    }
}

/// Sections 2.9.1 and 2.9.8: the argument of `collapse` and the sizes of `tile` are positive.
fn positive_counts(text: Text<'_>, directive: &Directive, found: Found<'_>) {
    for clause in &directive.clauses {
        let counts: Vec<Span> = match &clause.args {
            ClauseArgs::Collapse { count, .. } => vec![*count],
            ClauseArgs::Tile(sizes) => sizes
                .iter()
                .filter_map(|size| match size {
                    SizeExpr::Any(_) => None,
                    SizeExpr::Expr(size) => Some(*size),
                })
                .collect(),
            ClauseArgs::None
            | ClauseArgs::Expr(_)
            | ClauseArgs::Exprs(_)
            | ClauseArgs::Vars(_)
            | ClauseArgs::Reduction { .. }
            | ClauseArgs::Wait(_)
            | ClauseArgs::Devices(_)
            | ClauseArgs::Default { .. }
            | ClauseArgs::Gang { .. }
            | ClauseArgs::Worker(_)
            | ClauseArgs::Vector(_)
            | ClauseArgs::Bind { .. } => continue,
        };
        for count in counts {
            if number(text, count).is_some_and(|count| count < 1) {
                found.push(
                    Diagnostic::error(
                        count,
                        format!("`{}` needs a positive number", clause.kind.name()),
                    )
                    .section(clause.kind.section()),
                );
            }
        }
    }
}

/// The value of a plain decimal number.
fn number(text: Text<'_>, span: Span) -> Option<i64> {
    text.of(span).parse().ok()
}

/// Section 2.10: what is cached is an array element or a subarray.
fn cache_subscripts(directive: &Directive, found: Found<'_>) {
    let DirectiveArgs::Cache { vars, .. } = &directive.args else {
        return;
    };
    for var in vars.iter().filter(|var| var.subscripts.is_empty()) {
        found.push(
            Diagnostic::error(var.span, "`cache` takes array elements and subarrays")
                .section("2.10"),
        );
    }
}

fn has_section(var: &Var) -> bool {
    var.subscripts.iter().any(|subscript| match subscript {
        Subscript::Index(_) => false,
        Subscript::Section { .. } | Subscript::Triplet { .. } => true,
    })
}

/// Sections 2.8, 2.7.5 and 2.13: some clauses take names, not parts of arrays.
fn names_only(directive: &Directive, found: Found<'_>) {
    for clause in &directive.clauses {
        for var in clause.vars().iter().filter(|var| has_section(var)) {
            if clause.kind == ClauseKind::UseDevice {
                found.push(
                    Diagnostic::error(var.span, "`use_device` takes names of variables and arrays")
                        .help("leave the subscripts out")
                        .section("2.8"),
                );
            } else if clause.kind == ClauseKind::DevicePtr {
                found.push(
                    Diagnostic::error(var.span, "`deviceptr` takes names of pointers")
                        .help("leave the subscripts out")
                        .section("2.7.5"),
                );
            }
        }
        if directive.kind == DirectiveKind::Declare
            && let Some(var) = clause.vars().iter().find(|var| has_section(var))
        {
            found.push(
                Diagnostic::warning(
                    var.span,
                    format!(
                        "`{}` on `declare` takes names of variables",
                        clause.kind.name()
                    ),
                )
                .note("a subarray is an extension that not every compiler has")
                .section("2.13"),
            );
        }
    }
}

/// Section 2.13: a variable appears once in all clauses of `declare`.
fn declared_once(text: Text<'_>, directive: &Directive, found: Found<'_>) {
    if directive.kind != DirectiveKind::Declare {
        return;
    }
    let vars: Vec<&Var> = directive.clauses.iter().flat_map(Clause::vars).collect();
    for (index, var) in vars.iter().enumerate() {
        let same = |other: &&&Var| {
            other.kind == var.kind
                && text
                    .language
                    .is_keyword(text.of(other.base), text.of(var.base))
        };
        if let Some(first) = vars.iter().take(index).find(same) {
            found.push(
                Diagnostic::error(
                    var.span,
                    format!("`{}` is declared twice", text.of(var.base)),
                )
                .related(first.span, "the first time")
                .section("2.13"),
            );
        }
    }
}

/// A variable that is `private` twice is private: no more than a slip.
fn private_once(text: Text<'_>, directive: &Directive, found: Found<'_>) {
    let clauses = directive.clauses_of(ClauseKind::Private);
    let vars: Vec<&Var> = clauses.flat_map(Clause::vars).collect();
    for (index, var) in vars.iter().enumerate() {
        let is_name = |var: &Var| !has_section(var);
        let same = |other: &&&Var| {
            is_name(other)
                && text
                    .language
                    .is_keyword(text.of(other.base), text.of(var.base))
        };
        let first = vars.iter().take(index).find(same);
        if let Some(first) = first.filter(|_| is_name(var)) {
            found.push(
                Diagnostic::warning(
                    var.span,
                    format!(
                        "`{}` is twice in `private` clauses of this directive",
                        text.of(var.base)
                    ),
                )
                .related(first.span, "the first time")
                .section("2.9.10"),
            );
        }
    }
}

/// Section 2.15.1: a routine says at which level it works. Much code leaves it out and means `seq`.
fn routine_without_level(directive: &Directive, found: Found<'_>) {
    let levels = [
        ClauseKind::Gang,
        ClauseKind::Worker,
        ClauseKind::Vector,
        ClauseKind::Seq,
    ];
    if directive.kind == DirectiveKind::Routine
        && !levels.into_iter().any(|kind| directive.has(kind))
    {
        found.push(
            Diagnostic::warning(
                directive.kind_span,
                "`routine` does not say at which level the procedure works",
            )
            .note("it is taken for `seq`")
            .help("add `seq`, `vector`, `worker` or `gang`")
            .section("2.15.1"),
        );
    }
}
