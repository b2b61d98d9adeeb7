//! Bit-fields in a language that has none: bytes of the record.
//!
//! ```text
//! core.load_bits %s, 1        (int)((long)((ulong)p[0] >> 3 << 59) >> 59)         bits 3 to 7 of the first byte, signed
//! core.store_bits %v, %s, 1   p[0] = p[0] & 7 | (uchar)((ulong)v << 3);
//! ```
//! Only the bytes that the field is in are accessed.

use super::{
    dialect::Scalar,
    expr::{Expr, Prec},
    function::FunctionPrinter,
    types::space_of,
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{LoadBits, StoreBits, pointee, record_tag};
use pliron::{builtin::op_interfaces::OneResultInterface, r#type::Typed, value::Value};

/// Where a bit-field is.
struct Bits {
    /// A pointer to its first byte.
    start: String,
    /// The first bit in that byte.
    shift: u32,
    count: u32,
    signed: bool,
}

impl Bits {
    fn bytes(&self) -> u32 {
        (self.shift + self.count).div_ceil(8)
    }

    /// Which bits of byte `index` are the field's.
    fn mask(&self, index: u32) -> u32 {
        let from = self.shift.max(8 * index) - 8 * index;
        let to = (self.shift + self.count).min(8 * index + 8) - 8 * index;
        ((1u32 << to) - 1) & !((1u32 << from) - 1)
    }
}

impl FunctionPrinter<'_> {
    fn bits(&mut self, record: Value, index: u32) -> Result<Bits> {
        let tag = pointee(self.ctx, record).and_then(|ty| record_tag(self.ctx, ty));
        let of_record = tag.and_then(|tag| self.unit.program.records.get(&tag));
        let field = of_record.and_then(|r| r.fields.get(index as usize));
        let field = field.ok_or_else(|| Diagnostic::error("a bit-field of no record"))?;
        let space = space_of(self.ctx, record.get_type(self.ctx));
        let space = self.unit.dialect.space(space);
        let byte = self.unsigned(8)?;
        let from = field.offset + u64::from(field.bit_offset / 8);
        let record = self.take(record)?;
        let start = format!("({space}{byte} *){} + {from}", record.at(Prec::Unary));
        let name = self.temporary_name();
        self.lines.push(format!("{space}{byte} *{name} = {start};"));
        let bits = Bits {
            start: name,
            shift: field.bit_offset % 8,
            count: field.bits,
            signed: field.signed,
        };
        match bits.bytes() {
            0..=8 => Ok(bits),
            _ => Err(Diagnostic::error("a bit-field in nine bytes")),
        }
    }

    fn unsigned(&self, width: u32) -> Result<&'static str> {
        let known = self.unit.dialect.scalar(Scalar::Unsigned(width));
        known.ok_or_else(|| Diagnostic::error("an integer was expected"))
    }

    /// The value of a bit-field, from its bytes.
    pub(super) fn load_bytes(&mut self, op: &LoadBits) -> Result<()> {
        let result = op.get_result(self.ctx);
        let ty = self.type_name(result.get_type(self.ctx))?;
        let wide = self.unsigned(64)?;
        let bits = self.bits(op.get_operand_record(self.ctx), op.field(self.ctx))?;
        let byte = |k: u32| format!("({wide}){}[{k}] << {}", bits.start, 8 * k);
        let bytes: Vec<_> = (0..bits.bytes()).map(byte).collect();
        let all = format!("({})", bytes.join(" | "));
        let up = 64 - bits.shift - bits.count;
        let down = 64 - bits.count;
        let signed = self.unit.dialect.scalar(Scalar::Signed(64));
        let shifted = match (bits.signed, signed) {
            (true, Some(signed)) => format!("({signed})({all} << {up}) >> {down}"),
            (true | false, _) => format!("{all} << {up} >> {down}"),
        };
        let expr = Expr {
            memory: true,
            ..Expr::of(format!("({ty})({shifted})"), Prec::Unary, &[])
        };
        self.define(result, expr)
    }

    /// Writes a bit-field's bytes.
    pub(super) fn store_bytes(&mut self, op: &StoreBits) -> Result<()> {
        let (wide, byte) = (self.unsigned(64)?, self.unsigned(8)?);
        let value = op.get_operand_value(self.ctx);
        let value = self.take_fixed(value)?.at(Prec::Unary);
        self.settle()?;
        let bits = self.bits(op.get_operand_record(self.ctx), op.field(self.ctx))?;
        for k in 0..bits.bytes() {
            let (own, at) = (bits.mask(k), format!("{}[{k}]", bits.start));
            let moved = match (bits.shift, 8 * k) {
                (left, 0) => format!("({wide}){value} << {left}"),
                (left, right) => format!("({wide}){value} >> {}", right - left),
            };
            let others = 0xff & !own;
            self.lines.push(format!(
                "{at} = ({byte})(({at} & {others}) | (({moved}) & {own}));"
            ));
        }
        Ok(())
    }
}
