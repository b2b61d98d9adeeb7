//! The four builtins of a reduction (level, loop, reduction).
//!
//! - Each exists exactly once; above all, no pass clones a `par.red_fini`.
//! - They stand in the order SETUP, INIT, FINI, TEARDOWN in one block; FINI between the `par.lock` and `par.unlock` of its
//!   loop and level.
//! - With a fork: SETUP before it, INIT and FINI inside the region, TEARDOWN behind the join. Without one, the reduction
//!   is of gangs: the null gang loop of a construct, or the dummy around inner levels.
//! - The builtins of an inner level of the same reduction stand between INIT and FINI of the outer one.
//! - All agree on operator, signedness and RESULT; the levels of a reduction on operator and signedness.
//! - RESULT is there in kernels only: a function that is called reduces private variables.

use super::{Facts, Four, Key, Kind, reduction_name};
use accrue_dialects::par::Level;
use pliron::context::Context;

/// The first broken rule.
pub fn problem(ctx: &Context, facts: &Facts) -> Option<String> {
    let each = facts.builtins.keys().find_map(|key| {
        count(facts, *key)
            .or_else(|| {
                facts
                    .four(*key)
                    .and_then(|four| place(ctx, facts, *key, &four))
            })
            .or_else(|| arguments(facts, *key))
    });
    each.or_else(|| facts.reductions().values().find_map(|l| levels(facts, l)))
}

fn count(facts: &Facts, key: Key) -> Option<String> {
    let list = facts.builtins.get(&key)?;
    Kind::ALL.into_iter().find_map(|kind| {
        let count = list.iter().filter(|b| b.kind == kind).count();
        (count != 1).then(|| {
            let (name, reduction) = (kind.name(), reduction_name(key));
            format!("{reduction} has {count} {name}, and must have one")
        })
    })
}

fn place(ctx: &Context, facts: &Facts, key: Key, four: &Four) -> Option<String> {
    let region = (key.0, key.1);
    let [setup, init, fini, teardown] =
        [four.setup, four.init, four.fini, four.teardown].map(|b| b.op);
    let name = reduction_name(key);
    if !facts.in_order(ctx, &[setup, init, fini, teardown]) {
        return Some(format!(
            "the builtins of {name} are not in the order setup, init, fini, teardown in one block"
        ));
    }
    let locked = Facts::only(&facts.locks, region).zip(Facts::only(&facts.unlocks, region));
    if !locked.is_some_and(|(lock, unlock)| facts.in_order(ctx, &[lock, fini, unlock])) {
        return Some(format!(
            "par.red_fini of {name} is not between par.lock and par.unlock"
        ));
    }
    let forked = Facts::only(&facts.forks, region).zip(Facts::only(&facts.joins, region));
    let Some((fork, join)) = forked else {
        return (key.0 != Level::Gang)
            .then(|| format!("{name} has no partitioned region, as only gang reductions may"));
    };
    let around = facts.in_order(ctx, &[setup, fork, init, fini, join, teardown]);
    let unlocked = locked.is_some_and(|(_, unlock)| facts.in_order(ctx, &[unlock, join]));
    (!around || !unlocked)
        .then(|| format!("the builtins of {name} do not enclose their partitioned region"))
}

fn arguments(facts: &Facts, key: Key) -> Option<String> {
    let list = facts.builtins.get(&key)?;
    let first = list.first()?;
    let name = reduction_name(key);
    if let Some(other) = list
        .iter()
        .find(|b| b.info != first.info || b.result != first.result)
    {
        let (one, other) = (first.kind.name(), other.kind.name());
        return Some(format!(
            "{one} and {other} of {name} disagree on operator, signedness or RESULT"
        ));
    }
    (first.result.is_some() && !facts.is_kernel)
        .then(|| format!("{name} has a RESULT, but is not in a kernel"))
}

fn levels(facts: &Facts, levels: &[Four]) -> Option<String> {
    levels.windows(2).find_map(|pair| {
        let (outer, inner) = (&pair[0], &pair[1]);
        let names = (
            reduction_name(inner.setup.key()),
            reduction_name(outer.setup.key()),
        );
        let at =
            |four: &Four| [four.setup, four.init, four.fini, four.teardown].map(|b| facts.at(b.op));
        let ([_, init, fini, _], [setup, _, _, teardown]) = (at(outer), at(inner));
        if !(init < setup && teardown < fini) {
            return Some(format!(
                "{} is not between init and fini of {}",
                names.0, names.1
            ));
        }
        let (a, b) = (outer.setup.info, inner.setup.info);
        ((a.operator, a.signed) != (b.operator, b.signed)).then(|| {
            format!(
                "{} and {} disagree on operator or signedness",
                names.0, names.1
            )
        })
    })
}
