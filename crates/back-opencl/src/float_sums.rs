//! Atomic sums of floating-point numbers: what a device has for them, and else a loop around an exchange.
//!
//! | device | how |
//! | --- | --- |
//! | NVIDIA's (the library tells the text the compute capability) | the instructions `atom` and `red` of PTX |
//! | with `cl_ext_float_atomics`, and the feature for type and memory | `atomic_fetch_add_explicit` |
//! | others | until nothing has come between: `atomic_cmpxchg`, `atom_cmpxchg` |
//!
//! ```c
//! #pragma acc atomic
//! x[i] += y;                  accrue_sum_global_f32_only(&x[i], y);
//! #pragma acc atomic capture
//! v = x[i] -= y;              float t1 = -y; float t2 = accrue_sum_global_f32(&x[i], t1); float v = t2 + t1;
//! ```
//! The text has functions for all three ways, and the driver's preprocessor chooses ([`text`]). NVIDIA's instructions on `float` in
//! global memory flush denormal numbers, as the code for its GPUs does.

use crate::{atomic::Object, diagnostic::Result};
use accrue_dialects::core::{AtomicUpdate, Bin, BinKind};
use accrue_emit_c::{FunctionPrinter, expr::Expr, fetch::known_operand};
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface, context::Context, operation::Operation,
    value::Value,
};

/// Functions in which words stand for what differs: see [`FUNCTIONS`].
const TEXT: &str = include_str!("float_sums.cl");

/// What stands for the words of [`TEXT`]. Instructions on `double` came with compute capability 6.0.
const FUNCTIONS: [[(&str, &str); 10]; 4] = [
    words("global", "f32", "__opencl_c_ext_fp32_global_atomic_add"),
    words("local", "f32", "__opencl_c_ext_fp32_local_atomic_add"),
    words("global", "f64", "__opencl_c_ext_fp64_global_atomic_add"),
    words("local", "f64", "__opencl_c_ext_fp64_local_atomic_add"),
];

const fn words(
    space: &'static str,
    short: &'static str,
    feature: &'static str,
) -> [(&'static str, &'static str); 10] {
    let is_global = space.len() == 6;
    let is_double = short.as_bytes()[1] == b'6';
    [
        (
            "NAME",
            match (is_global, is_double) {
                (true, false) => "accrue_sum_global_f32",
                (false, false) => "accrue_sum_local_f32",
                (true, true) => "accrue_sum_global_f64",
                (false, true) => "accrue_sum_local_f64",
            },
        ),
        ("SPACE", if is_global { "__global" } else { "__local" }),
        ("STATE", if is_global { "global" } else { "shared" }),
        ("REAL", if is_double { "double" } else { "float" }),
        ("WORD", if is_double { "long" } else { "int" }),
        ("FAMILY", if is_double { "atom" } else { "atomic" }),
        ("LETTER", if is_double { "d" } else { "f" }),
        ("LEAST", if is_double { "60" } else { "20" }),
        ("SHORT", short),
        ("FEATURE", feature),
    ]
}

/// The functions that the text calls. A device without `double` gets none for it.
pub fn text(calls: &str) -> String {
    let mut all = String::new();
    for words in FUNCTIONS {
        let [(_, name), ..] = words;
        if !calls.contains(name) {
            continue;
        }
        let of_words = |text: String, (from, to): (&str, &str)| text.replace(from, to);
        let functions = words.into_iter().fold(TEXT.to_string(), of_words);
        all += &match name.ends_with("64") {
            true => format!("#ifdef cl_khr_fp64\n{functions}#endif\n"),
            false => functions,
        };
    }
    all
}

/// A sum: what is added, or taken off.
pub struct Sum {
    operand: Value,
    is_negated: bool,
}

/// The update as a sum with an operand that is known before.
pub fn sum(ctx: &Context, op: &AtomicUpdate) -> Option<Sum> {
    let body = op.get_body(ctx, 0);
    let old = body.deref(ctx).get_argument(0);
    let bin = Operation::get_op::<Bin>(op.yielded(ctx)?.defining_op()?, ctx)?;
    let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
    let is_negated = match bin.kind(ctx) {
        BinKind::FAdd => false,
        BinKind::FSub if lhs == old => true,
        BinKind::Add
        | BinKind::AddS
        | BinKind::Sub
        | BinKind::SubS
        | BinKind::Mul
        | BinKind::MulS
        | BinKind::DivS
        | BinKind::DivU
        | BinKind::RemS
        | BinKind::RemU
        | BinKind::And
        | BinKind::Or
        | BinKind::Xor
        | BinKind::Shl
        | BinKind::ShrS
        | BinKind::ShrU
        | BinKind::MinS
        | BinKind::MaxS
        | BinKind::MinU
        | BinKind::MaxU
        | BinKind::FSub
        | BinKind::FMul
        | BinKind::FDiv
        | BinKind::FMin
        | BinKind::FMax => return None,
    };
    let operand = known_operand(ctx, op, [lhs, rhs], |value| value == old)?;
    Some(Sum {
        operand,
        is_negated,
    })
}

/// Prints the update of `object` as a call. The new value, where it is used, is computed again from the old one.
pub fn print(
    p: &mut FunctionPrinter<'_>,
    op: &AtomicUpdate,
    object: &Object,
    sum: &Sum,
) -> Result<()> {
    p.update_constants(op)?;
    let (space, name, short) = (object.space.trim(), &object.name, object.width);
    let memory = space.trim_start_matches('_');
    let function = format!("accrue_sum_{memory}_f{short}");
    let place = p.take(op.get_operand_address(p.ctx))?.whole();
    let operand = p.take(sum.operand)?.whole();
    p.settle()?;
    let operand = match sum.is_negated {
        true => format!("-({operand})"),
        false => operand,
    };
    let given = p.temporary_name();
    p.lines.push(format!("{name} {given} = {operand};"));
    let (old, new) = (op.old(p.ctx), op.new_value(p.ctx));
    if !old.is_used(p.ctx) && !new.is_used(p.ctx) {
        return p.statement(format!("{function}_only({place}, {given});"));
    }
    let was = p.temporary_name();
    p.lines
        .push(format!("{name} {was} = {function}({place}, {given});"));
    p.bind(old, Expr::atom(was.clone()));
    let is = Expr {
        atom: false,
        ..Expr::atom(format!("{was} + {given}"))
    };
    match new.is_used(p.ctx) {
        true => p.evaluate(new, is).map(|_| ()),
        false => Ok(()),
    }
}
