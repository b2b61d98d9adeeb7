//! Bit-fields: the bytes that a field lies in are read, and written back with the field replaced. Other bytes are not
//! touched, as C demands.

use super::{function::Selector, operand::Part, types::Class};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{Field, LoadBits, StoreBits, int_width};
use pliron::{builtin::op_interfaces::OneResultInterface, value::Value};

/// Where a bit-field lies: its bytes, then its bits in them.
struct Place {
    offset: u64,
    bytes: u64,
    shift: u32,
    bits: u32,
    align: u64,
}

impl Selector<'_> {
    fn bit_place(&self, record: Value, index: u32) -> Result<(Field, Place)> {
        let (_, field) = self.field(record, index)?;
        let bytes = u64::from(field.bit_offset + field.bits).div_ceil(8);
        if bytes > 8 || int_width(self.ctx, field.ty).is_none_or(|w| w > 64) {
            return Err(Diagnostic::error(format!(
                "the bit-field `{}` is spread over more than 8 bytes, which is not supported on a GPU",
                field.name
            )));
        }
        let place = Place {
            offset: field.offset,
            bytes,
            shift: field.bit_offset,
            bits: field.bits,
            align: self.alignment(record)?,
        };
        Ok((field, place))
    }

    pub(super) fn load_bits(&mut self, op: &LoadBits) -> Result<()> {
        let (record, result) = (op.get_operand_record(self.ctx), op.get_result(self.ctx));
        let (field, place) = self.bit_place(record, op.field(self.ctx))?;
        let from = self.address(record)?;
        let bytes = self.load_pieces(&from, place.offset, place.bytes, place.align);
        // To the upper end of the register, and back with the sign or zeros.
        let left = 64 - place.shift - place.bits;
        let top = self.compute(Class::B64, "shl.b64", &[&bytes, &left.to_string()]);
        let sign = if field.signed { "s" } else { "u" };
        let right = (64 - place.bits).to_string();
        let value = self.compute(Class::B64, &format!("shr.{sign}64"), &[&top, &right]);
        let part = match self.width(result)? {
            64 => Part::new(Class::B64, value),
            1 => Part::new(
                Class::Pred,
                self.compute(Class::Pred, "setp.ne.s64", &[&value, "0"]),
            ),
            width => {
                let low = self.compute(Class::B32, "cvt.u32.u64", &[&value]);
                Part::new(Class::B32, self.sign_extend(width, &low))
            }
        };
        self.bind(result, vec![part]);
        Ok(())
    }

    pub(super) fn store_bits(&mut self, op: &StoreBits) -> Result<()> {
        let (record, value) = (
            op.get_operand_record(self.ctx),
            op.get_operand_value(self.ctx),
        );
        let (_, place) = self.bit_place(record, op.field(self.ctx))?;
        let part = self.part(value)?;
        let bits = match (part.class, part.literal()) {
            (_, Some(literal)) => (literal as i64).to_string(),
            (Class::Pred, None) => self.compute(Class::B64, "selp.b64", &["1", "0", &part.text]),
            (Class::B64, None) => part.text,
            (_, None) => self.compute(Class::B64, "cvt.u64.u32", &[&part.text]),
        };
        let to = self.address(record)?;
        let mask = u64::MAX >> (64 - place.bits) << place.shift;
        let old = self.load_pieces(&to, place.offset, place.bytes, place.align);
        let kept = (!mask as i64).to_string();
        let kept = self.compute(Class::B64, "and.b64", &[&old, &kept]);
        let moved = self.compute(Class::B64, "shl.b64", &[&bits, &place.shift.to_string()]);
        let new = (mask as i64).to_string();
        let new = self.compute(Class::B64, "and.b64", &[&moved, &new]);
        let all = self.compute(Class::B64, "or.b64", &[&kept, &new]);
        self.store_pieces(&to, place.offset, place.bytes, place.align, &all);
        Ok(())
    }
}
