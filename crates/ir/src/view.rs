//! An exhaustive view of a dialect: one enum with a variant per operation, to be matched without `_`.
//!
//! ```text
//! view! { CoreOp of "core": Const, Bin, If, … }
//!
//! match CoreOp::of(ctx, op) {
//!     Some(CoreOp::If(branch)) => …
//! ```
//! A new operation goes into the list (a test of the dialects fails otherwise); then nothing compiles that has not said
//! what it does with it. An operation in the list must say what effects it has, or the list does not compile.

use pliron::{
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
};
use std::{any::TypeId, collections::HashMap};

/// For each operation of a view, how to make it. By the type of the operation: one look-up, however long the list is.
pub type Makers<V> = HashMap<TypeId, fn(Ptr<Operation>) -> V>;

/// What `op` is among the operations of `makers`.
pub fn of<V>(makers: &Makers<V>, ctx: &Context, op: Ptr<Operation>) -> Option<V> {
    let object = Operation::get_op_dyn(op, ctx);
    let object: &dyn Op = &*object;
    makers.get(&object.as_any().type_id()).map(|make| make(op))
}

/// Declares the view of a dialect; see the module.
#[macro_export]
macro_rules! view {
    ($(#[$doc:meta])* $view:ident of $dialect:literal: $($op:ident),* $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub enum $view {
            $($op($op)),*
        }

        impl $view {
            /// The dialect whose operations these are.
            pub const DIALECT: &str = $dialect;

            /// `None` for operations of other dialects.
            pub fn of(
                ctx: &pliron::context::Context,
                op: pliron::context::Ptr<pliron::operation::Operation>,
            ) -> Option<Self> {
                static MAKERS: std::sync::LazyLock<$crate::view::Makers<$view>> =
                    std::sync::LazyLock::new(|| {
                        let makers: &[(std::any::TypeId, fn(pliron::context::Ptr<pliron::operation::Operation>) -> $view)] = &[$(
                            (std::any::TypeId::of::<$op>(), |op| $view::$op(<$op as pliron::op::Op>::from_operation(op)))
                        ),*];
                        makers.iter().copied().collect()
                    });
                $crate::view::of(&MAKERS, ctx, op)
            }

            /// The names of all operations.
            pub fn names() -> Vec<String> {
                vec![$(<$op as pliron::op::Op>::get_opid_static().to_string()),*]
            }
        }

        const _: () = {
            const fn has_effects<T: $crate::effects::EffectOp>() {}
            $(has_effects::<$op>();)*
        };
    };
}
