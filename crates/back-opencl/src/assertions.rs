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
//! one work item, nobody waits.

use crate::diagnostic::{Diagnostic, Result};
use crate::expanded::ExpandedKernel;
use accrue_abi::launch::{ASSERTION_MARK, FAILED_ASSERTION};
use accrue_dialects::core::{Call, fold::constant};
use accrue_emit_c::{FunctionPrinter, dialect::Printed};
use accrue_ir::walk::{nested, operands_of};
use pliron::{context::Context, op::Op, value::Value};

/// What a failing `assert` calls.
const ASSERTION: &str = "__assert_fail";

/// Whether the call is that of a failing assertion.
pub fn is_one(ctx: &Context, call: &Call) -> bool {
    call.callee(ctx) == ASSERTION
}

/// Whether the kernel has assertions of its own.
pub fn are_in(ctx: &Context, kernel: &ExpandedKernel) -> bool {
    let calls = nested::<Call>(ctx, kernel.function.get_operation());
    calls.iter().any(|call| is_one(ctx, call))
}

/// Prints the call of a failing assertion in a kernel; no other one of the text has its number. `ends`: the work item may end there.
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
    if ends {
        p.statement("return;".to_string())?;
    }
    Ok(Printed::Done)
}
