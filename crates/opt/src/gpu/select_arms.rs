//! Passes `select-values` and `select-arms`: a branch that only chooses between cheap values becomes a selection, on GPUs.
//!
//! A branch ends what NVIDIA's assembler moves and pairs freely, and keeps a loop from being interleaved operation by
//! operation. Operations without effect may as well be done in both cases:
//!
//! ```text
//! %r = core.if %c then { %a = x * y  yield %a }        %a = x * y
//!      else { yield %x }                          →    %r = core.select %c, %a, %x
//! ```
//! That is done for branches with results whose arms have at most [`MOST`] operations together, all without effect or reads of variables, and none slow
//! (a division by what is no constant). Inner branches come first.
//!
//! `select-values` comes before loops are looked at, so that a bound like `y + 2 < n ? y + 2 : n - 1` does not change in the loop, and what
//! branches compute is compared with what is computed elsewhere. `select-arms` finds what has become cheap since, and branches that only
//! set variables ([`stores`]); selections between results of one operation become selections of what that is given ([`shared`]).
//!
//! A condition that one branch computes and the other knows, as `&&` and `||` do, is computed in both and joined, if that takes up to
//! [`MOST_OF_CONDITIONS`] operations. Other choices between conditions stay branches: they become predicates anyway.
//!
//! ```text
//! %c = core.if %a { %b = 0 <= x  yield %b }                %b = 0 <= x
//!      else { yield false }                          →     %c = core.bin And %a, %b
//! ```
//! A selection of a number or of what it is without its sign is that size however it is spelled:
//! `x < 0 ? -x : x` is the larger of `x` and `-x`, as `abs(x)` is. Cost: linear.

mod shared;
mod stores;

use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::fold::constant;
use accrue_dialects::core::{
    Alloca, Bin, BinKind, Cmp, CmpKind, Const, FConst, If, Load, Member, Select, Un, UnKind, Yield,
    int_width,
};
use accrue_ir::effects::is_pure;
use accrue_ir::walk::{nested, operands_of, ops_of_block, results_of};
use pliron::{
    builtin::{
        op_interfaces::{OneOpdInterface, OneResultInterface, SingleBlockRegionInterface},
        ops::ModuleOp,
    },
    context::{Context, Ptr},
    irbuild::cloning::IrMapping,
    op::Op,
    operation::Operation,
    r#type::Typed,
    value::Value,
};

use crate::{State, transform::inline::device_functions};

/// Operations that are done in vain at most, and those that are needed.
const MOST: usize = 8;

/// The same for what computes a condition.
const MOST_OF_CONDITIONS: usize = 4;

/// Which of the passes it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Early,
    Late,
}

/// Pass `select-values`.
pub fn run_early(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    replace_all(ctx, module, state, Stage::Early);
}

/// Pass `select-arms`.
pub fn run(ctx: &mut Context, module: ModuleOp, state: &mut State) {
    replace_all(ctx, module, state, Stage::Late);
}

/// Replaces branches in kernels and the functions they call.
fn replace_all(ctx: &mut Context, module: ModuleOp, state: &State, stage: Stage) {
    if state.target.finisher.selects {
        return;
    }
    for func in device_functions(ctx, module) {
        let mut branches = nested::<If>(ctx, func.get_operation());
        branches.reverse();
        for branch in branches {
            if is_cheap(ctx, branch) {
                replace(ctx, branch, choose);
            } else if let Some(joint) = joint(ctx, branch) {
                replace(ctx, branch, |e, condition, yes, no| {
                    join(e, condition, joint, yes, no)
                });
            }
        }
        if stage == Stage::Late {
            stores::select_stores(ctx, func);
            shared::share(ctx, func);
        }
        for select in nested::<Select>(ctx, func.get_operation()) {
            if let Some(number) = size_of(ctx, select) {
                replace_by_size(ctx, select, number);
            }
        }
    }
}

fn is_cheap(ctx: &Context, branch: If) -> bool {
    let results = results_of(ctx, branch.get_operation());
    !results.is_empty()
        && !results.iter().any(|result| is_condition(ctx, *result))
        && are_cheap(ctx, branch, MOST)
}

fn is_condition(ctx: &Context, value: Value) -> bool {
    int_width(ctx, value.get_type(ctx)) == Some(1)
}

/// Whether both arms have at most so many operations, and may be computed in vain.
fn are_cheap(ctx: &Context, branch: If, most: usize) -> bool {
    let mut arms: Vec<_> = arms(ctx, branch).into_iter().flatten().collect();
    arms.retain(|op| !is_free(ctx, *op));
    arms.len() <= most && arms.into_iter().all(|op| may_be_in_vain(ctx, op))
}

/// Whether `op` has no effect, and costs little.
fn may_be_in_vain(ctx: &Context, op: Ptr<Operation>) -> bool {
    let pure = is_pure(ctx, op) || reads_variable(ctx, op);
    is_free(ctx, op) || pure && op.deref(ctx).num_regions() == 0 && !is_slow(ctx, op)
}

/// What one arm of a branch knows.
#[derive(Clone, Copy)]
struct Joint {
    in_first: bool,
    known: bool,
}

/// If the only result is a condition that one of two cheap arms knows.
fn joint(ctx: &Context, branch: If) -> Option<Joint> {
    let results = results_of(ctx, branch.get_operation());
    let [result] = results.as_slice() else {
        return None;
    };
    if !is_condition(ctx, *result) || !are_cheap(ctx, branch, MOST_OF_CONDITIONS) {
        return None;
    }
    let known = arms(ctx, branch).map(|ops| {
        let given = operands_of(ctx, *ops.last()?);
        Some(constant(ctx, *given.first()?)? != 0)
    });
    match known {
        [Some(known), _] => Some(Joint {
            in_first: true,
            known,
        }),
        [None, Some(known)] => Some(Joint {
            in_first: false,
            known,
        }),
        [None, None] => None,
    }
}

/// `condition ? yes : no`, one of which is known.
fn join(e: &mut Emitter, condition: Value, joint: Joint, yes: Value, no: Value) -> Value {
    let other = if joint.in_first { no } else { yes };
    // Where the known arm is taken, the result is known; where not, the other decides.
    let decided = match joint.in_first == joint.known {
        true => condition,
        false => e.make(|c| Un::new(c, UnKind::Not, condition)),
    };
    match joint.known {
        true => e.bin(BinKind::Or, decided, other),
        false => e.bin(BinKind::And, decided, other),
    }
}

/// The number whose size a selection gives.
fn size_of(ctx: &Context, select: Select) -> Option<Value> {
    let test = Operation::get_op::<Cmp>(select.get_operand_cond(ctx).defining_op()?, ctx)?;
    let (left, right) = (test.get_operand_lhs(ctx), test.get_operand_rhs(ctx));
    let (number, less) = match (test.kind(ctx), constant(ctx, left), constant(ctx, right)) {
        (CmpKind::LtS | CmpKind::LeS, _, Some(0)) => (left, true),
        (CmpKind::GtS | CmpKind::GeS, _, Some(0)) => (left, false),
        (CmpKind::LtS | CmpKind::LeS, Some(0), _) => (right, false),
        (CmpKind::GtS | CmpKind::GeS, Some(0), _) => (right, true),
        _ => return None,
    };
    let (yes, no) = (select.get_operand_yes(ctx), select.get_operand_no(ctx));
    let (negative, positive) = if less { (yes, no) } else { (no, yes) };
    let turned = Operation::get_op::<Un>(negative.defining_op()?, ctx)?;
    let turns = match turned.kind(ctx) {
        UnKind::Neg | UnKind::NegS => turned.get_operand_value(ctx) == number,
        UnKind::Not | UnKind::FNeg | UnKind::Conj => false,
    };
    (turns && positive == number).then_some(number)
}

fn replace_by_size(ctx: &mut Context, select: Select, number: Value) {
    let op = select.get_operation();
    let mut e = Emitter::before(ctx, op);
    let turned = e.make(|c| Un::new(c, UnKind::Neg, number));
    let size = e.bin(BinKind::MaxS, number, turned);
    let result = select.get_result(e.ctx);
    result.replace_all_uses_with(e.ctx, &size);
    Operation::erase(op, e.ctx);
}

fn choose(e: &mut Emitter, condition: Value, yes: Value, no: Value) -> Value {
    e.select(condition, yes, no)
}

/// Whether `op` reads a variable of the thread by its name, or a member of one.
fn reads_variable(ctx: &Context, op: Ptr<Operation>) -> bool {
    Operation::get_op::<Load>(op, ctx).is_some_and(|load| {
        let mut address = load.get_operand_address(ctx).defining_op();
        while let Some(member) = address.and_then(|op| Operation::get_op::<Member>(op, ctx)) {
            address = member.get_operand(ctx).defining_op();
        }
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

/// Divisions are dozens of instructions, but for those by constants.
fn is_slow(ctx: &Context, op: Ptr<Operation>) -> bool {
    // Integers are not divided in vain by what stops a core.
    let by_constant = |bin: Bin| {
        let divisor = bin.get_operand_rhs(ctx);
        let op = divisor.defining_op();
        op.is_some_and(|op| Operation::is_op::<FConst>(op, ctx))
            || constant(ctx, divisor).is_some_and(|integer| !matches!(integer, 0 | -1))
    };
    Operation::get_op::<Bin>(op, ctx)
        .is_some_and(|bin| bin.kind(ctx).divides() && !by_constant(bin))
}

fn replace(
    ctx: &mut Context,
    branch: If,
    decide: impl Fn(&mut Emitter, Value, Value, Value) -> Value,
) {
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
        let chosen = decide(&mut e, condition, yes, no);
        result.replace_all_uses_with(e.ctx, &chosen);
    }
    Operation::erase(op, ctx);
}
