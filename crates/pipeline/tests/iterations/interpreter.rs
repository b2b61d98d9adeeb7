//! Runs kernels that have no loops over levels any more, for one thread after the other, and notes what each visits.

use accrue_dialects::{
    core::{
        Alloca, Bin, BinKind, Call, Cast, CastKind, Cmp, CmpKind, Const, For, If, Load, Select,
        Store, int_width,
    },
    par::{DimPos, DimSize},
};
use accrue_ir::walk;
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{OneOpdInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};
use std::collections::HashMap;

/// Runs partitioned kernels.
pub(super) struct Interpreter<'a> {
    pub(super) ctx: &'a Context,
    pub(super) values: HashMap<Value, i128>,
    /// Position and size of each level.
    pub(super) places: [(i128, i128); 3],
    pub(super) visited: Vec<Vec<i128>>,
}

impl Interpreter<'_> {
    pub(super) fn get(&self, value: Value) -> i128 {
        self.values[&value]
    }

    pub(super) fn block(&mut self, block: Ptr<BasicBlock>) {
        for op in walk::ops_of_block(self.ctx, block) {
            self.step(op);
        }
    }

    fn step(&mut self, op: Ptr<Operation>) {
        let ctx = self.ctx;
        if let Some(load) = Operation::get_op::<Load>(op, ctx) {
            let held = self.get(load.get_operand(ctx));
            self.values.insert(walk::results_of(ctx, op)[0], held);
        } else if let Some(store) = Operation::get_op::<Store>(op, ctx) {
            // A variable's address stands for what it holds: nobody else has it.
            let value = self.get(store.get_operand_value(ctx));
            self.values.insert(store.get_operand_address(ctx), value);
        } else if Operation::is_op::<Alloca>(op, ctx) {
            self.values.remove(&walk::results_of(ctx, op)[0]);
        } else if let Some(result) = self.result(op) {
            let value = walk::results_of(ctx, op)[0];
            let width = int_width(ctx, value.get_type(ctx)).expect("an integer");
            self.values.insert(value, wrap(result, width));
        } else if let Some(op) = Operation::get_op::<For>(op, ctx) {
            let width =
                int_width(ctx, op.get_operand_lower(ctx).get_type(ctx)).expect("an integer");
            let number = |this: &Self, v| match op.info(ctx).unsigned {
                true => unsigned(this.get(v), width),
                false => this.get(v),
            };
            let (mut i, upper) = (
                number(self, op.get_operand_lower(ctx)),
                number(self, op.get_operand_upper(ctx)),
            );
            let step = self.get(op.get_operand_step(ctx));
            let body = op.get_body(ctx, 0);
            let iv = body.deref(ctx).get_argument(0);
            while if step > 0 { i < upper } else { i > upper } {
                self.values.insert(iv, wrap(i, width));
                self.block(body);
                i += step;
            }
        } else if Operation::get_op::<If>(op, ctx).is_some() {
            let taken = usize::from(self.get(walk::operands_of(ctx, op)[0]) == 0);
            let region = op.deref(ctx).get_region(taken);
            let block = region.deref(ctx).get_entry_block().expect("a block");
            self.block(block);
            let end = *walk::ops_of_block(ctx, block).last().expect("a terminator");
            let results = walk::results_of(ctx, op);
            for (result, value) in results.into_iter().zip(walk::operands_of(ctx, end)) {
                self.values.insert(result, self.get(value));
            }
        } else if let Some(call) = Operation::get_op::<Call>(op, ctx) {
            let arguments = walk::operands_of(ctx, call.get_operation());
            self.visited
                .push(arguments.into_iter().map(|a| self.get(a)).collect());
        }
    }

    /// The result of an operation without effects.
    fn result(&self, op: Ptr<Operation>) -> Option<i128> {
        let ctx = self.ctx;
        let width =
            || int_width(ctx, walk::operands_of(ctx, op)[0].get_type(ctx)).expect("an integer");
        if let Some(op) = Operation::get_op::<Const>(op, ctx) {
            return Some(op.value(ctx));
        }
        if let Some(op) = Operation::get_op::<DimPos>(op, ctx) {
            return Some(self.places[op.level(ctx) as usize].0);
        }
        if let Some(op) = Operation::get_op::<DimSize>(op, ctx) {
            return Some(self.places[op.level(ctx) as usize].1);
        }
        if let Some(op) = Operation::get_op::<Select>(op, ctx) {
            let chosen = if self.get(op.get_operand_cond(ctx)) != 0 {
                op.get_operand_yes(ctx)
            } else {
                op.get_operand_no(ctx)
            };
            return Some(self.get(chosen));
        }
        if let Some(cast) = Operation::get_op::<Cast>(op, ctx) {
            let value = self.get(cast.get_operand(ctx));
            return match cast.kind(ctx) {
                CastKind::ZExt => Some(unsigned(value, width())),
                CastKind::SExt | CastKind::Trunc => Some(value),
                other => panic!("unexpected {other:?}"),
            };
        }
        if let Some(op) = Operation::get_op::<Cmp>(op, ctx) {
            let (l, r) = (
                self.get(op.get_operand_lhs(ctx)),
                self.get(op.get_operand_rhs(ctx)),
            );
            let (ul, ur) = (unsigned(l, width()), unsigned(r, width()));
            let holds = match op.kind(ctx) {
                CmpKind::Eq => l == r,
                CmpKind::LtS => l < r,
                CmpKind::LeS => l <= r,
                CmpKind::LtU => ul < ur,
                CmpKind::LeU => ul <= ur,
                other => panic!("unexpected {other:?}"),
            };
            return Some(i128::from(holds));
        }
        let op = Operation::get_op::<Bin>(op, ctx)?;
        let (l, r) = (
            self.get(op.get_operand_lhs(ctx)),
            self.get(op.get_operand_rhs(ctx)),
        );
        let (ul, ur) = (unsigned(l, width()), unsigned(r, width()));
        Some(match op.kind(ctx) {
            BinKind::AddS | BinKind::MulS => {
                let exact = if op.kind(ctx) == BinKind::AddS {
                    l + r
                } else {
                    l * r
                };
                assert_eq!(exact, wrap(exact, width()), "overflow");
                exact
            }
            BinKind::Add => l + r,
            BinKind::Sub => l - r,
            BinKind::Mul => l * r,
            BinKind::DivS => l / r,
            BinKind::RemS => l % r,
            BinKind::DivU => ul / ur,
            BinKind::RemU => ul % ur,
            BinKind::And => l & r,
            BinKind::MinS => l.min(r),
            BinKind::MaxS => l.max(r),
            other => panic!("unexpected {other:?}"),
        })
    }
}

/// `value` as a number of `width` bits, sign-extended; an `i1` is 0 or 1.
pub(super) fn wrap(value: i128, width: u32) -> i128 {
    match width {
        1 => value & 1,
        width => (value << (128 - width)) >> (128 - width),
    }
}

pub(super) fn unsigned(value: i128, width: u32) -> i128 {
    value & ((1 << width) - 1)
}
