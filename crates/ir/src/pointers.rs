//! The two interfaces that let a type be mapped to a device (acc dialect, "Type Interfaces").
//!
//! A type has one of them or neither, never both: with both it would be unclear whether the pointer or what it points
//! to is mapped.

use pliron::{
    context::Context,
    derive::type_interface,
    result::Result,
    r#type::{Type, TypeHandle},
};

/// A type that is an address; mapping it maps what it points to.
#[type_interface]
pub trait PointerLike {
    /// Type of the object pointed to.
    fn pointee(&self) -> TypeHandle;

    fn verify(_ty: &dyn Type, _ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        Ok(())
    }
}

/// A type that is mapped in several steps (Fortran descriptors).
#[type_interface]
pub trait Mappable {
    /// Type of the elements that are mapped in the end.
    fn element(&self) -> TypeHandle;

    fn verify(_ty: &dyn Type, _ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        Ok(())
    }
}
