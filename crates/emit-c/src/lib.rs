//! `core` as text of a C-like language: functions, and the declarations they need.
//!
//! What the language says in its own way, and what its devices have beside `core`, is a [`Dialect`]. A back end makes a
//! [`Unit`] of what it wants printed, asks it for declarations and functions, and writes its kernels' heads itself:
//!
//! ```text
//! let unit = Unit::new(ctx, &dialect, program, places);
//! unit.records()?                      struct complex { … };  and checks of its layout
//! unit.prototypes()?                   static double f(double *p);  extern double exp(double);
//! unit.function(f)?                    static double f(double *p) { … }
//! FunctionPrinter::new(&unit, names)   the inside of a kernel: `body`
//! ```
//!
//! | module | prints |
//! | --- | --- |
//! | [`dialect`] | what a back end says about its language |
//! | [`calls`] | prototypes, functions and calls |
//! | [`function`] | the walk: which value is an expression, which a temporary |
//! | [`ops`], [`arith`], [`memory`], [`control`], [`fetch`], [`bits`], [`complex`] | operations |
//! | [`types`], [`signedness`], [`records`], [`literals`], [`names`], [`expr`], [`lines`] | the pieces of C |

pub mod arith;
mod bits;
mod calls;
mod complex;
mod control;
pub mod dialect;
pub mod expr;
pub mod fetch;
pub mod function;
pub mod lines;
mod literals;
mod memory;
pub mod names;
mod ops;
mod records;
mod signedness;
mod types;

pub use accrue_dialects::core::layout;
pub use accrue_ir::diagnostic;
pub use dialect::Dialect;
pub use function::FunctionPrinter;

use crate::{
    diagnostic::{Diagnostic, Result},
    layout::Records,
};
use accrue_dialects::core::{Externs, array_parts, pointee_of, record_tag};
use accrue_ir::{
    build::{file, line_column},
    walk::nested_ops,
};
use calls::Callee;
use lines::Place;
use names::Names;
use pliron::{
    builtin::ops::FuncOp,
    context::{Context, Ptr},
    linked_list::ContainsLinkedList,
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
};
use records::RecordNames;
use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
};
use types::{Types, signature};

/// What is to be printed.
pub struct Program<'a> {
    pub records: &'a Records,
    /// The functions that others call by their names in the IR.
    pub functions: Vec<FuncOp>,
    /// These and the kernels: what declarations are needed for.
    pub all: Vec<FuncOp>,
    /// Functions from outside.
    pub externs: &'a Externs,
}

/// What all functions of a text share.
pub struct Unit<'a> {
    pub ctx: &'a Context,
    pub dialect: &'a dyn Dialect,
    program: Program<'a>,
    record_names: RecordNames,
    /// By name in the IR.
    callees: HashMap<String, Callee>,
    /// The files that lines come from; none if places are not wanted.
    pub files: Vec<PathBuf>,
}

impl<'a> Unit<'a> {
    /// With `places`, lines have markers that say where in the user's files they come from.
    pub fn new(
        ctx: &'a Context,
        dialect: &'a dyn Dialect,
        program: Program<'a>,
        places: bool,
    ) -> Self {
        Unit {
            ctx,
            dialect,
            record_names: RecordNames::new(dialect, program.records),
            callees: calls::callees(ctx, dialect, &program),
            files: if places {
                files(ctx, &program.all)
            } else {
                vec![]
            },
            program,
        }
    }

    /// The names of a function, of which these are in use, as are those at file scope.
    pub fn names(&self, taken: &[&str]) -> Names {
        let reserved = self.dialect.reserved().iter().copied();
        let taken = taken.iter().copied();
        Names::new(self.file_scope().chain(reserved).chain(taken))
    }

    /// Definitions of the records that functions name.
    pub fn records(&self) -> Result<String> {
        let needed = needed_records(self.ctx, &self.program.all);
        let definitions = records::definitions(self.types(), self.program.records, &needed);
        definitions.map_err(Diagnostic::error)
    }

    fn types(&self) -> Types<'_> {
        Types {
            ctx: self.ctx,
            dialect: self.dialect,
            records: &self.record_names,
        }
    }

    /// Where an operation comes from, if places are wanted.
    pub fn place(&self, op: Ptr<Operation>) -> Option<Place> {
        if self.files.is_empty() {
            return None;
        }
        let op = op.deref(self.ctx);
        let (line, _) = line_column(op.loc())?;
        let path = file(self.ctx, op.loc())?;
        let index = self.files.iter().position(|known| *known == path)?;
        Some((index, line))
    }
}

/// The files that operations come from.
fn files(ctx: &Context, functions: &[FuncOp]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = vec![];
    for function in functions {
        let root = function.get_operation();
        for op in nested_ops(ctx, root).into_iter().chain([root]) {
            let path = file(ctx, op.deref(ctx).loc());
            files.extend(path.filter(|path| !files.contains(path)));
        }
    }
    files
}

/// Tags of the records that printed functions name.
fn needed_records(ctx: &Context, functions: &[FuncOp]) -> BTreeSet<String> {
    let mut tags = BTreeSet::new();
    for function in functions {
        for ty in types_in(ctx, *function) {
            collect_records(ctx, ty, &mut tags);
        }
    }
    tags
}

fn types_in(ctx: &Context, function: FuncOp) -> Vec<TypeHandle> {
    let mut found: Vec<TypeHandle> = vec![function.get_type(ctx)];
    for op in nested_ops(ctx, function.get_operation()) {
        found.extend(op.deref(ctx).result_types());
        for region in op.deref(ctx).regions() {
            for block in region.deref(ctx).iter(ctx) {
                found.extend(block.deref(ctx).arguments().map(|a| a.get_type(ctx)));
            }
        }
    }
    found
}

fn collect_records(ctx: &Context, ty: TypeHandle, tags: &mut BTreeSet<String>) {
    if let Some(tag) = record_tag(ctx, ty) {
        tags.insert(tag);
    }
    if let Some(inner) = pointee_of(ctx, ty).or_else(|| array_parts(ctx, ty).map(|(_, of)| of)) {
        collect_records(ctx, inner, tags);
    }
    if let Some((args, results)) = signature(ctx, ty) {
        for inner in args.into_iter().chain(results) {
            collect_records(ctx, inner, tags);
        }
    }
}
