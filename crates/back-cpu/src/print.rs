//! Expanded IR as C text: what the unit consists of. Functions are printed by [`accrue_emit_c`], in the dialect of
//! [`super::c`]; the heads of kernels by [`super::kernel`].

use crate::{
    atomic,
    c::GnuC,
    diagnostic::{Diagnostic, Result},
    expand::Expanded,
    kernel,
    simd::LoopHint,
};
use accrue_emit_c::{Program, Unit};
use accrue_hostcall::Site;
use accrue_image::print::{GENERATED, line_marker};
use pliron::context::Context;

/// A loop that is free of dependences need not be one that clang can vectorise: no reason to warn the user.
const NO_WARNING: &str = "#pragma clang diagnostic ignored \"-Wpass-failed\"\n";

/// The C text of all kernels and of what they call.
pub fn unit(
    ctx: &Context,
    expanded: &Expanded,
    sites: &[Site],
    places: bool,
) -> std::result::Result<String, Vec<Diagnostic>> {
    let dialect = GnuC {
        hints: &expanded.hints,
        gang_functions: &expanded.gang_functions,
    };
    let program = Program {
        records: &expanded.records,
        functions: expanded.functions.clone(),
        all: expanded.all_functions().collect(),
        externs: &expanded.externs,
    };
    let unit = Unit::new(ctx, &dialect, program, places);
    let mut errors = vec![];
    let mut pieces = vec![];
    let mut keep = |piece: Result<String>| match piece {
        Ok(text) => pieces.push(text),
        Err(error) => errors.push(error),
    };
    keep(unit.records());
    if expanded.hints.values().any(|h| *h == LoopHint::Independent) {
        keep(Ok(NO_WARNING.to_string()));
    }
    keep(unit.prototypes());
    keep(Ok(atomic::lock(ctx, expanded)
        .unwrap_or_default()
        .to_string()));
    for function in &expanded.functions {
        keep(unit.function(*function));
    }
    for kernel in &expanded.kernels {
        keep(kernel::print(
            &unit,
            &expanded.gang_functions,
            kernel,
            sites,
        ));
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
