//! A selection between results of the same operation becomes that operation of a selection.
//!
//! ```text
//! %a = core.bin Add %x, 1                          %s = core.select %c, %x, %y
//! %b = core.bin Add %y, 1                    →     %r = core.bin Add %s, 1
//! %r = core.select %c, %a, %b
//! ```
//! One operation is saved, which may be a division, and a smaller or larger number is found as such: `%c` is often a comparison of `%x`
//! with `%y`. Only where nobody else uses the two results, and all operands but one are the same. Results are the same bits: sums and
//! products of floating-point numbers are left alone, since those around them may become one operation with them.
//!
//! Cost: linear in the number of selections, times the depth of what they choose from.

use crate::analysis::alike::is_same_arithmetic;
use accrue_dialects::core::{Bin, BinKind, Select, emit::Emitter, fold::constant};
use accrue_ir::walk::{nested, operands_of, results_of};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::FuncOp},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

/// Selections of selections: how many operations are taken out of one.
const MOST: usize = 8;

/// Replaces in `func`.
pub(super) fn share(ctx: &mut Context, func: FuncOp) {
    for select in nested::<Select>(ctx, func.get_operation()) {
        let mut select = select;
        for _ in 0..MOST {
            let Some(differs) = differing_operand(ctx, select) else {
                break;
            };
            select = replace(ctx, select, differs);
        }
    }
}

/// The number of the operand by which the two operations differ that a selection chooses from.
fn differing_operand(ctx: &Context, select: Select) -> Option<usize> {
    let [yes, no] = [select.get_operand_yes(ctx), select.get_operand_no(ctx)];
    let own = |value: Value| value.defining_op().filter(|_| value.num_uses(ctx) == 1);
    let (yes, no) = (own(yes)?, own(no)?);
    // What has been computed elsewhere, as in front of a loop, stays there.
    let block = select.get_operation().deref(ctx).get_parent_block();
    if [yes, no]
        .iter()
        .any(|op| op.deref(ctx).get_parent_block() != block)
    {
        return None;
    }
    let (yes_operands, no_operands) = (operands_of(ctx, yes), operands_of(ctx, no));
    if !is_same_operation(ctx, yes, no) || yes_operands.len() != no_operands.len() {
        return None;
    }
    let pairs = yes_operands.iter().zip(&no_operands).enumerate();
    let mut different = pairs.filter(|(_, (yes, no))| !is_same_value(ctx, **yes, **no));
    let (number, (yes, no)) = different.next()?;
    let fits = yes.get_type(ctx) == no.get_type(ctx) && different.next().is_none();
    fits.then_some(number)
}

/// Whether both compute the same of what they are given, and nothing that those around may become one operation with.
fn is_same_operation(ctx: &Context, a: Ptr<Operation>, b: Ptr<Operation>) -> bool {
    let types = [a, b].map(|op| results_of(ctx, op)[0].get_type(ctx));
    let contracts = Operation::get_op::<Bin>(a, ctx)
        .is_some_and(|bin| matches!(bin.kind(ctx), BinKind::FAdd | BinKind::FSub | BinKind::FMul));
    types[0] == types[1] && !contracts && is_same_arithmetic(ctx, a, b)
}

fn is_same_value(ctx: &Context, a: Value, b: Value) -> bool {
    let known = constant(ctx, a).zip(constant(ctx, b));
    a == b || a.get_type(ctx) == b.get_type(ctx) && known.is_some_and(|(a, b)| a == b)
}

/// Puts a selection of the operands that differ in front of one of the operations; gives that selection.
fn replace(ctx: &mut Context, select: Select, differs: usize) -> Select {
    let op = select.get_operation();
    let condition = select.get_operand_cond(ctx);
    let arms = [select.get_operand_yes(ctx), select.get_operand_no(ctx)];
    let arms = arms.map(|arm| arm.defining_op());
    let [Some(yes), Some(no)] = arms else {
        return select;
    };
    let [from_yes, from_no] = [yes, no].map(|arm| operands_of(ctx, arm)[differs]);
    let mut e = Emitter::before(ctx, op);
    let chosen = Select::new(e.ctx, condition, from_yes, from_no);
    let value = e.value(chosen);
    let copy = e.copy(yes, &mut IrMapping::new());
    Operation::replace_operand(copy, e.ctx, differs, value);
    let result = select.get_result(e.ctx);
    let shared = results_of(e.ctx, copy)[0];
    result.replace_all_uses_with(e.ctx, &shared);
    for op in [op, yes, no] {
        Operation::erase(op, e.ctx);
    }
    chosen
}
