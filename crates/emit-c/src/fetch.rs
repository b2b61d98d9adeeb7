//! Atomic updates that are one operation with an operand known before: what languages have functions for.
//!
//! ```text
//! core.atomic_update %p { ^(old) …  %new = core.bin Add %old, %x; core.yield %new }    →    Add of %x
//! ```

use crate::{arith::cast, diagnostic::Result, expr::Expr, function::FunctionPrinter};
use accrue_dialects::core::{
    AtomicUpdate, Bin, BinKind, CastKind, Const, FConst, fold::uncast, int_width,
};
use accrue_ir::walk::ops_of_block;
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface,
    context::Context,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// What is done with the old value and the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchKind {
    Add,
    /// The operand is taken off.
    Sub,
    And,
    Or,
    Xor,
    MinS,
    MaxS,
    MinU,
    MaxU,
}

/// An update of an integer by one operation.
#[derive(Clone, Copy)]
pub struct Fetch {
    pub kind: FetchKind,
    pub operand: Value,
}

/// The update as one operation. C computes `char` and `short` in `int`: of sums and bit operations, the low bits of the result
/// depend on the low bits of the operands only.
pub fn fetch(p: &FunctionPrinter<'_>, op: &AtomicUpdate, ty: TypeHandle) -> Option<Fetch> {
    let ctx = p.ctx;
    if int_width(ctx, ty)? == 1 {
        return None;
    }
    let body = op.get_body(ctx, 0);
    let old = body.deref(ctx).get_argument(0);
    let yielded = op.yielded(ctx)?;
    let bin =
        Operation::get_op::<Bin>(uncast(ctx, yielded, &[CastKind::Trunc]).defining_op()?, ctx)?;
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let is_old = |value| uncast(ctx, value, &[CastKind::SExt, CastKind::ZExt]) == old;
    let plain = lhs.get_type(ctx) == ty;
    let kind = match bin.kind(ctx) {
        BinKind::Add | BinKind::AddS => FetchKind::Add,
        BinKind::Sub | BinKind::SubS if is_old(lhs) => FetchKind::Sub,
        BinKind::And => FetchKind::And,
        BinKind::Or => FetchKind::Or,
        BinKind::Xor => FetchKind::Xor,
        BinKind::MinS if plain => FetchKind::MinS,
        BinKind::MaxS if plain => FetchKind::MaxS,
        BinKind::MinU if plain => FetchKind::MinU,
        BinKind::MaxU if plain => FetchKind::MaxU,
        BinKind::Sub
        | BinKind::SubS
        | BinKind::Mul
        | BinKind::MulS
        | BinKind::DivS
        | BinKind::DivU
        | BinKind::RemS
        | BinKind::RemU
        | BinKind::Shl
        | BinKind::ShrS
        | BinKind::ShrU
        | BinKind::MinS
        | BinKind::MaxS
        | BinKind::MinU
        | BinKind::MaxU
        | BinKind::FAdd
        | BinKind::FSub
        | BinKind::FMul
        | BinKind::FDiv
        | BinKind::FMin
        | BinKind::FMax => return None,
    };
    let operand = known_operand(ctx, op, [lhs, rhs], is_old)?;
    Some(Fetch { kind, operand })
}

/// The one of an update's two operands that is not the old value, if it is known before the update begins.
pub fn known_operand(
    ctx: &Context,
    op: &AtomicUpdate,
    [lhs, rhs]: [Value; 2],
    is_old: impl Fn(Value) -> bool,
) -> Option<Value> {
    let operand = match (is_old(lhs), is_old(rhs)) {
        (true, false) => rhs,
        (false, true) => lhs,
        (true, true) | (false, false) => return None,
    };
    let constant = operand
        .defining_op()
        .is_some_and(|o| Operation::is_op::<Const>(o, ctx) || Operation::is_op::<FConst>(o, ctx));
    let outside = operand.get_parent_block(ctx) != Some(op.get_body(ctx, 0));
    (outside || constant).then_some(operand)
}

impl FunctionPrinter<'_> {
    /// Prints the constants of an update's region, which its operand may be.
    pub fn update_constants(&mut self, op: &AtomicUpdate) -> Result<()> {
        for inside in ops_of_block(self.ctx, op.get_body(self.ctx, 0)) {
            if Operation::is_op::<Const>(inside, self.ctx)
                || Operation::is_op::<FConst>(inside, self.ctx)
            {
                self.operation(inside)?;
            }
        }
        Ok(())
    }

    /// The operand of an update of an object of type `ty`, in that type.
    pub fn take_update_operand(&mut self, fetch: &Fetch, ty: TypeHandle) -> Result<Expr> {
        let operand = self.take(fetch.operand)?;
        Ok(match fetch.operand.get_type(self.ctx) == ty {
            true => operand,
            false => cast(&self.type_name(ty)?, &operand),
        })
    }
}
