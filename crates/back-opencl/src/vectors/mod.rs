//! Loops of which several iterations run at a time ([`accrue_dialects::par::vectors`]), in OpenCL C's types for several numbers.
//!
//! ```c
//! int first = lower;
//! double8 s_all = (double8)(0);
//! int end = ACCRUE_VECTORS_64 && first < upper ? (int)((uint)first + ((uint)upper - (uint)first) / 8 * 8) : first;
//! for (; first < end; first += 8) {
//!     double8 t1 = vload8(0, (__global double *)&a[first]);
//!     double8 t2 = sqrt(t1);
//!     s_all = s_all + t2;
//! }
//! double4 t3 = s_all.lo + s_all.hi; …                     s = s + t5;
//! for (int i = first; i < upper; ++i) …                   what is left over, one by one
//! ```
//! `ACCRUE_VECTORS_64` is 1 where the device prefers vectors of such numbers. What is the same in all iterations is printed as elsewhere, and so are
//! addresses, which are those of the first. The truth of a comparison is an integer of as many bits as what is compared: -1 or 0.
//! A loop that turns out not to be of what can be said is printed as any other.

mod operations;

use crate::{
    c::OpenClC,
    diagnostic::{Diagnostic, Result},
    spaces,
};
use accrue_dialects::{
    core::{BinKind, CoreOp, For, Load, Store, float_width, int_width, pointee},
    par::{ReductionInfo, ReductionOperator, vectors::Vectors},
};
use accrue_emit_c::{
    Dialect, FunctionPrinter,
    expr::{Expr, Prec},
    function::Target,
};
use accrue_ir::walk::results_of;
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};
use std::collections::{HashMap, HashSet};

/// A loop that is being printed.
pub struct Printing {
    vectors: Vectors,
    /// The names of values, and of variables by their addresses.
    names: HashMap<Value, String>,
    /// Bits of the integers that truths are.
    truths: HashMap<Value, u32>,
}

/// Prints the first iterations of the loop, if it is one; gives where the others begin.
pub fn first_iterations(
    dialect: &OpenClC,
    p: &mut FunctionPrinter<'_>,
    op: &For,
    ([lower, upper], counter): ([&str; 2], &str),
) -> Result<Option<String>> {
    let found = Vectors::of(p.ctx, op, &dialect.expanded.externs);
    let Some(vectors) = found.filter(|_| dialect.vectors.borrow().is_none()) else {
        return Ok(None);
    };
    let printed = p.attempt(|p| whole(dialect, p, op, vectors, ([lower, upper], counter)));
    *dialect.vectors.borrow_mut() = None;
    Ok(printed.map(|(lines, first)| {
        p.lines.append(lines);
        first
    }))
}

fn whole(
    dialect: &OpenClC,
    p: &mut FunctionPrinter<'_>,
    op: &For,
    vectors: Vectors,
    ([lower, upper], counter): ([&str; 2], &str),
) -> Result<String> {
    let ctx = p.ctx;
    let (first, end) = (p.names.fresh("first"), p.names.fresh("end"));
    p.lines.push(format!("{counter} {first} = {lower};"));
    let lanes = vectors.lanes;
    let mut names = HashMap::new();
    let accumulators = vectors.accumulators.clone();
    for (variable, info) in &accumulators {
        let ty = pointee(ctx, *variable);
        let ty = ty.ok_or_else(|| Diagnostic::error("a variable was expected"))?;
        let start = start(p, *variable, *info)?;
        let (name, of) = (p.names.fresh("all"), vector_type(ctx, ty, lanes)?);
        p.lines.push(format!("{of} {name} = ({of})({start});"));
        names.insert(*variable, name);
    }
    let variable = op.get_body(ctx, 0).deref(ctx).get_argument(0);
    let ty = variable.get_type(ctx);
    let is_needed = vectors.needed.contains(&variable);
    *dialect.vectors.borrow_mut() = Some(Printing {
        vectors,
        names,
        truths: HashMap::new(),
    });
    let own = p.type_name(ty)?;
    let value = match own == counter {
        true => first.clone(),
        false => format!("({own}){first}"),
    };
    p.bind(variable, Expr::atom(value.clone()));
    p.targets.push(Target::For);
    let inside = p.apart(|p| {
        if is_needed {
            let numbers: Vec<_> = (0..lanes).map(|n| n.to_string()).collect();
            let of = vector_type(ctx, ty, lanes)?;
            let text = format!("({of})({value}) + ({of})({})", numbers.join(", "));
            name(dialect, p, variable, &text)?;
        }
        p.body(op.get_operation().deref(ctx).get_region(0))
    });
    p.targets.pop();
    let (inside, ()) = inside?;
    let unsigned = match int_width(ctx, ty) {
        Some(64) => "ulong",
        _ => "uint",
    };
    let wanted = match lanes {
        8 => "ACCRUE_VECTORS_64",
        _ => "ACCRUE_VECTORS_32",
    };
    p.lines.push(format!(
        "{counter} {end} = {wanted} && {first} < {upper} ? ({counter})(({unsigned}){first} + (({unsigned}){upper} - ({unsigned}){first}) / {lanes} * {lanes}) : {first};"
    ));
    p.lines
        .push(format!("for (; {first} < {end}; {first} += {lanes}) {{"));
    p.lines.nest(inside);
    p.lines.push("}");
    for (variable, info) in accumulators {
        bring_together(dialect, p, variable, info)?;
    }
    Ok(first)
}

/// `double8`: a type of the dialect, and the number of iterations.
fn vector_type(ctx: &Context, ty: TypeHandle, lanes: u32) -> Result<String> {
    Ok(format!("{}{lanes}", scalar_type(ctx, ty)?))
}

fn scalar_type(ctx: &Context, ty: TypeHandle) -> Result<&'static str> {
    match (int_width(ctx, ty), float_width(ctx, ty)) {
        (Some(width), _) => integer(width),
        (_, Some(32)) => Ok("float"),
        (_, Some(64)) => Ok("double"),
        _ => Err(no_form()),
    }
}

fn integer(width: u32) -> Result<&'static str> {
    match width {
        8 => Ok("char"),
        16 => Ok("short"),
        32 => Ok("int"),
        64 => Ok("long"),
        _ => Err(no_form()),
    }
}

/// Never shown: the loop is printed in the other way.
fn no_form() -> Diagnostic {
    Diagnostic::error("this has no form for several numbers at once")
}

/// What each part of an accumulator starts from: what changes nothing.
fn start(p: &mut FunctionPrinter<'_>, variable: Value, info: ReductionInfo) -> Result<String> {
    match info.operator {
        ReductionOperator::Add | ReductionOperator::BitXor => Ok("0".to_string()),
        ReductionOperator::Mul => Ok("1".to_string()),
        // These may have the same value any number of times.
        ReductionOperator::Max
        | ReductionOperator::Min
        | ReductionOperator::BitAnd
        | ReductionOperator::BitOr => Ok(held(p, variable)?.0),
        ReductionOperator::LogicalAnd
        | ReductionOperator::LogicalOr
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => Err(no_form()),
    }
}

/// What a variable of the function holds, and the variable.
fn held(p: &mut FunctionPrinter<'_>, variable: Value) -> Result<(String, String)> {
    let place = p.take(variable)?;
    let object = place.clone().object().text;
    if !place.atom {
        p.bind(variable, place);
    }
    Ok((object.clone(), object))
}

/// The parts of an accumulator become one, which is added to the variable.
fn bring_together(
    dialect: &OpenClC,
    p: &mut FunctionPrinter<'_>,
    variable: Value,
    info: ReductionInfo,
) -> Result<()> {
    let ctx = p.ctx;
    let ty = pointee(ctx, variable);
    let ty = ty.ok_or_else(|| Diagnostic::error("a variable was expected"))?;
    let (of, mut lanes, mut all) = {
        let state = dialect.vectors.borrow();
        let state = state.as_ref().ok_or_else(no_form)?;
        let name = state.names.get(&variable).ok_or_else(no_form)?;
        (scalar_type(ctx, ty)?, state.vectors.lanes, name.clone())
    };
    while lanes > 1 {
        lanes /= 2;
        let half = match lanes {
            1 => of.to_string(),
            _ => format!("{of}{lanes}"),
        };
        let halves = [format!("{all}.lo"), format!("{all}.hi")];
        let sum = combined(dialect, ctx, ty, info, (&halves, lanes))?;
        let name = p.temporary_name();
        p.lines.push(format!("{half} {name} = {sum};"));
        all = name;
    }
    let (value, object) = held(p, variable)?;
    let sum = combined(dialect, ctx, ty, info, (&[value, all], 1))?;
    p.lines.push(format!("{object} = {sum};"));
    Ok(())
}

/// `a operator b`, of so many numbers each.
fn combined(
    dialect: &OpenClC,
    ctx: &Context,
    ty: TypeHandle,
    info: ReductionInfo,
    ([a, b], lanes): (&[String; 2], u32),
) -> Result<String> {
    let is_float = float_width(ctx, ty).is_some();
    let extremum = |sign, function| match (is_float, info.signed) {
        (true, _) => Ok(dialect.extremum(sign, a, b)),
        (false, true) => Ok(format!("{function}({a}, {b})")),
        (false, false) => {
            let count = match lanes {
                1 => String::new(),
                lanes => lanes.to_string(),
            };
            let own = format!("{}{count}", scalar_type(ctx, ty)?);
            Ok(format!(
                "as_{own}({function}(as_u{own}({a}), as_u{own}({b})))"
            ))
        }
    };
    Ok(match info.operator {
        ReductionOperator::Add => format!("{a} + {b}"),
        ReductionOperator::Mul => format!("{a} * {b}"),
        ReductionOperator::BitAnd => format!("{a} & {b}"),
        ReductionOperator::BitOr => format!("{a} | {b}"),
        ReductionOperator::BitXor => format!("{a} ^ {b}"),
        ReductionOperator::Max => extremum(">", "max")?,
        ReductionOperator::Min => extremum("<", "min")?,
        ReductionOperator::LogicalAnd
        | ReductionOperator::LogicalOr
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => return Err(no_form()),
    })
}

/// Prints an operation of a loop that is being printed for several iterations at once. False: it is printed as any other.
pub fn prints(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, op: Ptr<Operation>) -> Result<bool> {
    let ctx = p.ctx;
    let is = |of: fn(&Vectors) -> &HashSet<Value>, value: Value| {
        let state = dialect.vectors.borrow();
        state
            .as_ref()
            .is_some_and(|state| of(&state.vectors).contains(&value))
    };
    if dialect.vectors.borrow().is_none() {
        return Ok(false);
    }
    let is_variable = |value| is(|vectors| &vectors.variables, value);
    let is_needed = |value| is(|vectors| &vectors.needed, value);
    let Some(of_core) = CoreOp::of(ctx, op) else {
        return Ok(false);
    };
    let is_contiguous = {
        let state = dialect.vectors.borrow();
        state
            .as_ref()
            .is_some_and(|state| state.vectors.contiguous.contains(&op))
    };
    match &of_core {
        CoreOp::Alloca(alloca) if is_variable(alloca.get_result(ctx)) => {
            let of = vector_type(ctx, alloca.var_type(ctx), lanes(dialect)?)?;
            let name = p.names.fresh("all");
            p.lines.push(format!("{of} {name};"));
            remember(dialect, alloca.get_result(ctx), name)?;
            return Ok(true);
        }
        CoreOp::Load(load) if is_variable(load.get_operand_address(ctx)) => {
            let result = load.get_result(ctx);
            if is_needed(result) {
                let variable = known(dialect, load.get_operand_address(ctx))?;
                name(dialect, p, result, &variable)?;
            }
            return Ok(true);
        }
        CoreOp::Load(load) if is_contiguous => {
            elements(dialect, p, load)?;
            return Ok(true);
        }
        CoreOp::Store(store) if is_variable(store.get_operand_address(ctx)) => {
            let variable = known(dialect, store.get_operand_address(ctx))?;
            let value = operand(dialect, p, store.get_operand_value(ctx))?;
            p.statement(format!("{variable} = {value};"))?;
            return Ok(true);
        }
        CoreOp::Store(store) if is_contiguous => {
            store_elements(dialect, p, store)?;
            return Ok(true);
        }
        _ => {}
    }
    let results = results_of(ctx, op);
    let [result] = results.as_slice() else {
        return Ok(false);
    };
    if !is(|vectors| &vectors.varying, *result) {
        return Ok(false);
    }
    if is_needed(*result) {
        let text = operations::text(dialect, p, &of_core)?;
        match is_added_up(ctx, &of_core, *result) {
            // The driver's compiler rounds once only what is one expression.
            true => remember(dialect, *result, format!("({text})"))?,
            false => name(dialect, p, *result, &text)?,
        }
    }
    Ok(!is(|vectors| &vectors.leading, *result))
}

/// Whether `op` is a product of floating-point numbers that one sum or difference takes, and nothing else.
fn is_added_up(ctx: &Context, op: &CoreOp, product: Value) -> bool {
    let kind = |op: &CoreOp| match op {
        CoreOp::Bin(bin) => Some(bin.kind(ctx)),
        _ => None,
    };
    let uses = product.uses(ctx);
    let [using] = uses.as_slice() else {
        return false;
    };
    let sum = CoreOp::of(ctx, using.user_op()).and_then(|op| kind(&op));
    kind(op) == Some(BinKind::FMul) && matches!(sum, Some(BinKind::FAdd | BinKind::FSub))
}

fn lanes(dialect: &OpenClC) -> Result<u32> {
    let state = dialect.vectors.borrow();
    let state = state.as_ref().ok_or_else(no_form)?;
    Ok(state.vectors.lanes)
}

fn remember(dialect: &OpenClC, value: Value, name: String) -> Result<()> {
    let mut state = dialect.vectors.borrow_mut();
    let state = state.as_mut().ok_or_else(no_form)?;
    state.names.insert(value, name);
    Ok(())
}

fn known(dialect: &OpenClC, value: Value) -> Result<String> {
    let state = dialect.vectors.borrow();
    let state = state.as_ref().ok_or_else(no_form)?;
    state.names.get(&value).cloned().ok_or_else(no_form)
}

/// Puts a value of all iterations into a temporary.
fn name(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, value: Value, text: &str) -> Result<()> {
    let lanes = lanes(dialect)?;
    let ty = value.get_type(p.ctx);
    let of = match int_width(p.ctx, ty) {
        Some(1) => format!("{}{lanes}", integer(truth_bits(dialect, value)?)?),
        _ => vector_type(p.ctx, ty, lanes)?,
    };
    let name = p.temporary_name();
    p.lines.push(format!("{of} {name} = {text};"));
    remember(dialect, value, name)
}

fn truth_bits(dialect: &OpenClC, value: Value) -> Result<u32> {
    let state = dialect.vectors.borrow();
    let state = state.as_ref().ok_or_else(no_form)?;
    state.truths.get(&value).copied().ok_or_else(no_form)
}

fn set_truth_bits(dialect: &OpenClC, value: Value, bits: u32) -> Result<()> {
    let mut state = dialect.vectors.borrow_mut();
    let state = state.as_mut().ok_or_else(no_form)?;
    state.truths.insert(value, bits);
    Ok(())
}

/// A value that is the same in all iterations, as often as needed.
fn uniform(p: &mut FunctionPrinter<'_>, value: Value) -> Result<String> {
    let expr = p.take(value)?;
    let expr = match expr.atom {
        true => expr,
        false => p.evaluate(value, expr)?,
    };
    Ok(expr.whole())
}

/// A number of each iteration.
fn operand(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, value: Value) -> Result<String> {
    if let Ok(name) = known(dialect, value) {
        return Ok(name);
    }
    let of = vector_type(p.ctx, value.get_type(p.ctx), lanes(dialect)?)?;
    Ok(format!("({of})({})", uniform(p, value)?))
}

/// A truth of each iteration, as integers of so many bits.
fn truth(
    dialect: &OpenClC,
    p: &mut FunctionPrinter<'_>,
    value: Value,
    bits: u32,
) -> Result<String> {
    let of = format!("{}{}", integer(bits)?, lanes(dialect)?);
    if let Ok(name) = known(dialect, value) {
        return Ok(match truth_bits(dialect, value)? == bits {
            true => name,
            false => format!("convert_{of}({name})"),
        });
    }
    Ok(format!("({of})({} ? -1 : 0)", uniform(p, value)?))
}

/// The address of the first iteration's element.
fn address(p: &mut FunctionPrinter<'_>, address: Value) -> Result<String> {
    let of = p.type_name(address.get_type(p.ctx))?;
    let place = p.take(address)?;
    let text = place.at(Prec::Unary);
    if !place.atom {
        // Another access may be to the same element.
        let name = p.temporary_name();
        let declaration = p.declare(address.get_type(p.ctx), &name)?;
        p.lines.push(format!("{declaration} = {};", place.whole()));
        p.bind(address, Expr::atom(name.clone()));
        return Ok(format!("({of}){name}"));
    }
    Ok(format!("({of}){text}"))
}

fn elements(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, load: &Load) -> Result<()> {
    let from = address(p, load.get_operand_address(p.ctx))?;
    let text = format!("vload{}(0, {from})", lanes(dialect)?);
    name(dialect, p, load.get_result(p.ctx), &text)
}

/// The type of so many numbers that are aligned as one of them. PoCL's `vstore16` stores four pieces, and a load of all of them that comes soon
/// after has to wait until they are in the cache.
const UNALIGNED: &str = "accrue_unaligned_";

/// Definitions of these types, as far as `text` has them.
pub fn types(text: &str) -> String {
    let mut types = String::new();
    for scalar in ["char", "short", "int", "long", "float", "double"] {
        for lanes in [8, 16] {
            let name = format!("{UNALIGNED}{scalar}{lanes}");
            if text.contains(&name) {
                let (before, behind) = match scalar {
                    "double" => ("#ifdef cl_khr_fp64\n", "#endif\n"),
                    _ => ("", ""),
                };
                types.push_str(&format!(
                    "{before}typedef struct __attribute__((packed)) {{\n    {scalar}{lanes} all;\n}} {name};\n{behind}"
                ));
            }
        }
    }
    types
}

fn store_elements(dialect: &OpenClC, p: &mut FunctionPrinter<'_>, store: &Store) -> Result<()> {
    let ctx = p.ctx;
    let stored = store.get_operand_value(ctx);
    let value = operand(dialect, p, stored)?;
    let place = store.get_operand_address(ctx);
    let space = dialect.space(spaces::space(ctx, place).ok_or_else(no_form)?);
    let to = address(p, place)?;
    let of = vector_type(ctx, stored.get_type(ctx), lanes(dialect)?)?;
    p.statement(format!("(({space}{UNALIGNED}{of} *){to})->all = {value};"))
}
