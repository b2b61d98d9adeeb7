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

use super::{arith::cast, expr::Expr, function::FunctionPrinter};
use crate::{
    diagnostic::{Diagnostic, Result},
    expand::Expanded,
};
use accrue_dialects::core::{
    AtomicLoad, AtomicStore, AtomicUpdate, Bin, BinKind, Cast, CastKind, Const, Member,
    float_width, int_width, pointee, pointee_of,
};
use accrue_ir::walk::{nested_ops, ops_of_block};
use pliron::{
    builtin::op_interfaces::{OneOpdInterface, OneResultInterface, SingleBlockRegionInterface},
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
pub(super) fn lock(ctx: &Context, expanded: &Expanded) -> Option<&'static str> {
    let needs = expanded.all_functions().any(|function| {
        let ops = nested_ops(ctx, function.get_operation());
        ops.into_iter()
            .any(|op| object(ctx, op).is_some_and(|ty| !is_lock_free(ctx, ty)))
    });
    needs.then_some(LOCK)
}

/// The type of the object that an atomic operation accesses.
fn object(ctx: &Context, op: Ptr<Operation>) -> Option<TypeHandle> {
    let load = Operation::get_op::<AtomicLoad>(op, ctx).map(|o| o.get_operand_address(ctx));
    let store = Operation::get_op::<AtomicStore>(op, ctx).map(|o| o.get_operand_address(ctx));
    let update = Operation::get_op::<AtomicUpdate>(op, ctx).map(|o| o.get_operand_address(ctx));
    pointee(ctx, load.or(store).or(update)?)
}

/// Whether processors have atomic instructions for naturally aligned objects of the type.
fn is_lock_free(ctx: &Context, ty: TypeHandle) -> bool {
    let width = int_width(ctx, ty).or_else(|| float_width(ctx, ty));
    matches!(width, Some(1 | 8 | 16 | 32 | 64)) || pointee_of(ctx, ty).is_some()
}

/// An update that the processor does in one instruction.
struct Fetch {
    /// `add` of `__atomic_fetch_add`.
    name: &'static str,
    operand: Value,
}

impl FunctionPrinter<'_> {
    pub(super) fn atomic_load(&mut self, op: &AtomicLoad) -> Result<()> {
        let (address, result) = (op.get_operand_address(self.ctx), op.get_result(self.ctx));
        let at = self.atomic_address(address)?;
        self.settle()?;
        let name = self.temporary_name();
        let declaration = self.declare(result.get_type(self.ctx), &name)?;
        if is_lock_free(self.ctx, result.get_type(self.ctx)) {
            self.lines.push(format!("{declaration};"));
            self.lines
                .push(format!("__atomic_load({}, &{name}, {ORDER});", at.whole()));
        } else {
            self.lines.push("accrue_lock();");
            self.lines
                .push(format!("{declaration} = {};", at.object().whole()));
            self.lines.push("accrue_unlock();");
        }
        self.bind(result, Expr::atom(name));
        Ok(())
    }

    pub(super) fn atomic_store(&mut self, op: &AtomicStore) -> Result<()> {
        let value = op.get_operand_value(self.ctx);
        let at = self.atomic_address(op.get_operand_address(self.ctx))?;
        let taken = self.take(value)?;
        self.settle()?;
        let name = self.variable_with(value.get_type(self.ctx), &taken)?;
        if is_lock_free(self.ctx, value.get_type(self.ctx)) {
            self.lines
                .push(format!("__atomic_store({}, &{name}, {ORDER});", at.whole()));
        } else {
            self.lines.push("accrue_lock();");
            self.lines.push(format!("{} = {name};", at.object().text));
            self.lines.push("accrue_unlock();");
        }
        Ok(())
    }

    pub(super) fn atomic_update(&mut self, op: &AtomicUpdate) -> Result<()> {
        let address = op.get_operand_address(self.ctx);
        let ty = op.old(self.ctx).get_type(self.ctx);
        if !is_lock_free(self.ctx, ty) {
            return self.locked_update(op, ty);
        }
        if let Some(fetch) = self.fetch(op, ty) {
            return self.fetch_update(op, &fetch);
        }
        let body = op.get_body(self.ctx, 0);
        let yielded = op
            .yielded(self.ctx)
            .ok_or_else(|| Diagnostic::error("an atomic update yields a value"))?;
        let is_known = yielded.get_parent_block(self.ctx) != Some(body);
        let at = self.take_fixed(address)?;
        if is_known {
            return self.exchange(op, &at, yielded);
        }
        self.settle()?;
        let (old, new) = (self.temporary_name(), self.temporary_name());
        let old_declaration = self.declare(ty, &old)?;
        let new_declaration = self.declare(ty, &new)?;
        self.lines.push(format!("{old_declaration};"));
        self.lines
            .push(format!("__atomic_load({}, &{old}, {ORDER});", at.whole()));
        self.lines.push(format!("{new_declaration};"));
        let (lines, ()) = self.apart(|p| p.new_value(op, &old, &new))?;
        self.lines.push("do {");
        self.lines.nest(lines);
        let exchange = format!(
            "__atomic_compare_exchange({}, &{old}, &{new}, 1, {ORDER}, {ORDER})",
            at.whole()
        );
        self.lines.push(format!("}} while (!{exchange});"));
        self.bind(op.old(self.ctx), Expr::atom(old));
        self.bind(op.new_value(self.ctx), Expr::atom(new));
        Ok(())
    }

    /// The address of the object. That of a member goes through a pointer: the builtins take pointers to be aligned,
    /// members of packed records not, and would be calls of a library for them.
    fn atomic_address(&mut self, address: Value) -> Result<Expr> {
        let op = address.defining_op();
        match op.is_some_and(|op| Operation::is_op::<Member>(op, self.ctx)) {
            true => self.take_fixed(address),
            false => self.take(address),
        }
    }

    /// `new = ` what the region makes of `old`.
    fn new_value(&mut self, op: &AtomicUpdate, old: &str, new: &str) -> Result<()> {
        let body = op.get_body(self.ctx, 0);
        let argument = body.deref(self.ctx).get_argument(0);
        self.bind(argument, Expr::atom(old));
        self.block(body)?;
        let yielded = op
            .yielded(self.ctx)
            .ok_or_else(|| Diagnostic::error("an atomic update yields a value"))?;
        let value = self.take(yielded)?;
        self.statement(format!("{new} = {};", value.whole()))
    }

    fn locked_update(&mut self, op: &AtomicUpdate, ty: TypeHandle) -> Result<()> {
        let at = self.take_fixed(op.get_operand_address(self.ctx))?;
        self.settle()?;
        let (old, new) = (self.temporary_name(), self.temporary_name());
        let (old_declaration, new_declaration) = (self.declare(ty, &old)?, self.declare(ty, &new)?);
        let object = at.object().text;
        self.lines.push("accrue_lock();");
        self.lines.push(format!("{old_declaration} = {object};"));
        self.lines.push(format!("{new_declaration};"));
        self.new_value(op, &old, &new)?;
        self.lines.push(format!("{object} = {new};"));
        self.lines.push("accrue_unlock();");
        self.bind(op.old(self.ctx), Expr::atom(old));
        self.bind(op.new_value(self.ctx), Expr::atom(new));
        Ok(())
    }

    fn exchange(&mut self, op: &AtomicUpdate, at: &Expr, new: Value) -> Result<()> {
        let taken = self.take(new)?;
        self.settle()?;
        let new = self.variable_with(new.get_type(self.ctx), &taken)?;
        let old = self.temporary_name();
        let declaration = self.declare(op.old(self.ctx).get_type(self.ctx), &old)?;
        self.lines.push(format!("{declaration};"));
        self.lines.push(format!(
            "__atomic_exchange({}, &{new}, &{old}, {ORDER});",
            at.whole()
        ));
        self.bind(op.old(self.ctx), Expr::atom(old));
        self.bind(op.new_value(self.ctx), Expr::atom(new));
        Ok(())
    }

    /// A new variable with the value `taken`: its address can be given to a builtin.
    fn variable_with(&mut self, ty: TypeHandle, taken: &Expr) -> Result<String> {
        let name = self.temporary_name();
        let declaration = self.declare(ty, &name)?;
        self.lines
            .push(format!("{declaration} = {};", taken.whole()));
        Ok(name)
    }

    /// The update as one instruction. C computes `char` and `short` in `int`: of the operations here, the low bits of
    /// the result depend on the low bits of the operands only.
    fn fetch(&self, op: &AtomicUpdate, ty: TypeHandle) -> Option<Fetch> {
        let ctx = self.ctx;
        let both_used = op.old(ctx).is_used(ctx) && op.new_value(ctx).is_used(ctx);
        if int_width(ctx, ty)? == 1 || both_used {
            return None;
        }
        let body = op.get_body(ctx, 0);
        let old = body.deref(ctx).get_argument(0);
        let yielded = op.yielded(ctx)?;
        let bin =
            Operation::get_op::<Bin>(uncast(ctx, yielded, &[CastKind::Trunc]).defining_op()?, ctx)?;
        let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
        let is_old = |value| uncast(ctx, value, &[CastKind::SExt, CastKind::ZExt]) == old;
        let name = match bin.kind(ctx) {
            BinKind::Add | BinKind::AddS => "add",
            BinKind::Sub | BinKind::SubS if is_old(lhs) => "sub",
            BinKind::And => "and",
            BinKind::Or => "or",
            BinKind::Xor => "xor",
            BinKind::Sub
            | BinKind::SubS
            | BinKind::Mul
            | BinKind::MulS
            | BinKind::DivS
            | BinKind::DivU
            | BinKind::RemS
            | BinKind::RemU
            | BinKind::Shl
            | BinKind::ShrS
            | BinKind::ShrU
            | BinKind::MinS
            | BinKind::MaxS
            | BinKind::MinU
            | BinKind::MaxU
            | BinKind::FAdd
            | BinKind::FSub
            | BinKind::FMul
            | BinKind::FDiv
            | BinKind::FMin
            | BinKind::FMax => return None,
        };
        let operand = match (is_old(lhs), is_old(rhs)) {
            (true, false) => rhs,
            (false, true) => lhs,
            (true, true) | (false, false) => return None,
        };
        let constant = operand
            .defining_op()
            .is_some_and(|o| Operation::is_op::<Const>(o, ctx));
        let known = operand.get_parent_block(ctx) != Some(body) || constant;
        known.then_some(Fetch { name, operand })
    }

    fn fetch_update(&mut self, op: &AtomicUpdate, fetch: &Fetch) -> Result<()> {
        // The region's own constants.
        for inside in ops_of_block(self.ctx, op.get_body(self.ctx, 0)) {
            if Operation::is_op::<Const>(inside, self.ctx) {
                self.operation(inside)?;
            }
        }
        let at = self.atomic_address(op.get_operand_address(self.ctx))?;
        let ty = op.old(self.ctx).get_type(self.ctx);
        let mut operand = self.take(fetch.operand)?;
        if fetch.operand.get_type(self.ctx) != ty {
            operand = cast(&self.type_name(ty)?, &operand);
        }
        self.settle()?;
        let (old, new, name) = (op.old(self.ctx), op.new_value(self.ctx), fetch.name);
        let arguments = format!("({}, {}, {ORDER})", at.whole(), operand.whole());
        let call = |text: String| Expr {
            atom: false,
            ..Expr::atom(text)
        };
        if new.is_used(self.ctx) {
            return self
                .evaluate(new, call(format!("__atomic_{name}_fetch{arguments}")))
                .map(|_| ());
        }
        let fetched = call(format!("__atomic_fetch_{name}{arguments}"));
        match old.is_used(self.ctx) {
            true => self.evaluate(old, fetched).map(|_| ()),
            false => self.statement(format!("{};", fetched.text)),
        }
    }
}

/// The operand of conversions of these kinds.
fn uncast(ctx: &Context, value: Value, kinds: &[CastKind]) -> Value {
    let cast = value
        .defining_op()
        .and_then(|op| Operation::get_op::<Cast>(op, ctx));
    match cast {
        Some(cast) if kinds.contains(&cast.kind(ctx)) => uncast(ctx, cast.get_operand(ctx), kinds),
        Some(_) | None => value,
    }
}
