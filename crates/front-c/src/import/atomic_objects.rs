//! C11's `_Atomic` objects in code for a device.
//!
//! An object of such a type is read, written, stepped and assigned in one piece, as by the forms of the `atomic` construct; but the
//! accesses of the construct are relaxed, and these are in one order for all threads (C11 5.1.2.4, 6.5.16.2). So each has a fence on
//! both sides:
//!
//! ```text
//! _Atomic int n;
//! n += 2;         core.call @__sync_synchronize()
//!            →    %old, %new = core.atomic_update %n { ^(%o): core.yield %o + 2 }
//!                 core.call @__sync_synchronize()
//! ```
//!
//! Cost: the fences wait for all earlier stores of the thread, which `#pragma acc atomic` on an object of a plain type does not. Types
//! that no device accesses in one piece are refused, and so are structs, which C lets nobody access but as a whole.

use super::atomic_form::Update;
use super::functions::Module;
use super::library::FENCE;
use super::place::Place;
use super::state::{Result, Stop};
use crate::ast::node::NodeId;
use crate::ast::types::TypeId;
use accrue_dialects::core::{self, Extern, ExternTraits, Known};
use pliron::value::Value;

/// The largest object that all devices access in one piece, in bytes.
const LARGEST: u64 = 8;

impl Module<'_> {
    /// Whether the type of an expression is `_Atomic`.
    pub(super) fn is_atomic(&mut self, expression: NodeId) -> bool {
        self.types.of(expression).is_ok_and(|ty| ty.is_atomic)
    }

    /// The `_Atomic` object at `address`.
    pub(super) fn atomic_place(
        &mut self,
        address: Value,
        ty: TypeId,
        expression: NodeId,
    ) -> Result<Place> {
        let is_scalar = self.scalar(ty).is_some();
        let fits = self.types.size_of(ty).is_ok_and(|bytes| bytes <= LARGEST);
        let is_complex = matches!(self.scalar(ty), Some(super::types::Scalar::Complex(_)));
        if is_scalar && fits && !is_complex {
            return Ok(Place::Atomic { address });
        }
        Err(Stop::at(
            expression,
            "an `_Atomic` object of this type is not supported in code for a device",
        )
        .help("use an integer, a pointer or a floating-point number of at most 64 bits"))
    }

    pub(super) fn atomic_read(&mut self, address: Value) -> Value {
        self.fence();
        let op = core::AtomicLoad::new(self.ctx, address);
        let value = self.emit_value(op);
        self.fence();
        value
    }

    pub(super) fn atomic_write(&mut self, address: Value, value: Value) {
        self.fence();
        let op = core::AtomicStore::new(self.ctx, value, address);
        self.emit(op);
        self.fence();
    }

    /// Changes the object in one piece; the value before that or after it.
    pub(super) fn atomic_change(
        &mut self,
        address: Value,
        update: Update,
        before: bool,
    ) -> Result<Value> {
        self.fence();
        let op = self.atomic_update(address, update)?;
        self.fence();
        Ok(match before {
            true => op.old(self.ctx),
            false => op.new_value(self.ctx),
        })
    }

    /// What was stored before is seen before what is stored behind.
    pub(super) fn fence(&mut self) {
        let ty = self.function_handle(vec![], vec![]).into();
        let fence = Extern {
            ty,
            traits: ExternTraits::default(),
            known: Some(Known::Fence),
        };
        self.called.insert(FENCE.to_owned(), fence);
        let op = core::Call::new(self.ctx, pliron::ident!("__sync_synchronize"), vec![], None);
        self.emit(op);
    }
}
