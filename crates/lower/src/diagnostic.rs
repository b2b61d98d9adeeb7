//! What `lower` tells the user: errors that stop it, and remarks on what became of loops and variables.

use accrue_ir::build::{file, line_column};
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
};
use std::path::PathBuf;

/// A mistake in the user's program, or something that is not supported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Diagnostic {
    pub message: String,
    /// The user's file, perhaps a header; absent when it is not known.
    pub file: Option<PathBuf>,
    /// Position in the user's file, from 1; 0 when it is not known.
    pub line: u32,
    pub column: u32,
    /// Section of OpenACC 3.4 that has the rule; empty when there is none.
    pub section: &'static str,
    /// A way out; empty when there is none.
    pub help: String,
}

/// What became of a loop or a variable, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    pub message: String,
    pub line: u32,
    pub column: u32,
    /// The pass that decided.
    pub pass: &'static str,
}

/// Line and column of `op`; zeros when it has no position.
pub fn position(ctx: &Context, op: Ptr<Operation>) -> (u32, u32) {
    line_column(op.deref(ctx).loc()).unwrap_or((0, 0))
}

/// File that `op` was made from.
pub fn file_of(ctx: &Context, op: Ptr<Operation>) -> Option<PathBuf> {
    file(ctx, op.deref(ctx).loc())
}
