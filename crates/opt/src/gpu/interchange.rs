//! Pass `interchange` (GPUs): a loop in order around a loop over lanes goes into it, where each lane updates elements of its own.
//!
//! Programs that were written for cores go along rows innermost, so that the elements of a row are loaded, updated and stored once for each
//! iteration of the loop around:
//!
//! ```text
//! for k = 0 to n {                                          lanes j = 0 to m {
//!   lanes j = 0 to m {                                        for k = 0 to n {
//!     c[i * m + j] += a[i * n + k] * b[k * m + j] } }   →       c[i * m + j] += a[i * n + k] * b[k * m + j] } }
//! ```
//! On the right a lane has its element in a register ([`super::accumulators`]), and where the loop around the two is over gangs, a grid has a thread for
//! each element ([`super::grid_versions`]). (A source of 32 groups of energy took 9.9 times the time of CUDA with the loops as they were.)
//!
//! 1. The loop in order has one loop over lanes in it, perhaps in conditions, and beside that computes numbers only. The bounds of the loop over lanes
//!    are the same in all its iterations. Loops in order inside of the other, with bounds that are the same everywhere, may be around its stores.
//! 2. All that is stored is stored in each iteration of the loop over lanes, at an address that does not depend on the loop in order. So what an
//!    iteration of the one loads can only be what the same one has stored: if another one stored there at any time, it would do so while this
//!    one loads it, too, and the iterations of a loop over lanes are independent. That holds whatever pointers lead to.
//! 3. What is beside the loop over lanes is computed by each lane for each of its iterations then. It loads no arrays: another lane may have stored there.
//!    A version of the kernel for launches whose arguments are known to be apart may load from behind other parameters ([`super::grid_versions`]).
//!
//! Each element gets its updates in the same order: results are the same bits. Cost: linear in the size of the loops, for each of them.

use accrue_dialects::{
    core::{Alloca, Bin, If, Load, Store, Yield, emit::Emitter},
    par::Loop,
};
use accrue_ir::{
    effects::is_pure,
    walk::{enclosing, is_inside, nested, nested_ops, operands_of, ops_of_block},
};
use pliron::{
    builtin::{
        op_interfaces::SingleBlockRegionInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    value::Value,
};

use crate::{
    State, Switch,
    analysis::{
        accesses::{Base, Reader},
        own_elements::{is_made_in, own_stores},
        parameters::{is_kept_parameter, stores_elsewhere},
        straight::PureFunctions,
        variables::{Root, is_local_scalar},
    },
    transform::inline::device_functions,
};

const NAME: &str = "interchange";

/// Operations beside the loop over lanes, which each iteration of it does then.
const MOST_BESIDE: usize = 24;

/// Interchanges the loops of kernels, and of the functions they call, from the inside out.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if !state.target.gangs.handed_out || state.off.is_off(Switch::Interchange) {
        return;
    }
    let pure = PureFunctions::of(ctx, module);
    for func in device_functions(ctx, module) {
        for around in interchange(ctx, func, &pure, Memory::MayOverlap) {
            let message =
                "goes into the loop over lanes in it, whose elements stay in registers meanwhile";
            state.remark(ctx, around.get_operation(), NAME, message.to_string());
        }
    }
}

/// What is known of the memory behind a kernel's parameters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    MayOverlap,
    /// What is written is behind one parameter.
    IsApart,
}

/// Interchanges the loops of a function; gives those that have gone into others.
pub fn interchange(
    ctx: &mut Context,
    func: FuncOp,
    pure: &PureFunctions,
    memory: Memory,
) -> Vec<Loop> {
    let found = |ctx: &Context| {
        let loops = nested::<Loop>(ctx, func.get_operation()).into_iter();
        loops.rev().find_map(|lp| plan(ctx, lp, pure, memory))
    };
    let mut changed = vec![];
    while let Some(plan) = found(ctx) {
        changed.push(plan.around);
        write(ctx, &plan);
    }
    changed
}

/// Two loops to interchange.
struct Plan {
    /// The loop in order.
    around: Loop,
    /// The loop over lanes in it.
    lanes: Loop,
    /// What computes the bounds of that, in order.
    bounds: Vec<Ptr<Operation>>,
}

fn plan(ctx: &Context, around: Loop, pure: &PureFunctions, memory: Memory) -> Option<Plan> {
    let levels = around.levels(ctx);
    if levels.gang || levels.worker || levels.vector {
        return None;
    }
    let spread = |lp: &Loop| {
        let levels = lp.levels(ctx);
        levels.gang || levels.worker || levels.vector
    };
    let mut inside = nested::<Loop>(ctx, around.get_operation())
        .into_iter()
        .filter(spread);
    let (lanes, None) = (inside.next()?, inside.next()) else {
        return None;
    };
    let levels = lanes.levels(ctx);
    if !levels.vector || levels.gang || lanes.tile(ctx).is_some() {
        return None;
    }
    let nest = Nest::new(ctx, (around, lanes), memory);
    let bounds = nest.bounds()?;
    nest.may_change(pure).then_some(Plan {
        around,
        lanes,
        bounds,
    })
}

/// The loops with what is asked of them.
struct Nest<'a> {
    ctx: &'a Context,
    around: Loop,
    lanes: Loop,
    /// For addresses and numbers in the loop in order.
    reader: Reader<'a>,
    memory: Memory,
}

impl<'a> Nest<'a> {
    fn new(ctx: &'a Context, (around, lanes): (Loop, Loop), memory: Memory) -> Self {
        let region = around.get_operation().deref(ctx).get_region(0);
        let reader = Reader::new(ctx, region);
        Nest {
            ctx,
            around,
            lanes,
            reader,
            memory,
        }
    }

    fn is_inside(&self, op: Ptr<Operation>, lp: Loop) -> bool {
        let region = lp.get_operation().deref(self.ctx).get_region(0);
        is_inside(self.ctx, op, region)
    }

    /// The operations in the loop in order that compute the bounds of the loop over lanes, if it has the same in all iterations.
    fn bounds(&self) -> Option<Vec<Ptr<Operation>>> {
        let mut needed = vec![];
        for bound in operands_of(self.ctx, self.lanes.get_operation()) {
            self.computed_in_front(bound, &mut needed)?;
        }
        Some(needed)
    }

    fn computed_in_front(&self, value: Value, needed: &mut Vec<Ptr<Operation>>) -> Option<()> {
        let Some(op) = value.defining_op() else {
            let owner = value.defining_block()?.deref(self.ctx);
            let owner = owner.get_parent_op(self.ctx)?;
            let inside = self.is_inside(owner, self.around);
            return (!inside && owner != self.around.get_operation()).then_some(());
        };
        if !self.is_inside(op, self.around) || needed.contains(&op) {
            return Some(());
        }
        match Operation::get_op::<Load>(op, self.ctx) {
            Some(load) => {
                let address = load.get_operand_address(self.ctx);
                let outside = address
                    .defining_op()
                    .is_some_and(|op| !self.is_inside(op, self.around));
                let kept = is_local_scalar(self.ctx, address)
                    && !self.reader.is_written(&Root::Local(address));
                (outside && kept).then_some(())?;
            }
            None => {
                let computes = is_pure(self.ctx, op) && op.deref(self.ctx).num_regions() == 0;
                // The loop in order may have no iterations, and its numbers no meaning then.
                let divides = Operation::get_op::<Bin>(op, self.ctx)
                    .is_some_and(|bin| bin.kind(self.ctx).divides());
                (computes && !divides).then_some(())?;
                for operand in operands_of(self.ctx, op) {
                    self.computed_in_front(operand, needed)?;
                }
            }
        }
        needed.push(op);
        Some(())
    }

    /// Whether nobody can tell the order of the iterations of different lanes.
    fn may_change(&self, pure: &PureFunctions) -> bool {
        let both = [self.around.get_operation(), self.lanes.get_operation()];
        let all = nested_ops(self.ctx, both[0]).into_iter();
        let beside = all.filter(|op| *op != both[1] && !self.is_inside(*op, self.lanes));
        let stores = own_stores(&self.reader, self.lanes, &both, pure);
        let Some(stores) = stores.filter(|all| !all.is_empty()) else {
            return false;
        };
        let beside: Vec<_> = beside.collect();
        beside.len() <= MOST_BESIDE
            && stores.iter().all(|store| store.always)
            && beside.iter().all(|op| self.computes(*op))
    }

    /// Whether an operation beside the loop over lanes only computes numbers, from what that does not store.
    fn computes(&self, op: Ptr<Operation>) -> bool {
        if let Some(load) = Operation::get_op::<Load>(op, self.ctx) {
            let address = load.get_operand_address(self.ctx);
            return !load.is_volatile(self.ctx)
                && (is_local_scalar(self.ctx, address) || self.is_apart(address));
        }
        if let Some(store) = Operation::get_op::<Store>(op, self.ctx) {
            let address = store.get_operand_address(self.ctx);
            return is_local_scalar(self.ctx, address)
                && is_made_in(self.ctx, address, self.around);
        }
        if let Some(alloca) = Operation::get_op::<Alloca>(op, self.ctx) {
            return alloca.count(self.ctx).is_none();
        }
        Operation::is_op::<If>(op, self.ctx)
            || Operation::is_op::<Yield>(op, self.ctx)
            || is_pure(self.ctx, op) && op.deref(self.ctx).num_regions() == 0
    }
}

impl Nest<'_> {
    /// Whether an address is behind a parameter behind which the kernel stores nothing: all that is stored is apart from it.
    fn is_apart(&self, address: Value) -> bool {
        let only_read = |variable| {
            let kernel = enclosing::<FuncOp>(self.ctx, self.around.get_operation());
            kernel.is_some_and(|kernel| stores_elsewhere(self.ctx, kernel, variable))
        };
        self.memory == Memory::IsApart
            && match self.reader.base(address) {
                Base::Pointee(Root::Local(variable)) => {
                    is_kept_parameter(self.ctx, variable) && only_read(variable)
                }
                Base::Pointee(Root::Global(_)) | Base::Variable(_) => false,
                Base::Loaded(_) | Base::Inside | Base::Unknown => false,
            }
    }
}

fn write(ctx: &mut Context, plan: &Plan) {
    let (around, lanes) = (plan.around, plan.lanes);
    let mut e = Emitter::before(ctx, around.get_operation());
    let mut mapping = IrMapping::new();
    for op in &plan.bounds {
        e.copy(*op, &mut mapping);
    }
    let dims: Vec<_> = lanes
        .dims(e.ctx)
        .into_iter()
        .map(|((lower, upper, step), dim)| {
            let [lower, upper, step] =
                [lower, upper, step].map(|bound| mapping.lookup_value_or_default(bound));
            ((lower, upper, step), dim)
        })
        .collect();
    let (outer, body) = Loop::new(
        e.ctx,
        lanes.id(e.ctx),
        lanes.levels(e.ctx),
        lanes.gang_dim(e.ctx),
        &dims,
    );
    let loc = lanes.get_operation().deref(e.ctx).loc().clone();
    outer.get_operation().deref_mut(e.ctx).set_loc(loc);
    e.push(outer);
    e.at_end(body);
    e.finish(vec![]);
    let end = ops_of_block(e.ctx, body)[0];
    around.get_operation().unlink(e.ctx);
    around.get_operation().insert_before(e.ctx, end);
    let inner = lanes.get_body(e.ctx, 0);
    let counters: Vec<Value> = inner.deref(e.ctx).arguments().collect();
    let new: Vec<Value> = body.deref(e.ctx).arguments().collect();
    for (old, new) in counters.into_iter().zip(&new) {
        old.replace_all_uses_with(e.ctx, new);
    }
    let mut ops = ops_of_block(e.ctx, inner);
    ops.pop();
    for op in ops {
        op.unlink(e.ctx);
        op.insert_before(e.ctx, lanes.get_operation());
    }
    Operation::erase(lanes.get_operation(), e.ctx);
}
