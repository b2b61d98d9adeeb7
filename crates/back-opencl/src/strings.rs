//! Functions of `<string.h>`, which OpenCL C does not have.
//!
//! Each is a function for the memories that its addresses lead to, of which only those stand in the text that it calls:
//!
//! ```text
//! strcmp(a[i], key)     accrue_strcmp_global_private_((const __global char *)…, (const __private char *)…)
//! strchr(p, ':')        accrue_strchr_global_((__global char *)p, 58)
//! strlen("text")        accrue_strlen_constant_((const __constant char *)"text")
//! ```
//! What leads into the first address is of the same memory, as all of the back end knows ([`RETURNED`]).

use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{AddressSpace, Call, pointee_of};
use accrue_emit_c::{
    FunctionPrinter,
    dialect::{Address, Printed},
    expr::{Expr, Prec},
};
use accrue_ir::walk::{operands_of, results_of};
use accrue_simt::analysis::spaces::RETURNED;
use pliron::{context::Context, op::Op, r#type::Typed, value::Value};
use std::fmt::Write;

/// The functions, with `LEFT` and `RIGHT` for the memories.
const TEXT: &str = include_str!("strings.cl");

/// Those that only read.
const READ: [&str; 7] = [
    "strlen", "strcmp", "strncmp", "memcmp", "strchr", "strrchr", "memchr",
];
const WRITE: [&str; 4] = ["strcpy", "strncpy", "strcat", "strncat"];

/// The functions of memory, whose text is made elsewhere.
const OF_MEMORY: [&str; 3] = ["memcpy", "memmove", "memset"];

const SPACES: [&str; 4] = ["global", "local", "private", "constant"];

/// The text that `text` needs.
pub fn text(text: &str) -> String {
    let mut needed = String::new();
    for function in TEXT.split("\n\n") {
        let Some((name, _)) = function
            .split_once("accrue_")
            .and_then(|(_, rest)| rest.split_once('('))
        else {
            continue;
        };
        for left in SPACES {
            let rights: &[&str] = match name.contains("RIGHT") {
                true => &SPACES,
                false => &SPACES[..1],
            };
            for right in rights {
                let of_these = |words: &str, prefix: &str| {
                    let left = words.replace("LEFT", &format!("{prefix}{left}"));
                    left.replace("RIGHT", &format!("{prefix}{right}"))
                };
                let own = of_these(name, "");
                if text.contains(&format!("accrue_{own}(")) {
                    let function = function.replace(name, &own);
                    let _ = writeln!(needed, "{}", of_these(function.trim_end(), "__"));
                }
            }
        }
    }
    needed
}

fn is_used(ctx: &Context, call: &Call) -> Option<Value> {
    let results = results_of(ctx, call.get_operation());
    results
        .first()
        .copied()
        .filter(|result| result.is_used(ctx))
}

/// Prints the call, if it is one of these.
pub fn print(p: &mut FunctionPrinter<'_>, call: &Call) -> Result<Option<Printed>> {
    let name = &*call.callee(p.ctx);
    let writes = WRITE.contains(&name);
    if !writes && !READ.contains(&name) {
        return Ok(None);
    }
    let mut function = format!("accrue_{name}");
    let mut arguments = vec![];
    for operand in operands_of(p.ctx, call.get_operation()) {
        if pointee_of(p.ctx, operand.get_type(p.ctx)).is_none() {
            arguments.push(p.take(operand)?.whole());
            continue;
        }
        let address = p.take_simple(operand)?;
        let space = space(p, operand);
        let _ = write!(function, "_{}", space.trim_start_matches('_'));
        let constant = match arguments.is_empty() && RETURNED.contains(&name) {
            true => "",
            false => "const ",
        };
        arguments.push(format!(
            "({constant}{space} char *){}",
            address.at(Prec::Unary)
        ));
    }
    let text = format!("{function}_({})", arguments.join(", "));
    let Some(result) = is_used(p.ctx, call) else {
        p.statement(format!("{text};"))?;
        return Ok(Some(Printed::Done));
    };
    let ty = p.type_name(result.get_type(p.ctx))?;
    if !writes {
        let value = Expr::of(format!("({ty}){text}"), Prec::Unary, &[]);
        return Ok(Some(Printed::Expr(value)));
    }
    let name = p.temporary_name();
    let declaration = p.declare(result.get_type(p.ctx), &name)?;
    p.statement(format!("{declaration} = ({ty}){text};"))?;
    Ok(Some(Printed::Expr(Expr::atom(name))))
}

/// The memory that an address leads to, as its function is named after it.
fn space(p: &FunctionPrinter<'_>, address: Value) -> &'static str {
    match crate::spaces::space(p.ctx, address) {
        Some(AddressSpace::Shared) => "__local",
        Some(AddressSpace::Constant) => "__constant",
        Some(AddressSpace::Local) => "__private",
        Some(AddressSpace::Global | AddressSpace::Generic) | None => "__global",
    }
}

/// Prints a call of a function of [`OF_MEMORY`], whose first operand is its result.
pub fn print_of_memory(p: &mut FunctionPrinter<'_>, call: &Call) -> Result<Option<Printed>> {
    let name = &*call.callee(p.ctx);
    let operands = operands_of(p.ctx, call.get_operation());
    let ([to, other, count], true) = (&operands[..], OF_MEMORY.contains(&name)) else {
        return Ok(None);
    };
    let [to, other, count] = [*to, *other, *count];
    let to = Address {
        space: crate::spaces::space(p.ctx, to).unwrap_or(AddressSpace::Global),
        text: p.take_fixed(to)?.whole(),
    };
    let space = p.unit.dialect.space(to.space).trim_end();
    let text = match name {
        "memset" => {
            let (byte, count) = (p.take(other)?.whole(), p.take(count)?.whole());
            format!("accrue_set({space}, {}, {byte}, {count});", to.text)
        }
        _ => {
            let from = p.take_address(other)?;
            let count = p.take(count)?.whole();
            let other = p.unit.dialect.space(from.space).trim_end();
            // Only memory of one kind overlaps.
            let function = match space == other {
                true => "accrue_move",
                false => "accrue_bytes",
            };
            let (to, from) = (&to.text, from.text);
            format!("{function}({space}, {to}, {other}, {from}, {count});")
        }
    };
    p.statement(text)?;
    let Some(result) = is_used(p.ctx, call) else {
        return Ok(Some(Printed::Done));
    };
    let ty = p.type_name(result.get_type(p.ctx))?;
    let same = Expr::of(format!("({ty}){}", to.text), Prec::Unary, &[]);
    Ok(Some(Printed::Expr(same)))
}

/// Prints `puts` and `putchar` by `printf`, which takes literals only as texts.
pub fn print_text(p: &mut FunctionPrinter<'_>, call: &Call) -> Result<Option<Printed>> {
    let name = &*call.callee(p.ctx);
    let operands = operands_of(p.ctx, call.get_operation());
    let [written] = operands[..] else {
        return Ok(None);
    };
    match name {
        "putchar" => {
            let value = p.take_fixed(written)?.whole();
            p.statement(format!("printf(\"%c\", (int)({value}));"))?;
            let same = format!("(int)(uchar)({value})");
            Ok(Some(match is_used(p.ctx, call) {
                Some(_) => Printed::Expr(Expr::of(same, Prec::Unary, &[])),
                None => Printed::Done,
            }))
        }
        "puts" if is_used(p.ctx, call).is_some() => Err(Diagnostic::error(
            "`puts` does not give a result on OpenCL devices; do without it",
        )),
        "puts" => {
            let text = p.string_literal(written).ok_or_else(|| {
                Diagnostic::error(
                    "`puts` takes literals only on OpenCL devices; use `putchar` for each character",
                )
            })?;
            p.statement(format!("printf(\"%s\\n\", {text});"))?;
            Ok(Some(Printed::Done))
        }
        _ => Ok(None),
    }
}
