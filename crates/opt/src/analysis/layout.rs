//! Sizes of types, as the target of the host has them (LP64; `long double` of 16 bytes).

use accrue_dialects::core::{
    RecordDef, RecordLayout, array_parts, complex_part, float_width, int_width, pointee_of,
    record_tag,
};
use accrue_ir::walk;
use pliron::{builtin::ops::ModuleOp, context::Context, op::Op, r#type::TypeHandle};
use std::collections::HashMap;

/// The layouts of the module's records.
#[derive(Default)]
pub struct Layouts(HashMap<String, RecordLayout>);

impl Layouts {
    pub fn of_module(ctx: &Context, module: ModuleOp) -> Self {
        let records = walk::nested::<RecordDef>(ctx, module.get_operation());
        Layouts(
            records
                .into_iter()
                .map(|r| (r.tag(ctx), r.layout(ctx)))
                .collect(),
        )
    }

    /// Size in bytes; `None` when the type has none (`void`, a function, a record without definition).
    pub fn size_of(&self, ctx: &Context, ty: TypeHandle) -> Option<u64> {
        if let Some(width) = int_width(ctx, ty) {
            return Some(u64::from(width).div_ceil(8).next_power_of_two());
        }
        if let Some(width) = float_width(ctx, ty) {
            return Some((u64::from(width) / 8).next_power_of_two());
        }
        if let Some(part) = complex_part(ctx, ty) {
            return Some(2 * self.size_of(ctx, part)?);
        }
        if pointee_of(ctx, ty).is_some() {
            return Some(8);
        }
        if let Some((length, of)) = array_parts(ctx, ty) {
            return Some(length * self.size_of(ctx, of)?);
        }
        self.0.get(&record_tag(ctx, ty)?).map(|l| l.size)
    }
}
