//! Assertions: OpenCL C has no function that ends a program.
//!
//! A work item whose assertion fails notes the assertion's number in scratch memory, where the runtime looks when the kernel has ended; it then
//! ends the program as `assert` does, with what the kernel's text says of that number. Calls through pointers end so that lead
//! to none of the functions of the file.
//!
//! ```text
//! core.call @__assert_fail("p", "a.c", 7, "f")      atomic_cmpxchg((volatile __global int *)(accrue_scratch + 4088), 0, 3);
//!                                             ──▶   //@assertion 3    7    a.c    f    p
//!                                                   return;
//! ```
//! The work item ends there, but where others may wait for it at barriers: then it goes on to the end of the kernel. On CPU cores, where a gang is
//! one work item, nobody waits. In a function it goes back with 0, unless the function has barriers, and the caller goes on.

use crate::diagnostic::{Diagnostic, Result};
use accrue_abi::launch::{ASSERTION_MARK, FAILED_ASSERTION};
use accrue_dialects::core::{Call, float_width, fold::constant, int_width, pointee_of};
use accrue_emit_c::{FunctionPrinter, dialect::Printed};
use accrue_ir::walk::{enclosing, operands_of};
use pliron::{
    builtin::{ops::FuncOp, type_interfaces::FunctionTypeInterface, types::FunctionType},
    context::Context,
    op::Op,
    r#type::TypeHandle,
    value::Value,
};

/// What a failing `assert` calls.
const ASSERTION: &str = "__assert_fail";

/// Whether the call is that of a failing assertion.
pub fn is_one(ctx: &Context, call: &Call) -> bool {
    call.callee(ctx) == ASSERTION
}

/// Prints the call of a failing assertion; no other one of the text has its number. `ends`: the work item may end there, or, in a function,
/// go back to the caller.
pub fn print(p: &mut FunctionPrinter<'_>, call: &Call, number: u32, ends: bool) -> Result<Printed> {
    let unknown = || Diagnostic::error("this call of `__assert_fail` is none of `assert`");
    let operands = operands_of(p.ctx, call.get_operation());
    let [condition, file, line, function] = operands.as_slice() else {
        return Err(unknown());
    };
    let text = |p: &FunctionPrinter<'_>, value: Value| {
        let bytes = p.string_bytes(value)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Some(text.replace(['\n', '\r', '\t'], " "))
    };
    let texts = [*file, *function, *condition].map(|value| text(p, value));
    let ([Some(file), Some(function), Some(condition)], Some(line)) =
        (texts, constant(p.ctx, *line))
    else {
        return Err(unknown());
    };
    p.statement(format!(
        "atomic_cmpxchg((volatile __global int *)(accrue_scratch + {FAILED_ASSERTION}), 0, {number});"
    ))?;
    // What is behind the text keeps a backslash at its end from joining lines.
    p.lines.push(format!(
        "{ASSERTION_MARK}{number}\t{line}\t{file}\t{function}\t{condition}\t."
    ));
    let function = enclosing::<FuncOp>(p.ctx, call.get_operation());
    let back = function.and_then(|function| way_back(p.ctx, function));
    if let Some(back) = back.filter(|_| ends) {
        p.statement(back.to_string())?;
    }
    Ok(Printed::Done)
}

/// The statement that leaves a function, unless its result is an object.
fn way_back(ctx: &Context, function: FuncOp) -> Option<&'static str> {
    let ty = function.get_type(ctx);
    let ty = ty.deref(ctx);
    let results = ty.downcast_ref::<FunctionType>()?.res_types();
    let is_scalar = |ty: &TypeHandle| {
        let number = int_width(ctx, *ty).or(float_width(ctx, *ty));
        number.is_some() || pointee_of(ctx, *ty).is_some()
    };
    match results.as_slice() {
        [] => Some("return;"),
        [result] if is_scalar(result) => Some("return 0;"),
        _ => None,
    }
}
