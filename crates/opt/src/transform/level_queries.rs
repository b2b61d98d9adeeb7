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
            let Some(query) = query(ctx, &externs, call) else {
                continue;
            };
            let op = call.get_operation();
            let mut e = Emitter::before(ctx, op);
            let answer = match query {
                Query::Position(level) => e.make(|ctx| DimPos::new(ctx, level)),
                Query::Size(level) => e.make(|ctx| DimSize::new(ctx, level)),
            };
            for old in results_of(e.ctx, op) {
                let ty = old.get_type(e.ctx);
                let value = e.make(|ctx| Cast::new(ctx, CastKind::Trunc, answer, ty));
                old.replace_all_uses_with(e.ctx, &value);
            }
            Operation::erase(op, ctx);
        }
    }
}

/// What a program asks about a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    Position(Level),
    Size(Level),
}

/// What a call asks; nothing if it is another one. GCC numbers gangs 0, workers 1 and lanes 2.
pub fn query(ctx: &Context, externs: &Externs, call: Call) -> Option<Query> {
    let known = externs.known(&call.callee(ctx))?;
    let number = || constant(ctx, *operands_of(ctx, call.get_operation()).first()?);
    let level = |number| match number {
        0 => Some(Level::Gang),
        1 => Some(Level::Worker),
        2 => Some(Level::Vector),
        _ => None,
    };
    if known == Known::LevelPosition {
        number().and_then(level).map(Query::Position)
    } else if known == Known::LevelSize {
        number().and_then(level).map(Query::Size)
    } else {
        None
    }
}
