//! What an operation may do to memory.

use pliron::{context::Context, derive::op_interface, op::Op, result::Result, value::Value};

/// One effect of an operation on memory; `None` means "any location".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Reads memory reached through the pointer.
    Read(Option<Value>),
    /// Writes memory reached through the pointer.
    Write(Option<Value>),
    /// Makes new memory.
    Alloc,
    /// Ends the life of memory.
    Free(Option<Value>),
}

/// Effects of an operation by itself (not of what its regions contain). An operation without this interface has
/// unknown effects.
#[op_interface]
pub trait MemoryEffects {
    /// All effects; empty for a pure operation.
    fn effects(&self, ctx: &Context) -> Vec<Effect>;

    fn verify(_op: &dyn Op, _ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        Ok(())
    }
}

/// Declares operations that touch no memory: they may be moved, merged or dropped. Keeps [`MemoryEffects`] and pliron's
/// own `SideEffects` in agreement.
#[macro_export]
macro_rules! pure_ops {
    ($($op:ty),* $(,)?) => {$(
        #[pliron::derive::op_interface_impl]
        impl $crate::effects::MemoryEffects for $op {
            fn effects(&self, _: &pliron::context::Context) -> Vec<$crate::effects::Effect> {
                vec![]
            }
        }
        #[pliron::derive::op_interface_impl]
        impl pliron::opts::dce::SideEffects for $op {
            fn has_side_effects(&self, _: &pliron::context::Context) -> bool {
                false
            }
        }
    )*};
}
