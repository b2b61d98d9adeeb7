//! The typed syntax tree of a C translation unit, as clang reports it.
//!
//! Problem: device code must be generated from exactly what the user's program means, with every
//! implicit conversion, overload and typedef resolved. clang knows all that and prints it with
//! `-Xclang -ast-dump=json`; this module turns the dump into a compact tree and gives the types,
//! which clang prints as strings, their structure back.
//!
//! | file | concern |
//! | --- | --- |
//! | [`names`] | interned strings |
//! | [`node`] | node kinds, casts, operators, the node itself |
//! | [`reader`] | JSON to [`Ast`], one top-level declaration at a time |
//! | [`tree`] | [`Ast`]: walking, declarations, references |
//! | [`scope`] | which declaration a type name means at a place of the text |
//! | [`types`] | C types as values |
//! | [`type_parser`] | clang's type strings to C types |
//! | [`describe`] | C types to text, for messages |
//! | [`layout`] | sizes, alignments, record layouts (System V ABI) |
//! | [`constant`] | integer constant expressions |
//! | [`address`] | address constants |
//! | [`carrier`] | the calls that carry directives |

pub mod address;
mod alignment;
pub mod carrier;
pub mod constant;
pub mod describe;
mod foreign_layout;
mod keyed;
pub mod layout;
pub mod names;
pub mod node;
mod pieces;
pub mod reader;
pub mod scope;
pub mod tree;
pub mod type_parser;
pub mod types;

/// Stack that the thread which reads and imports a unit must have. It is reserved, not used, for
/// programs that are not nested deeply.
pub const STACK_BYTES: usize = 256 << 20;

pub use names::{Interner, Sym};
pub use node::{CastKind, Kind, Node, NodeId, Operator};
pub use reader::{ReadError, read};
pub use tree::Ast;
pub use types::{CType, QualType, TypeId, Types};
