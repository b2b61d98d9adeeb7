//! What a back end cannot turn into the text of its target, with the place in the user's source.

use accrue_ir::build::line_column;
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
};

/// One reason why no text was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Diagnostic {
    /// One sentence without a full stop.
    pub message: String,
    /// Line and column in the user's file, both from 1; absent when the operation has no position.
    pub position: Option<(u32, u32)>,
}

impl Diagnostic {
    /// About `op`.
    pub fn at(ctx: &Context, op: Ptr<Operation>, message: impl Into<String>) -> Self {
        Diagnostic {
            message: message.into(),
            position: line_column(op.deref(ctx).loc()),
        }
    }

    /// About no operation in particular.
    pub fn plain(message: impl Into<String>) -> Self {
        Diagnostic {
            message: message.into(),
            position: None,
        }
    }

    /// With the position of `op` unless there is one already.
    pub fn or_at(mut self, ctx: &Context, op: Ptr<Operation>) -> Self {
        self.position = self.position.or_else(|| line_column(op.deref(ctx).loc()));
        self
    }
}

/// A value, or why there is none.
pub type Result<T> = std::result::Result<T, Diagnostic>;
