//! Atomic accesses in OpenCL C 1.2, on the bits of objects of 32 and 64 bits.
//!
//! | access | OpenCL C |
//! | --- | --- |
//! | load | through a `volatile` pointer: objects are aligned |
//! | store | `atomic_xchg`, `atom_xchg`; of 8 and 16 bits through a `volatile` pointer |
//! | sums, bit operations, extrema of 32 bits; sums of 64 | `atomic_add`, `atom_add` and so on |
//! | sums of floating-point numbers | [`float_sums`] |
//! | update to a value known before | `atomic_xchg`, `atom_xchg` |
//! | any other update | a loop around `atomic_cmpxchg`, `atom_cmpxchg`; of 8 and 16 bits on the word that they are in |
//!
//! ```c
//! int t1 = *(volatile __global int *)&x[i];
//! float t2;
//! for (int t3 = ~t1; t3 != t1;) {
//!     t3 = t1;
//!     t2 = as_float(t3) * y;
//!     t1 = atomic_cmpxchg((volatile __global int *)&x[i], t3, as_int(t2));
//! }
//! ```
//! The functions of 64 bits are an extension (`cl_khr_int64_base_atomics`).

use crate::{
    diagnostic::{Diagnostic, Result},
    float_sums,
};
use accrue_dialects::core::{
    AtomicLoad, AtomicStore, AtomicUpdate, CoreOp, float_width, int_width, pointee_of, record_tag,
};
use accrue_emit_c::{
    FunctionPrinter,
    expr::{Expr, Prec},
    fetch::{Fetch, FetchKind, fetch},
};
use accrue_simt::layout::{Records, extent};
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    context::Context,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// How an object is accessed.
pub struct Object {
    ty: TypeHandle,
    /// The C type of the object.
    pub name: String,
    /// Bits of the object.
    pub width: u32,
    is_float: bool,
    is_pointer: bool,
    /// `__global `
    pub space: &'static str,
}

impl Object {
    /// What `address` leads to.
    fn at(p: &FunctionPrinter<'_>, records: &Records, address: Value) -> Result<Object> {
        let ctx = p.ctx;
        let space = crate::spaces::space(ctx, address)
            .ok_or_else(|| Diagnostic::error("an atomic access needs an address"))?;
        let ty = pointee_of(ctx, address.get_type(ctx))
            .ok_or_else(|| Diagnostic::error("an atomic access needs an address"))?;
        let is_pointer = pointee_of(ctx, ty).is_some();
        let width = match (int_width(ctx, ty), float_width(ctx, ty), is_pointer) {
            (Some(1), ..) => Some(8),
            (Some(width @ (8 | 16 | 32 | 64)), ..) => Some(width),
            (_, Some(width @ (32 | 64)), _) => Some(width),
            (_, _, true) => Some(64),
            _ => None,
        };
        let width = width.ok_or_else(|| {
            Diagnostic::error("OpenCL devices have no atomic accesses to objects of this type")
        })?;
        if alignment(p.ctx, records, address) < u64::from(width / 8) {
            return Err(Diagnostic::error(
                "OpenCL devices have no atomic accesses to objects that may not be aligned",
            ));
        }
        Ok(Object {
            ty,
            name: p.type_name(ty)?,
            width,
            is_float: float_width(ctx, ty).is_some(),
            is_pointer,
            space: p.unit.dialect.space(space),
        })
    }

    /// Whether there are functions for sums of such objects.
    fn has_sums(&self) -> bool {
        self.is_float && matches!(self.space, "__global " | "__local ")
    }

    /// The integer that is exchanged, and what its functions are called with.
    fn word(&self) -> (&'static str, &'static str) {
        match self.width {
            64 => ("long", "atom"),
            _ => ("int", "atomic"),
        }
    }

    /// The value that these bits are.
    fn value(&self, bits: &str) -> String {
        match (self.is_float, self.width) {
            (true, 64) => format!("as_double({bits})"),
            (true, _) => format!("as_float({bits})"),
            (false, _) if self.is_pointer => format!("({}){bits}", self.name),
            (false, _) => bits.to_string(),
        }
    }

    /// The bits of this value.
    fn bits(&self, value: &str) -> String {
        match (self.is_float, self.width) {
            (true, 64) => format!("as_long({value})"),
            (true, _) => format!("as_int({value})"),
            (false, _) if self.is_pointer => format!("(long)({value})"),
            (false, _) => value.to_string(),
        }
    }

    /// A pointer to the bits.
    fn pointer(&self, unsigned: bool, at: &str) -> String {
        let sign = if unsigned { "u" } else { "" };
        format!("(volatile {}{sign}{} *){at}", self.space, self.word().0)
    }
}

/// A number of bytes that the address is a multiple of, by the types that it goes through.
fn alignment(ctx: &Context, records: &Records, address: Value) -> u64 {
    let own = || {
        let ty = pointee_of(ctx, address.get_type(ctx));
        ty.and_then(|ty| extent(ctx, records, ty))
            .map_or(1, |e| e.align)
    };
    let Some(op) = address.defining_op() else {
        return own();
    };
    match CoreOp::of(ctx, op) {
        Some(CoreOp::Member(member)) => {
            let record = member.get_operand_record(ctx);
            let tag = pointee_of(ctx, record.get_type(ctx)).and_then(|ty| record_tag(ctx, ty));
            let fields = tag.and_then(|tag| records.get(&tag));
            let field = fields.and_then(|r| r.fields.get(member.field(ctx) as usize));
            let offset = field.map_or(1, |field| field.offset);
            alignment(ctx, records, record).min(power_of_two(offset))
        }
        Some(CoreOp::PtrAdd(add)) => {
            let base = add.get_operand_base(ctx);
            let ty = pointee_of(ctx, base.get_type(ctx));
            let size = ty.and_then(|ty| extent(ctx, records, ty));
            let size = size.map_or(1, |extent| extent.size);
            alignment(ctx, records, base).min(power_of_two(size))
        }
        Some(CoreOp::Decay(decay)) => alignment(ctx, records, decay.get_operand_array(ctx)),
        // C says that a pointer that was converted is aligned as its type is.
        Some(_) | None => own(),
    }
}

/// The largest power of two that divides the number.
fn power_of_two(number: u64) -> u64 {
    1 << number.trailing_zeros().min(16)
}

pub fn load(p: &mut FunctionPrinter<'_>, records: &Records, op: &AtomicLoad) -> Result<()> {
    let (address, result) = (op.get_operand_address(p.ctx), op.get_result(p.ctx));
    let object = Object::at(p, records, address)?;
    let at = p.take(address)?.at(Prec::Unary);
    p.settle()?;
    let text = match object.is_pointer {
        true => object.value(&format!("*{}", object.pointer(false, &at))),
        false => format!("*(volatile {}{} *){at}", object.space, object.name),
    };
    let expr = Expr {
        atom: false,
        prec: Prec::Unary,
        ..Expr::atom(text)
    };
    match result.is_used(p.ctx) {
        true => p.evaluate(result, expr).map(|_| ()),
        false => Ok(()),
    }
}

pub fn store(p: &mut FunctionPrinter<'_>, records: &Records, op: &AtomicStore) -> Result<()> {
    let (value, address) = (op.get_operand_value(p.ctx), op.get_operand_address(p.ctx));
    let object = Object::at(p, records, address)?;
    let at = p.take(address)?.at(Prec::Unary);
    let value = p.take(value)?;
    if object.width < 32 {
        let text = format!(
            "*(volatile {}{} *){at} = {};",
            object.space,
            object.name,
            value.whole()
        );
        return p.statement(text);
    }
    let (pointer, (_, family)) = (object.pointer(false, &at), object.word());
    let bits = object.bits(&value.whole());
    p.statement(format!("{family}_xchg({pointer}, {bits});"))
}

pub fn update(p: &mut FunctionPrinter<'_>, records: &Records, op: &AtomicUpdate) -> Result<()> {
    let address = op.get_operand_address(p.ctx);
    let object = Object::at(p, records, address)?;
    if object.width >= 32
        && let Some(fetch) = fetch(p, op, object.ty)
        && (object.width == 32 || matches!(fetch.kind, FetchKind::Add | FetchKind::Sub))
    {
        return fetch_update(p, op, &object, &fetch);
    }
    if object.has_sums()
        && let Some(sum) = float_sums::sum(p.ctx, op)
    {
        return float_sums::print(p, op, &object, &sum);
    }
    let yielded = yielded(p, op)?;
    let at = p.take_fixed(address)?.at(Prec::Unary);
    let outside = yielded.get_parent_block(p.ctx) != Some(op.get_body(p.ctx, 0));
    match (outside, object.width) {
        (true, 32..) => exchange(p, op, (&object, &at), yielded),
        (false, 32..) => compare_exchange(p, op, &object, &at),
        (true | false, 0..32) => in_word(p, op, &object, &at),
    }
}

fn yielded(p: &FunctionPrinter<'_>, op: &AtomicUpdate) -> Result<Value> {
    op.yielded(p.ctx)
        .ok_or_else(|| Diagnostic::error("an atomic update yields a value"))
}

/// One function; the new value, where it is used, is computed again from the old one.
fn fetch_update(
    p: &mut FunctionPrinter<'_>,
    op: &AtomicUpdate,
    object: &Object,
    fetch: &Fetch,
) -> Result<()> {
    p.update_constants(op)?;
    let at = p.take(op.get_operand_address(p.ctx))?.at(Prec::Unary);
    let operand = p.take_update_operand(fetch, object.ty)?.whole();
    p.settle()?;
    let (name, unsigned) = match fetch.kind {
        FetchKind::Add => ("add", false),
        FetchKind::Sub => ("sub", false),
        FetchKind::And => ("and", false),
        FetchKind::Or => ("or", false),
        FetchKind::Xor => ("xor", false),
        FetchKind::MinS => ("min", false),
        FetchKind::MaxS => ("max", false),
        FetchKind::MinU => ("min", true),
        FetchKind::MaxU => ("max", true),
    };
    let ((word, family), pointer) = (object.word(), object.pointer(unsigned, &at));
    let (old, new) = (op.old(p.ctx), op.new_value(p.ctx));
    if !old.is_used(p.ctx) && !new.is_used(p.ctx) {
        return p.statement(format!("{family}_{name}({pointer}, {operand});"));
    }
    let given = p.temporary_name();
    p.lines.push(format!("{word} {given} = {operand};"));
    let was = p.temporary_name();
    let call = format!("{family}_{name}({pointer}, {given})");
    p.lines.push(format!("{word} {was} = {call};"));
    let sign = |sign: &str| format!("({word})((u{word}){was} {sign} (u{word}){given})");
    let is = match fetch.kind {
        FetchKind::Add => sign("+"),
        FetchKind::Sub => sign("-"),
        FetchKind::And => sign("&"),
        FetchKind::Or => sign("|"),
        FetchKind::Xor => sign("^"),
        FetchKind::MinS | FetchKind::MaxS => format!("{name}({was}, {given})"),
        FetchKind::MinU | FetchKind::MaxU => {
            format!("({word}){name}((u{word}){was}, (u{word}){given})")
        }
    };
    p.bind(old, Expr::atom(was));
    let is = Expr {
        atom: false,
        ..Expr::atom(is)
    };
    match new.is_used(p.ctx) {
        true => p.evaluate(new, is).map(|_| ()),
        false => Ok(()),
    }
}

/// The new value does not depend on the old one.
fn exchange(
    p: &mut FunctionPrinter<'_>,
    op: &AtomicUpdate,
    (object, at): (&Object, &str),
    new: Value,
) -> Result<()> {
    let value = p.take_simple(new)?;
    p.settle()?;
    let ((word, family), pointer) = (object.word(), object.pointer(false, at));
    let (bits, was) = (object.bits(&value.whole()), p.temporary_name());
    p.lines
        .push(format!("{word} {was} = {family}_xchg({pointer}, {bits});"));
    p.bind(op.old(p.ctx), bound(object.value(&was)));
    p.bind(op.new_value(p.ctx), value);
    Ok(())
}

/// Tries until nothing has come between.
fn compare_exchange(
    p: &mut FunctionPrinter<'_>,
    op: &AtomicUpdate,
    object: &Object,
    at: &str,
) -> Result<()> {
    p.settle()?;
    let ((word, family), pointer) = (object.word(), object.pointer(false, at));
    let [is, new, was] = [(); 3].map(|()| p.temporary_name());
    p.lines.push(format!("{word} {is} = *{pointer};"));
    let declaration = p.declare(object.ty, &new)?;
    p.lines.push(format!("{declaration};"));
    until_exchanged(p, word, [&is, &was], |p| {
        new_value(p, op, object.value(&was), &new)?;
        let bits = object.bits(&new);
        p.lines.push(format!(
            "{is} = {family}_cmpxchg({pointer}, {was}, {bits});"
        ));
        Ok(())
    })?;
    p.bind(op.old(p.ctx), bound(object.value(&was)));
    p.bind(op.new_value(p.ctx), Expr::atom(new));
    Ok(())
}

/// An object of 8 or 16 bits: the word that it is in is exchanged.
fn in_word(
    p: &mut FunctionPrinter<'_>,
    op: &AtomicUpdate,
    object: &Object,
    at: &str,
) -> Result<()> {
    p.settle()?;
    let [place, word, is, new, was, old] = [(); 6].map(|()| p.temporary_name());
    let mask = if object.width == 8 {
        "0xffu"
    } else {
        "0xffffu"
    };
    let unsigned = if object.width == 8 { "uchar" } else { "ushort" };
    let space = object.space;
    p.lines
        .push(format!("uint {place} = 8 * ((uint)(ulong){at} & 3);"));
    p.lines.push(format!(
        "volatile {space}int *{word} = (volatile {space}int *)((ulong){at} & ~3ul);"
    ));
    p.lines.push(format!("int {is} = *{word};"));
    let declarations = [p.declare(object.ty, &new)?, p.declare(object.ty, &old)?];
    for declaration in declarations {
        p.lines.push(format!("{declaration};"));
    }
    until_exchanged(p, "int", [&is, &was], |p| {
        let value = format!("({})({unsigned})((uint){was} >> {place})", object.name);
        p.lines.push(format!("{old} = {value};"));
        new_value(p, op, old.clone(), &new)?;
        let others = format!("(uint){was} & ~({mask} << {place})");
        let own = format!("(uint)({unsigned}){new} << {place}");
        p.lines.push(format!(
            "{is} = atomic_cmpxchg({word}, {was}, (int)(({others}) | ({own})));"
        ));
        Ok(())
    })?;
    p.bind(op.old(p.ctx), Expr::atom(old));
    p.bind(op.new_value(p.ctx), Expr::atom(new));
    Ok(())
}

/// Prints an exchange until nobody has changed the word meanwhile: `was` is what the new value comes from, `is` what the exchange has
/// found.
fn until_exchanged<'a>(
    p: &mut FunctionPrinter<'a>,
    word: &str,
    [is, was]: [&str; 2],
    exchange: impl FnOnce(&mut FunctionPrinter<'a>) -> Result<()>,
) -> Result<()> {
    let (inside, ()) = p.apart(|p| {
        p.lines.push(format!("{was} = {is};"));
        exchange(p)
    })?;
    p.lines.push(format!("{word} {was};"));
    p.lines.push("do {");
    p.lines.nest(inside);
    p.lines.push(format!("}} while ({is} != {was});"));
    Ok(())
}

/// An expression of variables that do not change any more.
fn bound(text: String) -> Expr {
    Expr::atom(text)
}

/// `new = ` what the region makes of `old`.
fn new_value(p: &mut FunctionPrinter<'_>, op: &AtomicUpdate, old: String, new: &str) -> Result<()> {
    let body = op.get_body(p.ctx, 0);
    let argument = body.deref(p.ctx).get_argument(0);
    p.bind(argument, bound(old));
    p.block(body)?;
    let value = yielded(p, op)?;
    let value = p.take(value)?;
    p.statement(format!("{new} = {};", value.whole()))
}
