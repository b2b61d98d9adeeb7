//! What compiled programs and `libaccrue` have to agree about.
//!
//! The compiler prints, per directive, one static [`Site`] into a companion object and one call into the host's text. For
//!
//! ```c
//! #pragma acc parallel loop copy(a[0:n]) num_gangs(8)
//! for (int i = 0; i < n; i++) a[i] += x;
//! ```
//!
//! the host's text becomes (the words are an array of 64-bit numbers)
//!
//! ```c
//! switch (__accrue_launch(&SITE, (const unsigned long long[]){
//!         1, 0, SYNC, 8, 0, 0, 0, 0, ABSENT, 0,          // see `Header`
//!         (uintptr_t)a, 0, 0, n, 0,                      // a: address, pointer, one dimension
//!         n, x_bits })) case 0:                          // n and x by value
//! for (int i = 0; i < n; i++) a[i] += x;
//! ```
//!
//! The words of a variable depend on its [`Action`]. A kernel gets one argument word per variable (or the words of a value).
//!
//! Everything is written once, in tables: [`structs`] has the static data, [`flags`] their bits, [`codes`] the numbers of
//! directives and actions, [`words`] the words of a call, [`trip`] the programs for numbers of iterations, [`functions`] the
//! entries of the library, [`launch`] the rules for its choices, [`symbols`] how what one unit has is named, [`openmp`] which of
//! OpenMP's routines are ours, [`scheduling`] for which GPUs PTX is translated. [`c`] prints the declarations in C.
//!
//! A program and a library of different versions do not run together: see [`ABI_VERSION`].

pub mod c;
pub mod codes;
pub mod flags;
pub mod functions;
pub mod launch;
pub mod openmp;
pub mod scheduling;
pub mod structs;
pub mod symbols;
pub mod trip;
pub mod words;

pub use codes::*;
pub use flags::*;
pub use structs::*;
pub use words::*;

/// The version that every image carries as its first word; the library refuses others.
///
/// It grows with each change of what this crate declares, of the meaning of a word and of what kernels get: a program
/// would go wrong silently. The order of the versions is that of releases, so that the message can say what is old.
pub const ABI_VERSION: u32 = 17;
