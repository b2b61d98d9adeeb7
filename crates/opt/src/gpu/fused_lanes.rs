//! Pass `fused-lanes` (GPUs): neighbouring loops over lanes with loops in them become one, where each lane updates elements of its own.
//!
//! ```text
//! lanes j = 0 to m { c[i * m + j] *= beta }             lanes j = 0 to m {
//! lanes j = 0 to m {                                      c[i * m + j] *= beta
//!   for k = 0 to n { c[i * m + j] += … } }          →     for k = 0 to n { c[i * m + j] += … } }
//! ```
//! The element goes through memory between them on the left. On the right it does not, and where that is all that a loop over gangs does, a
//! grid has a thread for each element ([`super::grid_versions`]), which does several rows at a time ([`super::rows`]).
//!
//! 1. The loops follow each other, are spread over the same levels and have the same bounds; between them numbers are computed. One of them has a loop in
//!    order in it: others are worked on several iterations at a time, and what they share is kept in registers, as they are ([`super::kept_rows`]).
//! 2. What each iteration of a loop always stores, no other iteration of it accesses ([`crate::analysis::own_elements`]). If the elements that one of the loops
//!    stores are always stored by the other one as well, nothing that the other one accesses in other iterations can be there, whatever pointers lead
//!    to. That must hold for both of them, unless the other one loads nothing but such elements.
//!
//! Results are the same bits. Cost: for each pair of neighbours linear in their size, times their stores.

use accrue_dialects::{
    core::{Alloca, Externs, Load},
    par::Loop,
};
use accrue_ir::{
    effects::is_pure,
    walk::{nested, operands_of, ops_of_block},
};
use pliron::{
    builtin::{
        op_interfaces::SingleBlockRegionInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    linked_list::LinkedList,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::{
    State, Switch,
    analysis::{
        accesses::{Base, Place, Reader, Step},
        affine::Sum,
        alike::are_same,
        own_elements::{OwnStore, loads_of_arrays, own_stores},
        straight::PureFunctions,
        variables::is_local_scalar,
    },
    transform::inline::device_functions,
};

const NAME: &str = "fused-lanes";

/// Fuses loops of kernels, and of the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.gangs.handed_out || state.off.is_off(Switch::Interchange) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    let externs = Externs::of_module(ctx, module.get_operation());
    for func in device_functions(ctx, module) {
        for first in fuse(ctx, func, &externs, &pure) {
            let message = "is one with the loop over lanes behind it, whose iterations have the same elements";
            state.remark(ctx, first.get_operation(), NAME, message.to_string());
        }
    }
}

/// Fuses the loops of a function; gives those that others have become part of.
pub fn fuse(ctx: &mut Context, func: FuncOp, externs: &Externs, pure: &PureFunctions) -> Vec<Loop> {
    let found = |ctx: &Context| {
        let loops = nested::<Loop>(ctx, func.get_operation()).into_iter();
        let mut pairs = loops.filter_map(|lp| plan(ctx, lp, externs, pure));
        pairs.next()
    };
    let mut changed = vec![];
    while let Some(plan) = found(ctx) {
        changed.push(plan.first);
        write(ctx, &plan);
    }
    changed
}

/// Two loops over lanes, and what is between them.
struct Plan {
    first: Loop,
    between: Vec<Ptr<Operation>>,
    second: Loop,
}

fn plan(ctx: &Context, first: Loop, externs: &Externs, pure: &PureFunctions) -> Option<Plan> {
    if !is_of_lanes(ctx, first) {
        return None;
    }
    let mut between = vec![];
    let mut at = first.get_operation().deref(ctx).get_next();
    let second = loop {
        let op = at?;
        if let Some(lp) = Operation::get_op::<Loop>(op, ctx) {
            break lp;
        }
        computes(ctx, op).then_some(())?;
        between.push(op);
        at = op.deref(ctx).get_next();
    };
    let plan = Plan {
        first,
        between,
        second,
    };
    (plan.has_same_iterations(ctx, externs) && plan.may_be_one(ctx, pure)).then_some(plan)
}

fn is_of_lanes(ctx: &Context, lp: Loop) -> bool {
    let levels = lp.levels(ctx);
    levels.vector && !levels.gang && lp.tile(ctx).is_none()
}

/// Whether an operation between two loops computes numbers, from variables that loops with own stores only do not write.
fn computes(ctx: &Context, op: Ptr<Operation>) -> bool {
    if let Some(load) = Operation::get_op::<Load>(op, ctx) {
        return is_local_scalar(ctx, load.get_operand_address(ctx));
    }
    if let Some(alloca) = Operation::get_op::<Alloca>(op, ctx) {
        return alloca.count(ctx).is_none();
    }
    is_pure(ctx, op) && op.deref(ctx).num_regions() == 0
}

impl Plan {
    fn has_same_iterations(&self, ctx: &Context, externs: &Externs) -> bool {
        let [first, second] = [self.first, self.second];
        let bounds = |lp: Loop| operands_of(ctx, lp.get_operation());
        let mut pairs = bounds(first).into_iter().zip(bounds(second));
        let counter = |lp: Loop| lp.get_body(ctx, 0).deref(ctx).get_argument(0);
        is_of_lanes(ctx, second)
            && first.levels(ctx) == second.levels(ctx)
            && first.all_dims(ctx) == second.all_dims(ctx)
            && counter(first).get_type(ctx) == counter(second).get_type(ctx)
            && pairs.all(|(a, b)| are_same(ctx, externs, a, b))
    }

    /// Whether nobody can tell the order of different iterations of the two.
    fn may_be_one(&self, ctx: &Context, pure: &PureFunctions) -> bool {
        let both = [self.first, self.second];
        let has_loops = |lp: &Loop| !nested::<Loop>(ctx, lp.get_operation()).is_empty();
        let ops = both.map(|lp| lp.get_operation());
        let around = ops[0].deref(ctx).get_parent_region(ctx);
        let Some(around) = around.filter(|_| both.iter().any(has_loops)) else {
            return false;
        };
        let reader = Reader::new(ctx, around);
        let accessed = both.map(|lp| Accessed::of(&reader, lp, &ops, pure));
        let [Some(first), Some(second)] = accessed else {
            return false;
        };
        match (first.is_covered_by(&second), second.is_covered_by(&first)) {
            (true, true) => true,
            (true, false) => first.loads_only_of(&second),
            (false, true) => second.loads_only_of(&first),
            (false, false) => false,
        }
    }
}

/// The elements that a loop over lanes accesses, outside of local variables.
struct Accessed {
    stored: Vec<Element>,
    /// Those that every iteration stores to that accesses anything.
    always: Vec<Element>,
    loaded: Vec<Element>,
}

impl Accessed {
    fn of(
        reader: &Reader<'_>,
        lanes: Loop,
        around: &[Ptr<Operation>],
        pure: &PureFunctions,
    ) -> Option<Accessed> {
        let ctx = reader.ctx;
        let body = lanes.get_operation().deref(ctx).get_region(0);
        let stores = own_stores(&Reader::new(ctx, body), lanes, around, pure)?;
        let element = |address: Value| Element::of(reader, lanes, address);
        let stored = |own: &OwnStore| element(own.store.get_operand_address(ctx));
        let always = stores.iter().filter(|own| own.always);
        Some(Accessed {
            stored: stores.iter().map(stored).collect(),
            always: always.map(stored).collect(),
            loaded: loads_of_arrays(ctx, lanes)
                .into_iter()
                .map(|load| element(load.get_operand_address(ctx)))
                .collect(),
        })
    }

    /// Whether all that it stores is what each iteration of the other one stores.
    fn is_covered_by(&self, other: &Accessed) -> bool {
        self.stored.iter().all(|it| other.always.contains(it))
    }

    /// Whether all that it loads is what each iteration of the other one stores.
    fn loads_only_of(&self, other: &Accessed) -> bool {
        self.loaded.iter().all(|it| other.always.contains(it))
    }
}

/// A place, by the counters of the loop over lanes: equal ones are at the same place in the same iteration of two such loops.
#[derive(PartialEq, Eq)]
struct Element {
    base: Base,
    steps: Vec<Along>,
}

#[derive(PartialEq, Eq)]
enum Along {
    /// How it moves with each counter, and what is left without them.
    Index {
        strides: Vec<Sum>,
        rest: Sum,
    },
    /// Nothing is known.
    Somewhere(Value),
    Member(u32),
}

impl Element {
    fn of(reader: &Reader<'_>, lanes: Loop, address: Value) -> Element {
        let body = lanes.get_body(reader.ctx, 0);
        let counters: Vec<Value> = body.deref(reader.ctx).arguments().collect();
        let Place { base, path } = reader.place(address);
        let along = |step: Step| match step {
            Step::Member(field) => Along::Member(field),
            Step::Index(sum) => {
                let (mut strides, mut rest) = (vec![], sum);
                for counter in &counters {
                    let Some((stride, without)) = reader.stride(&rest, *counter) else {
                        return Along::Somewhere(address);
                    };
                    strides.push(stride);
                    rest = without;
                }
                Along::Index { strides, rest }
            }
        };
        let known = match &base {
            Base::Variable(_) | Base::Pointee(_) | Base::Loaded(_) => None,
            Base::Inside | Base::Unknown => Some(Along::Somewhere(address)),
        };
        let steps = path.into_iter().map(along).chain(known).collect();
        Element { base, steps }
    }
}

/// Puts the body of the second loop behind that of the first, and what is between them before both.
fn write(ctx: &mut Context, plan: &Plan) {
    let [first, second] = [plan.first, plan.second];
    for op in &plan.between {
        op.unlink(ctx);
        op.insert_before(ctx, first.get_operation());
    }
    let bodies = [first, second].map(|lp| lp.get_body(ctx, 0));
    let counters = bodies.map(|body| body.deref(ctx).arguments().collect::<Vec<Value>>());
    for (old, new) in counters[1].iter().zip(&counters[0]) {
        old.replace_all_uses_with(ctx, new);
    }
    let ops = bodies.map(|body| ops_of_block(ctx, body));
    let (Some(end), Some((_, moved))) = (ops[0].last(), ops[1].split_last()) else {
        return;
    };
    for op in moved {
        op.unlink(ctx);
        op.insert_before(ctx, *end);
    }
    Operation::erase(second.get_operation(), ctx);
}
