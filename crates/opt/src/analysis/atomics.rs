//! Atomic accesses in the eyes of dependence analysis.
//!
//! Updates of one object that all do the same commutative operation, and of which nobody looks at the values in between,
//! may be done in any order: they are no dependence between iterations. A captured value, an atomic write, or operations
//! of different kinds depend on the order.

use accrue_dialects::core::fold::uncast;
use accrue_dialects::core::{AtomicLoad, AtomicStore, AtomicUpdate, Bin, BinKind, CastKind};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    operation::Operation,
    value::Value,
};

/// What makes integers wider or narrower: C computes `char` and `short` in `int`.
const RESIZED: [CastKind; 3] = [CastKind::Trunc, CastKind::SExt, CastKind::ZExt];

/// The address that an atomic operation accesses, whether it writes there, and what its update commutes with.
pub fn atomic_access(
    ctx: &Context,
    op: Ptr<Operation>,
) -> Option<(Value, bool, Option<Commuting>)> {
    if let Some(load) = Operation::get_op::<AtomicLoad>(op, ctx) {
        return Some((load.get_operand(ctx), false, None));
    }
    if let Some(store) = Operation::get_op::<AtomicStore>(op, ctx) {
        return Some((store.get_operand_address(ctx), true, None));
    }
    let update = Operation::get_op::<AtomicUpdate>(op, ctx)?;
    Some((update.get_operand(ctx), true, commuting(ctx, &update)))
}

/// The address that an atomic operation writes to.
pub fn atomic_write(ctx: &Context, op: Ptr<Operation>) -> Option<Value> {
    atomic_access(ctx, op)
        .filter(|(_, write, _)| *write)
        .map(|(address, ..)| address)
}

/// Updates of one of these kinds may change places with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commuting {
    /// Also differences.
    Sum,
    Product,
    And,
    Or,
    Xor,
    Min,
    Max,
}

/// How the update commutes; `None` if it does not, or if a value of it is captured.
fn commuting(ctx: &Context, update: &AtomicUpdate) -> Option<Commuting> {
    let captured = update.old(ctx).is_used(ctx) || update.new_value(ctx).is_used(ctx);
    let old = update.get_body(ctx, 0).deref(ctx).get_argument(0);
    if captured {
        return None;
    }
    let op = uncast(ctx, update.yielded(ctx)?, &RESIZED).defining_op()?;
    let bin = Operation::get_op::<Bin>(op, ctx)?;
    let sides = [bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx)]
        .map(|side| uncast(ctx, side, &RESIZED) == old);
    let (left, exactly_one) = (sides[0], sides[0] != sides[1]);
    let kind = match bin.kind(ctx) {
        BinKind::Add | BinKind::AddS | BinKind::FAdd => Commuting::Sum,
        BinKind::Sub | BinKind::SubS | BinKind::FSub if left => Commuting::Sum,
        BinKind::Mul | BinKind::MulS | BinKind::FMul => Commuting::Product,
        BinKind::And => Commuting::And,
        BinKind::Or => Commuting::Or,
        BinKind::Xor => Commuting::Xor,
        BinKind::MinS | BinKind::MinU | BinKind::FMin => Commuting::Min,
        BinKind::MaxS | BinKind::MaxU | BinKind::FMax => Commuting::Max,
        BinKind::Sub
        | BinKind::SubS
        | BinKind::FSub
        | BinKind::FDiv
        | BinKind::DivS
        | BinKind::DivU
        | BinKind::RemS
        | BinKind::RemU
        | BinKind::Shl
        | BinKind::ShrS
        | BinKind::ShrU => return None,
    };
    exactly_one.then_some(kind)
}
