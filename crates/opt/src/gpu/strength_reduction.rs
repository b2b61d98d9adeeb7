//! Pass `strength`: addresses that move by the same distance in every iteration of a sequential loop are added up instead of
//! being computed anew.
//!
//! A thread of a GPU pays for each integer operation; `b[k * n + j]` costs a multiplication, an addition and a wide
//! multiplication per iteration, and PTX's assembler, which does not know that the index cannot overflow, keeps them.
//!
//! ```text
//!                                            p = &b[lo * n + j];  distance = ((lo + 1) * n + j) - (lo * n + j)
//! core.for k = lo to hi step 1 {        →    core.for k = lo to hi step 1 {
//!   … b[k * n + j] …                           … *p …;  p += distance
//! }                                          }
//! ```
//!
//! A row's address and what is added to it are one address, however the two are spelled (`b[k][j]`, `(b + k * n)[j]`). What is a constant
//! number of elements from another shares its pointer. How an address moves is said by [`crate::analysis::affine::motion`]: any sum in
//! which the counter stands with what stays the same. Loops with more than [`MAX_POINTERS`] such addresses keep the rows that they
//! are in, if those are fewer: each takes a register. What only branches access comes last ([`branches`]).
//!
//! Cost: linear in the size of the loops.

mod branches;

use accrue_dialects::core::dead_code::erase_dead_in;
use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    View,
    core::{CoreOp, Decay, For, PtrAdd, Yield},
    par::ParOp,
};
use accrue_ir::walk::{directly_in, nested, nested_ops, ops_of_block};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use std::collections::HashMap;

use crate::{
    State,
    analysis::affine::motion::{Change, Iterations},
};

/// More pointers than this cost more registers than they save time.
const MAX_POINTERS: usize = 4;
/// The same where a loop does several rows (pass `rows`), whose addresses cost as much each.
const MAX_POINTERS_OF_ROWS: usize = 8;

/// Reduces the strength of addresses in the sequential loops of kernels and of the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.reduces_strength {
        return;
    }
    for func in directly_in::<FuncOp>(ctx, module.get_operation()) {
        for lp in nested::<For>(ctx, func.get_operation()) {
            let most = match lp.is_jammed(ctx) {
                true => MAX_POINTERS_OF_ROWS,
                false => MAX_POINTERS,
            };
            if reduce(ctx, lp, most) {
                let body = lp.get_operation().deref(ctx).get_region(0);
                erase_dead_in(ctx, body);
            }
        }
    }
}

/// A pointer that every iteration moves on.
struct Moving {
    /// The addresses that it serves, and how many elements further each of them is.
    addresses: Vec<(PtrAdd, i64)>,
    /// The variable that it is in.
    pointer: Value,
    distance: Value,
}

/// Whether addresses of the loop are kept in pointers now, `most` at most.
fn reduce(ctx: &mut Context, lp: For, most: usize) -> bool {
    let moving = moving(ctx, lp);
    let mut iterations = Iterations::of(ctx, lp);
    let always = in_every_iteration(ctx, lp, &mut iterations, &moving, most);
    let room = most - always.len();
    let at_times = branches::shared(ctx, lp, &mut iterations, &moving, room);
    let mut kept = keep(ctx, lp, &mut iterations, &always);
    kept.extend(branches::keep(ctx, lp, &mut iterations, at_times));
    for moving in &kept {
        move_on(ctx, lp, moving);
    }
    !kept.is_empty()
}

/// The addresses of a sequential innermost loop that move by the same distance in every iteration.
fn moving(ctx: &Context, lp: For) -> Vec<PtrAdd> {
    let inside = nested_ops(ctx, lp.get_operation());
    let suitable = inside.iter().all(|op| is_suitable(ctx, *op));
    if constant(ctx, lp.get_operand_step(ctx)) != Some(1) || !suitable {
        return vec![];
    }
    let mut iterations = Iterations::of(ctx, lp);
    let add = |op: &Ptr<Operation>| Operation::get_op::<PtrAdd>(*op, ctx);
    inside
        .iter()
        .filter_map(add)
        .filter(|address| iterations.change(ctx, address.get_result(ctx)) == Some(Change::Evenly))
        .collect()
}

/// Those that are accessed in every iteration, `most` at most.
fn in_every_iteration(
    ctx: &Context,
    lp: For,
    iterations: &mut Iterations,
    moving: &[PtrAdd],
    most: usize,
) -> Vec<PtrAdd> {
    let by_value: HashMap<Value, PtrAdd> = moving
        .iter()
        .map(|address| (address.get_result(ctx), *address))
        .collect();
    // What is accessed; from what is a constant number of elements away, where that starts.
    let mut wanted: Vec<PtrAdd> = vec![];
    let body = lp.get_body(ctx, 0);
    let in_every_iteration =
        |address: &PtrAdd| address.get_operation().deref(ctx).get_parent_block() == Some(body);
    let accessed = moving.iter().filter(|address| {
        in_every_iteration(address) && !only_leads_on(ctx, address.get_result(ctx))
    });
    for address in accessed {
        let mut start = *address;
        while constant(ctx, start.get_operand_index(ctx)).is_some()
            && let Some(before) = by_value.get(&start.get_operand_base(ctx))
        {
            start = *before;
        }
        if !wanted.contains(&start) {
            wanted.push(start);
        }
        if wanted.len() > most {
            break;
        }
    }
    if wanted.len() <= most {
        return wanted;
    }
    // The rows alone, of which several elements are accessed, and those that every iteration comes to.
    let mut rows = moving.to_vec();
    rows.retain(|address| {
        in_every_iteration(address) && iterations.stays(ctx, address.get_operand_base(ctx))
    });
    match rows.len() <= most {
        true => rows,
        false => vec![],
    }
}

/// Whether an address is only where others start.
fn only_leads_on(ctx: &Context, address: Value) -> bool {
    let uses = address.uses(ctx);
    !uses.is_empty()
        && uses.into_iter().all(|using| {
            let op = using.user_op();
            let row = Operation::get_op::<Decay>(op, ctx);
            Operation::is_op::<PtrAdd>(op, ctx)
                || row.is_some_and(|row| only_leads_on(ctx, row.get_result(ctx)))
        })
}

/// Whether `op` may be in a sequential innermost loop whose every iteration comes to its end.
fn is_suitable(ctx: &Context, op: Ptr<Operation>) -> bool {
    match View::of(ctx, op) {
        View::Core(op) => match op {
            CoreOp::For(_) | CoreOp::Loop(_) | CoreOp::Continue(_) => false,
            CoreOp::ExternFunc(_) | CoreOp::RecordDef(_) => false,
            CoreOp::Const(_)
            | CoreOp::FConst(_)
            | CoreOp::Null(_)
            | CoreOp::Bin(_)
            | CoreOp::Un(_)
            | CoreOp::Cmp(_)
            | CoreOp::Cast(_)
            | CoreOp::ComplexMake(_)
            | CoreOp::Real(_)
            | CoreOp::Imag(_)
            | CoreOp::Select(_)
            | CoreOp::Alloca(_)
            | CoreOp::AddressOf(_)
            | CoreOp::StringConst(_)
            | CoreOp::Load(_)
            | CoreOp::Store(_)
            | CoreOp::Copy(_)
            | CoreOp::Zero(_)
            | CoreOp::PtrAdd(_)
            | CoreOp::PtrDiff(_)
            | CoreOp::Decay(_)
            | CoreOp::Member(_)
            | CoreOp::LoadBits(_)
            | CoreOp::StoreBits(_)
            | CoreOp::Extent(_)
            | CoreOp::AtomicLoad(_)
            | CoreOp::AtomicStore(_)
            | CoreOp::AtomicUpdate(_)
            | CoreOp::If(_)
            | CoreOp::Switch(_)
            | CoreOp::Yield(_)
            | CoreOp::Call(_)
            | CoreOp::Opaque(_) => true,
            // Out of a switch, or out of the function and so out of all loops.
            CoreOp::Break(_) | CoreOp::Return(_) => true,
        },
        View::Par(op) => match op {
            ParOp::Lock(_) | ParOp::Unlock(_) => true,
            ParOp::RedSetup(_) | ParOp::RedInit(_) => true,
            ParOp::RedFini(_) | ParOp::RedTeardown(_) => true,
            // The loop is partitioned, or one in it.
            ParOp::Fork(_) | ParOp::Join(_) | ParOp::Barrier(_) => false,
            ParOp::DimPos(_) | ParOp::DimSize(_) => false,
            ParOp::Loop(_) | ParOp::Reduce(_) => false,
        },
        // In kernels there is nothing of `acc` any more, and nothing of the target's own yet.
        View::Source(_) | View::Simt(_) | View::Other => false,
    }
}

/// Gives each address a variable that begins before the loop.
fn keep(
    ctx: &mut Context,
    lp: For,
    iterations: &mut Iterations,
    addresses: &[PtrAdd],
) -> Vec<Moving> {
    let lower = lp.get_operand_lower(ctx);
    let mut kept = vec![];
    for address in addresses {
        let result = address.get_result(ctx);
        let stride = iterations.stride(ctx, result).unwrap_or_default();
        let mut e = Emitter::before(ctx, lp.get_operation());
        let start = iterations.at(&mut e, result, lower);
        let distance = iterations.number(&mut e, &stride, lower);
        let ty = start.get_type(e.ctx);
        let pointer = e.alloca(ty, None);
        e.store(start, pointer);
        kept.push(Moving {
            addresses: vec![(*address, 0)],
            pointer,
            distance,
        });
    }
    kept
}

/// Replaces the addresses by the pointer, and moves it at the end of each iteration.
fn move_on(ctx: &mut Context, lp: For, moving: &Moving) {
    for (address, further) in &moving.addresses {
        let mut e = Emitter::before(ctx, address.get_operation());
        let mut here = e.load(moving.pointer);
        if *further != 0 {
            let further = e.i64(i128::from(*further));
            here = e.ptr_add(here, further);
        }
        let result = address.get_result(e.ctx);
        result.replace_all_uses_with(e.ctx, &here);
        Operation::erase(address.get_operation(), e.ctx);
    }
    let block = lp.get_body(ctx, 0);
    let end = ops_of_block(ctx, block)
        .into_iter()
        .find(|op| Operation::is_op::<Yield>(*op, ctx));
    if let Some(end) = end {
        let mut e = Emitter::before(ctx, end);
        let here = e.load(moving.pointer);
        let moved = e.ptr_add(here, moving.distance);
        e.store(moved, moving.pointer);
    }
}
