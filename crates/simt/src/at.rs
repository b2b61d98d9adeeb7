//! What emitting operations for a GPU needs beside [`Emitter`]: quantities and pointers with address spaces.

use crate::dialect::{Quantity, Query, in_space};
pub use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::{AddressSpace, BinKind, Cast, CastKind, CmpKind, PointerType, int};
use pliron::{
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// Emitting for a GPU.
pub trait GpuAt {
    /// A quantity as it is, `i32`.
    fn query(&mut self, quantity: Quantity) -> Value;

    /// A quantity, zero-extended to `i64`.
    fn query_wide(&mut self, quantity: Quantity) -> Value;

    /// This thread's number among those of its worker, or of its block, and how many they are, as `i64`.
    fn threads(&mut self, of_block: bool) -> (Value, Value);

    /// Whether an quantity is 0.
    fn is_zero(&mut self, quantity: Quantity) -> Value;

    /// `address` as a pointer to `to` in the same address space.
    fn pointer_to(&mut self, address: Value, to: TypeHandle) -> Value;
}

impl GpuAt for Emitter<'_> {
    fn query(&mut self, quantity: Quantity) -> Value {
        self.make(|c| Query::new(c, quantity))
    }

    fn query_wide(&mut self, quantity: Quantity) -> Value {
        let narrow = self.query(quantity);
        let wide = int(self.ctx, 64);
        self.make(|c| Cast::new(c, CastKind::ZExt, narrow, wide))
    }

    fn threads(&mut self, of_block: bool) -> (Value, Value) {
        let lane = self.query_wide(Quantity::Lane);
        let lanes = self.query_wide(Quantity::Lanes);
        if !of_block {
            return (lane, lanes);
        }
        let worker = self.query_wide(Quantity::Worker);
        let workers = self.query_wide(Quantity::Workers);
        let before = self.bin(BinKind::Mul, worker, lanes);
        (
            self.bin(BinKind::Add, before, lane),
            self.bin(BinKind::Mul, lanes, workers),
        )
    }

    fn is_zero(&mut self, quantity: Quantity) -> Value {
        let value = self.query(quantity);
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
            false => self.make(|c| Cast::new(c, CastKind::PtrCast, address, wanted)),
        }
    }
}
