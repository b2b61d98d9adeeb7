//! `atom` and `red`: one lane after the other, each in one step for all host threads.

use super::{
    Failed, Worker,
    access::{Request, Target},
    call::lanes,
    checks::{Checked, Shared},
    fail,
    races::Kind,
    warp::{Frame, Warp},
};
use crate::{
    FaultKind,
    alu::{Src, ZERO_ROW, float::flush},
    ast::Ty,
    program::{Atomic, AtomicOp, AtomicWide},
    soft::{self, BF16, F16, F64, Format, Round},
};

impl Worker<'_> {
    pub fn atomic(
        &mut self,
        warp: &mut Warp,
        shared: &mut Shared,
        x: &Atomic,
        frame: &Frame,
        active: u32,
    ) -> Result<(), Failed> {
        warp.strong += 1;
        let addresses = self.addresses(warp, x.address, x.frame, x.offset, frame);
        let size = x.ty.bytes();
        let request = Request {
            space: x.space,
            bytes: size,
            write: true,
            atomic: true,
            slot: x.slot,
        };
        let (b, c) = (*warp.registers.src(x.b), *warp.registers.src(x.c));
        let mut out = ZERO_ROW;
        let mut left = active;
        while left != 0 {
            let (here, target) = self.resolve(warp, &request, &addresses, left, frame)?;
            left &= !here;
            if self.checking {
                let checked = Checked {
                    request: &request,
                    target: &target,
                    addresses: &addresses,
                    lanes: here,
                    element: size,
                    kind: Kind::StrongWrite,
                    values: None,
                    reads: x.op != AtomicOp::Exchange,
                    load: None,
                };
                self.check_access(warp, shared, &checked, frame)?;
            }
            let global = matches!(target, Target::Allocation(..));
            for lane in lanes(here) {
                let change = |old: u64| apply(x.op, x.ty, old, b[lane], c[lane], global);
                out[lane] = match &target {
                    Target::Allocation(allocation, offsets) => {
                        allocation.data.update(offsets[lane], size, change)
                    }
                    Target::Shared(offsets) => {
                        update(&mut shared.bytes, offsets[lane] as usize, size, change)
                    }
                    Target::Local(offsets) => {
                        let at = lane * warp.stride as usize + offsets[lane] as usize;
                        update(&mut warp.local, at, size, change)
                    }
                    Target::Param(_) => {
                        let report = self.report(&request, addresses[lane], lane);
                        return fail(FaultKind::ReadOnly(report), Some(lane as u32));
                    }
                };
            }
        }
        warp.registers.put(x.d, active, &out);
        Ok(())
    }
}

impl Worker<'_> {
    /// With 128 bits: two halves that other 128-bit atomics see change at once.
    pub fn atomic_wide(
        &mut self,
        warp: &mut Warp,
        shared: &mut Shared,
        x: &AtomicWide,
        frame: &Frame,
        active: u32,
    ) -> Result<(), Failed> {
        warp.strong += 1;
        let at = &x.at;
        let addresses = self.addresses(warp, at.address, at.frame, at.offset, frame);
        let request = Request {
            space: at.space,
            bytes: 16,
            write: true,
            atomic: true,
            slot: at.slot,
        };
        let row = |halves: [Src; 2], lane: usize| {
            let [low, high] = halves.map(|half| warp.registers.src(half)[lane]);
            u128::from(high) << 64 | u128::from(low)
        };
        let operands: [(u128, u128); 32] = std::array::from_fn(|l| (row(x.b, l), row(x.c, l)));
        let mut out = [ZERO_ROW; 2];
        let mut left = active;
        while left != 0 {
            let (here, target) = self.resolve(warp, &request, &addresses, left, frame)?;
            left &= !here;
            if self.checking {
                let checked = Checked {
                    request: &request,
                    target: &target,
                    addresses: &addresses,
                    lanes: here,
                    element: 8,
                    kind: Kind::StrongWrite,
                    values: None,
                    reads: x.compares,
                    load: None,
                };
                self.check_access(warp, shared, &checked, frame)?;
            }
            for lane in lanes(here) {
                let (b, c) = operands[lane];
                let change = |old: u128| match x.compares {
                    false => b,
                    true if old == b => c,
                    true => old,
                };
                let old = match &target {
                    Target::Allocation(allocation, offsets) => {
                        allocation.data.update_wide(offsets[lane], change)
                    }
                    Target::Shared(offsets) => {
                        let start = offsets[lane] as usize;
                        let bytes = &mut shared.bytes[start..start + 16];
                        let mut old = [0; 16];
                        old.copy_from_slice(bytes);
                        let old = u128::from_le_bytes(old);
                        bytes.copy_from_slice(&change(old).to_le_bytes());
                        old
                    }
                    Target::Local(_) | Target::Param(_) => {
                        let report = self.report(&request, addresses[lane], lane);
                        return fail(FaultKind::ReadOnly(report), Some(lane as u32));
                    }
                };
                (out[0][lane], out[1][lane]) = (old as u64, (old >> 64) as u64);
            }
        }
        for (d, out) in x.d.iter().zip(&out) {
            warp.registers.put(*d, active, out);
        }
        Ok(())
    }
}

/// Memory that only this host thread sees.
fn update(memory: &mut [u8], at: usize, size: u32, f: impl Fn(u64) -> u64) -> u64 {
    let bytes = &mut memory[at..at + size as usize];
    let mut old = [0; 8];
    old[..bytes.len()].copy_from_slice(bytes);
    let old = u64::from_le_bytes(old);
    bytes.copy_from_slice(&f(old).to_le_bytes()[..size as usize]);
    old
}

/// `global` is whether the place is in global memory.
fn apply(op: AtomicOp, ty: Ty, old: u64, b: u64, c: u64, global: bool) -> u64 {
    let mask = if ty.bits() >= 64 {
        u64::MAX
    } else {
        (1 << ty.bits()) - 1
    };
    let signed = |x: u64| {
        if ty.bits() == 32 {
            i64::from(x as i32)
        } else {
            x as i64
        }
    };
    let b = b & mask;
    let new = match op {
        AtomicOp::Add => add(ty, old, b, global),
        AtomicOp::Min if ty.signed() => {
            if signed(b) < signed(old) {
                b
            } else {
                old
            }
        }
        AtomicOp::Max if ty.signed() => {
            if signed(b) > signed(old) {
                b
            } else {
                old
            }
        }
        AtomicOp::Min => old.min(b),
        AtomicOp::Max => old.max(b),
        AtomicOp::And => old & b,
        AtomicOp::Or => old | b,
        AtomicOp::Xor => old ^ b,
        AtomicOp::Exchange => b,
        AtomicOp::CompareAndSwap => {
            if old == b {
                c
            } else {
                old
            }
        }
        AtomicOp::Increment => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Decrement => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
    };
    new & mask
}

/// `a` is what the memory holds. Global memory does sums itself: it flushes subnormal numbers of single precision (the ISA
/// says so), and passes on a NaN of double precision as it is, `b` first (as measured on an H200). In shared memory, the sum
/// is an instruction like others, `b + a`.
fn add(ty: Ty, a: u64, b: u64, global: bool) -> u64 {
    let half =
        |a: u64, b: u64, format: Format| soft::add(a & 0xffff, b & 0xffff, format, Round::Near);
    match ty {
        Ty::F32 => {
            let flush = |x: f32| if global { flush(x) } else { x };
            let [a, b] = [a, b].map(|x| flush(f32::from_bits(x as u32)));
            let sum = flush(a + b);
            u64::from(if sum.is_nan() {
                0x7fff_ffff
            } else {
                sum.to_bits()
            })
        }
        Ty::F64 => {
            let sum = (f64::from_bits(b) + f64::from_bits(a)).to_bits();
            let nan = [b, a].into_iter().find(|x| soft::is_nan(*x, F64));
            match nan {
                Some(nan) if global => nan,
                None if !soft::is_nan(sum, F64) => sum,
                Some(_) | None => soft::add(b, a, F64, Round::Near),
            }
        }
        Ty::F16 => half(a, b, F16),
        Ty::Bf16 => half(a, b, BF16),
        Ty::F16x2 => half(a, b, F16) | half(a >> 16, b >> 16, F16) << 16,
        Ty::Bf16x2 => half(a, b, BF16) | half(a >> 16, b >> 16, BF16) << 16,
        _ => a.wrapping_add(b),
    }
}
