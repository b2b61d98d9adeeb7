//! Which atomic updates the hardware does in one instruction.
//!
//! | update of `x` | instruction |
//! | --- | --- |
//! | `x + e`, `x - e`; floats too | `atom.add` (of `-e`) |
//! | `x & e`, `x \| e`, `x ^ e` | `atom.and`, `atom.or`, `atom.xor` |
//! | the smaller or larger of `x` and `e`, integers | `atom.min`, `atom.max` |
//! | a value known before | `atom.exch` |
//! | `x == e ? d : x`, integers and pointers | `atom.cas` |
//!
//! C computes in `int` and wider: of these operations the low bits of the result depend on the low bits of the operands
//! only (not so of minimum and maximum), so an extension of `x` and the truncation of the result do not matter.

use super::{
    function::Selector,
    operand::Part,
    types::{Class, classes},
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::fold::uncast;
use accrue_dialects::core::{
    AtomicUpdate, Bin, BinKind, CastKind, Cmp, CmpKind, Const, FConst, Select,
};
use accrue_ir::walk::ops_of_block;
use pliron::{
    builtin::op_interfaces::SingleBlockRegionInterface, operation::Operation, r#type::Typed,
    value::Value,
};

/// An update in one instruction.
pub struct Fetch {
    /// `add` in `atom.add.u32`.
    pub operator: &'static str,
    /// `u32` in it.
    pub ty: &'static str,
    operand: Value,
    negated: bool,
}

/// An update of what has one value to another one.
pub struct Exchange {
    /// `b32` in `atom.cas.b32`.
    pub ty: &'static str,
    expected: Value,
    wanted: Value,
}

/// The operator, before the type is known.
enum Kind {
    Add,
    Subtract,
    Bits(&'static str),
    Extremum { name: &'static str, signed: bool },
    Exchange,
}

impl Selector<'_> {
    /// The instruction for an update of an object of 32 or 64 bits, if there is one.
    pub(super) fn fetch(&self, op: &AtomicUpdate) -> Result<Option<Fetch>> {
        let ctx = self.ctx;
        let classes = classes(ctx, op.old(ctx).get_type(ctx))?;
        let [class] = classes.as_slice() else {
            return Ok(None);
        };
        let Some((kind, operand)) = self.pattern(op)? else {
            return Ok(None);
        };
        let wide = matches!(class, Class::B64 | Class::F64);
        let is_float = matches!(class, Class::F32 | Class::F64);
        if self.is_pointer(op.old(ctx)) && !matches!(kind, Kind::Exchange) {
            return Ok(None);
        }
        let pick = |narrow, long| if wide { long } else { narrow };
        let (operator, ty) = match kind {
            Kind::Add | Kind::Subtract if is_float => ("add", pick("f32", "f64")),
            Kind::Add | Kind::Subtract => ("add", pick("u32", "u64")),
            Kind::Bits(name) => (name, pick("b32", "b64")),
            Kind::Extremum { name, signed: true } => (name, pick("s32", "s64")),
            Kind::Extremum {
                name,
                signed: false,
            } => (name, pick("u32", "u64")),
            Kind::Exchange => ("exch", pick("b32", "b64")),
        };
        Ok(Some(Fetch {
            operator,
            ty,
            operand,
            negated: matches!(kind, Kind::Subtract),
        }))
    }

    /// Whether a value is there before the region of `op` runs.
    fn is_known_before(&self, op: &AtomicUpdate, value: Value) -> bool {
        let ctx = self.ctx;
        let constant = value.defining_op().is_some_and(|o| {
            Operation::is_op::<Const>(o, ctx) || Operation::is_op::<FConst>(o, ctx)
        });
        constant || value.get_parent_block(ctx) != Some(op.get_body(ctx, 0))
    }

    /// The exchange that an update of an object of 32 or 64 bits is, if it is one: floats may be equal with other bits.
    pub(super) fn exchange(&self, op: &AtomicUpdate) -> Result<Option<Exchange>> {
        let ctx = self.ctx;
        let old = op.get_body(ctx, 0).deref(ctx).get_argument(0);
        let ty = match classes(ctx, old.get_type(ctx))?.as_slice() {
            [Class::B32] => "b32",
            [Class::B64] => "b64",
            _ => return Ok(None),
        };
        let select = self.yielded(op)?.defining_op();
        let Some(select) = select.and_then(|o| Operation::get_op::<Select>(o, ctx)) else {
            return Ok(None);
        };
        let cmp = select.get_operand_cond(ctx).defining_op();
        let Some(cmp) = cmp.and_then(|o| Operation::get_op::<Cmp>(o, ctx)) else {
            return Ok(None);
        };
        let (yes, no) = (select.get_operand_yes(ctx), select.get_operand_no(ctx));
        let (wanted, other) = match cmp.kind(ctx) {
            CmpKind::Eq => (yes, no),
            CmpKind::Ne => (no, yes),
            _ => return Ok(None),
        };
        let (a, b) = (cmp.get_operand_lhs(ctx), cmp.get_operand_rhs(ctx));
        let expected = match (a == old, b == old) {
            (true, false) => b,
            (false, true) => a,
            (true, true) | (false, false) => return Ok(None),
        };
        let known = [expected, wanted].map(|value| self.is_known_before(op, value));
        Ok((other == old && known == [true; 2]).then_some(Exchange {
            ty,
            expected,
            wanted,
        }))
    }

    /// What is compared with, and what is written.
    pub(super) fn exchange_operands(
        &mut self,
        op: &AtomicUpdate,
        exchange: &Exchange,
    ) -> Result<[Part; 2]> {
        self.constants_of(op)?;
        let mut part = |value| {
            let parts = self.generic_parts(value)?;
            let part = parts.first().cloned();
            part.ok_or_else(|| Diagnostic::error("a scalar was expected"))
        };
        Ok([part(exchange.expected)?, part(exchange.wanted)?])
    }

    /// The region's own constants.
    fn constants_of(&mut self, op: &AtomicUpdate) -> Result<()> {
        for inside in ops_of_block(self.ctx, op.get_body(self.ctx, 0)) {
            if Operation::is_op::<Const>(inside, self.ctx)
                || Operation::is_op::<FConst>(inside, self.ctx)
            {
                self.operation(inside)?;
            }
        }
        Ok(())
    }

    /// What the region does, if it is one of the operations with an operand that is known before.
    fn pattern(&self, op: &AtomicUpdate) -> Result<Option<(Kind, Value)>> {
        let ctx = self.ctx;
        let old = op.get_body(ctx, 0).deref(ctx).get_argument(0);
        let yielded = self.yielded(op)?;
        let is_known = |value: Value| self.is_known_before(op, value);
        if is_known(yielded) {
            return Ok(Some((Kind::Exchange, yielded)));
        }
        let Some(inner) = uncast(ctx, yielded, &[CastKind::Trunc]).defining_op() else {
            return Ok(None);
        };
        let is_cast = uncast(ctx, yielded, &[CastKind::Trunc]) != yielded;
        if let Some(select) = Operation::get_op::<Select>(inner, ctx) {
            let found = self
                .select_pattern(&select, old)
                .filter(|f| !is_cast && is_known(f.1));
            return Ok(found);
        }
        let Some(bin) = Operation::get_op::<Bin>(inner, ctx) else {
            return Ok(None);
        };
        let (lhs, rhs) = (bin.get_operand_lhs(ctx), bin.get_operand_rhs(ctx));
        let low_bits = [CastKind::SExt, CastKind::ZExt];
        let is_old = |value| uncast(ctx, value, &low_bits) == old;
        let (operand, first) = match (is_old(lhs), is_old(rhs)) {
            (true, false) => (rhs, true),
            (false, true) => (lhs, false),
            (true, true) | (false, false) => return Ok(None),
        };
        let extended = is_cast || operand.get_type(ctx) != old.get_type(ctx);
        let extremum = |name, signed| (!extended).then_some(Kind::Extremum { name, signed });
        let kind = match bin.kind(ctx) {
            BinKind::Add | BinKind::AddS | BinKind::FAdd => Some(Kind::Add),
            BinKind::Sub | BinKind::SubS | BinKind::FSub => first.then_some(Kind::Subtract),
            BinKind::And => Some(Kind::Bits("and")),
            BinKind::Or => Some(Kind::Bits("or")),
            BinKind::Xor => Some(Kind::Bits("xor")),
            BinKind::MinS => extremum("min", true),
            BinKind::MaxS => extremum("max", true),
            BinKind::MinU => extremum("min", false),
            BinKind::MaxU => extremum("max", false),
            BinKind::Mul
            | BinKind::MulS
            | BinKind::DivS
            | BinKind::DivU
            | BinKind::RemS
            | BinKind::RemU
            | BinKind::Shl
            | BinKind::ShrS
            | BinKind::ShrU
            | BinKind::FMul
            | BinKind::FDiv
            | BinKind::FMin
            | BinKind::FMax => None,
        };
        Ok(kind.filter(|_| is_known(operand)).map(|k| (k, operand)))
    }

    /// `x < e ? x : e` and its kin.
    fn select_pattern(&self, select: &Select, old: Value) -> Option<(Kind, Value)> {
        let ctx = self.ctx;
        let cmp = select.get_operand_cond(ctx).defining_op()?;
        let cmp = Operation::get_op::<Cmp>(cmp, ctx)?;
        let (less, signed) = match cmp.kind(ctx) {
            CmpKind::LtS | CmpKind::LeS => (true, true),
            CmpKind::GtS | CmpKind::GeS => (false, true),
            CmpKind::LtU | CmpKind::LeU => (true, false),
            CmpKind::GtU | CmpKind::GeU => (false, false),
            CmpKind::Eq
            | CmpKind::Ne
            | CmpKind::FEq
            | CmpKind::FNe
            | CmpKind::FLt
            | CmpKind::FLe
            | CmpKind::FGt
            | CmpKind::FGe => return None,
        };
        let (a, b) = (cmp.get_operand_lhs(ctx), cmp.get_operand_rhs(ctx));
        let (yes, no) = (select.get_operand_yes(ctx), select.get_operand_no(ctx));
        let smaller = match (yes == a && no == b, yes == b && no == a) {
            (true, _) => less,
            (_, true) => !less,
            (false, false) => return None,
        };
        let operand = match (a == old, b == old) {
            (true, false) => b,
            (false, true) => a,
            (true, true) | (false, false) => return None,
        };
        let name = if smaller { "min" } else { "max" };
        Some((Kind::Extremum { name, signed }, operand))
    }

    /// The operand of the instruction, of the object's type.
    pub(super) fn fetch_operand(&mut self, op: &AtomicUpdate, fetch: &Fetch) -> Result<Part> {
        self.constants_of(op)?;
        let class = classes(self.ctx, op.old(self.ctx).get_type(self.ctx))?;
        let part = self
            .generic_parts(fetch.operand)?
            .first()
            .cloned()
            .ok_or_else(|| Diagnostic::error("a scalar was expected"))?;
        let part = match (part.class, class.as_slice()) {
            // Computed in 64 bits or more, kept in 32.
            (Class::B64, [Class::B32]) => {
                let register = self.settle(&part);
                Part::new(
                    Class::B32,
                    self.compute(Class::B32, "cvt.u32.u64", &[&register]),
                )
            }
            _ => part,
        };
        if !fetch.negated {
            return Ok(part);
        }
        let register = self.settle(&part);
        let opcode = match part.class {
            Class::F32 => "neg.f32",
            Class::F64 => "neg.f64",
            Class::B32 => "neg.s32",
            _ => "neg.s64",
        };
        Ok(Part::new(
            part.class,
            self.compute(part.class, opcode, &[&register]),
        ))
    }
}
