//! Addresses: what can be said in the address of a load or store is not computed.
//!
//! Constant distances (members, constant indices, the constant part of an index) stay apart from the register:
//! ```text
//! %i1 = core.bin AddS %i, 1        mul.wide.s32 and add in one, once for a[i], a[i + 1] and a[i - 1]:
//! %p = core.ptr_add %a, %i1        mad.wide.s32 %rd3, %r1, 8, %rd1;
//! %x = core.load %p                ld.global.f64 %fd1, [%rd3+8];
//! ```

use super::{
    function::Selector,
    operand::{About, Address, Base, Operand, Part, suffix},
    types::Class,
};
use crate::{
    diagnostic::{Diagnostic, Result},
    layout, versions,
};
use accrue_dialects::core::{
    AddressOf, AddressSpace, Bin, BinKind, Cast, CastKind, Decay, Member, PtrAdd, PtrDiff,
    VoidType, int_width, pointee, record_tag,
};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    operation::Operation,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// An index taken apart: `value + offset`, `value` being extended to 64 bits if it has fewer.
struct Index {
    value: Value,
    signed: bool,
    offset: i64,
}

impl Selector<'_> {
    /// The address that a pointer value is.
    pub(super) fn address(&mut self, pointer: Value) -> Result<Address> {
        match self.operand(pointer)? {
            Operand::Address(address) => Ok(Address {
                about: self.about(pointer),
                ..address.clone()
            }),
            Operand::Parts(_) | Operand::Fused => Err(Diagnostic::error("an address was expected")),
        }
    }

    /// What the kernel's version knows about accesses through a pointer.
    fn about(&self, pointer: Value) -> About {
        let Some(origins) = self.origins() else {
            return About::NOTHING;
        };
        let origin = origins.of(pointer);
        match origin.unknown {
            true => About::NOTHING,
            false => About {
                constant: self.version.is_some_and(|v| v.is_constant(origin)),
                parameters: origin.parameters,
                place: origin.distance.within(versions::ALIGNMENT),
            },
        }
    }

    /// A register or literal with the address, as it is in `space`: its own or the generic space.
    pub(super) fn pointer(&mut self, address: &Address, space: AddressSpace) -> String {
        let offset = address.offset;
        let plain = match &address.base {
            Base::Null => return offset.to_string(),
            Base::Register(register) if offset == 0 => register.clone(),
            Base::Register(register) => {
                self.compute(Class::B64, "add.s64", &[register, &offset.to_string()])
            }
            Base::Symbol(name) => {
                let start = self.mov(Class::B64, name);
                match offset {
                    0 => start,
                    _ => self.compute(Class::B64, "add.s64", &[&start, &offset.to_string()]),
                }
            }
        };
        if address.space == space || space != AddressSpace::Generic {
            return plain;
        }
        let opcode = format!("cvta{}.u64", suffix(address.space));
        self.compute(Class::B64, &opcode, &[&plain])
    }

    /// The operand of a load or store, `bytes` after the address.
    pub(super) fn memory_operand(&mut self, address: &Address, bytes: u64) -> String {
        let base = match &address.base {
            Base::Register(name) | Base::Symbol(name) => name.clone(),
            Base::Null => self.mov(Class::B64, "0"),
        };
        match address.offset + bytes as i64 {
            0 => format!("[{base}]"),
            offset => format!("[{base}+{offset}]"),
        }
    }

    /// The same address as a register without an offset, if the offset has become too large for `bytes` more.
    fn moved(&mut self, address: &Address, bytes: i64) -> Address {
        if let Some(near) = address.plus(bytes) {
            return near;
        }
        let base = self.pointer(address, address.space);
        let far = self.compute(Class::B64, "add.s64", &[&base, &bytes.to_string()]);
        Address::register(far, address.space)
    }

    pub(super) fn ptr_add(&mut self, op: &PtrAdd) -> Result<()> {
        let (base, result) = (op.get_operand_base(self.ctx), op.get_result(self.ctx));
        let size = self.step(base)?;
        let base = self.address(base)?;
        let index = op.get_operand_index(self.ctx);
        if let Some(constant) = self.constant_of(index) {
            let bytes = i64::try_from(constant)
                .ok()
                .and_then(|c| c.checked_mul(size))
                .ok_or_else(|| Diagnostic::error("an index is too large"))?;
            let address = self.moved(&base, bytes);
            self.bind_address(result, address);
            return Ok(());
        }
        let index = self.index(index);
        let distance = index.offset.checked_mul(size).unwrap_or(0);
        let address = self.indexed(&base, &index, size)?;
        let address = self.moved(&address, distance);
        self.bind_address(result, address);
        Ok(())
    }

    /// Takes constants and extensions off an index. A constant may be taken out of a sum below an extension if the sum
    /// cannot overflow.
    fn index(&self, value: Value) -> Index {
        let mut index = Index {
            value,
            signed: true,
            offset: 0,
        };
        index = self.without_constant(index, false);
        let cast = index
            .value
            .defining_op()
            .and_then(|op| Operation::get_op::<Cast>(op, self.ctx));
        let Some(cast) = cast else {
            return index;
        };
        let inner = cast.get_operand_value(self.ctx);
        if int_width(self.ctx, inner.get_type(self.ctx)) != Some(32) {
            return index;
        }
        match cast.kind(self.ctx) {
            CastKind::SExt => self.without_constant(
                Index {
                    value: inner,
                    ..index
                },
                true,
            ),
            CastKind::ZExt => Index {
                value: inner,
                signed: false,
                ..index
            },
            _ => index,
        }
    }

    /// `value + c` and `value - c` without the constant; `extended`: only if the sum cannot overflow.
    fn without_constant(&self, index: Index, extended: bool) -> Index {
        let narrow = int_width(self.ctx, index.value.get_type(self.ctx)).is_some_and(|w| w < 64);
        let bin = index
            .value
            .defining_op()
            .and_then(|op| Operation::get_op::<Bin>(op, self.ctx));
        let Some(bin) = bin else {
            return index;
        };
        let (lhs, rhs) = (bin.get_operand_lhs(self.ctx), bin.get_operand_rhs(self.ctx));
        let (value, constant) = match bin.kind(self.ctx) {
            BinKind::Add | BinKind::Sub if extended || narrow => return index,
            BinKind::Add | BinKind::AddS => match (self.constant_of(lhs), self.constant_of(rhs)) {
                (None, Some(c)) => (lhs, c),
                (Some(c), None) => (rhs, c),
                (None, None) | (Some(_), Some(_)) => return index,
            },
            BinKind::Sub | BinKind::SubS => match self.constant_of(rhs) {
                Some(c) if self.constant_of(lhs).is_none() => (lhs, -c),
                Some(_) | None => return index,
            },
            _ => return index,
        };
        match i64::try_from(constant).ok().filter(|c| c.abs() < 1 << 24) {
            Some(c) => Index {
                value,
                offset: index.offset + c,
                ..index
            },
            None => index,
        }
    }

    /// `base + index * size`, without the constants of either in the register.
    fn indexed(&mut self, base: &Address, index: &Index, size: i64) -> Result<Address> {
        let width = self.width(index.value)?;
        let parts = self.parts(index.value)?;
        let number = parts
            .first()
            .map(|p| self.settle(p))
            .ok_or_else(|| Diagnostic::error("an index was expected"))?;
        let start = match &base.base {
            Base::Register(register) => register.clone(),
            Base::Symbol(name) => name.clone(),
            Base::Null => "0".to_string(),
        };
        let key = (start, format!("{number} {}", index.signed), size);
        let register = match self.computed_address(&key) {
            Some(known) => known,
            None => {
                let start = match base.base {
                    Base::Symbol(_) => self.mov(Class::B64, &key.0),
                    Base::Register(_) | Base::Null => key.0.clone(),
                };
                let register = self.scaled(&start, width, &number, index.signed, size);
                self.remember_address(key, register.clone());
                register
            }
        };
        Ok(Address {
            base: Base::Register(register),
            offset: base.offset,
            space: base.space,
            about: About::NOTHING,
        })
    }

    /// `start + number * size`.
    fn scaled(&mut self, start: &str, width: u32, number: &str, signed: bool, size: i64) -> String {
        let bytes = size.to_string();
        if width > 32 {
            // Of an index of 128 bits, the low half decides.
            if size == 1 {
                return self.compute(Class::B64, "add.s64", &[start, number]);
            }
            if size > 0 && size & (size - 1) == 0 {
                let shift = size.trailing_zeros().to_string();
                let distance = self.compute(Class::B64, "shl.b64", &[number, &shift]);
                return self.compute(Class::B64, "add.s64", &[start, &distance]);
            }
            return self.compute(Class::B64, "mad.lo.s64", &[number, &bytes, start]);
        }
        let number = match width {
            1 => self.compute(Class::B32, "selp.b32", &["-1", "0", number]),
            _ => number.to_string(),
        };
        let ty = if signed { "s32" } else { "u32" };
        if i32::try_from(size).is_ok() {
            let opcode = format!("mad.wide.{ty}");
            return self.compute(Class::B64, &opcode, &[&number, &bytes, start]);
        }
        let wide = self.compute(Class::B64, &format!("cvt.{}64.{ty}", &ty[..1]), &[&number]);
        self.compute(Class::B64, "mad.lo.s64", &[&wide, &bytes, start])
    }

    /// Bytes from one object to the next of those that a pointer points to; 1 for void and functions, as GCC has it.
    pub(super) fn step(&self, pointer: Value) -> Result<i64> {
        let ty = self.pointee(pointer)?;
        if ty.deref(self.ctx).is::<VoidType>() || super::types::signature(self.ctx, ty).is_some() {
            return Ok(1);
        }
        let size = self.extent(ty)?.size;
        i64::try_from(size).map_err(|_| Diagnostic::error("an object is too large"))
    }

    pub(super) fn ptr_diff(&mut self, op: &PtrDiff) -> Result<()> {
        let (end, start) = (op.get_operand_end(self.ctx), op.get_operand_start(self.ctx));
        let size = self.step(end)?;
        let (a, b) = (self.spaces.of(end), self.spaces.of(start));
        let space = if a == b { a } else { AddressSpace::Generic };
        let (end, start) = (self.parts_in(end, space)?, self.parts_in(start, space)?);
        let ([end], [start]) = (end.as_slice(), start.as_slice()) else {
            return Err(Diagnostic::error("two addresses were expected"));
        };
        let bytes = self.compute(Class::B64, "sub.s64", &[&end.text, &start.text]);
        let count = match size {
            0 | 1 => bytes,
            _ if size & (size - 1) == 0 => {
                let shift = size.trailing_zeros().to_string();
                self.compute(Class::B64, "shr.s64", &[&bytes, &shift])
            }
            _ => self.compute(Class::B64, "div.s64", &[&bytes, &size.to_string()]),
        };
        self.bind(op.get_result(self.ctx), vec![Part::new(Class::B64, count)]);
        Ok(())
    }

    pub(super) fn decay(&mut self, op: &Decay) -> Result<()> {
        self.alias(op.get_result(self.ctx), op.get_operand_array(self.ctx))
    }

    pub(super) fn member(&mut self, op: &Member) -> Result<()> {
        let record = op.get_operand_record(self.ctx);
        let (_, field) = self.field(record, op.field(self.ctx))?;
        let address = self.address(record)?;
        let offset = i64::try_from(field.offset).unwrap_or(i64::MAX);
        let address = self.moved(&address, offset);
        self.bind_address(op.get_result(self.ctx), address);
        Ok(())
    }

    /// The layout of the record at `record` and its field `index`.
    pub(super) fn field(
        &self,
        record: Value,
        index: u32,
    ) -> Result<(
        accrue_dialects::core::RecordLayout,
        accrue_dialects::core::Field,
    )> {
        let tag = record_tag(self.ctx, self.pointee(record)?)
            .ok_or_else(|| Diagnostic::error("a member of something that is no record"))?;
        let definition = self.unit.records().get(&tag);
        let field =
            definition.and_then(|d| Some((d.layout, d.fields.get(index as usize)?.clone())));
        field.ok_or_else(|| Diagnostic::error(format!("`{tag}` has no field {index}")))
    }

    /// Kernels and functions get the globals that they use as arguments: what is left has no copy on the device.
    pub(super) fn address_of(&mut self, op: &AddressOf) -> Result<()> {
        let result = op.get_result(self.ctx);
        if result.num_uses(self.ctx) == 0 {
            return Ok(());
        }
        let (symbol, object) = (op.symbol(self.ctx), self.pointee(result)?);
        Err(Diagnostic::error(
            match super::types::signature(self.ctx, object) {
                Some(_) => format!(
                    "the address of the function `{symbol}` cannot be used on a GPU; call it by its name"
                ),
                None => format!(
                    "`{symbol}` has no copy on the device; name it in a data clause, or pass its address as an argument"
                ),
            },
        ))
    }

    pub(super) fn pointee(&self, pointer: Value) -> Result<TypeHandle> {
        pointee(self.ctx, pointer).ok_or_else(|| Diagnostic::error("an address was expected"))
    }

    pub(super) fn extent(&self, ty: TypeHandle) -> Result<layout::Extent> {
        layout::extent(self.ctx, self.unit.records(), ty).ok_or_else(|| {
            match record_tag(self.ctx, ty) {
                Some(tag) => Diagnostic::error(format!("`{tag}` is not defined here")),
                None => Diagnostic::error("an object of a known size was expected"),
            }
        })
    }

    /// Known alignment of a pointer: that of its type, less below the members of packed records.
    pub(super) fn alignment(&self, pointer: Value) -> Result<u64> {
        let natural = match pointee(self.ctx, pointer) {
            Some(ty) => layout::extent(self.ctx, self.unit.records(), ty).map_or(1, |e| e.align),
            None => 1,
        };
        let Some(op) = pointer.defining_op() else {
            return Ok(natural);
        };
        if let Some(member) = Operation::get_op::<Member>(op, self.ctx) {
            let record = member.get_operand_record(self.ctx);
            let (_, field) = self.field(record, member.field(self.ctx))?;
            let place = 1u64 << field.offset.trailing_zeros().min(16);
            return Ok(natural.min(place).min(self.alignment(record)?));
        }
        if let Some(decay) = Operation::get_op::<Decay>(op, self.ctx) {
            return Ok(natural.min(self.alignment(decay.get_operand_array(self.ctx))?));
        }
        if let Some(add) = Operation::get_op::<PtrAdd>(op, self.ctx) {
            return Ok(natural.min(self.alignment(add.get_operand_base(self.ctx))?));
        }
        Ok(natural)
    }
}
