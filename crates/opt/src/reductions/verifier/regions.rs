//! Partitioned regions and locked regions.
//!
//! - A region has one `par.fork` and one `par.join`, in one block, in this order.
//! - Two regions are apart or one is inside the other; of one loop, gangs enclose workers and workers enclose lanes.
//! - A `par.barrier` is inside of the region that it names.
//! - A loop and level has one `par.lock` and one `par.unlock`, in one block, in this order; between them stand the
//!   `par.red_fini` of this loop and level, at least one, and nothing else.

use super::{Builtin, Facts, Kind, Region, region_name};
use pliron::{
    context::{Context, Ptr},
    linked_list::LinkedList,
    operation::Operation,
};

/// The first broken rule.
pub fn problem(ctx: &Context, facts: &Facts) -> Option<String> {
    let mut regions = vec![];
    for key in keys(&facts.forks, &facts.joins) {
        match pair(&facts.forks, &facts.joins, key) {
            Some((fork, join)) if facts.in_order(ctx, &[fork, join]) => {
                regions.push((key, facts.at(fork), facts.at(join)));
            }
            Some(_) | None => {
                let name = region_name(key);
                return Some(format!(
                    "par.fork {name} and par.join {name} must exist once each, in this order in one block"
                ));
            }
        }
    }
    let barrier = facts.barriers.iter().find_map(|(key, barriers)| {
        let region = regions.iter().find(|(region, ..)| region == key);
        let inside = |at: usize| region.is_some_and(|(_, fork, join)| (fork..join).contains(&&at));
        let outside = barriers.iter().any(|barrier| !inside(facts.at(*barrier)));
        let name = region_name(*key);
        outside.then(|| format!("par.barrier {name} is not inside the region of {name}"))
    });
    not_nested(&regions).or(barrier).or_else(|| {
        let locked = keys(&facts.locks, &facts.unlocks);
        locked.into_iter().find_map(|key| lock(ctx, facts, key))
    })
}

type Marks = std::collections::BTreeMap<Region, Vec<Ptr<Operation>>>;

fn keys(a: &Marks, b: &Marks) -> std::collections::BTreeSet<Region> {
    a.keys().chain(b.keys()).copied().collect()
}

fn pair(a: &Marks, b: &Marks, key: Region) -> Option<(Ptr<Operation>, Ptr<Operation>)> {
    Some((Facts::only(a, key)?, Facts::only(b, key)?))
}

/// Regions with the places of their ends.
fn not_nested(regions: &[(Region, usize, usize)]) -> Option<String> {
    for (outer, fork, join) in regions {
        for (inner, inner_fork, inner_join) in regions {
            if fork < inner_fork && inner_fork < join && join < inner_join {
                let (outer, inner) = (region_name(*outer), region_name(*inner));
                return Some(format!(
                    "par.fork {inner} is inside the region of {outer}, par.join {inner} is not"
                ));
            }
            let encloses = fork < inner_fork && inner_join < join;
            if outer.1 == inner.1 && outer.0 < inner.0 && !encloses {
                let (outer, inner) = (region_name(*outer), region_name(*inner));
                return Some(format!(
                    "the region of {inner} is not inside the region of {outer}"
                ));
            }
        }
    }
    None
}

fn lock(ctx: &Context, facts: &Facts, key: Region) -> Option<String> {
    let name = region_name(key);
    let ends =
        pair(&facts.locks, &facts.unlocks, key).filter(|(a, b)| facts.in_order(ctx, &[*a, *b]));
    let Some((lock, unlock)) = ends else {
        return Some(format!(
            "par.lock {name} and par.unlock {name} must exist once each, in this order in one block"
        ));
    };
    let mut between = vec![];
    let mut at = lock.deref(ctx).get_next();
    while let Some(op) = at.filter(|op| *op != unlock) {
        between.push(op);
        at = op.deref(ctx).get_next();
    }
    let own = |op: &Ptr<Operation>| {
        Builtin::of(ctx, *op)
            .is_some_and(|b| b.kind == Kind::Fini && (b.info.level, b.info.id.loop_id) == key)
    };
    let right = !between.is_empty() && between.iter().all(own);
    (!right).then(|| {
        format!("between par.lock {name} and par.unlock {name} stands something other than their par.red_fini")
    })
}
