//! What a back end cannot turn into the text of its target.

pub use accrue_diag::Diagnostic;
pub use accrue_ir::place::{error_at, or_at};

/// A value, or why there is none.
pub type Result<T> = std::result::Result<T, Diagnostic>;
