//! Pass `single-modes`: questions for the position in a level, where nothing is spread over it.
//!
//! ```text
//! #pragma acc parallel loop gang
//! for (…) {
//!     a[i] = __builtin_goacc_parlevel_id(2);        →   a[i] = 0;
//!     #pragma acc loop vector
//!     for (…)
//!         b[j] = __builtin_goacc_parlevel_id(2);        stays: lanes differ here
//! }
//! ```
//! In a level's single mode one worker, or one lane, runs the program (OpenACC 3.4, section 2.5), and that is number 0. Devices whose
//! lanes all go through such code would otherwise give each its own answer. Gangs differ everywhere in a region. The pass runs once
//! levels have been assigned; what stays is answered by the pass `level-queries`. Cost: linear.

use accrue_dialects::{
    acc::Loop,
    core::{Call, Const, Externs},
    par::Level,
};
use accrue_ir::{
    build::Inserter,
    walk::{enclosing, nested, results_of},
};
use accrue_opt::{
    State,
    transform::level_queries::{Query, query},
};
use pliron::{
    builtin::{op_interfaces::OneResultInterface, ops::ModuleOp},
    context::{Context, Ptr},
    irbuild::inserter::Inserter as _,
    op::Op,
    operation::Operation,
};

/// Answers the questions that have one answer.
pub fn run(ctx: &mut Context, module: ModuleOp, _: &mut State) {
    let externs = Externs::of_module(ctx, module.get_operation());
    for call in nested::<Call>(ctx, module.get_operation()) {
        let op = call.get_operation();
        let Some(Query::Position(level)) = query(ctx, &externs, call) else {
            continue;
        };
        if level != Level::Gang && !is_spread(ctx, op, level) {
            let zero = Const::new(ctx, 32, 0);
            Inserter::new_before_operation(op).insert_op(ctx, &zero);
            let value = zero.get_result(ctx);
            for old in results_of(ctx, op) {
                old.replace_all_uses_with(ctx, &value);
            }
            Operation::erase(op, ctx);
        }
    }
}

/// Whether `op` is in a loop over `level`.
fn is_spread(ctx: &Context, op: Ptr<Operation>, level: Level) -> bool {
    let mut around = enclosing::<Loop>(ctx, op);
    while let Some(lp) = around {
        if lp
            .levels(ctx)
            .is_some_and(|levels| levels.list().contains(&level))
        {
            return true;
        }
        around = enclosing::<Loop>(ctx, lp.get_operation());
    }
    false
}
