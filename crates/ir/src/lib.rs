//! The thin layer between accrue and `pliron`.
//!
//! pliron gives operations, regions, types, attributes, text and verification; this crate adds what every dialect and
//! pass of accrue shares:
//!
//! | module | what it has |
//! | --- | --- |
//! | [`build`] | building operations, blocks and locations |
//! | [`effects`] | `MemoryEffects` of operations |
//! | [`pointers`] | the two type interfaces of the acc dialect, `PointerLike` and `Mappable` |
//! | [`text`] | reading the text form |
//! | [`walk`] | collecting operations before the IR is changed |

pub mod build;
pub mod effects;
pub mod pointers;
pub mod text;
pub mod walk;
