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
//! How an index moves is said by [`crate::analysis::affine::motion`]: any sum in which the counter stands with what stays the same. Loops
//! with more than [`MAX_POINTERS`] such addresses are left alone: each takes a register.
//!
//! Cost: linear in the size of the loops, times the size of an index.

use accrue_dialects::core::dead_code::erase_dead_in;
use accrue_dialects::core::{emit::Emitter, fold::constant};
use accrue_dialects::{
    View,
    core::{CoreOp, For, PtrAdd, Yield},
    par::ParOp,
};
use accrue_ir::walk::{nested, nested_ops, ops_of_block};
use pliron::{
    builtin::{
        op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
};

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
    for func in nested::<FuncOp>(ctx, module.get_operation()) {
        for lp in nested::<For>(ctx, func.get_operation()) {
            let addresses = candidates(ctx, lp);
            let most = match lp.is_jammed(ctx) {
                true => MAX_POINTERS_OF_ROWS,
                false => MAX_POINTERS,
            };
            if addresses.len() <= most {
                for address in addresses {
                    reduce(ctx, lp, address);
                }
                let body = lp.get_operation().deref(ctx).get_region(0);
                erase_dead_in(ctx, body);
            }
        }
    }
}

/// The addresses of a sequential innermost loop that move by the same distance in every iteration.
fn candidates(ctx: &Context, lp: For) -> Vec<PtrAdd> {
    let inside = nested_ops(ctx, lp.get_operation());
    let suitable = inside.iter().all(|op| is_suitable(ctx, *op));
    if constant(ctx, lp.get_operand_step(ctx)) != Some(1) || !suitable {
        return vec![];
    }
    let mut iterations = Iterations::of(ctx, lp);
    ops_of_block(ctx, lp.get_body(ctx, 0))
        .into_iter()
        .filter_map(|op| Operation::get_op::<PtrAdd>(op, ctx))
        .filter(|address| {
            let (base, index) = (
                address.get_operand_base(ctx),
                address.get_operand_index(ctx),
            );
            iterations.stays(ctx, base) && iterations.change(ctx, index) == Some(Change::Evenly)
        })
        .collect()
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

/// Keeps `address` in a variable that every iteration moves on.
fn reduce(ctx: &mut Context, lp: For, address: PtrAdd) {
    let mut iterations = Iterations::of(ctx, lp);
    let lower = lp.get_operand_lower(ctx);
    let (base, index) = (
        address.get_operand_base(ctx),
        address.get_operand_index(ctx),
    );
    let stride = iterations.stride(ctx, index).unwrap_or_default();
    let mut e = Emitter::before(ctx, lp.get_operation());
    let base = iterations.at(&mut e, base, lower);
    let first = iterations.at(&mut e, index, lower);
    let first = e.widen(first, false);
    let distance = iterations.number(&mut e, &stride, lower);
    let start = e.ptr_add(base, first);
    let ty = start.get_type(e.ctx);
    let pointer = e.alloca(ty, None);
    e.store(start, pointer);
    let mut e = Emitter::before(e.ctx, address.get_operation());
    let here = e.load(pointer);
    address
        .get_result(e.ctx)
        .replace_all_uses_with(e.ctx, &here);
    Operation::erase(address.get_operation(), e.ctx);
    let end = ops_of_block(e.ctx, lp.get_body(e.ctx, 0))
        .into_iter()
        .find(|op| Operation::is_op::<Yield>(*op, e.ctx));
    if let Some(end) = end {
        let mut e = Emitter::before(e.ctx, end);
        let here = e.load(pointer);
        let moved = e.ptr_add(here, distance);
        e.store(moved, pointer);
    }
}
