//! Atomic accesses in the eyes of dependence analysis.
//!
//! Updates of one object that all do the same commutative operation, and of which nobody looks at the values in between,
//! may be done in any order: they are no dependence between iterations. A captured value, an atomic write, or operations
//! of different kinds depend on the order.

use accrue_dialects::{
    core::fold::uncast,
    core::{Atomic, AtomicUpdate, Bin, BinKind, CastKind},
};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
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
    let access = Atomic::of(ctx, op)?;
    let (writes, commuting) = match &access {
        Atomic::Load(_) => (false, None),
        Atomic::Store(_) => (true, None),
        Atomic::Update(update) => (true, commuting(ctx, update)),
    };
    Some((access.address(ctx), writes, commuting))
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
