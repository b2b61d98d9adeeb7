//! Pass `level-queries`: questions for the position in a level and for its size get their answers.
//!
//! ```text
//! core.call @__builtin_goacc_parlevel_id(0)      →      par.dim_pos gang
//! core.call @__builtin_goacc_parlevel_size(2)    →      par.dim_size vector
//! ```
//! It is the last pass that changes kernels: until then the questions are calls of which nothing is known, so that no pass takes a
//! position that the program asks for, and does what it likes with, for the position that a loop is shared out by. Cost: linear.

use accrue_dialects::{
    core::{Call, Cast, CastKind, Externs, Known, emit::Emitter, fold::constant},
    par::{DimPos, DimSize, Level},
};
use accrue_ir::walk::{nested, operands_of, results_of};
use pliron::{
    builtin::ops::ModuleOp, context::Context, op::Op, operation::Operation, r#type::Typed,
};

use crate::{State, transform::inline::device_functions};

/// Answers all questions in kernels and in the functions they call.
pub fn run(ctx: &mut Context, module: ModuleOp, _: &mut State) {
    let externs = Externs::of_module(ctx, module.get_operation());
    for func in device_functions(ctx, module) {
        for call in nested::<Call>(ctx, func.get_operation()) {
            let position = match externs.known(&call.callee(ctx)) {
                Some(Known::LevelPosition) => true,
                Some(Known::LevelSize) => false,
                _ => continue,
            };
            let op = call.get_operation();
            let number = operands_of(ctx, op)
                .first()
                .and_then(|level| constant(ctx, *level));
            let level = match number {
                Some(0) => Level::Gang,
                Some(1) => Level::Worker,
                Some(2) => Level::Vector,
                _ => continue,
            };
            let mut e = Emitter::before(ctx, op);
            let answer = match position {
                true => e.make(|ctx| DimPos::new(ctx, level)),
                false => e.make(|ctx| DimSize::new(ctx, level)),
            };
            for old in results_of(ctx, op) {
                let ty = old.get_type(ctx);
                let mut e = Emitter::before(ctx, op);
                let value = e.make(|ctx| Cast::new(ctx, CastKind::Trunc, answer, ty));
                old.replace_all_uses_with(ctx, &value);
            }
            Operation::erase(op, ctx);
        }
    }
}
