//! Kernels and their finish functions.
//!
//! ```c
//! static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
//! {
//!     const long gang = (long)position;
//!     const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);
//!     double *a = (double *)launch->args[0];
//!     double x;
//!     __builtin_memcpy(&x, &launch->args[1], sizeof x);
//!     …
//! }
//! ```

use crate::{
    diagnostic::{Result, error_at, or_at},
    dialect::{Gang, Gangs},
    expand::ExpandedKernel,
};
use accrue_abi::symbols::shown;
use accrue_dialects::core::{Call, int_width, pointee_of};
use accrue_emit_c::{FunctionPrinter, Unit, expr::Expr, lines::marker};
use accrue_hostcall::{Site, SiteVar, arguments};
use accrue_ir::walk::nested;
use pliron::{builtin::ops::FuncOp, op::Op, r#type::Typed, value::Value};
use std::collections::HashSet;

/// Names that kernels give to what they get from the runtime.
pub(crate) const RUNTIME_NAMES: [&str; 4] = ["launch", "position", "gang", "gangs"];

/// A kernel and, if it has one, its finish function. `gang_functions` get the position and number of gangs.
pub fn print(
    unit: &Unit,
    gang_functions: &HashSet<String>,
    kernel: &ExpandedKernel,
    sites: &[Site],
) -> Result<String> {
    let vars = sites
        .iter()
        .find(|s| s.kernels.iter().any(|k| k.function == kernel.name))
        .map_or(&[][..], |s| s.vars.as_slice());
    let params = "const struct accrue_cpu_launch *launch, unsigned long long position";
    let whole = |function, name: &str, params, vars| {
        runtime_function(unit, gang_functions, function, (&shown(name), params), vars)
    };
    let mut text = whole(kernel.function, &kernel.name, params, vars)?;
    if let Some(finish) = &kernel.finish {
        text.push('\n');
        let params = "const struct accrue_cpu_launch *launch";
        text.push_str(&whole(finish.function, &finish.name, params, &[])?);
    }
    Ok(text)
}

/// A function that the runtime calls, with these name and parameters.
fn runtime_function(
    unit: &Unit,
    gang_functions: &HashSet<String>,
    function: FuncOp,
    (name, params): (&str, &str),
    vars: &[SiteVar],
) -> Result<String> {
    let (ctx, op) = (unit.ctx, function.get_operation());
    let mut printer = FunctionPrinter::new(unit, unit.names(&RUNTIME_NAMES));
    printer.locate(op);
    let calls = nested::<Call>(ctx, op);
    let passes = calls
        .iter()
        .any(|c| gang_functions.contains(&c.callee(ctx)));
    if passes || !nested::<Gang>(ctx, op).is_empty() {
        printer.lines.push("const long gang = (long)position;");
    }
    if passes || !nested::<Gangs>(ctx, op).is_empty() {
        printer.lines.push(
            "const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);",
        );
    }
    let entry = function.get_entry_block(ctx);
    let parameters: Vec<Value> = entry.deref(ctx).arguments().collect();
    let arguments =
        arguments(name, parameters, vars).map_err(|message| error_at(ctx, op, message))?;
    for (value, var, word) in arguments.each {
        argument(&mut printer, value, var, word)?;
    }
    printer
        .body(op.deref(ctx).get_region(0))
        .map_err(|d| or_at(d, ctx, op))?;
    Ok(format!(
        "{}static void {name}({params})\n{{\n{}}}\n",
        marker(unit.place(op), &unit.files),
        printer.lines.text(1, &unit.files)
    ))
}

/// Reads an argument from the launch, if it is used.
fn argument(
    printer: &mut FunctionPrinter<'_>,
    argument: Value,
    var: &SiteVar,
    word: u64,
) -> Result<()> {
    let ctx = printer.ctx;
    if argument.num_uses(ctx) == 0 {
        return Ok(());
    }
    let ty = argument.get_type(ctx);
    let (name, declaration) = printer.argument(argument, &var.name)?;
    let one_word = pointee_of(ctx, ty).is_some() || int_width(ctx, ty).is_some_and(|w| w <= 64);
    if one_word {
        let cast = printer.type_name(ty)?;
        let line = format!("{declaration} = ({cast})launch->args[{word}];");
        printer.lines.push(line);
    } else {
        printer.lines.push(format!("{declaration};"));
        let line = format!("__builtin_memcpy(&{name}, &launch->args[{word}], sizeof {name});");
        printer.lines.push(line);
    }
    printer.bind(argument, Expr::atom(name));
    Ok(())
}
