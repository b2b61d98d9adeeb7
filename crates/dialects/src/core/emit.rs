//! Appending operations at one place, with the position in the source of what they are made for.
//!
//! ```text
//! let mut e = Emitter::before(ctx, op);
//! let one = e.i64(1);
//! let next = e.bin(BinKind::Add, index, one);          // folded where both are constants
//! let address = e.make(|c| PtrAdd::new(c, base, next));
//! ```

use super::fold::{Folded, constant, fold_bin, fold_cast, fold_cmp};
use super::{
    Alloca, Bin, BinKind, Cast, CastKind, Cmp, CmpKind, ComplexMake, Const, FConst, For, ForInfo,
    If, Load, Null, PtrAdd, Select, Store, Variable, Yield, complex_part, float_width, int,
    int_width,
};
use crate::flow::Flow;
use accrue_ir::build::{Inserter, Stamp};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::OneResultInterface,
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
use std::cmp::Ordering;
use std::convert::Infallible;

/// Appends operations one after the other; all get the location of the operation that they are made for.
pub struct Emitter<'a> {
    pub ctx: &'a mut Context,
    pub inserter: Inserter,
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

    /// Emits at the end of `block`, with the location of `model`.
    pub fn at_end_of(ctx: &'a mut Context, block: Ptr<BasicBlock>, model: Ptr<Operation>) -> Self {
        Self::new(ctx, OpInsertionPoint::AtBlockEnd(block), model)
    }

    /// Emits at the end of `block`, with the same location as here.
    fn inside(&mut self, block: Ptr<BasicBlock>) -> Emitter<'_> {
        let mut inserter = Inserter::new_at_block_end(block);
        inserter.set_listener(self.inserter.get_listener().clone());
        Emitter {
            ctx: self.ctx,
            inserter,
        }
    }

    /// Whether a loop is around this place.
    pub fn is_in_loop(&self) -> bool {
        let block = self.inserter.get_insertion_block(self.ctx);
        let mut around = block.and_then(|b| b.deref(self.ctx).get_parent_op(self.ctx));
        while let Some(op) = around {
            if Flow::of(self.ctx, op).is_loop() {
                return true;
            }
            around = op.deref(self.ctx).get_parent_op(self.ctx);
        }
        false
    }

    /// Goes on at the end of `block`.
    pub fn at_end(&mut self, block: Ptr<BasicBlock>) {
        self.inserter.set_insertion_point_to_block_end(block);
    }

    /// Goes on before `op`.
    pub fn go_before(&mut self, op: Ptr<Operation>) {
        self.inserter.set_insertion_point_before_operation(op);
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

    /// Appends what `make` makes.
    pub fn op<T: Op>(&mut self, make: impl FnOnce(&mut Context) -> T) -> T {
        let op = make(self.ctx);
        self.push(op)
    }

    /// Appends what `make` makes and gives its result.
    pub fn make<T: Op + OneResultInterface>(
        &mut self,
        make: impl FnOnce(&mut Context) -> T,
    ) -> Value {
        let op = make(self.ctx);
        self.value(op)
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

    /// The constant `value` as `i32`.
    pub fn i32(&mut self, value: i128) -> Value {
        self.int(32, value)
    }

    /// The constant `value` as `i64`.
    pub fn i64(&mut self, value: i128) -> Value {
        self.int(64, value)
    }

    /// `lhs kind rhs`, folded.
    pub fn bin(&mut self, kind: BinKind, lhs: Value, rhs: Value) -> Value {
        match fold_bin(self.ctx, kind, lhs, rhs) {
            Some(folded) => self.folded(folded),
            None => self.make(|c| Bin::new(c, kind, lhs, rhs)),
        }
    }

    /// `lhs kind rhs` as `i1`, folded.
    pub fn cmp(&mut self, kind: CmpKind, lhs: Value, rhs: Value) -> Value {
        match fold_cmp(self.ctx, kind, lhs, rhs) {
            Some(known) => self.int(1, i128::from(known)),
            None => self.make(|c| Cmp::new(c, kind, lhs, rhs)),
        }
    }

    /// What an operation is worth, as a value.
    pub fn folded(&mut self, folded: Folded) -> Value {
        match folded {
            Folded::Constant(width, value) => self.int(width, value),
            Folded::Same(value) => value,
        }
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

    /// The address of the element at `index` behind `base`.
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
        let kind = match unsigned {
            true => CastKind::ZExt,
            false => CastKind::SExt,
        };
        match int_width(self.ctx, value.get_type(self.ctx)) {
            Some(width) if width < 64 => {
                let wide = int(self.ctx, 64);
                self.int_cast(kind, value, wide)
            }
            Some(_) | None => value,
        }
    }

    /// The `i64` `value` as the integer type `to` of at most 64 bits.
    pub fn narrow(&mut self, value: Value, to: TypeHandle) -> Value {
        match int_width(self.ctx, to) {
            Some(width) if width < 64 => self.int_cast(CastKind::Trunc, value, to),
            Some(_) | None => value,
        }
    }

    /// An integer as one of so many bits, by its signedness; an `i1` has none.
    pub fn resized(&mut self, value: Value, bits: u32, signed: bool) -> Value {
        let width = int_width(self.ctx, value.get_type(self.ctx)).unwrap_or(bits);
        let kind = match (width.cmp(&bits), signed && width > 1) {
            (Ordering::Equal, _) => return value,
            (Ordering::Greater, _) => CastKind::Trunc,
            (Ordering::Less, true) => CastKind::SExt,
            (Ordering::Less, false) => CastKind::ZExt,
        };
        let ty = int(self.ctx, bits);
        self.int_cast(kind, value, ty)
    }

    /// A conversion of an integer to an integer type, folded.
    pub fn int_cast(&mut self, kind: CastKind, value: Value, to: TypeHandle) -> Value {
        match fold_cast(self.ctx, kind, value, to) {
            Some(folded) => self.folded(folded),
            None => self.make(|c| Cast::new(c, kind, value, to)),
        }
    }

    /// The number `int` (`float`: the same as a literal) of a scalar type that is no pointer.
    pub fn number(&mut self, ty: TypeHandle, int: i128, float: &str) -> Option<Value> {
        if let Some(width) = int_width(self.ctx, ty) {
            return Some(self.int(width, int));
        }
        if float_width(self.ctx, ty).is_some() {
            return Some(self.make(|c| FConst::new(c, ty, float)));
        }
        let part = complex_part(self.ctx, ty)?;
        let real = self.make(|c| FConst::new(c, part, float));
        let imaginary = self.make(|c| FConst::new(c, part, "0.0"));
        Some(self.make(|c| ComplexMake::new(c, ty, real, imaginary)))
    }

    /// Zero of any scalar type, also the null pointer.
    pub fn zero(&mut self, ty: TypeHandle) -> Value {
        self.number(ty, 0, "0.0")
            .unwrap_or_else(|| self.make(|c| Null::new(c, ty)))
    }

    /// Runs `body` if `cond` is true.
    pub fn when<E>(
        &mut self,
        cond: Value,
        body: impl FnOnce(&mut Emitter) -> Result<(), E>,
    ) -> Result<Ptr<Operation>, E> {
        self.either(cond, body, |_| Ok(()))
    }

    /// The same for what cannot fail.
    pub fn only_if(&mut self, cond: Value, body: impl FnOnce(&mut Emitter)) {
        let Ok(_) = self.when::<Infallible>(cond, |e| {
            body(e);
            Ok(())
        });
    }

    /// Runs `yes` if `cond` is true, else `no`.
    pub fn either<E>(
        &mut self,
        cond: Value,
        yes: impl FnOnce(&mut Emitter) -> Result<(), E>,
        no: impl FnOnce(&mut Emitter) -> Result<(), E>,
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
        body: impl FnOnce(&mut Emitter, Value) -> Result<(), E>,
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
