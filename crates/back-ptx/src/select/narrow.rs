//! Narrow integers between memory and wider ones.
//!
//! In registers, integers of 8 and 16 bits are extended by their signs. Programs mostly load them to extend them by zeros, and
//! cut wider ones to store them. A load extends as it is told to, and a store takes the low bits:
//!
//! ```text
//! ld.global.s8 %a, [%p]                 ld.global.u8 %a, [%p]
//! and.b32 %b, %a, 255             →
//! …                                     …
//! cvt.s32.s8 %d, %c
//! st.global.u8 [%p], %d                 st.global.u8 [%p], %c
//! ```

use super::function::Selector;
use crate::diagnostic::Result;
use accrue_dialects::core::{Cast, CastKind, Load, Store, int_width};
use pliron::{operation::Operation, r#type::Typed, value::Value};

impl Selector<'_> {
    /// The bits of an integer that its register has to be extended from.
    pub(super) fn width_in_register(&self, value: Value) -> Result<u32> {
        match self.is_loaded_with_zeros(value) {
            true => Ok(32),
            false => self.width(value),
        }
    }

    /// Whether an integer is loaded from memory by one instruction, and extended by zeros wherever it is used.
    pub(super) fn is_loaded_with_zeros(&self, value: Value) -> bool {
        let bytes = match int_width(self.ctx, value.get_type(self.ctx)) {
            Some(8) => 1,
            Some(16) => 2,
            _ => return false,
        };
        let op = value.defining_op();
        let Some(load) = op.and_then(|op| Operation::get_op::<Load>(op, self.ctx)) else {
            return false;
        };
        let address = load.get_operand_address(self.ctx);
        let in_memory = self.variable(address).is_none()
            && self
                .alignment(address)
                .is_ok_and(|alignment| alignment >= bytes);
        let mut uses = value.uses(self.ctx).into_iter();
        in_memory
            && uses.all(|using| {
                let cast = Operation::get_op::<Cast>(using.user_op(), self.ctx);
                cast.is_some_and(|cast| match cast.kind(self.ctx) {
                    CastKind::ZExt | CastKind::UToF => true,
                    CastKind::Trunc
                    | CastKind::SExt
                    | CastKind::SToF
                    | CastKind::FToS
                    | CastKind::FToU
                    | CastKind::FCast
                    | CastKind::IntToPtr
                    | CastKind::PtrToInt
                    | CastKind::PtrCast
                    | CastKind::ToBool
                    | CastKind::RealToComplex
                    | CastKind::ComplexCast => false,
                })
            })
    }

    /// Whether all that is done with an integer is to store it in memory.
    pub(super) fn is_only_stored(&self, value: Value) -> bool {
        let uses = value.uses(self.ctx);
        !uses.is_empty()
            && uses.into_iter().all(|using| {
                let store = Operation::get_op::<Store>(using.user_op(), self.ctx);
                store.is_some_and(|store| {
                    self.variable(store.get_operand_address(self.ctx)).is_none()
                })
            })
    }
}
