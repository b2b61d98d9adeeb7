//! Sections of pointers that programs leave out: which elements of what a pointer leads to a region accesses.
//!
//! ```text
//! #pragma acc parallel loop                 →     #pragma acc parallel loop copyin(a[0:n]) copy(b[1:n-2])
//! for (i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];
//! ```
//!
//! By the letter the region gets the pointer, and what it leads to must be present (OpenACC 3.4, section 2.6.2). Other compilers map
//! what the loops access, and programs count on it. Where the data is present, or the device can use the host's address, nothing is mapped.
//!
//! Steps, for a pointer that the region does not change and whose value goes nowhere but into addresses:
//! 1. each access is as many elements behind the pointer as a sum says ([`accrue_opt::analysis::affine`]), of counters of loops and of
//!    variables that the kernel gets by value ([`surroundings`]);
//! 2. the extremes of each sum are arithmetic of the host ([`polynomial`]);
//! 3. from the least to the most is the section. It is exact: an element at each end is accessed, so that no memory is copied that the
//!    program itself would not come to. Comparisons of counters count. What only executes under another condition cannot make the section
//!    larger: if it could, the length is 0 at that launch, and the pointer is one without a section.
//!
//! Cost: for each pointer the accesses, times the depth of loops.

mod polynomial;
mod surroundings;

use self::{
    polynomial::{Extremes, Polynomial, extremes},
    surroundings::Surroundings,
};
use accrue_dialects::{
    acc::DataClause,
    address_use::{UseKind, use_of},
    core::{Alloca, Cast, If, Load, Select, Shape, ShapeDim, Store, pointee, pointee_of},
};
use accrue_hostcall::{Arithmetic, InferredSection, Operator};
use accrue_ir::walk::results_of;
use accrue_opt::{
    analysis::{
        accesses::{Base, Reader, Step},
        variables::{Root, defined_inside, uses_of},
    },
    diagnostic::position,
};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    operation::Operation,
    region::Region,
    value::Value,
};
use std::collections::HashSet;

/// Longer arithmetic is not for each launch.
const MOST_ARITHMETIC: usize = 320;

/// Behind all elements; differences do not overflow.
const FAR: i64 = 1 << 62;

/// What a region needs of a pointer's target.
pub struct Inferred {
    pub clause: DataClause,
    pub section: InferredSection,
}

/// Why a section cannot be said: what the user did, and where.
pub struct Unbounded {
    pub op: Option<Ptr<Operation>>,
    pub why: &'static str,
}

impl Unbounded {
    fn at(op: Ptr<Operation>, why: &'static str) -> Unbounded {
        Unbounded { op: Some(op), why }
    }

    /// Behind the pointer's name in a message.
    pub fn shown(&self, ctx: &Context) -> String {
        match self.op.map(|op| position(ctx, op).0) {
            None | Some(0) => self.why.to_string(),
            Some(line) => format!("{} (line {line})", self.why),
        }
    }
}

/// The section of the pointer variable `root` that `region` accesses. `by_value` are variables of which the kernel has what the host
/// has.
pub fn infer(
    ctx: &Context,
    region: Ptr<Region>,
    root: &Root,
    shape: &Shape,
    by_value: &dyn Fn(&Root) -> bool,
) -> Result<Inferred, Unbounded> {
    let reader = Reader::closed(ctx, region);
    let mut surroundings = Surroundings::new(&reader, region, by_value);
    let base = Base::Pointee(root.clone());
    let measured = measured(ctx, region, (&base, shape), &mut surroundings)?;
    let section = section(&mut surroundings, &measured)?;
    Ok(Inferred {
        clause: match measured.writes {
            true => DataClause::Copy,
            false => DataClause::Copyin,
        },
        section,
    })
}

/// All that `region` may access of what the pointer variable `root` leads to, or of the array, under conditions or not: no element at
/// the ends need be accessed.
pub fn reach(
    ctx: &Context,
    region: Ptr<Region>,
    root: &Root,
    shape: &Shape,
    by_value: &dyn Fn(&Root) -> bool,
) -> Option<InferredSection> {
    let reader = Reader::closed(ctx, region);
    let mut surroundings = Surroundings::new(&reader, region, by_value);
    let base = match shape.dims.first()? {
        ShapeDim::Pointer => Base::Pointee(root.clone()),
        ShapeDim::Fixed(_) => Base::Variable(root.clone()),
        ShapeDim::Variable => return None,
    };
    let measured = measured(ctx, region, (&base, shape), &mut surroundings).ok()?;
    let mut all = measured.certain;
    all.extend(measured.possible.into_iter().map(|(extremes, _)| extremes));
    let hull = hull(&mut surroundings, &all)?;
    let or_nothing = |number: Arithmetic| match &hull.condition {
        Some(condition) => Arithmetic::when(condition.clone(), number, Arithmetic::Constant(0)),
        None => number,
    };
    Some(InferredSection {
        lower: or_nothing(hull.least),
        length: or_nothing(hull.count),
    })
}

/// From where to where accesses go.
struct Measured {
    certain: Vec<Extremes>,
    /// Those under conditions that are not known.
    possible: Vec<(Extremes, Ptr<Operation>)>,
    writes: bool,
}

/// From where to where all accesses to `base` go, in elements of the outermost dimension of `shape`.
fn measured(
    ctx: &Context,
    region: Ptr<Region>,
    (of, shape): (&Base, &Shape),
    surroundings: &mut Surroundings<'_>,
) -> Result<Measured, Unbounded> {
    let countable = shape.dims.iter().skip(1).all(|dim| match dim {
        ShapeDim::Fixed(_) => true,
        ShapeDim::Pointer | ShapeDim::Variable => false,
    });
    if !countable || pointee_of(ctx, shape.elem).is_some() {
        let why = "it leads to pointers, or to rows whose length is not constant";
        return Err(Unbounded { op: None, why });
    }
    let accesses = accesses(ctx, region, of)?;
    let (mut certain, mut possible): (Vec<Extremes>, Vec<_>) = (vec![], vec![]);
    let mut counted = vec![];
    for access in &accesses {
        if leads_on(ctx, access) {
            let why = "it leads to pointers, which a section would not follow";
            return Err(Unbounded::at(access.op, why));
        }
        let place = surroundings.reader().place(access.address);
        let sum = match place.path.first() {
            Some(Step::Index(index)) if place.base == *of => surroundings.polynomial(index),
            _ => None,
        };
        counted.push((access.op, sum.ok_or_else(|| unknown(access.op))?));
    }
    join_branches(ctx, &mut counted);
    for (op, sum) in counted {
        let around = surroundings.around(op).ok_or_else(|| unknown(op))?;
        let loops = &around.loops;
        let iterations = around.iterations.clone();
        let all = [iterations.clone(), around.branches].concat();
        match extremes(sum.clone(), loops, all, &mut surroundings.hosts) {
            Some(found) if around.uncertain => possible.push((found, op)),
            Some(found) => certain.push(found),
            None => {
                let found = extremes(sum, loops, iterations, &mut surroundings.hosts);
                possible.push((found.ok_or_else(|| unknown(op))?, op));
            }
        }
    }
    Ok(Measured {
        certain,
        possible,
        writes: accesses.iter().any(|access| access.write),
    })
}

fn unknown(op: Ptr<Operation>) -> Unbounded {
    Unbounded::at(
        op,
        "which element is accessed is not known before the launch",
    )
}

/// What both ways of a branch access is accessed where the branch is.
fn join_branches(ctx: &Context, accesses: &mut Vec<(Ptr<Operation>, Polynomial)>) {
    let way = |op: Ptr<Operation>| {
        let region = op.deref(ctx).get_parent_region(ctx)?;
        let branch = region.deref(ctx).get_parent_op();
        Operation::is_op::<If>(branch, ctx).then_some((branch, region))
    };
    let mut first = 0;
    while let Some((op, sum)) = accesses.get(first).cloned() {
        let other = way(op).and_then(|(branch, region)| {
            let at = accesses.iter().position(|(other, same)| {
                *same == sum && way(*other).is_some_and(|(b, r)| b == branch && r != region)
            });
            at.map(|at| (branch, at))
        });
        match other {
            None => first += 1,
            Some((branch, at)) => {
                accesses[first].0 = branch;
                accesses.remove(at);
                // What is around the branch may be one, too.
                first = 0;
            }
        }
    }
}

/// An access through the pointer.
struct Access {
    op: Ptr<Operation>,
    address: Value,
    write: bool,
}

/// All that the region does with what the pointer leads to, or with the array.
fn accesses(ctx: &Context, region: Ptr<Region>, of: &Base) -> Result<Vec<Access>, Unbounded> {
    let mut open = vec![];
    let (root, leads) = match of {
        Base::Pointee(root) => (root, true),
        Base::Variable(root) => (root, false),
        Base::Loaded(_) | Base::Inside | Base::Unknown => return Ok(vec![]),
    };
    for at in uses_of(ctx, region, root) {
        let used = use_of(ctx, at.op, at.index);
        if let (UseKind::Derive, false) = (used, leads) {
            open.extend(results_of(ctx, at.op));
            continue;
        }
        match (Operation::get_op::<Load>(at.op, ctx), used) {
            (Some(load), UseKind::Read { volatile: false }) if leads => {
                open.push(load.get_result(ctx));
            }
            (_, UseKind::Clause | UseKind::Look) => {}
            _ => {
                return Err(Unbounded::at(
                    at.op,
                    "the region changes it, or uses its address",
                ));
            }
        }
    }
    let mut seen: HashSet<Value> = open.iter().copied().collect();
    let mut found = vec![];
    while let Some(address) = open.pop() {
        for used in address.uses(ctx) {
            let (op, index) = (used.user_op(), used.find_index(ctx));
            let lost = || Unbounded::at(op, "its value is used in a way that is not followed");
            let write = match use_of(ctx, op, index) {
                UseKind::Read { .. } => false,
                UseKind::Write { .. } | UseKind::Update { .. } => true,
                UseKind::Look | UseKind::Clause => continue,
                UseKind::Derive => {
                    if Operation::is_op::<Cast>(op, ctx) || Operation::is_op::<Select>(op, ctx) {
                        return Err(lost());
                    }
                    let results = results_of(ctx, op).into_iter();
                    open.extend(results.filter(|result| seen.insert(*result)));
                    continue;
                }
                UseKind::Keep => {
                    let kept = kept_in(ctx, region, op, address).ok_or_else(lost)?;
                    open.extend(kept.into_iter().filter(|result| seen.insert(*result)));
                    continue;
                }
                UseKind::Pass => return Err(Unbounded::at(op, "it is passed to a function")),
            };
            found.push(Access { op, address, write });
        }
    }
    Ok(found)
}

/// What is loaded from the variable of the region that `op` puts the address into.
fn kept_in(
    ctx: &Context,
    region: Ptr<Region>,
    op: Ptr<Operation>,
    address: Value,
) -> Option<Vec<Value>> {
    let store = Operation::get_op::<Store>(op, ctx)?;
    let variable = store.get_operand_address(ctx);
    let made = variable.defining_op()?;
    Operation::get_op::<Alloca>(made, ctx)?;
    if store.get_operand_value(ctx) != address || !defined_inside(ctx, variable, region) {
        return None;
    }
    let mut loaded = vec![];
    for used in variable.uses(ctx) {
        let other = used.user_op();
        match Operation::get_op::<Load>(other, ctx) {
            Some(load) => loaded.push(load.get_result(ctx)),
            None if other == op => {}
            None => return None,
        }
    }
    Some(loaded)
}

/// Whether what is accessed is a pointer.
fn leads_on(ctx: &Context, access: &Access) -> bool {
    pointee(ctx, access.address).is_some_and(|ty| pointee_of(ctx, ty).is_some())
}

/// What all accesses need, of which the possible ones may not go beyond the certain ones.
fn section(
    surroundings: &mut Surroundings<'_>,
    Measured {
        certain, possible, ..
    }: &Measured,
) -> Result<InferredSection, Unbounded> {
    let too_long = || Unbounded {
        op: None,
        why: "the bounds of its accesses are too long to be computed at each launch",
    };
    if certain.is_empty() {
        let op = possible.first().map(|(_, op)| *op);
        let why = "accesses depend on conditions that are not known before the launch";
        return Err(Unbounded { op, why });
    }
    let hull = hull(surroundings, certain).ok_or_else(too_long)?;
    let mut within = vec![];
    for (extremes, _) in possible {
        if certain.iter().any(|other| is_inside(extremes, other)) {
            continue;
        }
        let own = self::hull(surroundings, std::slice::from_ref(extremes)).ok_or_else(too_long)?;
        // Nothing, if it is not executed for certain.
        let before = own.least.clone().minus(hull.least.clone());
        let behind = hull.most.clone().minus(own.most);
        let both = Arithmetic::binary(Operator::Least, before, behind);
        within.push(match own.condition {
            Some(condition) => Arithmetic::when(condition, both, Arithmetic::Constant(0)),
            None => both,
        });
    }
    let conditions = hull.condition.into_iter().chain(within);
    let condition = conditions.reduce(|a, b| Arithmetic::binary(Operator::Least, a, b));
    let or_nothing = |number: Arithmetic| match &condition {
        Some(condition) => Arithmetic::when(condition.clone(), number, Arithmetic::Constant(0)),
        None => number,
    };
    let section = InferredSection {
        lower: or_nothing(hull.least),
        length: or_nothing(hull.count),
    };
    match section.lower.size() + section.length.size() <= MOST_ARITHMETIC {
        true => Ok(section),
        false => Err(too_long()),
    }
}

/// From where to where accesses go, if the condition is not negative.
struct Hull {
    least: Arithmetic,
    most: Arithmetic,
    /// How many elements that are.
    count: Arithmetic,
    condition: Option<Arithmetic>,
}

/// All that accesses come to. Where some of them are executed under a condition of their own, and others not, those that are not come to
/// nothing.
fn hull(surroundings: &mut Surroundings<'_>, all: &[Extremes]) -> Option<Hull> {
    // Those under the same conditions are put together.
    let mut groups: Vec<Extremes> = vec![];
    for extremes in all {
        match groups
            .iter_mut()
            .find(|group| group.conditions == extremes.conditions)
        {
            Some(group) => {
                group.least.extend(extremes.least.clone());
                group.most.extend(extremes.most.clone());
            }
            None => groups.push(extremes.clone()),
        }
    }
    let mut hulls = vec![];
    for group in &groups {
        let hosts = &mut surroundings.hosts;
        let conditions = group.conditions.as_slice();
        let least = hosts.one(group.least.clone(), Operator::Least)?;
        let most = hosts.one(group.most.clone(), Operator::Most)?;
        let count = most.minus(&least).plus(&Polynomial::number(1), 1);
        hulls.push(Hull {
            least: least.of_host(hosts.numbers())?,
            most: most.of_host(hosts.numbers())?,
            count: count.of_host(hosts.numbers())?,
            condition: match conditions {
                [] => None,
                conditions => {
                    let least = hosts.one(conditions.to_vec(), Operator::Least)?;
                    Some(least.of_host(hosts.numbers())?)
                }
            },
        });
    }
    let either = |a: Hull, b: Hull| {
        let both = |operator, a: Arithmetic, b: Arithmetic| Arithmetic::binary(operator, a, b);
        let (far, near) = (Arithmetic::Constant(FAR), Arithmetic::Constant(-FAR));
        let where_executed = |hull: &Hull, number: &Arithmetic, nothing: &Arithmetic| match &hull
            .condition
        {
            Some(condition) => Arithmetic::when(condition.clone(), number.clone(), nothing.clone()),
            None => number.clone(),
        };
        let least = both(
            Operator::Least,
            where_executed(&a, &a.least, &far),
            where_executed(&b, &b.least, &far),
        );
        let most = both(
            Operator::Most,
            where_executed(&a, &a.most, &near),
            where_executed(&b, &b.most, &near),
        );
        let condition = match (a.condition, b.condition) {
            (Some(a), Some(b)) => Some(both(Operator::Most, a, b)),
            (None, _) | (_, None) => None,
        };
        let behind = Arithmetic::binary(Operator::Add, most.clone(), Arithmetic::Constant(1));
        Hull {
            count: behind.minus(least.clone()),
            least,
            most,
            condition,
        }
    };
    hulls.into_iter().reduce(either)
}

/// Whether all that accesses come to is between two that the others come to, whenever they are executed at all.
fn is_inside(inner: &Extremes, outer: &Extremes) -> bool {
    let all =
        |own: &[Polynomial], others: &[Polynomial]| own.iter().all(|own| others.contains(own));
    all(&inner.least, &outer.least)
        && all(&inner.most, &outer.most)
        && all(&outer.conditions, &inner.conditions)
}
