//! The thin layer between accrue and `pliron`.
//!
//! pliron gives operations, regions, types, attributes, text and verification; this crate adds what every dialect and
//! pass of accrue shares:
//!
//! | module | what it has |
//! | --- | --- |
//! | [`build`] | building operations, blocks and locations |
//! | [`attributes`] | attributes of operations, declared once |
//! | [`diagnostic`] | what passes and back ends tell the user, and where operations come from |
//! | [`effects`] | what operations may do |
//! | [`pointers`] | the two type interfaces of the acc dialect, `PointerLike` and `Mappable` |
//! | [`text`] | reading the text form |
//! | [`verify`] | verification |
//! | [`view`] | enums of all operations of a dialect |
//! | [`visits`] | counting what walks look at |
//! | [`walk`] | collecting operations before the IR is changed |

pub mod attributes;
pub mod build;
pub mod diagnostic;
pub mod effects;
pub mod order;
pub mod pointers;
pub mod text;
pub mod verify;
pub mod view;
pub mod visits;
pub mod walk;
