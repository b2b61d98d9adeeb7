//! Attributes of operations, said once per operation: accessors and verification come from one list.
//!
//! ```text
//! attributes! { Bin:
//!     /// Which operation.
//!     required core_bin_kind: BinKind = kind, set_kind;
//! }
//! ```
//! gives `Bin::kind(ctx) -> BinKind` and `Bin::set_kind`, and the verifier refuses a `core.bin` without `core_bin_kind`, or with
//! one of another type. `optional` gives an `Option`, `flag` a `bool` that is false where the attribute is absent.
//!
//! What one pass finds out for a later one stands on operations of any kind, functions of pliron's among them. Such attributes
//! have a key that knows their type; the verifier refuses one of another type, whichever operation has it:
//!
//! ```text
//! keys! {
//!     /// The phase that an operation belongs to.
//!     PHASE "lower_phase": Phase;
//! }
//! PHASE.set(ctx, op, Phase(1));      PHASE.get(ctx, op) == Some(Phase(1))
//! ```
//!
//! An accessor of a required attribute has no answer for an operation without it, which only exists between its making and
//! the setting of the attribute: the builders set all of them, and text is verified before anything else looks at it.

use std::{collections::HashMap, marker::PhantomData, sync::LazyLock};

use pliron::{
    attribute::{Attribute, AttributeDict},
    builtin::attributes::BoolAttr,
    context::{Context, Ptr},
    derive::op_interface,
    identifier::Identifier,
    op::{Op, op_cast},
    operation::Operation,
    result::Result,
    verify_err,
};

/// An attribute that an operation must or may have.
pub struct Declared {
    pub key: &'static Identifier,
    pub required: bool,
    /// Whether the attribute under the key, if there is one, is of the right type.
    pub fits: fn(&AttributeDict, &Identifier) -> bool,
}

/// For [`Declared::fits`].
pub fn is<T: Attribute>(attributes: &AttributeDict, key: &Identifier) -> bool {
    attributes.get::<T>(key).is_some()
}

/// An operation whose attributes are declared.
#[op_interface]
pub trait AttributeOp {
    fn declared(&self) -> &'static [Declared];

    fn verify(op: &dyn Op, ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        match op_cast::<dyn AttributeOp>(op) {
            Some(declaring) => verify(op, ctx, declaring.declared()),
            None => Ok(()),
        }
    }
}

/// Refuses `op` unless it has the attributes that it must have, and those that it has are of the right types.
pub fn verify(op: &dyn Op, ctx: &Context, declared: &[Declared]) -> Result<()> {
    let operation = op.get_operation().deref(ctx);
    for attribute in declared {
        let present = operation.attributes.0.contains_key(attribute.key);
        let key = attribute.key;
        if !present && attribute.required {
            return verify_err!(
                operation.loc(),
                "`{}` needs the attribute `{key}`",
                op.get_opid()
            );
        }
        if present && !(attribute.fits)(&operation.attributes, key) {
            return verify_err!(
                operation.loc(),
                "the attribute `{key}` of `{}` is of another type",
                op.get_opid()
            );
        }
    }
    Ok(())
}

/// The attribute that every verified operation of its kind has.
pub fn required<T: Attribute + Clone>(ctx: &Context, op: Ptr<Operation>, key: &Identifier) -> T {
    optional(ctx, op, key).unwrap_or_else(|| missing(ctx, op, key))
}

#[cold]
fn missing(ctx: &Context, op: Ptr<Operation>, key: &Identifier) -> ! {
    let name = Operation::get_opid(op, ctx);
    panic!("`{name}` is used before it is verified: it has no `{key}`")
}

/// The attribute under `key`, if there is one.
pub fn optional<T: Attribute + Clone>(
    ctx: &Context,
    op: Ptr<Operation>,
    key: &Identifier,
) -> Option<T> {
    op.deref(ctx).attributes.get::<T>(key).cloned()
}

/// Whether the flag under `key` is there and set.
pub fn flag(ctx: &Context, op: Ptr<Operation>, key: &Identifier) -> bool {
    optional::<BoolAttr>(ctx, op, key).is_some_and(bool::from)
}

/// Sets the attribute under `key`.
pub fn set<T: Attribute>(ctx: &Context, op: Ptr<Operation>, key: &Identifier, value: T) {
    op.deref_mut(ctx).attributes.set(key.clone(), value);
}

/// The key of attributes of type `T` that operations of any kind may have; see the module.
pub struct Key<T> {
    pub name: Identifier,
    of: PhantomData<fn() -> T>,
}

impl<T> Key<T> {
    pub const fn new(name: &'static str) -> Self {
        Key {
            name: Identifier::new(name),
            of: PhantomData,
        }
    }
}

impl<T: Attribute + Clone> Key<T> {
    /// The attribute of `op`, if it has one.
    pub fn get(&self, ctx: &Context, op: Ptr<Operation>) -> Option<T> {
        optional(ctx, op, &self.name)
    }

    /// Whether `op` has the attribute.
    pub fn is_on(&self, ctx: &Context, op: Ptr<Operation>) -> bool {
        is::<T>(&op.deref(ctx).attributes, &self.name)
    }

    pub fn set(&self, ctx: &Context, op: Ptr<Operation>, value: T) {
        set(ctx, op, &self.name, value);
    }

    pub fn remove(&self, ctx: &Context, op: Ptr<Operation>) {
        op.deref_mut(ctx).attributes.0.remove(&self.name);
    }
}

/// What [`keys!`] declares.
///
/// [`keys!`]: crate::keys
#[pliron::linkme::distributed_slice]
#[linkme(crate = pliron::linkme)]
pub static KEYS: [Declared];

/// The key of an attribute of `op` that is declared with another type.
pub fn of_another_type(ctx: &Context, op: Ptr<Operation>) -> Option<&'static Identifier> {
    static DECLARED: LazyLock<HashMap<&Identifier, &Declared>> =
        LazyLock::new(|| KEYS.iter().map(|known| (known.key, known)).collect());
    let op = op.deref(ctx);
    let mut known = op
        .attributes
        .0
        .iter()
        .filter_map(|(key, _)| DECLARED.get(key));
    let wrong = known.find(|known| !(known.fits)(&op.attributes, known.key));
    wrong.map(|known| known.key)
}

/// Declares keys of attributes that operations of any kind may have; see the module.
#[macro_export]
macro_rules! keys {
    ($($(#[$doc:meta])* $key:ident $name:literal: $ty:ty;)*) => {$(
        $(#[$doc])*
        pub static $key: $crate::attributes::Key<$ty> = $crate::attributes::Key::new($name);

        const _: () = {
            #[pliron::linkme::distributed_slice(pliron::context::DICT_KEY_IDS)]
            #[linkme(crate = pliron::linkme)]
            static KEY: pliron::context::DictKeyId = pliron::context::DictKeyId {
                id: pliron::identifier::Identifier::new($name),
                file: file!(),
                line: line!(),
                column: column!(),
            };
            #[pliron::linkme::distributed_slice($crate::attributes::KEYS)]
            #[linkme(crate = pliron::linkme)]
            static DECLARED: $crate::attributes::Declared = $crate::attributes::Declared {
                key: &$key.name,
                required: false,
                fits: $crate::attributes::is::<$ty>,
            };
        };
    )*};
}

/// Declares the attributes of an operation; see the module.
#[macro_export]
macro_rules! attributes {
    ($op:ident: $($(#[$doc:meta])* $kind:ident $key:ident $(: $ty:ty)? = $get:ident, $set:ident;)*) => {
        // Keys are named as in the text.
        #[allow(non_upper_case_globals)]
        const _: () = {
            $(
                $crate::attributes!(@key $key);
                static $key: pliron::identifier::Identifier =
                    pliron::identifier::Identifier::new(stringify!($key));
            )*
            impl $op {
                $($crate::attributes!(@accessors $(#[$doc])* $kind $key $(: $ty)? = $get, $set);)*
            }
            #[pliron::derive::op_interface_impl]
            impl $crate::attributes::AttributeOp for $op {
                fn declared(&self) -> &'static [$crate::attributes::Declared] {
                    static DECLARED: &[$crate::attributes::Declared] =
                        &[$($crate::attributes!(@declared $kind $key $(: $ty)?)),*];
                    DECLARED
                }
            }
        };
    };
    // pliron refuses two attributes with one key.
    (@key $key:ident) => {
        const _: () = {
            #[pliron::linkme::distributed_slice(pliron::context::DICT_KEY_IDS)]
            #[linkme(crate = pliron::linkme)]
            static KEY: pliron::context::DictKeyId = pliron::context::DictKeyId {
                id: pliron::identifier::Identifier::new(stringify!($key)),
                file: file!(),
                line: line!(),
                column: column!(),
            };
        };
    };
    (@accessors $(#[$doc:meta])* required $key:ident: $ty:ty = $get:ident, $set:ident) => {
        $(#[$doc])*
        pub fn $get(&self, ctx: &pliron::context::Context) -> $ty {
            $crate::attributes::required(ctx, pliron::op::Op::get_operation(self), &$key)
        }

        pub fn $set(&self, ctx: &pliron::context::Context, value: $ty) {
            $crate::attributes::set(ctx, pliron::op::Op::get_operation(self), &$key, value);
        }
    };
    (@accessors $(#[$doc:meta])* optional $key:ident: $ty:ty = $get:ident, $set:ident) => {
        $(#[$doc])*
        pub fn $get(&self, ctx: &pliron::context::Context) -> Option<$ty> {
            $crate::attributes::optional(ctx, pliron::op::Op::get_operation(self), &$key)
        }

        pub fn $set(&self, ctx: &pliron::context::Context, value: $ty) {
            $crate::attributes::set(ctx, pliron::op::Op::get_operation(self), &$key, value);
        }
    };
    (@accessors $(#[$doc:meta])* flag $key:ident = $get:ident, $set:ident) => {
        $(#[$doc])*
        pub fn $get(&self, ctx: &pliron::context::Context) -> bool {
            $crate::attributes::flag(ctx, pliron::op::Op::get_operation(self), &$key)
        }

        pub fn $set(&self, ctx: &pliron::context::Context) {
            let set = pliron::builtin::attributes::BoolAttr::new(true);
            $crate::attributes::set(ctx, pliron::op::Op::get_operation(self), &$key, set);
        }
    };
    (@declared required $key:ident: $ty:ty) => {
        $crate::attributes::Declared { key: &$key, required: true, fits: $crate::attributes::is::<$ty> }
    };
    (@declared optional $key:ident: $ty:ty) => {
        $crate::attributes::Declared { key: &$key, required: false, fits: $crate::attributes::is::<$ty> }
    };
    (@declared flag $key:ident) => {
        $crate::attributes::Declared {
            key: &$key,
            required: false,
            fits: $crate::attributes::is::<pliron::builtin::attributes::BoolAttr>,
        }
    };
}
