//! What passes tell the user: errors that stop it, warnings, and remarks on what became of loops and variables.

use accrue_abi::symbols::shown;
use accrue_dialects::{
    View,
    flow::Flow,
    par::{Level, kernel_of},
    source::Role,
};
use accrue_ir::build::{file, line_column};
use pliron::{
    builtin::{op_interfaces::SymbolOpInterface, ops::FuncOp},
    context::{Context, Ptr},
    location::Location,
    operation::Operation,
};
use std::path::PathBuf;

/// What became of a loop or a variable, and why.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Remark {
    pub message: String,
    /// The user's file, perhaps a header; absent when it is not known.
    pub file: Option<PathBuf>,
    pub line: u32,
    pub column: u32,
    /// The pass that decided.
    pub pass: &'static str,
    pub region: Region,
    pub subject: Subject,
}

/// The part of the program that a remark is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Region {
    /// The compute construct of the directive of this number.
    Construct(u32),
    /// A function that regions call.
    Function(String),
    /// None of them.
    Unit,
}

/// What a remark is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The construct or the function as a whole.
    Region,
    /// The loop at the remark's position.
    Loop,
    /// That loop: from now on it has these levels, outermost first.
    Levels {
        levels: Vec<Level>,
        /// The user's clauses say so.
        by_user: bool,
    },
    /// A variable that the construct's clauses do not name: why it has the attribute it has.
    Variable { name: String, why: &'static str },
}

/// The region that `op` is in, before and after outlining.
pub fn region_of(ctx: &Context, op: Ptr<Operation>) -> Region {
    let mut at = Some(op);
    while let Some(here) = at {
        if let Some(Role::Construct { directive }) = View::role(ctx, here) {
            return Region::Construct(directive);
        }
        if let Some(function) = Operation::get_op::<FuncOp>(here, ctx) {
            return match kernel_of(ctx, &function) {
                Some(kernel) => Region::Construct(kernel.site),
                None => Region::Function(shown(function.get_symbol_name(ctx).as_ref())),
            };
        }
        at = here.deref(ctx).get_parent_op(ctx);
    }
    Region::Unit
}

/// What a remark at `op` is about, if it does not say more.
pub fn subject_of(ctx: &Context, op: Ptr<Operation>) -> Subject {
    match Flow::of(ctx, op).is_any_loop() {
        true => Subject::Loop,
        false => Subject::Region,
    }
}

/// The name that places of operations have that a pass has copied, so that each is in the kernels of a construct twice: what becomes of
/// the copies is not remarked.
pub const COPY: &str = "copy";

/// Whether `op` is such a copy.
pub fn is_copy(ctx: &Context, op: Ptr<Operation>) -> bool {
    matches!(op.deref(ctx).loc(), Location::Named { name, .. } if name == COPY)
}

/// Line and column of `op`; zeros when it has no position.
pub fn position(ctx: &Context, op: Ptr<Operation>) -> (u32, u32) {
    line_column(op.deref(ctx).loc()).unwrap_or((0, 0))
}

/// File that `op` was made from.
pub fn file_of(ctx: &Context, op: Ptr<Operation>) -> Option<PathBuf> {
    file(ctx, op.deref(ctx).loc())
}
