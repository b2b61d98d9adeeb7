//! Kernels: parameters, and where the memories of the group and of the launch are.
//!
//! ```c
//! __kernel void accrue_k0_0(ulong word_0, ulong word_1, ulong accrue_scratch_address, __global char *accrue_memory)
//! {
//!     __local char accrue_local_tmp[128] __attribute__((aligned(16)));
//!     __global char *accrue_scratch = (__global char *)ACCRUE_ADDRESS(accrue_scratch_address);
//!     __global double *a = (__global double *)ACCRUE_ADDRESS(word_0);
//!     double x = as_double(word_1);
//!     …
//! }
//! ```
//! Each word of the arguments is a parameter. `accrue_memory` is not used: it tells the driver what the addresses are in. In the fast
//! version, for launches whose memory does not overlap, words that memory is only read through are pointers that C may tell apart
//! from all others:
//!
//! ```c
//! __kernel void accrue_k0_0_disjoint(ulong word_0, __global double *restrict word_1, …)
//! ```
//! A kernel whose launches all have as many lanes says so, for the driver to share out registers by; and in a comment, how many of its
//! groups a multiprocessor may have at least, where few are enough. The language has no word for that, but the library may have one with
//! the driver (`runtime/src/device/opencl/few_groups.rs`).

use crate::{
    c::{ALIGN, GROUP, NAMES, OpenClC},
    diagnostic::{Diagnostic, Result, error_at, or_at},
    expanded::{ExpandedKernel, Storage},
    wide,
};
use accrue_abi::launch::{ENOUGH_GROUPS_MARK, SCRATCH_ALIGNMENT, SCRATCH_HEAD};
use accrue_dialects::core::{
    Alloca, Call, array_parts, complex_part, float_width, int_width, pointee_of,
};
use accrue_emit_c::{FunctionPrinter, Unit, expr::Expr, lines::Lines};
use accrue_hostcall::{SiteVar, arguments};
use accrue_ir::walk::nested;
use accrue_simt::analysis::{
    enough_threads::enough_threads,
    versions::{Version, fast_name},
};
use pliron::{
    context::Context,
    op::Op,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::BTreeMap;

/// A kernel of a site with these variables, or its fast version: the name and the text.
pub fn print(
    unit: &Unit,
    dialect: &OpenClC,
    kernel: &ExpandedKernel,
    vars: &[SiteVar],
    version: Option<&Version>,
) -> Result<(String, String)> {
    let (ctx, op) = (unit.ctx, kernel.function.get_operation());
    let name = match version {
        None => kernel.form.entry.clone(),
        Some(_) => fast_name(&kernel.form.entry),
    };
    *dialect.locals.borrow_mut() = Some(BTreeMap::new());
    let mut printer = FunctionPrinter::new(unit, unit.names(&NAMES));
    let entry = kernel.function.get_entry_block(ctx);
    let parameters: Vec<Value> = entry.deref(ctx).arguments().collect();
    let arguments =
        arguments(&name, parameters, vars).map_err(|message| error_at(ctx, op, message))?;
    let mut params = vec![];
    for (number, (value, var, _)) in arguments.each.into_iter().enumerate() {
        let only_read = version.is_some_and(|v| number < 64 && v.only_read >> number & 1 != 0);
        argument(&mut printer, &mut params, value, var, only_read)
            .map_err(|d| or_at(d, ctx, op))?;
    }
    let plan = version.filter(|_| !dialect.cores);
    let plan = plan.map(|version| wide::plan(ctx, dialect.expanded, kernel.function, version));
    *dialect.wide.borrow_mut() = plan;
    let printed = printer.body(op.deref(ctx).get_region(0));
    *dialect.wide.borrow_mut() = None;
    printed.map_err(|d| or_at(d, ctx, op))?;
    let locals = dialect.locals.take().unwrap_or_default();
    let mut head = Lines::default();
    let calls = nested::<Call>(ctx, op);
    let passes_group = calls
        .iter()
        .any(|call| dialect.group.functions.contains(&call.callee(ctx)));
    let group = passes_group.then_some((GROUP.to_string(), (dialect.group.bytes, ALIGN)));
    for (name, (bytes, align)) in locals.into_iter().chain(group) {
        let align = align.max(ALIGN);
        let bytes = bytes.max(1);
        head.push(format!(
            "__local char {name}[{bytes}] __attribute__((aligned({align})));"
        ));
    }
    scratch(&mut head, unit, dialect, kernel);
    params.push("ulong accrue_scratch_address".to_string());
    params.push("__global char *accrue_memory".to_string());
    let (attribute, mark) = match (kernel.form.exact_lanes, kernel.form.max_workers) {
        (Some(lanes), 1) => {
            let enough = enough_threads(ctx, kernel.function).filter(|_| !dialect.cores);
            let groups = enough.map(|threads| (threads / lanes.max(1)).max(1));
            let mark = groups.map(|groups| format!("{ENOUGH_GROUPS_MARK}{name} {groups}\n"));
            let attribute = format!("__attribute__((reqd_work_group_size({lanes}, 1, 1))) ");
            (attribute, mark.unwrap_or_default())
        }
        (Some(_) | None, _) => Default::default(),
    };
    let text = format!(
        "{mark}__kernel {attribute}void {name}({})\n{{\n{}{}}}\n",
        params.join(", "),
        head.text(1, &unit.files),
        printer.lines.text(1, &unit.files)
    );
    Ok((name, text))
}

/// Whether it is the type of pointers to pointers, or to arrays of them.
fn leads_to_pointers(ctx: &Context, ty: TypeHandle) -> bool {
    let mut element = pointee_of(ctx, ty);
    while let Some((_, of)) = element.and_then(|ty| array_parts(ctx, ty)) {
        element = Some(of);
    }
    element.is_some_and(|ty| pointee_of(ctx, ty).is_some())
}

/// Declares the parameters of an argument, and reads it from them if it is used. `only_read`: nothing in the kernel writes where it
/// leads.
fn argument(
    printer: &mut FunctionPrinter<'_>,
    params: &mut Vec<String>,
    argument: Value,
    var: &SiteVar,
    only_read: bool,
) -> Result<()> {
    let ctx = printer.ctx;
    let word = params.len() as u64;
    // The language has no parameters that are pointers to pointers.
    let hides_type = only_read && leads_to_pointers(ctx, argument.get_type(ctx));
    for number in word..word + var.argument_words() {
        params.push(match only_read {
            true if hides_type => format!("__global ulong *restrict word_{number}"),
            true => printer.declare(argument.get_type(ctx), &format!("restrict word_{number}"))?,
            false => format!("ulong word_{number}"),
        });
    }
    if argument.num_uses(ctx) == 0 {
        return Ok(());
    }
    let ty = argument.get_type(ctx);
    let (name, declaration) = printer.argument(argument, &var.name)?;
    let [word, next] = [word, word + 1].map(|number| format!("word_{number}"));
    let value = match (
        pointee_of(ctx, ty),
        int_width(ctx, ty),
        float_width(ctx, ty),
    ) {
        (Some(_), ..) if hides_type => format!("({}){word}", printer.type_name(ty)?),
        (Some(_), ..) if only_read => word.clone(),
        (Some(_), ..) => format!("({})ACCRUE_ADDRESS({word})", printer.type_name(ty)?),
        (None, Some(1), _) => format!("({word} & 1) != 0"),
        (None, Some(2..=64), _) => format!("({}){word}", printer.type_name(ty)?),
        (None, None, Some(32)) => format!("as_float((uint){word})"),
        (None, None, Some(64)) => format!("as_double({word})"),
        _ if complex_part(ctx, ty).and_then(|part| float_width(ctx, part)) == Some(32) => {
            format!("accrue_c32_make(as_float((uint){word}), as_float((uint)({word} >> 32)))")
        }
        _ if complex_part(ctx, ty).and_then(|part| float_width(ctx, part)) == Some(64) => {
            format!("accrue_c64_make(as_double({word}), as_double({next}))")
        }
        _ => {
            return Err(Diagnostic::error(format!(
                "`{}` is of a type that OpenCL C does not have",
                var.name
            )));
        }
    };
    printer.lines.push(format!("{declaration} = {value};"));
    printer.bind(argument, Expr::atom(name));
    Ok(())
}

/// Declares the starts of the scratch memory's parts that the kernel uses.
fn scratch(head: &mut Lines, unit: &Unit, dialect: &OpenClC, kernel: &ExpandedKernel) {
    let allocas = nested::<Alloca>(unit.ctx, kernel.function.get_operation());
    let storages = || {
        let of = |a: &Alloca| dialect.expanded.storage.get(&a.get_operation());
        allocas.iter().filter_map(of)
    };
    let gang = storages().any(|s| matches!(s, Storage::ScratchGang { .. }));
    let worker = storages().any(|s| matches!(s, Storage::ScratchWorker { .. }));
    let uses = dialect.scratch.contains(&kernel.name);
    if !(gang || worker || uses || kernel.form.needs_scratch) {
        return;
    }
    head.push(
        "__global char *accrue_scratch = (__global char *)ACCRUE_ADDRESS(accrue_scratch_address);",
    );
    let several = kernel.form.gang_dims.contains(&true);
    let (number, count) = match several {
        true => (
            "(get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2)))",
            "(get_num_groups(0) * get_num_groups(1) * get_num_groups(2))",
        ),
        false => ("get_group_id(0)", "get_num_groups(0)"),
    };
    let gang_bytes = kernel.form.scratch_gang_bytes;
    if gang {
        head.push(format!(
            "__global char *accrue_scratch_gang = accrue_scratch + ({SCRATCH_HEAD} + {number} * {gang_bytes}ul);"
        ));
    }
    if worker {
        let bytes = kernel.form.scratch_worker_bytes;
        let last = SCRATCH_ALIGNMENT - 1;
        let first = format!("(({SCRATCH_HEAD} + {count} * {gang_bytes}ul + {last}) & ~{last}ul)");
        let place = format!("({number} * get_local_size(1) + get_local_id(1)) * {bytes}ul");
        head.push(format!(
            "__global char *accrue_scratch_worker = accrue_scratch + ({first} + {place});"
        ));
    }
}
