//! The heap of kernels, for `malloc` and its kin and for arrays whose length is known at run time only.
//!
//! OpenCL C has none. The runtime gives a device one when the first kernel is loaded that takes memory, and notes where it is in scratch
//! memory; blocks stay until they are given back, also behind the kernel. The functions are text ([`TEXT`]), and work without locks: nothing
//! tells how work items wait for one another.
//!
//! ```text
//! core.call @malloc(%n)      (__global char *)accrue_heap_malloc(accrue_scratch, n)
//! ```

use crate::diagnostic::Result;
use accrue_abi::launch::HEAP;
use accrue_dialects::core::Call;
use accrue_emit_c::{
    FunctionPrinter,
    dialect::Printed,
    expr::{Expr, Prec},
};
use accrue_ir::walk::{operands_of, results_of};
use pliron::{context::Context, op::Op, r#type::Typed};

const TEXT: &str = include_str!("heap.cl");

/// What the heap's functions are called, and what they are here.
const FUNCTIONS: [(&str, &str); 4] = [
    ("malloc", "accrue_heap_malloc"),
    ("calloc", "accrue_heap_calloc"),
    ("realloc", "accrue_heap_realloc"),
    ("free", "accrue_heap_free"),
];

/// The text that `text` needs.
pub fn text(text: &str) -> String {
    match FUNCTIONS.iter().any(|(_, name)| text.contains(name)) {
        true => TEXT.replace("HEAP_PLACE", &HEAP.to_string()),
        false => String::new(),
    }
}

/// Whether the call is one of the heap's functions.
pub fn is_one(ctx: &Context, call: &Call) -> bool {
    of(&call.callee(ctx)).is_some()
}

fn of(function: &str) -> Option<&'static str> {
    let found = FUNCTIONS.iter().find(|(name, _)| *name == function);
    found.map(|(_, name)| *name)
}

/// Prints the call, if it is one.
pub fn print(p: &mut FunctionPrinter<'_>, call: &Call) -> Result<Option<Printed>> {
    let Some(name) = of(&call.callee(p.ctx)) else {
        return Ok(None);
    };
    let mut arguments = vec!["accrue_scratch".to_string()];
    for operand in operands_of(p.ctx, call.get_operation()) {
        let is_address = p.type_name(operand.get_type(p.ctx))?.ends_with('*');
        let value = p.take(operand)?;
        arguments.push(match is_address {
            true => format!("(__global char *){}", value.at(Prec::Unary)),
            false => value.whole(),
        });
    }
    let text = format!("{name}({})", arguments.join(", "));
    let results = results_of(p.ctx, call.get_operation());
    let Some(result) = results.first() else {
        p.statement(format!("{text};"))?;
        return Ok(Some(Printed::Done));
    };
    let ty = p.type_name(result.get_type(p.ctx))?;
    let value = Expr::of(format!("({ty}){text}"), Prec::Unary, &[]);
    Ok(Some(Printed::Expr(value)))
}
