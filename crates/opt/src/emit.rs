//! Appending operations at one place: the short way that all passes use.

use accrue_dialects::core::{
    Alloca, Bin, BinKind, Cast, CastKind, Cmp, CmpKind, Const, FConst, Load, PtrAdd, Select, Store,
    Variable, Yield, complex_part, float_width, int, int_width,
};
use accrue_ir::build::{Inserter, Stamp};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneOpdInterface, OneResultInterface},
    context::{Context, Ptr},
    irbuild::{
        cloning::{IrMapping, clone_operation},
        inserter::{Inserter as _, OpInsertionPoint},
        listener::DummyListener,
        rewriter::IRRewriter,
    },
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// Appends operations one after the other; all get the location of the operation that they are made for.
pub struct Emitter<'a> {
    pub ctx: &'a mut Context,
    inserter: Inserter,
}

impl<'a> Emitter<'a> {
    /// Emits at `point`; new operations get the location of `model`.
    pub fn new(ctx: &'a mut Context, point: OpInsertionPoint, model: Ptr<Operation>) -> Self {
        let mut inserter = Inserter::new(point);
        inserter.set_listener(Stamp(model.deref(ctx).loc().clone()));
        Emitter { ctx, inserter }
    }

    /// Emits before `op`, with its location.
    pub fn before(ctx: &'a mut Context, op: Ptr<Operation>) -> Self {
        Self::new(ctx, OpInsertionPoint::BeforeOperation(op), op)
    }

    /// Emits after `op`, with its location.
    pub fn after(ctx: &'a mut Context, op: Ptr<Operation>) -> Self {
        Self::new(ctx, OpInsertionPoint::AfterOperation(op), op)
    }

    /// Goes on at the end of `block`.
    pub fn at_end(&mut self, block: Ptr<BasicBlock>) {
        self.inserter.set_insertion_point_to_block_end(block);
    }

    /// Goes on after `op`.
    pub fn go_after(&mut self, op: Ptr<Operation>) {
        self.inserter.set_insertion_point_after_operation(op);
    }

    /// Appends `op`.
    pub fn push<T: Op>(&mut self, op: T) -> T {
        self.inserter.append_op(self.ctx, &op);
        op
    }

    /// Appends an operation that is known by pointer only.
    pub fn push_operation(&mut self, op: Ptr<Operation>) {
        self.inserter.append_operation(self.ctx, op);
    }

    /// Appends a copy of `op` with its operands as `mapping` says, where its results are noted.
    pub fn copy(&mut self, op: Ptr<Operation>, mapping: &mut IrMapping) -> Ptr<Operation> {
        let mut rewriter = IRRewriter::<DummyListener>::default();
        let clone = clone_operation(op, self.ctx, &mut rewriter, mapping);
        self.push_operation(clone);
        clone
    }

    /// Ends a region with `core.yield`.
    pub fn finish(&mut self, values: Vec<Value>) {
        let op = Yield::new(self.ctx, values);
        self.push(op);
    }

    /// Appends `op` and gives its result.
    pub fn value<T: Op + OneResultInterface>(&mut self, op: T) -> Value {
        self.push(op).get_result(self.ctx)
    }

    /// The constant `value` of type `i<width>`.
    pub fn int(&mut self, width: u32, value: i128) -> Value {
        let op = Const::new(self.ctx, width, value);
        self.value(op)
    }

    /// The constant `value` as `i64`.
    pub fn i64(&mut self, value: i128) -> Value {
        self.int(64, value)
    }

    /// `lhs kind rhs`; simple cases with constants give a constant or an operand.
    pub fn bin(&mut self, kind: BinKind, lhs: Value, rhs: Value) -> Value {
        let (left, right) = (constant(self.ctx, lhs), constant(self.ctx, rhs));
        match (kind, left, right) {
            (BinKind::Add | BinKind::Sub, _, Some(0))
            | (BinKind::Mul | BinKind::DivS | BinKind::DivU, _, Some(1)) => {
                return lhs;
            }
            (BinKind::Add, Some(0), _) | (BinKind::Mul, Some(1), _) => return rhs,
            _ => {}
        }
        let width = int_width(self.ctx, lhs.get_type(self.ctx));
        if let (Some(left), Some(right), Some(width)) = (left, right, width)
            && let Some(value) = fold(kind, left, right)
        {
            return self.int(width, value);
        }
        let op = Bin::new(self.ctx, kind, lhs, rhs);
        self.value(op)
    }

    /// `lhs kind rhs` as `i1`.
    pub fn cmp(&mut self, kind: CmpKind, lhs: Value, rhs: Value) -> Value {
        if let (Some(left), Some(right)) = (constant(self.ctx, lhs), constant(self.ctx, rhs))
            && let Some(value) = fold_order(kind, left, right)
        {
            return self.int(1, i128::from(value));
        }
        let op = Cmp::new(self.ctx, kind, lhs, rhs);
        self.value(op)
    }

    /// `cond ? yes : no`.
    pub fn select(&mut self, cond: Value, yes: Value, no: Value) -> Value {
        if let Some(cond) = constant(self.ctx, cond) {
            return if cond != 0 { yes } else { no };
        }
        let op = Select::new(self.ctx, cond, yes, no);
        self.value(op)
    }

    pub fn load(&mut self, address: Value) -> Value {
        let op = Load::new(self.ctx, address);
        self.value(op)
    }

    pub fn store(&mut self, value: Value, address: Value) {
        let op = Store::new(self.ctx, value, address);
        self.push(op);
    }

    pub fn ptr_add(&mut self, base: Value, index: Value) -> Value {
        let op = PtrAdd::new(self.ctx, base, index);
        self.value(op)
    }

    pub fn alloca(&mut self, ty: TypeHandle, var: Option<Variable>) -> Value {
        let op = Alloca::new(self.ctx, ty, var);
        self.value(op)
    }

    pub fn alloca_dynamic(
        &mut self,
        elem: TypeHandle,
        count: Value,
        var: Option<Variable>,
    ) -> Value {
        let op = Alloca::dynamic(self.ctx, elem, count, var);
        self.value(op)
    }

    /// The integer `value` as `i64`, extended by its signedness.
    pub fn widen(&mut self, value: Value, unsigned: bool) -> Value {
        match int_width(self.ctx, value.get_type(self.ctx)) {
            Some(width) if width < 64 => {
                if let Some(known) = constant(self.ctx, value) {
                    let mask = (1i128 << width) - 1;
                    return self.i64(if unsigned { known & mask } else { known });
                }
                let to = int(self.ctx, 64);
                let kind = if unsigned {
                    CastKind::ZExt
                } else {
                    CastKind::SExt
                };
                let op = Cast::new(self.ctx, kind, value, to);
                self.value(op)
            }
            Some(_) | None => value,
        }
    }

    /// The `i64` `value` as the integer type `to` of at most 64 bits.
    pub fn narrow(&mut self, value: Value, to: TypeHandle) -> Value {
        match int_width(self.ctx, to) {
            Some(width) if width < 64 => {
                if let Some(known) = constant(self.ctx, value) {
                    return self.int(width, known);
                }
                let op = Cast::new(self.ctx, CastKind::Trunc, value, to);
                self.value(op)
            }
            Some(_) | None => value,
        }
    }

    /// Zero of an integer, float or complex type; `None` for other types.
    pub fn zero(&mut self, ty: TypeHandle) -> Option<Value> {
        if let Some(width) = int_width(self.ctx, ty) {
            return Some(self.int(width, 0));
        }
        if float_width(self.ctx, ty).is_some() {
            let op = FConst::new(self.ctx, ty, "0.0");
            return Some(self.value(op));
        }
        let part = complex_part(self.ctx, ty)?;
        let zero = self.zero(part)?;
        let op = accrue_dialects::core::ComplexMake::new(self.ctx, ty, zero, zero);
        Some(self.value(op))
    }
}

/// The value of an integer constant, also of one that is extended.
pub fn constant(ctx: &Context, value: Value) -> Option<i128> {
    let op = value.defining_op()?;
    if let Some(constant) = Operation::get_op::<Const>(op, ctx) {
        return Some(constant.value(ctx));
    }
    let cast = Operation::get_op::<Cast>(op, ctx)?;
    let inner = constant(ctx, cast.get_operand(ctx))?;
    match cast.kind(ctx) {
        CastKind::SExt => Some(inner),
        CastKind::ZExt if inner >= 0 => Some(inner),
        _ => None,
    }
}

/// The value of an integer constant, or of arithmetic with constants, as `3 * BINS` in a clause; `None` where it overflows.
pub fn constant_expression(ctx: &Context, value: Value) -> Option<i128> {
    if let Some(constant) = constant(ctx, value) {
        return Some(constant);
    }
    let op = value.defining_op()?;
    if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
        let inner = constant_expression(ctx, cast.get_operand(ctx)).filter(|v| *v >= 0)?;
        let widens = matches!(cast.kind(ctx), CastKind::SExt | CastKind::ZExt);
        return widens.then_some(inner);
    }
    let bin = Operation::get_op::<Bin>(op, ctx)?;
    let kind = match bin.kind(ctx) {
        BinKind::AddS => BinKind::Add,
        BinKind::SubS => BinKind::Sub,
        BinKind::MulS => BinKind::Mul,
        kind => kind,
    };
    let left = constant_expression(ctx, bin.get_operand_lhs(ctx))?;
    let right = constant_expression(ctx, bin.get_operand_rhs(ctx))?;
    fold(kind, left, right).filter(|v| (0..1 << 31).contains(v))
}

/// `left kind right` of small constants; `None` for kinds that are not worth it.
fn fold(kind: BinKind, left: i128, right: i128) -> Option<i128> {
    let small = |v: i128| v.unsigned_abs() < 1 << 62;
    if !small(left) || !small(right) {
        return None;
    }
    let value = match kind {
        BinKind::Add => left + right,
        BinKind::Sub => left - right,
        BinKind::Mul => left.checked_mul(right)?,
        BinKind::MinS => left.min(right),
        BinKind::MaxS => left.max(right),
        BinKind::DivS | BinKind::DivU if left >= 0 && right > 0 => left / right,
        _ => return None,
    };
    small(value).then_some(value)
}

/// `left kind right` of constants that are not negative, for which signed and unsigned order agree.
fn fold_order(kind: CmpKind, left: i128, right: i128) -> Option<bool> {
    if left < 0 || right < 0 {
        return None;
    }
    match kind {
        CmpKind::LtS | CmpKind::LtU => Some(left < right),
        CmpKind::LeS | CmpKind::LeU => Some(left <= right),
        _ => None,
    }
}
