//! What an operation may do, beside giving its results.
//!
//! Every operation of accrue's dialects says so ([`EffectOp`]); one that does not is refused by [`crate::verify`]. "Nothing"
//! and "nobody knows" are different words:
//!
//! ```text
//! core.bin       Effects::None                      may be moved, merged and dropped
//! core.store     Effects::Known([Write(address)])
//! core.if        Effects::Known([Structure])        what its regions do is said by the operations in them
//! par.fork       Effects::Known([Convergent])
//! core.call      Effects::Unknown                   guarded, waited for, never moved
//! ```

use pliron::{
    context::{Context, Ptr},
    derive::op_interface,
    op::{Op, op_cast},
    operation::Operation,
    result::Result,
    value::Value,
};

/// One effect of an operation. A `None` for the address means "any location".
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
    /// Is part of how the program is built: runs its regions, ends one, jumps, or defines a name. Touches no memory by itself,
    /// but is neither dropped nor moved.
    Structure,
    /// Several threads take part together: no further condition may decide whether a thread does, and what others have stored
    /// may become visible. Neither dropped nor moved.
    Convergent,
}

impl Effect {
    /// Whether memory may be other afterwards.
    pub fn writes(self) -> bool {
        match self {
            Effect::Write(_) | Effect::Free(_) => true,
            Effect::Read(_) | Effect::Alloc | Effect::Structure | Effect::Convergent => false,
        }
    }
}

/// All effects of an operation by itself, not of what its regions contain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effects {
    /// It only computes its results.
    None,
    /// These and no others.
    Known(Vec<Effect>),
    /// Anything may happen.
    Unknown,
}

impl Effects {
    /// Whether the operation only computes its results.
    pub fn is_none(&self) -> bool {
        match self {
            Effects::None => true,
            Effects::Known(effects) => effects.is_empty(),
            Effects::Unknown => false,
        }
    }

    /// What has to be expected: for unknown effects, any access to any memory.
    pub fn expected(&self) -> &[Effect] {
        const ANY: &[Effect] = &[Effect::Read(None), Effect::Write(None), Effect::Free(None)];
        match self {
            Effects::None => &[],
            Effects::Known(effects) => effects,
            Effects::Unknown => ANY,
        }
    }

    /// Whether memory may be other afterwards.
    pub fn may_write(&self) -> bool {
        self.expected().iter().any(|effect| effect.writes())
    }
}

/// An operation that says what it may do: all of accrue's dialects.
#[op_interface]
pub trait EffectOp {
    fn effects(&self, ctx: &Context) -> Effects;

    fn verify(_op: &dyn Op, _ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        Ok(())
    }
}

/// What `op` may do by itself. Nothing is known about operations that do not say.
pub fn effects_of(ctx: &Context, op: Ptr<Operation>) -> Effects {
    let object = Operation::get_op_dyn(op, ctx);
    op_cast::<dyn EffectOp>(&*object).map_or(Effects::Unknown, |e| e.effects(ctx))
}

/// Whether `op` by itself only computes its results.
pub fn is_pure(ctx: &Context, op: Ptr<Operation>) -> bool {
    effects_of(ctx, op).is_none()
}

/// Says what operations do whose effects do not depend on their operands. For the others, implement [`EffectOp`].
///
/// ```text
/// effects!(none: Const, Bin);
/// effects!(structure: If, For);
/// effects!(convergent: Fork);
/// effects!(unknown: Call);
/// ```
#[macro_export]
macro_rules! effects {
    (none: $($op:ty),* $(,)?) => {
        $crate::effects!(@ $crate::effects::Effects::None; $($op),*);
    };
    (structure: $($op:ty),* $(,)?) => {
        $crate::effects!(@ $crate::effects::Effects::Known(vec![$crate::effects::Effect::Structure]); $($op),*);
    };
    (convergent: $($op:ty),* $(,)?) => {
        $crate::effects!(@ $crate::effects::Effects::Known(vec![$crate::effects::Effect::Convergent]); $($op),*);
    };
    (unknown: $($op:ty),* $(,)?) => {
        $crate::effects!(@ $crate::effects::Effects::Unknown; $($op),*);
    };
    (@ $effects:expr; $($op:ty),*) => {$(
        #[pliron::derive::op_interface_impl]
        impl $crate::effects::EffectOp for $op {
            fn effects(&self, _: &pliron::context::Context) -> $crate::effects::Effects {
                $effects
            }
        }
    )*};
}
