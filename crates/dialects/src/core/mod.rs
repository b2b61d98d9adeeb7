//! The `core` dialect: what C and Fortran values, memory and control flow mean, without directives and without targets.
//!
//! # Values
//! - Integers are `builtin.integer iN` without sign; the operation has the signedness. `i1` is `_Bool` (one byte in
//!   memory) and the type of every condition.
//! - Floats are [`types::FloatType`] of 16, 32, 64, 80 (x87) or 128 bits; [`types::ComplexType`] has a float inside.
//! - [`types::PointerType`] is a typed address with an address space; [`types::VoidType`] may only be pointed to.
//! - [`types::ArrayType`] and [`types::RecordType`] exist in memory only: they are loaded and stored piecewise, or copied
//!   with `core.copy`. A record's fields are in the module's `core.record_def` of the same tag.
//!
//! # Variables
//! A variable is a `core.alloca` (or a function argument stored into one, or a `core.address_of` a global): reads are
//! loads, writes are stores. An `alloca` in a loop body makes a new object in every iteration.
//!
//! # Control flow
//! Structured: every region has one block. `core.if`, `core.loop`, `core.switch` and `core.for` contain regions that end
//! in `core.yield` (falls out at the end; in `core.switch`, into the next case), `core.break`, `core.continue` or
//! `core.return`. `break` and `continue` mean the nearest enclosing `core.loop` (`break`: or `core.switch`).
//! `core.for` and the constructs of other dialects cannot be left by `break`, `continue` or `return`; their regions may
//! contain loops that are.
//!
//! # Atomic accesses
//! `core.atomic_load`, `core.atomic_store` and `core.atomic_update`: see [`atomic`].
//!
//! # Working with it
//! [`emit`] makes operations, [`fold`] folds constants, [`dead_code`] erases what nobody needs, [`layout`] knows sizes.
//!
//! # Functions
//! `builtin.func` with a body; `core.extern_func` declares one that is only called (the math library, for example), with
//! what its front end knows about it.
//!
//! # Languages
//! What differs between languages is an attribute: of the module ([`module`]), of functions from outside ([`ExternTraits`], and
//! [`library`] for those whose meaning is known).

pub mod addresses;
pub mod arith;
pub mod atomic;
pub mod control;
pub mod dead_code;
pub mod emit;
pub mod fits;
pub mod fold;
pub mod function;
pub mod host;
pub mod initial;
pub mod layout;
pub mod library;
pub mod memory;
pub mod module;
pub mod types;

pub use addresses::*;
pub use arith::*;
pub use atomic::*;
pub use control::*;
pub use function::*;
pub use host::*;
pub use initial::*;
pub use library::*;
pub use memory::*;
pub use module::*;
pub use types::*;

accrue_ir::view! {
    /// Every operation of the dialect.
    CoreOp of "core":
        // arith
        Const, FConst, Null, Bin, Un, Cmp, Cast, ComplexMake, Real, Imag, Select,
        // memory
        Alloca, AddressOf, StringConst, Load, Store, Copy, Zero, PtrAdd, PtrDiff, Decay, Member, LoadBits, StoreBits, Extent,
        // atomic
        AtomicLoad, AtomicStore, AtomicUpdate,
        // control
        Yield, Break, Continue, Return, If, Loop, Switch, For,
        // function, host
        Call, ExternFunc, RecordDef, Opaque,
}
