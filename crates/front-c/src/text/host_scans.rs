//! Loops with `scan` as the host's compiler gets them where a region runs on the host: one thread runs them in their order, which is what the
//! statements say without the directives. Compilers know such reductions of numbers only, or on a few constructs.
//!
//! ```text
//! parallel for reduction(inscan, +: s) num_threads(n)     parallel for shared(s) num_threads(1)
//! for reduction(inscan, +: s[0:4]) schedule(static)       single
//! simd reduction(inscan, +: s)                            parallel for shared(s) num_threads(1)
//! scan inclusive(s)                                       (nothing)
//! ```

use super::unit::ScannedDirective;
use accrue_directives::omp::{Clause, ClauseArgs, ClauseKind, Directive, Leaf};

/// Whether a loop has such a reduction.
pub(super) fn has_scan(omp: &Directive) -> bool {
    omp.clauses.iter().any(is_scan)
}

fn is_scan(clause: &Clause) -> bool {
    matches!(clause.args, ClauseArgs::Reduction { inscan: true, .. })
}

/// The directive's name and what stands for its clauses, where something does.
pub(super) fn in_order(
    scanned: &ScannedDirective,
    omp: &Directive,
) -> (String, Vec<Option<String>>) {
    let leaves = omp.kind.leaves();
    let has = |leaf| leaves.contains(&leaf);
    let is_single = has(Leaf::For) && !has(Leaf::Parallel);
    let name = match (is_single, has(Leaf::Target)) {
        (true, _) => "single",
        (false, true) => "target parallel for num_threads(1)",
        (false, false) => "parallel for num_threads(1)",
    };
    let clauses = omp.clauses.iter().map(|clause| match clause.kind {
        _ if is_scan(clause) && is_single => Some(String::new()),
        _ if is_scan(clause) => {
            let names = clause.vars().iter();
            let names: Vec<&str> = names.map(|var| scanned.text_of(var.base)).collect();
            Some(format!("shared({})", names.join(", ")))
        }
        ClauseKind::NumThreads
        | ClauseKind::Safelen
        | ClauseKind::Simdlen
        | ClauseKind::Aligned
        | ClauseKind::Nontemporal => Some(String::new()),
        ClauseKind::Private | ClauseKind::Firstprivate | ClauseKind::Nowait => None,
        _ => is_single.then(String::new),
    });
    (name.to_string(), clauses.collect())
}
