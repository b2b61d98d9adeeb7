//! Atomic accesses as the compiler's `__atomic` builtins.
//!
//! | operation | C |
//! | --- | --- |
//! | `core.atomic_load`, `core.atomic_store` | `__atomic_load`, `__atomic_store` |
//! | update that adds, subtracts, `&`, `\|`, `^` an integer | `__atomic_fetch_add` and so on |
//! | update to a value known before | `__atomic_exchange` |
//! | any other update | a loop around `__atomic_compare_exchange` |
//! | any access to an object that the processor has no atomic instructions for | plain accesses behind a lock |
//!
//! ```c
//! double t1;
//! __atomic_load(&x[i], &t1, 0);
//! double t2;
//! do {
//!     t2 = t1 * y;
//! } while (!__atomic_compare_exchange(&x[i], &t1, &t2, 1, 0, 0));
//! ```
//! The lock is one for all objects of the program: complex numbers, `long double` and 128-bit integers have it.

use crate::{
    diagnostic::{Diagnostic, Result},
    expand::Expanded,
};
use accrue_dialects::core::{
    Atomic, AtomicLoad, AtomicStore, AtomicUpdate, Member, float_width, int_width, pointee,
    pointee_of,
};
use accrue_emit_c::{
    FunctionPrinter,
    expr::Expr,
    fetch::{Fetch, FetchKind, fetch},
};
use accrue_ir::walk::nested_ops;
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::{Context, Ptr},
    op::Op,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// `__ATOMIC_RELAXED`, of which gcc and clang have the same number: the text is not preprocessed.
const ORDER: &str = "0";

/// The lock, with `__ATOMIC_ACQUIRE` and `__ATOMIC_RELEASE`. All companions of a program have the same one.
const LOCK: &str = "\
__attribute__((weak)) char __accrue_atomic_lock;
static void accrue_lock(void)
{
    while (__atomic_test_and_set(&__accrue_atomic_lock, 2)) {
    }
}
static void accrue_unlock(void)
{
    __atomic_clear(&__accrue_atomic_lock, 3);
}
";

/// The definition of the lock, if anything needs it.
pub fn lock(ctx: &Context, expanded: &Expanded) -> Option<&'static str> {
    let needs = expanded.all_functions().any(|function| {
        let ops = nested_ops(ctx, function.get_operation());
        ops.into_iter()
            .any(|op| object(ctx, op).is_some_and(|ty| !is_lock_free(ctx, ty)))
    });
    needs.then_some(LOCK)
}

/// The type of the object that an atomic operation accesses.
fn object(ctx: &Context, op: Ptr<Operation>) -> Option<TypeHandle> {
    pointee(ctx, Atomic::of(ctx, op)?.address(ctx))
}

/// Whether processors have atomic instructions for naturally aligned objects of the type.
fn is_lock_free(ctx: &Context, ty: TypeHandle) -> bool {
    let width = int_width(ctx, ty).or_else(|| float_width(ctx, ty));
    matches!(width, Some(1 | 8 | 16 | 32 | 64)) || pointee_of(ctx, ty).is_some()
}

pub fn load(p: &mut FunctionPrinter<'_>, op: &AtomicLoad) -> Result<()> {
    let (address, result) = (op.get_operand_address(p.ctx), op.get_result(p.ctx));
    let at = atomic_address(p, address)?;
    p.settle()?;
    let name = p.temporary_name();
    let declaration = p.declare(result.get_type(p.ctx), &name)?;
    if is_lock_free(p.ctx, result.get_type(p.ctx)) {
        p.lines.push(format!("{declaration};"));
        p.lines
            .push(format!("__atomic_load({}, &{name}, {ORDER});", at.whole()));
    } else {
        p.lines.push("accrue_lock();");
        p.lines
            .push(format!("{declaration} = {};", at.object().whole()));
        p.lines.push("accrue_unlock();");
    }
    p.bind(result, Expr::atom(name));
    Ok(())
}

pub fn store(p: &mut FunctionPrinter<'_>, op: &AtomicStore) -> Result<()> {
    let value = op.get_operand_value(p.ctx);
    let at = atomic_address(p, op.get_operand_address(p.ctx))?;
    let taken = p.take(value)?;
    p.settle()?;
    let name = variable_with(p, value.get_type(p.ctx), &taken)?;
    if is_lock_free(p.ctx, value.get_type(p.ctx)) {
        p.lines
            .push(format!("__atomic_store({}, &{name}, {ORDER});", at.whole()));
    } else {
        p.lines.push("accrue_lock();");
        p.lines.push(format!("{} = {name};", at.object().text));
        p.lines.push("accrue_unlock();");
    }
    Ok(())
}

pub fn update(p: &mut FunctionPrinter<'_>, op: &AtomicUpdate) -> Result<()> {
    let address = op.get_operand_address(p.ctx);
    let ty = op.old(p.ctx).get_type(p.ctx);
    if !is_lock_free(p.ctx, ty) {
        return locked_update(p, op, ty);
    }
    let both_used = op.old(p.ctx).is_used(p.ctx) && op.new_value(p.ctx).is_used(p.ctx);
    let single = fetch(p, op, ty).filter(|_| !both_used);
    if let Some((fetch, name)) = single.and_then(|f| Some((f, builtin(f.kind)?))) {
        return fetch_update(p, op, (&fetch, name));
    }
    let body = op.get_body(p.ctx, 0);
    let yielded = op
        .yielded(p.ctx)
        .ok_or_else(|| Diagnostic::error("an atomic update yields a value"))?;
    let is_known = yielded.get_parent_block(p.ctx) != Some(body);
    let at = p.take_fixed(address)?;
    if is_known {
        return exchange(p, op, &at, yielded);
    }
    p.settle()?;
    let (old, new) = (p.temporary_name(), p.temporary_name());
    let old_declaration = p.declare(ty, &old)?;
    let new_declaration = p.declare(ty, &new)?;
    p.lines.push(format!("{old_declaration};"));
    p.lines
        .push(format!("__atomic_load({}, &{old}, {ORDER});", at.whole()));
    p.lines.push(format!("{new_declaration};"));
    let (lines, ()) = p.apart(|p| new_value(p, op, &old, &new))?;
    p.lines.push("do {");
    p.lines.nest(lines);
    let exchange = format!(
        "__atomic_compare_exchange({}, &{old}, &{new}, 1, {ORDER}, {ORDER})",
        at.whole()
    );
    p.lines.push(format!("}} while (!{exchange});"));
    p.bind(op.old(p.ctx), Expr::atom(old));
    p.bind(op.new_value(p.ctx), Expr::atom(new));
    Ok(())
}

/// The address of the object. That of a member goes through a pointer: the builtins take pointers to be aligned,
/// members of packed records not, and would be calls of a library for them.
fn atomic_address(p: &mut FunctionPrinter<'_>, address: Value) -> Result<Expr> {
    let op = address.defining_op();
    match op.is_some_and(|op| Operation::is_op::<Member>(op, p.ctx)) {
        true => p.take_fixed(address),
        false => p.take(address),
    }
}

/// `new = ` what the region makes of `old`.
fn new_value(p: &mut FunctionPrinter<'_>, op: &AtomicUpdate, old: &str, new: &str) -> Result<()> {
    let body = op.get_body(p.ctx, 0);
    let argument = body.deref(p.ctx).get_argument(0);
    p.bind(argument, Expr::atom(old));
    p.block(body)?;
    let yielded = op
        .yielded(p.ctx)
        .ok_or_else(|| Diagnostic::error("an atomic update yields a value"))?;
    let value = p.take(yielded)?;
    p.statement(format!("{new} = {};", value.whole()))
}

fn locked_update(p: &mut FunctionPrinter<'_>, op: &AtomicUpdate, ty: TypeHandle) -> Result<()> {
    let at = p.take_fixed(op.get_operand_address(p.ctx))?;
    p.settle()?;
    let (old, new) = (p.temporary_name(), p.temporary_name());
    let (old_declaration, new_declaration) = (p.declare(ty, &old)?, p.declare(ty, &new)?);
    let object = at.object().text;
    p.lines.push("accrue_lock();");
    p.lines.push(format!("{old_declaration} = {object};"));
    p.lines.push(format!("{new_declaration};"));
    new_value(p, op, &old, &new)?;
    p.lines.push(format!("{object} = {new};"));
    p.lines.push("accrue_unlock();");
    p.bind(op.old(p.ctx), Expr::atom(old));
    p.bind(op.new_value(p.ctx), Expr::atom(new));
    Ok(())
}

fn exchange(p: &mut FunctionPrinter<'_>, op: &AtomicUpdate, at: &Expr, new: Value) -> Result<()> {
    let taken = p.take(new)?;
    p.settle()?;
    let new = variable_with(p, new.get_type(p.ctx), &taken)?;
    let old = p.temporary_name();
    let declaration = p.declare(op.old(p.ctx).get_type(p.ctx), &old)?;
    p.lines.push(format!("{declaration};"));
    p.lines.push(format!(
        "__atomic_exchange({}, &{new}, &{old}, {ORDER});",
        at.whole()
    ));
    p.bind(op.old(p.ctx), Expr::atom(old));
    p.bind(op.new_value(p.ctx), Expr::atom(new));
    Ok(())
}

/// A new variable with the value `taken`: its address can be given to a builtin.
fn variable_with(p: &mut FunctionPrinter<'_>, ty: TypeHandle, taken: &Expr) -> Result<String> {
    let name = p.temporary_name();
    let declaration = p.declare(ty, &name)?;
    p.lines.push(format!("{declaration} = {};", taken.whole()));
    Ok(name)
}

/// `add` of `__atomic_fetch_add`, if there is such a builtin.
fn builtin(kind: FetchKind) -> Option<&'static str> {
    Some(match kind {
        FetchKind::Add => "add",
        FetchKind::Sub => "sub",
        FetchKind::And => "and",
        FetchKind::Or => "or",
        FetchKind::Xor => "xor",
        FetchKind::MinS | FetchKind::MaxS | FetchKind::MinU | FetchKind::MaxU => return None,
    })
}

fn fetch_update(
    p: &mut FunctionPrinter<'_>,
    op: &AtomicUpdate,
    (fetch, name): (&Fetch, &str),
) -> Result<()> {
    p.update_constants(op)?;
    let at = atomic_address(p, op.get_operand_address(p.ctx))?;
    let operand = p.take_update_operand(fetch, op.old(p.ctx).get_type(p.ctx))?;
    p.settle()?;
    let (old, new) = (op.old(p.ctx), op.new_value(p.ctx));
    let arguments = format!("({}, {}, {ORDER})", at.whole(), operand.whole());
    let call = |text: String| Expr {
        atom: false,
        ..Expr::atom(text)
    };
    if new.is_used(p.ctx) {
        return p
            .evaluate(new, call(format!("__atomic_{name}_fetch{arguments}")))
            .map(|_| ());
    }
    let fetched = call(format!("__atomic_fetch_{name}{arguments}"));
    match old.is_used(p.ctx) {
        true => p.evaluate(old, fetched).map(|_| ()),
        false => p.statement(format!("{};", fetched.text)),
    }
}
