//! The typed tree to IR: whole functions that contain directives, in the `core` and `acc` dialects.
//!
//! Problem: later passes must see what the program means, not how C spells it: every conversion
//! explicit, every access a load or store, every clause an operation.
//!
//! Steps:
//! 1. [`functions`] decides which functions matter: those with directives, and those that code for a
//!    device calls, directly or not.
//! 2. Each is imported statement by statement. Code for a device must be understood completely, or
//!    it is an error with its place; host code that is not understood becomes `core.opaque`.
//! 3. Functions that are only called are declared (`core.extern_func`).
//!
//! ```text
//! #pragma acc parallel loop copy(a[0:n])      %p = acc.copyin var(%a_var) bounds(…)
//! for (int i = 0; i < n; i++)                 acc.parallel dataOperands(%p) {
//!     a[i] = 2 * a[i];                   →      acc.loop … ^(%iv: i32) { %i = core.alloca "i" … }
//!                                             }
//!                                             acc.copyout acc(%p) var(%a_var) bounds(…)
//! ```
//!
//! | file | concern |
//! | --- | --- |
//! | [`functions`], [`reach`] | which functions, declarations of the others, the module |
//! | [`routines`], [`foreign`] | the `routine` directive, functions of other units |
//! | [`agreement`] | what the host's compiler must agree about |
//! | [`types`] | C types to IR types, record definitions |
//! | [`arrays`] | dimensions of variable-length arrays |
//! | [`convert`] | conversions between scalar types |
//! | [`mixed`], [`complex_parts`] | arithmetic of a real and a complex number, parts of complex numbers |
//! | [`expr`], [`operators`], [`place`], [`call`] | expressions: values, operators, objects, calls |
//! | [`pointer_calls`], [`pointer_targets`] | calls through pointers to functions, which these may be |
//! | [`quotients`] | functions of the C library that give a record |
//! | [`init`] | initialisers |
//! | [`stmt`], [`switch`], [`decl`], [`opaque`] | statements and declarations, those of the host that are not understood |
//! | [`goto`] | jumps and labels in code for a device |
//! | [`directive`] | what each directive becomes |
//! | [`atomic`], [`cache`] | the `atomic` construct, the `cache` directive |
//! | [`atomic_objects`], [`atomic_functions`] | C11's `_Atomic` objects, the functions of `stdatomic.h` |
//! | [`compute`], [`loops`], [`free_loops`], [`data_clauses`] | constructs, the `loop` construct, loops that run as written, data clauses |
//! | [`omp`] | the directives of OpenMP |
//! | [`declare`] | the `declare` directive |
//! | [`declared_length`] | array parameters in data clauses |
//! | [`canonical`], [`loop_counters`] | which loops can be shared out, and which variables only count them |

mod agreement;
mod arrays;
mod atomic;
mod atomic_form;
mod atomic_functions;
mod atomic_objects;
mod bounds;
mod cache;
mod call;
mod canonical;
mod complex_parts;
mod compute;
mod conditional;
mod convert;
mod data_clauses;
mod decl;
mod declare;
mod declared_length;
mod directive;
mod expr;
mod fixed_bounds;
mod foreign;
mod free_loops;
mod full_expressions;
mod functions;
mod goto;
mod init;
mod initial_pointers;
mod initial_values;
mod library;
mod literals;
mod loop_body;
mod loop_counters;
mod loop_sizes;
mod loops;
mod mixed;
mod nameable;
mod omp;
mod opaque;
mod operators;
mod overflow;
mod place;
mod pointer_calls;
mod pointer_targets;
mod quotients;
mod reach;
mod reduced;
mod routines;
mod state;
mod stmt;
mod switch;
mod symbols;
mod types;
mod used_members;

use crate::ast::types::Target;
use crate::ast::{Ast, Types};
use crate::text::carriers::Carriers;
use crate::text::function_addresses::FunctionAddress;
use crate::text::host::Assertion;
use crate::text::scan::Unit;
use crate::text::shadows::Renamed;
use accrue_diag::{Diagnostic, Place};
use accrue_directives::omp::selectors::Device;
use pliron::builtin::ops::ModuleOp;
use pliron::context::Context;
use std::collections::BTreeSet;

/// What is imported.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The preprocessed unit with its directives.
    pub unit: &'a Unit,
    /// The text that clang read.
    pub carriers: &'a Carriers,
    /// What clang made of it.
    pub ast: &'a Ast,
    /// The machine.
    pub target: Target,
    /// The devices that the code is for.
    pub device: Device,
    /// Name of the module: the user's file.
    pub name: &'a str,
    /// What tells the unit from all others of a program, in hexadecimal digits ([`accrue_abi::symbols`]); `None` where nothing
    /// is linked.
    pub unit_number: Option<&'a str>,
    /// Which of its functions.
    pub wanted: Wanted<'a>,
}

/// Which functions are imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// Those with directives, and what regions call.
    OfUnit,
    /// These, which regions of other units may call, and what they call.
    Routines(&'a [String]),
}

/// What has become of the unit.
pub struct Imported {
    /// Its functions.
    pub module: ModuleOp,
    /// What they take for granted of the host's compiler.
    pub assertions: Vec<Assertion>,
    /// The names that mean a device's objects in the host's text.
    pub renamed: Vec<Renamed>,
    /// The functions that regions of other units may call.
    pub routines: Vec<Routine>,
    /// The functions whose addresses regions need.
    pub addresses: BTreeSet<FunctionAddress>,
}

/// A function that regions of other units may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routine {
    /// Its name in C, which is its linkage name.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
}

/// Imports the functions of a unit that contain directives, and what they call on a device.
///
/// # Errors
/// Every construct of the program that a device cannot run and every violated rule, all of the
/// unit's together.
pub fn import(ctx: &mut Context, source: Source<'_>) -> Result<Imported, Vec<Diagnostic>> {
    let types = Types::new(source.ast, &source.carriers.text, source.target);
    functions::Module::new(ctx, source, types).import()
}
