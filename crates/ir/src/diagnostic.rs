//! What passes and back ends tell the user about operations, and where those come from.

use crate::build::{file, line_column};
pub use accrue_diag::Diagnostic;
use accrue_diag::{Place, Position};
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
};

/// A value, or why there is none.
pub type Result<T> = std::result::Result<T, Diagnostic>;

/// The place that `op` was made from; the file has no name where it is not known.
pub fn place(ctx: &Context, op: Ptr<Operation>) -> Option<Place> {
    let op = op.deref(ctx);
    let (line, column) = line_column(op.loc())?;
    let file = file(ctx, op.loc()).unwrap_or_default();
    Some(Place {
        position: Position {
            file: file.to_string_lossy().into(),
            line: line as usize,
            column: column as usize,
        },
        length: 0,
    })
}

/// An error about `op`.
pub fn error_at(ctx: &Context, op: Ptr<Operation>, message: impl Into<String>) -> Diagnostic {
    or_at(Diagnostic::error(message), ctx, op)
}

/// The same, about `op` unless it has a place already.
pub fn or_at(mut diagnostic: Diagnostic, ctx: &Context, op: Ptr<Operation>) -> Diagnostic {
    diagnostic.place = diagnostic.place.or_else(|| place(ctx, op));
    diagnostic
}
