//! Expanded IR as C text: a walk without decisions.
//!
//! | module | prints |
//! | --- | --- |
//! | [`kernel`] | kernels: arguments from the launch, finish functions |
//! | [`calls`] | prototypes and calls |
//! | [`function`] | the walk: which value is an expression, which a temporary |
//! | [`ops`], [`arith`], [`memory`], [`atomic`], [`control`] | operations |
//! | [`types`], [`records`], [`literals`], [`names`], [`expr`], [`lines`] | the pieces of C |

mod arith;
mod atomic;
mod calls;
mod control;
mod expr;
mod function;
mod kernel;
mod lines;
mod literals;
mod memory;
mod names;
mod ops;
mod records;
mod types;

use crate::{
    diagnostic::{Diagnostic, Result},
    expand::Expanded,
    simd::{Hints, LoopHint},
};
use accrue_dialects::core::{array_parts, pointee_of, record_tag};
use accrue_image::{
    Site,
    print::{GENERATED, line_marker},
};
use accrue_ir::{
    build::{file, line_column},
    walk::nested_ops,
};
use calls::Callee;
use lines::Place;
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

/// A loop that is free of dependences need not be one that clang can vectorise: no reason to warn the user.
const NO_WARNING: &str = "#pragma clang diagnostic ignored \"-Wpass-failed\"\n";

/// What all functions of a module share.
struct Unit<'a> {
    ctx: &'a Context,
    record_names: RecordNames,
    /// By name in the IR.
    callees: HashMap<String, Callee>,
    hints: &'a Hints,
    /// The files that lines come from; none if places are not wanted.
    files: Vec<PathBuf>,
}

impl Unit<'_> {
    fn types(&self) -> Types<'_> {
        Types {
            ctx: self.ctx,
            records: &self.record_names,
        }
    }

    /// Where an operation comes from, if places are wanted.
    fn place(&self, op: Ptr<Operation>) -> Option<Place> {
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

/// The C text of all kernels and of what they call.
pub fn unit(
    ctx: &Context,
    expanded: &Expanded,
    sites: &[Site],
    places: bool,
) -> std::result::Result<String, Vec<Diagnostic>> {
    let callees = calls::callees(ctx, expanded);
    let unit = Unit {
        ctx,
        record_names: RecordNames::new(&expanded.records),
        callees,
        hints: &expanded.hints,
        files: if places { files(ctx, expanded) } else { vec![] },
    };
    let mut errors = vec![];
    let mut pieces = vec![];
    let mut keep = |piece: Result<String>| match piece {
        Ok(text) => pieces.push(text),
        Err(error) => errors.push(error),
    };
    let needed = needed_records(ctx, expanded);
    let definitions = records::definitions(unit.types(), &expanded.records, &needed);
    keep(definitions.map_err(Diagnostic::error));
    if expanded.hints.values().any(|h| *h == LoopHint::Independent) {
        keep(Ok(NO_WARNING.to_string()));
    }
    keep(unit.prototypes(expanded));
    keep(Ok(atomic::lock(ctx, expanded)
        .unwrap_or_default()
        .to_string()));
    for function in &expanded.functions {
        keep(unit.function(*function));
    }
    for kernel in &expanded.kernels {
        keep(unit.kernel(kernel, sites));
    }
    if errors.is_empty() {
        if !unit.files.is_empty() {
            pieces.push(line_marker(1, GENERATED.as_bytes()));
        }
        pieces.retain(|p| !p.is_empty());
        Ok(pieces.join("\n"))
    } else {
        Err(errors)
    }
}

/// The files that operations come from.
fn files(ctx: &Context, expanded: &Expanded) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = vec![];
    for function in expanded.all_functions() {
        let root = function.get_operation();
        for op in nested_ops(ctx, root).into_iter().chain([root]) {
            let path = file(ctx, op.deref(ctx).loc());
            files.extend(path.filter(|path| !files.contains(path)));
        }
    }
    files
}

/// Tags of the records that printed functions name.
fn needed_records(ctx: &Context, expanded: &Expanded) -> BTreeSet<String> {
    let mut tags = BTreeSet::new();
    for function in expanded.all_functions() {
        for ty in types_in(ctx, function) {
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
