//! Which kernels can have several gangs for each iteration of their loop over gangs.
//!
//! ```text
//! #pragma acc parallel loop gang                accrue_k0_0:        s over gangs, i over the lanes of one of them
//! for (s = 0; s < species; s++) {           →   accrue_k0_0_split:  s over gangs in the third dimension,
//!     double m = mass[s];                                           i over those in the first and their lanes
//!     #pragma acc loop vector
//!     for (i = 0; i < n; i++)
//!         a[s][i] += m * x[i];
//! }
//! ```
//! A gang for each of five species leaves most of a GPU idle, however long the loops inside are. Their iterations do not depend on each
//! other, so that several gangs can share them out, each of which does what is in front of them for itself.
//!
//! 1. All that the kernel has is one loop over gangs, and loops over lanes, also over workers and lanes at once, directly in it, one
//!    behind the other; nothing is reduced.
//! 2. Beside these loops an iteration only computes, and stores to variables of its own, which the loops over lanes do not change.
//!    Nothing is updated atomically: gangs may have copies of such arrays, which are better few.
//! 3. What one of the loops over lanes writes, neither what is beside them reads, nor another one of them accesses. Where only different
//!    pointers say so, the launch has to find that their memory does not overlap.
//!
//! Cost: linear in the size of the kernel.

use accrue_dialects::{
    acc::{ClauseOp, Group, Loop, as_data_info},
    address_use::object_of,
    core::{Alloca, Load, Store},
    flow::Flow,
};
use accrue_ir::{
    effects::is_pure,
    walk::{self, nested, nested_ops},
};
use accrue_opt::analysis::{
    accesses::{Base, Reader},
    straight::PureFunctions,
    variables::{Root, defined_inside},
};
use pliron::{
    builtin::{op_interfaces::OneRegionInterface, ops::FuncOp},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    region::Region,
    value::Value,
};
use std::iter::successors;

use crate::sequential_work::constant_iterations;

/// Iterations of the loop over gangs up to which gangs of their own leave much of a GPU idle.
pub const MOST: u64 = 512;

/// Iterations of a loop over lanes that is worth several gangs.
const FEWEST_INSIDE: u64 = 1024;

/// The loops of a kernel that can be split.
pub struct Split {
    pub outer: Loop,
    /// Those over lanes.
    pub inner: Vec<Loop>,
    /// It is right only where memory behind different pointers does not overlap.
    pub apart: bool,
}

/// How the kernel can be split.
pub fn split(ctx: &Context, function: FuncOp, pure: &PureFunctions) -> Option<Split> {
    let all = nested::<Loop>(ctx, function.get_operation());
    let (outer, others) = all.split_first()?;
    let levels = |lp: &Loop| lp.levels(ctx).unwrap_or_default();
    let over_gangs = levels(outer).gang && !levels(outer).vector && outer.gang_dim(ctx).is_none();
    let few = constant_iterations(ctx, *outer).is_none_or(|count| count <= MOST);
    let reduces = all
        .iter()
        .any(|lp| !lp.clause(ctx, Group::Reduction).is_empty());
    let tiled = all.iter().any(|lp| !lp.clause(ctx, Group::Tile).is_empty());
    if !over_gangs || !few || reduces || tiled {
        return None;
    }
    let inner: Vec<Loop> = others
        .iter()
        .copied()
        .filter(|lp| !levels(lp).is_sequential())
        .collect();
    let direct =
        |lp: &Loop| levels(lp).vector && !levels(lp).gang && is_directly_in(ctx, *lp, *outer);
    let long = |lp: &Loop| constant_iterations(ctx, *lp).is_none_or(|n| n >= FEWEST_INSIDE);
    if inner.is_empty() || !inner.iter().all(direct) || !inner.iter().any(long) {
        return None;
    }
    let region = outer.get_region(ctx);
    let inside = |op: Ptr<Operation>, lp: &Loop| {
        op == lp.get_operation() || walk::is_inside(ctx, op, lp.get_region(ctx))
    };
    let around = Reader::new(ctx, region);
    let readers: Vec<_> = inner
        .iter()
        .map(|lp| Reader::new(ctx, lp.get_region(ctx)))
        .collect();
    let mut beside = Accesses::default();
    let mut of_loops: Vec<Accesses> = inner.iter().map(|_| Accesses::default()).collect();
    for op in nested_ops(ctx, function.get_operation()) {
        if !walk::is_inside(ctx, op, region) {
            // Parameters and bounds are in front of the loop, and nothing else.
            let parameter = Operation::is_op::<Store>(op, ctx) || Operation::is_op::<Load>(op, ctx);
            if !parameter && !harmless(ctx, op, pure) {
                return None;
            }
            continue;
        }
        match inner.iter().position(|lp| inside(op, lp)) {
            Some(at) => of_loops[at].add(ctx, op, (region, &readers[at]), pure)?,
            None => beside.add(ctx, op, (region, &around), pure)?,
        }
    }
    if !beside.written.is_empty() {
        return None;
    }
    let mut apart = false;
    for (at, own) in of_loops.iter().enumerate() {
        let before = of_loops[..at].iter();
        let others = before.chain(&of_loops[at + 1..]).chain([&beside]);
        for other in others {
            for written in &own.written {
                for accessed in other.read.iter().chain(&other.written) {
                    match (written, accessed) {
                        (Some(one), Some(other)) if one != other => apart = true,
                        (Some(_) | None, Some(_) | None) => return None,
                    }
                }
            }
        }
    }
    Some(Split {
        outer: *outer,
        inner,
        apart,
    })
}

/// Whether only conditions are between the loops.
fn is_directly_in(ctx: &Context, lp: Loop, outer: Loop) -> bool {
    let around = |op: &Ptr<Operation>| op.deref(ctx).get_parent_op(ctx);
    let mut chain = successors(around(&lp.get_operation()), around);
    chain.find(|op| Flow::of(ctx, *op).is_any_loop()) == Some(outer.get_operation())
}

/// What operations access: variables of the kernel, and what such pointers lead to; `None` stands for anything.
#[derive(Default)]
struct Accesses {
    read: Vec<Option<Base>>,
    written: Vec<Option<Base>>,
}

impl Accesses {
    /// Adds what `op` accesses beside variables of the reader's region; `None` where it does something else, or changes a variable of the
    /// kernel that is not in that region. `outer`: of the loop over gangs.
    fn add(
        &mut self,
        ctx: &Context,
        op: Ptr<Operation>,
        (outer, reader): (Ptr<Region>, &Reader<'_>),
        pure: &PureFunctions,
    ) -> Option<()> {
        let base = |address: Value| {
            let object = object_of(ctx, address);
            let base = match object.defining_op() {
                Some(_) => reader.base(address),
                // A mapped variable is a parameter.
                None => Base::Variable(Root::Local(object)),
            };
            let local = |root: &Root| match root {
                Root::Local(variable) => defined_inside(ctx, *variable, outer),
                Root::Global(_) => false,
            };
            let of_kernel = |root: &Root| match root {
                Root::Local(variable) => variable
                    .defining_op()
                    .is_some_and(|op| Operation::is_op::<Alloca>(op, ctx)),
                Root::Global(_) => false,
            };
            match base {
                Base::Inside => Place::Own,
                Base::Variable(root) if of_kernel(&root) => Place::Around,
                Base::Pointee(root) if local(&root) => Place::Memory(None),
                Base::Variable(_) | Base::Pointee(_) => Place::Memory(Some(base)),
                Base::Loaded(_) | Base::Unknown => Place::Memory(None),
            }
        };
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            if load.is_volatile(ctx) {
                return None;
            }
            match base(load.get_operand_address(ctx)) {
                Place::Own | Place::Around => {}
                Place::Memory(base) => self.read.push(base),
            }
            return Some(());
        }
        let written = match Operation::get_op::<Store>(op, ctx) {
            Some(store) if store.is_volatile(ctx) => return None,
            Some(store) => base(store.get_operand_address(ctx)),
            None => return harmless(ctx, op, pure).then_some(()),
        };
        match written {
            Place::Own => {}
            Place::Around => return None,
            Place::Memory(base) => self.written.push(base),
        }
        Some(())
    }
}

/// Where an access leads.
enum Place {
    /// To a variable of the region.
    Own,
    /// To one of the kernel around it.
    Around,
    Memory(Option<Base>),
}

/// Whether the operation only computes, controls what runs, or says something of a loop.
fn harmless(ctx: &Context, op: Ptr<Operation>, pure: &PureFunctions) -> bool {
    let controls = match Flow::of(ctx, op) {
        Flow::Next => is_pure(ctx, op) || pure.is_called(ctx, op),
        Flow::Return => walk::enclosing::<Loop>(ctx, op).is_none(),
        Flow::Once => false,
        Flow::If(_)
        | Flow::Switch(_)
        | Flow::Loop(_)
        | Flow::For(_)
        | Flow::Shared
        | Flow::Yield
        | Flow::Break
        | Flow::Continue => true,
    };
    controls || Operation::is_op::<Alloca>(op, ctx) || as_data_info(ctx, op).is_some()
}
