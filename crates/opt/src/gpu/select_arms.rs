//! Pass `select-arms`: a branch that only chooses between cheap values becomes a selection, on GPUs.
//!
//! A branch ends what NVIDIA's assembler moves and pairs freely, and keeps a loop from being interleaved operation by
//! operation. Operations without effect may as well be done in both cases:
//!
//! ```text
//! %r = core.if %c then { %a = x * y  yield %a }        %a = x * y
//!      else { yield %x }                          →    %r = core.select %c, %a, %x
//! ```
//! That is done for branches with results whose arms have at most [`MOST`] operations together, all without effect or reads of variables, and none slow
//! (a division of any kind). What chooses between two conditions stays a branch: it becomes predicates anyway. Inner branches
//! come first. Cost: linear.

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::{Alloca, Bin, BinKind, Const, FConst, If, Load, Yield, int_width};
use accrue_ir::effects::is_pure;
use accrue_ir::walk::{nested, operands_of, ops_of_block, results_of};
use pliron::{
    builtin::{op_interfaces::SingleBlockRegionInterface, ops::ModuleOp},
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
};

use crate::{State, transform::inline::device_functions};

/// Operations that are done in vain at most, and those that are needed.
const MOST: usize = 8;

/// Replaces branches in kernels and the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    if state.target.finisher.selects {
        return;
    }
    for func in device_functions(ctx, module) {
        let mut branches = nested::<If>(ctx, func.get_operation());
        branches.reverse();
        for branch in branches {
            if is_cheap(ctx, branch) {
                replace(ctx, branch);
            }
        }
    }
}

fn is_cheap(ctx: &Context, branch: If) -> bool {
    let results = results_of(ctx, branch.get_operation());
    let is_condition =
        |value: &pliron::value::Value| int_width(ctx, value.get_type(ctx)) == Some(1);
    let mut arms: Vec<_> = arms(ctx, branch).into_iter().flatten().collect();
    arms.retain(|op| !is_free(ctx, *op));
    !results.is_empty()
        && !results.iter().any(is_condition)
        && arms.len() <= MOST
        && arms.into_iter().all(|op| {
            let pure = is_pure(ctx, op) || reads_variable(ctx, op);
            pure && op.deref(ctx).num_regions() == 0 && !is_slow(ctx, op)
        })
}

/// Whether `op` reads a variable of the thread by its name.
fn reads_variable(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::get_op::<Load>(op, ctx).is_some_and(|load| {
        let address = load.get_operand_address(ctx).defining_op();
        !load.is_volatile(ctx) && address.is_some_and(|op| Operation::is_op::<Alloca>(op, ctx))
    })
}

/// Constants, and the ends of arms.
fn is_free(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::is_op::<Yield>(op, ctx)
        || Operation::is_op::<Const>(op, ctx)
        || Operation::is_op::<FConst>(op, ctx)
}

/// The operations of both arms, with their ends.
fn arms(ctx: &Context, branch: If) -> [Vec<Ptr<Operation>>; 2] {
    [0, 1].map(|region| ops_of_block(ctx, branch.get_body(ctx, region)))
}

/// Divisions are dozens of instructions.
fn is_slow(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::get_op::<Bin>(op, ctx).is_some_and(|bin| match bin.kind(ctx) {
        BinKind::FDiv | BinKind::DivS | BinKind::DivU | BinKind::RemS | BinKind::RemU => true,
        BinKind::Add
        | BinKind::Sub
        | BinKind::Mul
        | BinKind::AddS
        | BinKind::SubS
        | BinKind::MulS
        | BinKind::Shl
        | BinKind::ShrS
        | BinKind::ShrU
        | BinKind::And
        | BinKind::Or
        | BinKind::Xor
        | BinKind::MinS
        | BinKind::MaxS
        | BinKind::MinU
        | BinKind::MaxU
        | BinKind::FAdd
        | BinKind::FSub
        | BinKind::FMul
        | BinKind::FMin
        | BinKind::FMax => false,
    })
}

fn replace(ctx: &mut Context, branch: If) {
    let op = branch.get_operation();
    let condition = branch.get_operand_cond(ctx);
    let arms = arms(ctx, branch);
    let mut e = Emitter::before(ctx, op);
    let [yes, no] = arms.map(|mut ops| {
        let end = ops.pop();
        let mut mapping = IrMapping::new();
        for op in ops {
            e.copy(op, &mut mapping);
        }
        let values = end.map_or_else(Vec::new, |end| operands_of(e.ctx, end));
        let values = values
            .into_iter()
            .map(|v| mapping.lookup_value_or_default(v));
        values.collect::<Vec<_>>()
    });
    let results = results_of(e.ctx, op);
    for ((result, yes), no) in results.into_iter().zip(yes).zip(no) {
        let chosen = e.select(condition, yes, no);
        result.replace_all_uses_with(e.ctx, &chosen);
    }
    Operation::erase(op, ctx);
}
