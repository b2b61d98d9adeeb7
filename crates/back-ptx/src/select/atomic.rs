//! Atomic accesses (OpenACC 3.4, section 2.12).
//!
//! | object | load, store | update |
//! | --- | --- | --- |
//! | 32 or 64 bits | `ld.volatile`, `st.volatile` | `atom` or `red`, where the hardware has the operator or the update is one `atom.cas`; else a loop around that |
//! | 8 or 16 bits | the same | a loop around `atom.cas` of the word that the object is in |
//! | more, or complex | plain accesses behind a lock | the same |
//! | in the thread's own memory | plain accesses | the same |
//!
//! ```text
//! L1: mov.b64 %fd2, %rd2;   …new value %fd3…   mov.b64 %rd3, %fd3;
//!     atom.global.cas.b64 %rd4, [%rd1], %rd2, %rd3;
//!     setp.ne.s64 %p1, %rd4, %rd2;   mov.b64 %rd2, %rd4;   @%p1 bra L1;
//! ```
//! The lock is one for the module. A thread that holds it runs to the end of the locked part while the other threads of
//! its warp wait behind that part, so that none of them can keep it from going on.

use super::{
    atomic_fetch::{Exchange, Fetch},
    function::Selector,
    operand::{Address, Base, Part},
    types::{Class, cells},
};
use crate::diagnostic::{Diagnostic, Result};
use accrue_dialects::core::{AddressSpace, AtomicLoad, AtomicStore, AtomicUpdate};
use pliron::{
    builtin::op_interfaces::{OneResultInterface, SingleBlockRegionInterface},
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// The lock of the module; 0 is free.
pub const LOCK: &str = ".global .align 4 .u32 accrue_atomic_lock = 0;\n";

/// How an object is accessed atomically.
enum Way {
    /// The thread is the only one that has it.
    Plain,
    /// In one instruction.
    Native,
    /// Inside a word of 32 bits.
    InWord {
        bits: u32,
    },
    Locked,
}

impl Selector<'_> {
    fn way(&self, address: &Address, ty: TypeHandle, align: u64) -> Result<Way> {
        if address.space == AddressSpace::Local {
            return Ok(Way::Plain);
        }
        Ok(match cells(self.ctx, ty)?.as_slice() {
            [one] if one.bytes > align => Way::Locked,
            [one] if one.bytes < 4 => Way::InWord {
                bits: 8 * one.bytes as u32,
            },
            [_] => Way::Native,
            _ => Way::Locked,
        })
    }

    pub(super) fn atomic_load(&mut self, op: &AtomicLoad) -> Result<()> {
        let (pointer, result) = (op.get_operand_address(self.ctx), op.get_result(self.ctx));
        let ty = result.get_type(self.ctx);
        let (from, align) = (self.address(pointer)?, self.alignment(pointer)?);
        let parts = match self.way(&from, ty, align)? {
            Way::Plain => self.load_scalar(&from, ty, align, false)?,
            Way::Native | Way::InWord { .. } => self.load_scalar(&from, ty, align, true)?,
            Way::Locked => {
                let registers = self.new_registers(ty)?;
                self.locked(|p| {
                    let parts = p.load_scalar(&from, ty, align, true)?;
                    p.assign(&registers, &parts);
                    Ok(())
                })?;
                registers
            }
        };
        self.bind_scalar(result, parts, AddressSpace::Generic);
        Ok(())
    }

    pub(super) fn atomic_store(&mut self, op: &AtomicStore) -> Result<()> {
        let (value, pointer) = (
            op.get_operand_value(self.ctx),
            op.get_operand_address(self.ctx),
        );
        let ty = value.get_type(self.ctx);
        let (to, align) = (self.address(pointer)?, self.alignment(pointer)?);
        let parts = self.generic_parts(value)?;
        match self.way(&to, ty, align)? {
            Way::Plain => self.store_scalar(&to, ty, &parts, align, false),
            Way::Native | Way::InWord { .. } => self.store_scalar(&to, ty, &parts, align, true),
            Way::Locked => self.locked(|p| p.store_scalar(&to, ty, &parts, align, true)),
        }
    }

    pub(super) fn atomic_update(&mut self, op: &AtomicUpdate) -> Result<()> {
        let pointer = op.get_operand_address(self.ctx);
        let ty = op.old(self.ctx).get_type(self.ctx);
        let (at, align) = (self.address(pointer)?, self.alignment(pointer)?);
        match self.way(&at, ty, align)? {
            Way::Plain => {
                let old = self.load_scalar(&at, ty, align, false)?;
                let new = self.new_value(op, &old)?;
                self.store_scalar(&at, ty, &new, align, false)?;
                self.bind_results(op, old, new);
            }
            Way::Native => match self.fetch(op)? {
                Some(fetch) => self.fetch_update(op, &at, &fetch)?,
                None => match self.exchange(op)? {
                    Some(exchange) => self.exchange_once(op, &at, &exchange)?,
                    None => self.exchange_loop(op, &at, ty)?,
                },
            },
            Way::InWord { bits } => self.word_loop(op, &at, ty, bits)?,
            Way::Locked => {
                let (old, new) = (self.new_registers(ty)?, self.new_registers(ty)?);
                self.locked(|p| {
                    let before = p.load_scalar(&at, ty, align, true)?;
                    p.assign(&old, &before);
                    let after = p.new_value(op, &before)?;
                    p.assign(&new, &after);
                    p.store_scalar(&at, ty, &new, align, true)
                })?;
                self.bind_results(op, old, new);
            }
        }
        Ok(())
    }

    fn bind_results(&mut self, op: &AtomicUpdate, old: Vec<Part>, new: Vec<Part>) {
        self.bind_scalar(op.old(self.ctx), old, AddressSpace::Generic);
        self.bind_scalar(op.new_value(self.ctx), new, AddressSpace::Generic);
    }

    /// What the region makes of `old`.
    fn new_value(&mut self, op: &AtomicUpdate, old: &[Part]) -> Result<Vec<Part>> {
        let body = op.get_body(self.ctx, 0);
        let argument = body.deref(self.ctx).get_argument(0);
        let yielded = self.yielded(op)?;
        self.bind_scalar(argument, old.to_vec(), AddressSpace::Generic);
        self.inside(|p| {
            p.block(body)?;
            p.generic_parts(yielded)
        })
    }

    pub(super) fn yielded(&self, op: &AtomicUpdate) -> Result<Value> {
        op.yielded(self.ctx)
            .ok_or_else(|| Diagnostic::error("an atomic update yields a value"))
    }

    /// One instruction reads and writes; the new value is computed once more from the old one if it is used.
    fn fetch_update(&mut self, op: &AtomicUpdate, at: &Address, fetch: &Fetch) -> Result<()> {
        let is_used = |v: Value| v.num_uses(self.ctx) > 0;
        let (old, new) = (op.old(self.ctx), op.new_value(self.ctx));
        let (old_used, new_used) = (is_used(old), is_used(new));
        let ty = old.get_type(self.ctx);
        let classes = super::types::classes(self.ctx, ty)?;
        let class = classes.first().copied().unwrap_or(Class::B64);
        let operand = self.fetch_operand(op, fetch)?;
        let place = self.memory_operand(at, 0);
        let operation = format!("{}.{}.{}", at.suffix(), fetch.operator, fetch.ty);
        if !old_used && !new_used && fetch.operator != "exch" {
            let opcode = format!("red{operation}");
            self.code.emit(&opcode, &[&place, &operand.text]);
            return Ok(());
        }
        // Exchanges are of bits.
        let as_bits = fetch.ty.starts_with('b');
        let bits = if as_bits {
            self.bits(&operand)
        } else {
            operand
        };
        let before = self.compute(
            bits.class,
            &format!("atom{operation}"),
            &[&place, &bits.text],
        );
        let before = self.reinterpreted(class, &before, bits.class);
        let before = vec![Part::new(class, before)];
        let after = match new_used {
            true => self.new_value(op, &before)?,
            false => before.clone(),
        };
        self.bind_results(op, before, after);
        Ok(())
    }

    /// One instruction compares and writes.
    fn exchange_once(
        &mut self,
        op: &AtomicUpdate,
        at: &Address,
        exchange: &Exchange,
    ) -> Result<()> {
        let [expected, wanted] = self.exchange_operands(op, exchange)?;
        let class = expected.class;
        let opcode = format!("atom{}.cas.{}", at.suffix(), exchange.ty);
        let place = self.memory_operand(at, 0);
        let before = self.compute(class, &opcode, &[&place, &expected.text, &wanted.text]);
        let before = vec![Part::new(class, before)];
        let after = match op.new_value(self.ctx).num_uses(self.ctx) > 0 {
            true => self.new_value(op, &before)?,
            false => before.clone(),
        };
        self.bind_results(op, before, after);
        Ok(())
    }

    /// A part as bits of the same size.
    fn bits(&mut self, part: &Part) -> Part {
        let class = match part.class {
            Class::F32 => Class::B32,
            Class::F64 => Class::B64,
            _ => return part.clone(),
        };
        let register = self.compute(class, &format!("mov.{}", class.name()), &[&part.text]);
        Part::new(class, register)
    }

    /// The register of class `class` with the bits in `from`.
    fn reinterpreted(&mut self, class: Class, from: &str, bits: Class) -> String {
        match class == bits {
            true => from.to_string(),
            false => self.compute(class, &format!("mov.{}", bits.name()), &[from]),
        }
    }

    /// Compares and swaps until nobody came in between.
    fn exchange_loop(&mut self, op: &AtomicUpdate, at: &Address, ty: TypeHandle) -> Result<()> {
        let cells = cells(self.ctx, ty)?;
        let cell = cells
            .first()
            .ok_or_else(|| Diagnostic::error("a scalar was expected"))?;
        let bits = match cell.bytes {
            4 => Class::B32,
            _ => Class::B64,
        };
        let (size, place) = (8 * cell.bytes, self.memory_operand(at, 0));
        let expected = self.compute(
            bits,
            &format!("ld.volatile{}.u{size}", at.suffix()),
            &[&place],
        );
        let again = self.code.new_label();
        self.code.label(&again);
        let old = self.code.register(bits);
        self.code
            .write(&[&old], &format!("mov.b{size}"), &[&expected]);
        let before = self.reinterpreted(cell.class, &old, bits);
        let before = vec![Part::new(cell.class, before)];
        let after = self.new_value(op, &before)?;
        let new = match after.as_slice() {
            [one] => self.bits(one),
            _ => return Err(Diagnostic::error("a scalar was expected")),
        };
        let found = self.compute(
            bits,
            &format!("atom{}.cas.b{size}", at.suffix()),
            &[&place, &old, &new.text],
        );
        let failed = self.compute(Class::Pred, &format!("setp.ne.s{size}"), &[&found, &old]);
        self.code
            .write(&[&expected], &format!("mov.b{size}"), &[&found]);
        self.code.branch_if(&failed, &again);
        self.bind_results(op, before, after);
        Ok(())
    }

    /// The same for an object of `bits` bits in an aligned word of 32.
    fn word_loop(
        &mut self,
        op: &AtomicUpdate,
        at: &Address,
        ty: TypeHandle,
        bits: u32,
    ) -> Result<()> {
        let cells = cells(self.ctx, ty)?;
        let class = cells.first().map_or(Class::B32, |c| c.class);
        let address = match at.base {
            Base::Null => self.mov(Class::B64, "0"),
            Base::Register(_) | Base::Symbol(_) => self.pointer(at, at.space),
        };
        let word = self.compute(Class::B64, "and.b64", &[&address, "-4"]);
        let low = self.compute(Class::B32, "cvt.u32.u64", &[&address]);
        let byte = self.compute(Class::B32, "and.b32", &[&low, "3"]);
        let shift = self.compute(Class::B32, "shl.b32", &[&byte, "3"]);
        let ones = ((1u32 << bits) - 1).to_string();
        let ones_register = self.mov(Class::B32, &ones);
        let mask = self.compute(Class::B32, "shl.b32", &[&ones_register, &shift]);
        let others = self.compute(Class::B32, "not.b32", &[&mask]);
        let suffix = at.suffix();
        let expected = self.compute(
            Class::B32,
            &format!("ld.volatile{suffix}.u32"),
            &[&format!("[{word}]")],
        );
        let again = self.code.new_label();
        self.code.label(&again);
        let old = self.mov(Class::B32, &expected);
        let moved = self.compute(Class::B32, "shr.u32", &[&old, &shift]);
        let before = match class {
            Class::Pred => {
                let byte = self.compute(Class::B32, "and.b32", &[&moved, &ones]);
                self.compute(Class::Pred, "setp.ne.s32", &[&byte, "0"])
            }
            Class::B16 => self.compute(Class::B16, "cvt.u16.u32", &[&moved]),
            _ => self.sign_extend(bits, &moved),
        };
        let before = vec![Part::new(class, before)];
        let after = self.new_value(op, &before)?;
        let new = match after.as_slice() {
            [one] => match class {
                Class::Pred => self.predicate_as_integer(one),
                Class::B16 => {
                    let register = self.settle(one);
                    self.compute(Class::B32, "cvt.u32.u16", &[&register])
                }
                _ => self.zero_extend(bits, &one.text),
            },
            _ => return Err(Diagnostic::error("a scalar was expected")),
        };
        let placed = self.compute(Class::B32, "shl.b32", &[&new, &shift]);
        let kept = self.compute(Class::B32, "and.b32", &[&old, &others]);
        let whole = self.compute(Class::B32, "or.b32", &[&kept, &placed]);
        let found = self.compute(
            Class::B32,
            &format!("atom{suffix}.cas.b32"),
            &[&format!("[{word}]"), &old, &whole],
        );
        let failed = self.compute(Class::Pred, "setp.ne.s32", &[&found, &old]);
        self.code.write(&[&expected], "mov.b32", &[&found]);
        self.code.branch_if(&failed, &again);
        self.bind_results(op, before, after);
        Ok(())
    }

    /// Prints `access` so that one thread of the device does it at a time.
    fn locked(&mut self, access: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let lock = self.lock();
        self.locked_with(&lock, access)
    }

    /// The lock of the module.
    pub(super) fn lock(&mut self) -> Address {
        self.needs.lock = true;
        Address::symbol("accrue_atomic_lock", AddressSpace::Global)
    }

    /// Prints `access` so that one thread at a time does it while it holds `lock`.
    pub(super) fn locked_with(
        &mut self,
        lock: &Address,
        access: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (word, suffix) = (self.memory_operand(lock, 0), lock.suffix());
        let fence = match lock.space {
            AddressSpace::Shared => "membar.cta",
            AddressSpace::Generic
            | AddressSpace::Global
            | AddressSpace::Local
            | AddressSpace::Constant => "membar.gl",
        };
        let (again, waiting) = (self.code.new_label(), self.code.new_label());
        let done = self.mov(Class::B32, "0");
        self.code.label(&again);
        let swap = format!("atom{suffix}.cas.b32");
        let holder = self.compute(Class::B32, &swap, &[&word, "0", "1"]);
        let busy = self.compute(Class::Pred, "setp.ne.s32", &[&holder, "0"]);
        self.code.branch_if(&busy, &waiting);
        self.code.emit(fence, &[]);
        self.inside(access)?;
        self.code.emit(fence, &[]);
        let release = format!("atom{suffix}.exch.b32");
        let _ = self.compute(Class::B32, &release, &[&word, "0"]);
        self.code.write(&[&done], "mov.b32", &["1"]);
        self.code.label(&waiting);
        let more = self.compute(Class::Pred, "setp.eq.s32", &[&done, "0"]);
        self.code.branch_if(&more, &again);
        Ok(())
    }
}
