//! Pass `dependence`.
use crate::State;
use pliron::{builtin::ops::ModuleOp, context::Context};
/// x
pub fn run(_: &mut Context, _: ModuleOp, _: &mut State) {}
