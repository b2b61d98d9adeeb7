//! Loads, stores and copies.
//!
//! An instruction accesses 1, 2, 4 or 8 bytes that lie at a multiple of that. Members of packed records need not: they
//! are read and written in pieces that are aligned.

use super::{
    function::{Selector, Target},
    operand::{Address, Base, Operand, Part},
    types::{Cell, Class, cells},
};
use crate::{code::Access, diagnostic::Result};
use accrue_dialects::core::{AddressSpace, Copy, Load, Store, Zero};
use pliron::{
    builtin::op_interfaces::OneResultInterface,
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// Most instructions that a copy is unrolled to.
const UNROLLED: u64 = 16;

impl Selector<'_> {
    pub(super) fn load(&mut self, op: &Load) -> Result<()> {
        let (address, result) = (op.get_operand_address(self.ctx), op.get_result(self.ctx));
        if let Some(registers) = self.variable(address).cloned() {
            return self.load_variable(address, &registers, result);
        }
        let align = self.alignment(address)?;
        let from = self.address(address)?;
        let volatile = op.is_volatile(self.ctx);
        let parts = match cells(self.ctx, result.get_type(self.ctx))?.as_slice() {
            [cell] if self.is_loaded_with_zeros(result) => {
                vec![self.load_cell(&from, 0, &cell.stored(), align, volatile)]
            }
            _ => self.load_scalar(&from, result.get_type(self.ctx), align, volatile)?,
        };
        self.bind_scalar(result, parts, AddressSpace::Generic);
        Ok(())
    }

    fn load_variable(&mut self, variable: Value, registers: &[Part], result: Value) -> Result<()> {
        if let Some(known) = self.remembered(variable) {
            self.bind_operand(result, known);
            return Ok(());
        }
        let copies = registers
            .iter()
            .map(|r| Part::new(r.class, self.mov(r.class, &r.text)))
            .collect();
        let space = self.spaces.in_variable(variable);
        self.bind_scalar(result, copies, space);
        let operand = self.operand(result)?.clone();
        self.remember(variable, operand);
        Ok(())
    }

    pub(super) fn store(&mut self, op: &Store) -> Result<()> {
        let (value, address) = (
            op.get_operand_value(self.ctx),
            op.get_operand_address(self.ctx),
        );
        if let Some(registers) = self.variable(address).cloned() {
            let space = self.spaces.in_variable(address);
            let parts = self.parts_in(value, space)?;
            self.assign(&registers, &parts);
            match (self.is_pointer(value), parts.as_slice()) {
                // As it is in the variable: in its space, and in a register.
                (true, [one]) if !one.is_literal() => {
                    let stored = match (self.origins(), self.operand(value)?) {
                        // With the distance apart, so that adjacent elements are seen to be adjacent.
                        (Some(_), Operand::Address(known)) if known.space == space => known.clone(),
                        (Some(_) | None, _) => Address::register(one.text.clone(), space),
                    };
                    self.remember(address, Operand::Address(stored));
                }
                (true, _) => self.forget(address),
                (false, _) => self.remember(address, Operand::Parts(parts)),
            }
            return Ok(());
        }
        let parts = self.generic_parts(value)?;
        let align = self.alignment(address)?;
        let to = self.address(address)?;
        self.store_scalar(
            &to,
            value.get_type(self.ctx),
            &parts,
            align,
            op.is_volatile(self.ctx),
        )
    }

    /// The registers of the scalar of type `ty` at `from`.
    pub(super) fn load_scalar(
        &mut self,
        from: &Address,
        ty: TypeHandle,
        align: u64,
        volatile: bool,
    ) -> Result<Vec<Part>> {
        let (mut parts, mut offset) = (vec![], 0);
        for cell in cells(self.ctx, ty)? {
            parts.push(self.load_cell(from, offset, &cell, align, volatile));
            offset += cell.bytes;
        }
        Ok(parts)
    }

    fn load_cell(
        &mut self,
        from: &Address,
        offset: u64,
        cell: &Cell,
        align: u64,
        volatile: bool,
    ) -> Part {
        if cell.bytes > align {
            let bits = self.load_pieces(from, offset, cell.bytes, align);
            return Part::new(cell.class, self.as_cell(cell, &bits));
        }
        let volatile = from.volatile(volatile);
        let at = self.memory_operand(from, offset);
        let near = |target: &Target| matches!(target, Target::For { near: true, .. });
        let constant = match self.targets.iter().any(near) {
            true => "",
            false => from.constant(),
        };
        let kind = format!("ld{volatile}{}{constant}", from.suffix());
        let opcode = format!("{kind}.{}", cell.access);
        let text = match cell.class {
            Class::Pred => {
                let byte = self.compute(Class::B32, &opcode, &[&at]);
                self.compute(Class::Pred, "setp.ne.s32", &[&byte, "0"])
            }
            class => {
                let register = self.compute(class, &opcode, &[&at]);
                if volatile.is_empty() {
                    self.may_join(&kind, from, offset, cell, &register);
                }
                register
            }
        };
        Part::new(cell.class, text)
    }

    /// Says that the last instruction may become part of a wider access, where something is known about the address.
    fn may_join(&mut self, kind: &str, at: &Address, offset: u64, cell: &Cell, register: &str) {
        let Base::Register(base) = &at.base else {
            return;
        };
        // Outside of loops it would not pay. Where the grid covers a loop, all of the kernel is inside of one.
        let in_loop = self.covers
            || self.targets.iter().any(|t| match t {
                Target::For { .. } | Target::Loop { .. } => true,
                Target::Switch { .. } => false,
            });
        let known = match at.space {
            AddressSpace::Global => at.about.parameters != 0,
            AddressSpace::Shared => at.about.place.modulus > cell.bytes,
            AddressSpace::Generic | AddressSpace::Local | AddressSpace::Constant => false,
        };
        if !in_loop || !known {
            return;
        }
        self.code.may_join(Access {
            kind: kind.to_string(),
            ty: cell.access,
            bytes: cell.bytes,
            class: cell.class,
            base: base.clone(),
            offset: at.offset + offset as i64,
            place: at.about.place.plus_number(offset),
            register: register.to_string(),
            constant: at.about.constant,
            parameters: at.about.parameters,
        });
    }

    /// `bytes` bytes at `from + offset` in pieces aligned to `align`, as the low bits of a register of 64.
    pub(super) fn load_pieces(
        &mut self,
        from: &Address,
        offset: u64,
        bytes: u64,
        align: u64,
    ) -> String {
        let mut all: Option<String> = None;
        for (at, size) in pieces(offset, bytes, align) {
            let place = self.memory_operand(from, at);
            let opcode = format!("ld{}.u{}", from.suffix(), 8 * size);
            let piece = self.compute(Class::B64, &opcode, &[&place]);
            all = Some(match all {
                None => piece,
                Some(low) => {
                    let shift = (8 * (at - offset)).to_string();
                    let high = self.compute(Class::B64, "shl.b64", &[&piece, &shift]);
                    self.compute(Class::B64, "or.b64", &[&low, &high])
                }
            });
        }
        all.unwrap_or_else(|| "0".to_string())
    }

    /// Stores the low bits of a register of 64 in pieces aligned to `align`.
    pub(super) fn store_pieces(
        &mut self,
        to: &Address,
        offset: u64,
        bytes: u64,
        align: u64,
        bits: &str,
    ) {
        for (at, size) in pieces(offset, bytes, align) {
            let piece = match at - offset {
                0 => bits.to_string(),
                distance => {
                    let shift = (8 * distance).to_string();
                    self.compute(Class::B64, "shr.u64", &[bits, &shift])
                }
            };
            let place = self.memory_operand(to, at);
            let opcode = format!("st{}.u{}", to.suffix(), 8 * size);
            self.code.emit(&opcode, &[&place, &piece]);
        }
    }

    /// The register for a cell from the low bits of a register of 64.
    fn as_cell(&mut self, cell: &Cell, bits: &str) -> String {
        match cell.class {
            Class::B64 => bits.to_string(),
            Class::F64 => self.compute(Class::F64, "mov.b64", &[bits]),
            class => {
                let low = self.compute(Class::B32, "cvt.u32.u64", &[bits]);
                match class {
                    Class::F32 => self.compute(Class::F32, "mov.b32", &[&low]),
                    Class::B16 => self.compute(Class::B16, "cvt.u16.u32", &[&low]),
                    Class::Pred => self.compute(Class::Pred, "setp.ne.s32", &[&low, "0"]),
                    Class::B32 | Class::B64 | Class::F64 => {
                        self.sign_extend(8 * cell.bytes as u32, &low)
                    }
                }
            }
        }
    }

    /// A register of 64 bits whose low bits are the part.
    fn as_bits(&mut self, part: &Part) -> String {
        let register = self.settle(part);
        match part.class {
            Class::B64 => register,
            Class::F64 => self.compute(Class::B64, "mov.b64", &[&register]),
            Class::Pred => self.compute(Class::B64, "selp.b64", &["1", "0", &register]),
            Class::B32 => self.compute(Class::B64, "cvt.u64.u32", &[&register]),
            Class::B16 => self.compute(Class::B64, "cvt.u64.u16", &[&register]),
            Class::F32 => {
                let low = self.compute(Class::B32, "mov.b32", &[&register]);
                self.compute(Class::B64, "cvt.u64.u32", &[&low])
            }
        }
    }

    /// Stores a scalar of type `ty`.
    pub(super) fn store_scalar(
        &mut self,
        to: &Address,
        ty: TypeHandle,
        parts: &[Part],
        align: u64,
        volatile: bool,
    ) -> Result<()> {
        let cells = cells(self.ctx, ty)?;
        let mut offset = 0;
        for (cell, part) in cells.iter().zip(parts) {
            if cell.bytes > align {
                let bits = self.as_bits(part);
                self.store_pieces(to, offset, cell.bytes, align, &bits);
            } else {
                let text = match part.class {
                    Class::Pred => self.predicate_as_integer(part),
                    _ => part.text.clone(),
                };
                let volatile = to.volatile(volatile);
                let at = self.memory_operand(to, offset);
                let kind = format!("st{volatile}{}", to.suffix());
                let cell = cell.stored();
                let opcode = format!("{kind}.{}", cell.access);
                self.code.emit(&opcode, &[&at, &text]);
                if volatile.is_empty() {
                    self.may_join(&kind, to, offset, &cell, &text);
                }
            }
            offset += cell.bytes;
        }
        Ok(())
    }

    pub(super) fn copy(&mut self, op: &Copy) -> Result<()> {
        let (to, from) = (op.get_operand_to(self.ctx), op.get_operand_from(self.ctx));
        let bytes = self.extent(self.pointee(to)?)?.size;
        let align = self.alignment(to)?.min(self.alignment(from)?);
        let (to, from) = (self.address(to)?, self.address(from)?);
        self.block_transfer(&to, Some(&from), bytes, align);
        Ok(())
    }

    pub(super) fn zero(&mut self, op: &Zero) -> Result<()> {
        let address = op.get_operand_address(self.ctx);
        let ty = self.pointee(address)?;
        if let Some(registers) = self.variable(address).cloned() {
            for register in &registers {
                let zero = match register.class {
                    Class::F32 => "0f00000000",
                    Class::F64 => "0d0000000000000000",
                    Class::Pred | Class::B16 | Class::B32 | Class::B64 => "0",
                };
                self.assign(
                    std::slice::from_ref(register),
                    &[Part::new(register.class, zero)],
                );
            }
            self.forget(address);
            return Ok(());
        }
        let bytes = self.extent(ty)?.size;
        let align = self.alignment(address)?;
        let to = self.address(address)?;
        self.block_transfer(&to, None, bytes, align);
        Ok(())
    }

    /// Copies bytes, or sets them to zero where there is no source.
    fn block_transfer(&mut self, to: &Address, from: Option<&Address>, bytes: u64, align: u64) {
        let word = align.clamp(1, 8);
        let in_loop = bytes / word;
        if in_loop <= UNROLLED {
            return self.transfer_words(to, from, bytes, word);
        }
        // A counter from the last word down; the rest, shorter than a word, after it.
        let (start, source) = (
            self.pointer(to, to.space),
            from.map(|f| self.pointer(f, f.space)),
        );
        let label = self.code.new_label();
        let at = self.mov(Class::B64, &start);
        let source_at = source.as_ref().map(|s| self.mov(Class::B64, s));
        let end = self.compute(
            Class::B64,
            "add.s64",
            &[&start, &(in_loop * word).to_string()],
        );
        self.code.label(&label);
        let source_here = from
            .zip(source_at.as_ref())
            .map(|(f, r)| Address::register(r.clone(), f.space));
        let here = Address::register(at.clone(), to.space);
        self.transfer_words(&here, source_here.as_ref(), word, word);
        self.code
            .write(&[&at], "add.s64", &[&at, &word.to_string()]);
        if let Some(source) = &source_at {
            self.code
                .write(&[source], "add.s64", &[source, &word.to_string()]);
        }
        let more = self.compute(Class::Pred, "setp.lt.u64", &[&at, &end]);
        self.code.branch_if(&more, &label);
        self.transfer_words(&here, source_here.as_ref(), bytes % word, word);
    }

    fn transfer_words(&mut self, to: &Address, from: Option<&Address>, bytes: u64, word: u64) {
        let mut moved = vec![];
        for (at, size) in pieces(0, bytes, word) {
            let text = match from {
                None => "0".to_string(),
                Some(from) => {
                    let place = self.memory_operand(from, at);
                    let kind = format!("ld{}{}", from.suffix(), from.constant());
                    let cell = Cell::of_bits(size);
                    let opcode = format!("{kind}.{}", cell.access);
                    let register = self.compute(Class::B64, &opcode, &[&place]);
                    self.may_join(&kind, from, at, &cell, &register);
                    register
                }
            };
            moved.push((at, size, text));
        }
        // All loads come before all stores: the objects may be the same one.
        for (at, size, text) in moved {
            let place = self.memory_operand(to, at);
            let kind = format!("st{}", to.suffix());
            let cell = Cell::of_bits(size);
            let opcode = format!("{kind}.{}", cell.access);
            self.code.emit(&opcode, &[&place, &text]);
            self.may_join(&kind, to, at, &cell, &text);
        }
    }
}

/// Bytes `offset..offset + bytes` as naturally aligned pieces: offset and size of each. The start of the object is
/// aligned to `align`.
fn pieces(offset: u64, bytes: u64, align: u64) -> Vec<(u64, u64)> {
    let (mut at, end) = (offset, offset + bytes);
    let mut found = vec![];
    while at < end {
        let mut size = align.clamp(1, 8);
        while at % size != 0 || at + size > end {
            size /= 2;
        }
        found.push((at, size));
        at += size;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn pieces_are_aligned_and_cover() {
        assert_eq!(pieces(0, 8, 8), [(0, 8)]);
        assert_eq!(pieces(0, 7, 8), [(0, 4), (4, 2), (6, 1)]);
        assert_eq!(pieces(1, 6, 4), [(1, 1), (2, 2), (4, 2), (6, 1)]);
        assert_eq!(pieces(2, 4, 1), [(2, 1), (3, 1), (4, 1), (5, 1)]);
        assert_eq!(pieces(3, 0, 4), []);
    }
}
