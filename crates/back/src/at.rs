//! Emitting operations one after another, with the position in the source of what they replace.

use accrue_dialects::core::{
    Bin, BinKind, Cmp, CmpKind, ComplexMake, Const, FConst, For, ForInfo, If, Load, Loop, Null,
    PtrAdd, Store, Yield, complex_part, float_width, int_width, pointee_of,
};
use accrue_ir::build::{Inserter, Stamp};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::OneResultInterface,
    context::{Context, Ptr},
    irbuild::inserter::Inserter as _,
    op::Op,
    operation::Operation,
    r#type::TypeHandle,
    value::Value,
};

/// A place in the IR where operations are added.
pub struct At<'a> {
    pub ctx: &'a mut Context,
    pub inserter: Inserter,
}

impl<'a> At<'a> {
    /// Before `op`, with its position.
    pub fn before(ctx: &'a mut Context, op: Ptr<Operation>) -> Self {
        let stamp = Stamp(op.deref(ctx).loc().clone());
        let mut inserter = Inserter::new_before_operation(op);
        inserter.set_listener(stamp);
        At { ctx, inserter }
    }

    /// At the end of `block`, with the position of `like`.
    pub fn at_end(ctx: &'a mut Context, block: Ptr<BasicBlock>, like: Ptr<Operation>) -> Self {
        let stamp = Stamp(like.deref(ctx).loc().clone());
        let mut inserter = Inserter::new_at_block_end(block);
        inserter.set_listener(stamp);
        At { ctx, inserter }
    }

    /// At the end of `block`, with the same position as here.
    fn inside(&mut self, block: Ptr<BasicBlock>) -> At<'_> {
        let mut inserter = Inserter::new_at_block_end(block);
        inserter.set_listener(self.inserter.get_listener().clone());
        At {
            ctx: self.ctx,
            inserter,
        }
    }

    /// Whether a loop is around this place.
    pub fn is_in_loop(&self) -> bool {
        let block = self.inserter.get_insertion_block(self.ctx);
        let mut around = block.and_then(|b| b.deref(self.ctx).get_parent_op(self.ctx));
        while let Some(op) = around {
            if Operation::is_op::<For>(op, self.ctx) || Operation::is_op::<Loop>(op, self.ctx) {
                return true;
            }
            around = op.deref(self.ctx).get_parent_op(self.ctx);
        }
        false
    }

    /// Adds an operation.
    pub fn op<T: Op>(&mut self, make: impl FnOnce(&mut Context) -> T) -> T {
        let op = make(self.ctx);
        self.inserter.append_op(self.ctx, &op);
        op
    }

    /// Adds an operation and gives its result.
    pub fn value<T: Op + OneResultInterface>(
        &mut self,
        make: impl FnOnce(&mut Context) -> T,
    ) -> Value {
        let op = self.op(make);
        op.get_result(self.ctx)
    }

    pub fn i32(&mut self, value: i128) -> Value {
        self.value(|c| Const::new(c, 32, value))
    }

    pub fn i64(&mut self, value: i128) -> Value {
        self.value(|c| Const::new(c, 64, value))
    }

    pub fn bin(&mut self, kind: BinKind, a: Value, b: Value) -> Value {
        self.value(|c| Bin::new(c, kind, a, b))
    }

    pub fn cmp(&mut self, kind: CmpKind, a: Value, b: Value) -> Value {
        self.value(|c| Cmp::new(c, kind, a, b))
    }

    pub fn load(&mut self, address: Value) -> Value {
        self.value(|c| Load::new(c, address))
    }

    pub fn store(&mut self, value: Value, address: Value) {
        self.op(|c| Store::new(c, value, address));
    }

    pub fn element(&mut self, first: Value, index: Value) -> Value {
        self.value(|c| PtrAdd::new(c, first, index))
    }

    /// The number `int` (`float`: the same as a literal) of a scalar type that is no pointer.
    pub fn number(&mut self, ty: TypeHandle, int: i128, float: &str) -> Option<Value> {
        if let Some(width) = int_width(self.ctx, ty) {
            return Some(self.value(|c| Const::new(c, width, int)));
        }
        if float_width(self.ctx, ty).is_some() {
            return Some(self.value(|c| FConst::new(c, ty, float)));
        }
        let part = complex_part(self.ctx, ty)?;
        let real = self.value(|c| FConst::new(c, part, float));
        let imaginary = self.value(|c| FConst::new(c, part, "0.0"));
        Some(self.value(|c| ComplexMake::new(c, ty, real, imaginary)))
    }

    /// Zero of any scalar type.
    pub fn zero(&mut self, ty: TypeHandle) -> Value {
        match pointee_of(self.ctx, ty) {
            Some(_) => self.value(|c| Null::new(c, ty)),
            None => self
                .number(ty, 0, "0.0")
                .unwrap_or_else(|| self.value(|c| Null::new(c, ty))),
        }
    }

    /// Runs `body` if `cond` is true.
    pub fn when<E>(
        &mut self,
        cond: Value,
        body: impl FnOnce(&mut At) -> Result<(), E>,
    ) -> Result<Ptr<Operation>, E> {
        self.either(cond, body, |_| Ok(()))
    }

    /// Runs `yes` if `cond` is true, else `no`.
    pub fn either<E>(
        &mut self,
        cond: Value,
        yes: impl FnOnce(&mut At) -> Result<(), E>,
        no: impl FnOnce(&mut At) -> Result<(), E>,
    ) -> Result<Ptr<Operation>, E> {
        let (op, yes_block, no_block) = If::new(self.ctx, cond, vec![]);
        self.op(|_| op);
        let mut inside = self.inside(yes_block);
        yes(&mut inside)?;
        inside.op(|c| Yield::new(c, vec![]));
        let mut inside = self.inside(no_block);
        no(&mut inside)?;
        inside.op(|c| Yield::new(c, vec![]));
        Ok(op.get_operation())
    }

    /// A counted loop.
    pub fn counted<E>(
        &mut self,
        lower: Value,
        upper: Value,
        step: Value,
        body: impl FnOnce(&mut At, Value) -> Result<(), E>,
    ) -> Result<Ptr<Operation>, E> {
        let (op, block) = For::new(self.ctx, lower, upper, step, ForInfo::default());
        self.op(|_| op);
        let index = block.deref(self.ctx).get_argument(0);
        let mut inside = self.inside(block);
        body(&mut inside, index)?;
        inside.op(|c| Yield::new(c, vec![]));
        Ok(op.get_operation())
    }
}
