//! Appending operations at one place: the short way that all passes use.

use accrue_dialects::core::{
    Alloca, Bin, BinKind, Cast, CastKind, Cmp, CmpKind, Const, FConst, Load, PtrAdd, Select, Store,
    Variable, complex_part, float_width, int, int_width,
};
use accrue_ir::build::{Inserter, Stamp};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    irbuild::inserter::{Inserter as _, OpInsertionPoint},
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

    pub fn bin(&mut self, kind: BinKind, lhs: Value, rhs: Value) -> Value {
        let op = Bin::new(self.ctx, kind, lhs, rhs);
        self.value(op)
    }

    pub fn cmp(&mut self, kind: CmpKind, lhs: Value, rhs: Value) -> Value {
        let op = Cmp::new(self.ctx, kind, lhs, rhs);
        self.value(op)
    }

    pub fn select(&mut self, cond: Value, yes: Value, no: Value) -> Value {
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

    pub fn alloca_dynamic(&mut self, elem: TypeHandle, count: Value, var: Option<Variable>) -> Value {
        let op = Alloca::dynamic(self.ctx, elem, count, var);
        self.value(op)
    }

    /// The integer `value` as `i64`, extended by its signedness.
    pub fn widen(&mut self, value: Value, unsigned: bool) -> Value {
        match int_width(self.ctx, value.get_type(self.ctx)) {
            Some(width) if width < 64 => {
                let to = int(self.ctx, 64);
                let kind = if unsigned { CastKind::ZExt } else { CastKind::SExt };
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

/// The value of an integer constant.
pub fn constant(ctx: &Context, value: Value) -> Option<i128> {
    let op = Operation::get_op::<Const>(value.defining_op()?, ctx)?;
    Some(op.value(ctx))
}
