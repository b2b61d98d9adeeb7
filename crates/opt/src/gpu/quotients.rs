//! Pass `quotients`: where a quotient is computed, the remainder of the same numbers is what it leaves, on GPUs.
//!
//! A division of variables is some twenty instructions for 32 bits and a call for 64, and PTX's assembler makes two of a pair:
//!
//! ```text
//! %r = core.bin RemU %p, %n        %q = core.bin DivU %p, %n
//! …                           →    %r = %p - %q * %n
//! %q = core.bin DivU %p, %n
//! ```
//! What is done: pairs in one block, of which the first becomes the quotient. It comes behind what counts operations, since the result has
//! more of them. Cost: linear.

use accrue_dialects::core::{Bin, BinKind, emit::Emitter};
use accrue_ir::walk::{nested, ops_of_block};
use pliron::{
    basic_block::BasicBlock,
    builtin::{
        op_interfaces::OneResultInterface,
        ops::{FuncOp, ModuleOp},
    },
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    value::Value,
};
use std::collections::HashMap;

use crate::{State, transform::inline::device_functions};

/// Replaces remainders in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.promotes_memory {
        return;
    }
    for func in device_functions(ctx, module) {
        for (remainder, quotient) in pairs(ctx, func) {
            replace(ctx, remainder, quotient);
        }
    }
}

/// What is divided, how, and where.
type Division = (Ptr<BasicBlock>, BinKind, Value, Value);

/// The remainders with the quotients of the same numbers.
fn pairs(ctx: &Context, func: FuncOp) -> Vec<(Bin, Bin)> {
    let mut quotients: HashMap<Division, Bin> = HashMap::new();
    let mut remainders: Vec<(Division, Bin)> = vec![];
    for bin in nested::<Bin>(ctx, func.get_operation()) {
        let Some(block) = bin.get_operation().deref(ctx).get_parent_block() else {
            continue;
        };
        let of = |kind| {
            let (dividend, divisor) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
            (block, kind, dividend, divisor)
        };
        match bin.kind(ctx) {
            kind @ (BinKind::DivS | BinKind::DivU) => {
                quotients.entry(of(kind)).or_insert(bin);
            }
            BinKind::RemS => remainders.push((of(BinKind::DivS), bin)),
            BinKind::RemU => remainders.push((of(BinKind::DivU), bin)),
            _ => {}
        }
    }
    remainders
        .into_iter()
        .filter_map(|(division, bin)| Some((bin, *quotients.get(&division)?)))
        .collect()
}

/// Computes the quotient where the first of both stands, and the remainder from it.
fn replace(ctx: &mut Context, remainder: Bin, quotient: Bin) {
    let (dividend, divisor) = (
        remainder.get_operand_lhs(ctx),
        remainder.get_operand_rhs(ctx),
    );
    // Moving the quotient forward is right: both have the same operands.
    let (op, division) = (remainder.get_operation(), quotient.get_operation());
    if is_before(ctx, op, division) {
        division.unlink(ctx);
        division.insert_before(ctx, op);
    }
    let mut e = Emitter::before(ctx, op);
    let taken = e.bin(BinKind::Mul, quotient.get_result(e.ctx), divisor);
    let rest = e.bin(BinKind::Sub, dividend, taken);
    remainder.get_result(ctx).replace_all_uses_with(ctx, &rest);
    Operation::erase(op, ctx);
}

/// Whether `op` stands before `other`, in one block.
fn is_before(ctx: &Context, op: Ptr<Operation>, other: Ptr<Operation>) -> bool {
    let Some(block) = op.deref(ctx).get_parent_block() else {
        return false;
    };
    let first = ops_of_block(ctx, block)
        .into_iter()
        .find(|it| *it == op || *it == other);
    first == Some(op)
}
