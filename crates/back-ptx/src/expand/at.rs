//! What emitting operations for a GPU needs beside [`At`]: special registers and pointers with address spaces.

use crate::dialect::{Register, Special, in_space};
pub use accrue_back::at::At;
use accrue_dialects::core::{AddressSpace, BinKind, Cast, CastKind, CmpKind, PointerType, int};
use pliron::{
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// Emitting for a GPU.
pub trait GpuAt {
    /// A special register as it is, `i32`.
    fn special(&mut self, register: Register) -> Value;

    /// A special register, zero-extended to `i64`.
    fn special_wide(&mut self, register: Register) -> Value;

    /// This thread's number among those of its worker, or of its block, and how many they are, as `i64`.
    fn threads(&mut self, of_block: bool) -> (Value, Value);

    /// Whether an `i32` special register is 0.
    fn is_zero(&mut self, register: Register) -> Value;

    /// `address` as a pointer to `to` in the same address space.
    fn pointer_to(&mut self, address: Value, to: TypeHandle) -> Value;
}

impl GpuAt for At<'_> {
    fn special(&mut self, register: Register) -> Value {
        self.value(|c| Special::new(c, register))
    }

    fn special_wide(&mut self, register: Register) -> Value {
        let narrow = self.special(register);
        let wide = int(self.ctx, 64);
        self.value(|c| Cast::new(c, CastKind::ZExt, narrow, wide))
    }

    fn threads(&mut self, of_block: bool) -> (Value, Value) {
        let lane = self.special_wide(Register::TidX);
        let lanes = self.special_wide(Register::NtidX);
        if !of_block {
            return (lane, lanes);
        }
        let worker = self.special_wide(Register::TidY);
        let workers = self.special_wide(Register::NtidY);
        let before = self.bin(BinKind::Mul, worker, lanes);
        (
            self.bin(BinKind::Add, before, lane),
            self.bin(BinKind::Mul, lanes, workers),
        )
    }

    fn is_zero(&mut self, register: Register) -> Value {
        let value = self.special(register);
        let zero = self.i32(0);
        self.cmp(CmpKind::Eq, value, zero)
    }

    fn pointer_to(&mut self, address: Value, to: TypeHandle) -> Value {
        let ty = address.get_type(self.ctx);
        let space = ty
            .deref(self.ctx)
            .downcast_ref::<PointerType>()
            .map(|p| p.space);
        let space = space.unwrap_or(AddressSpace::Generic);
        let wanted = in_space(self.ctx, to, space);
        match ty == wanted {
            true => address,
            false => self.value(|c| Cast::new(c, CastKind::PtrCast, address, wanted)),
        }
    }
}
