//! Size and alignment of types. The device uses the host's layout (LP64, System V x86-64 and AArch64): objects are copied
//! between the two byte by byte.

use accrue_dialects::core::{
    Field, RecordDef, RecordLayout, array_parts, complex_part, float_width, int_width, pointee_of,
    record_tag,
};
use accrue_ir::walk::nested;
use pliron::{builtin::ops::ModuleOp, context::Context, op::Op, r#type::TypeHandle};
use std::collections::HashMap;

/// A record as its definition describes it.
#[derive(Clone, Debug)]
pub struct Record {
    pub layout: RecordLayout,
    pub fields: Vec<Field>,
}

/// The record definitions of a module by tag.
pub type Records = HashMap<String, Record>;

/// All record definitions of `module`.
pub fn records(ctx: &Context, module: ModuleOp) -> Records {
    let defs = nested::<RecordDef>(ctx, module.get_operation());
    let entry = |def: RecordDef| {
        let (layout, fields) = (def.layout(ctx), def.fields(ctx));
        (def.tag(ctx), Record { layout, fields })
    };
    defs.into_iter().map(entry).collect()
}

/// Size and alignment of a type in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub size: u64,
    pub align: u64,
}

/// Size and alignment of objects of type `ty`; `None` for types without objects and records without definition.
pub fn extent(ctx: &Context, records: &Records, ty: TypeHandle) -> Option<Extent> {
    let square = |size| Some(Extent { size, align: size });
    if let Some(width) = int_width(ctx, ty) {
        return square(u64::from(width).div_ceil(8));
    }
    if let Some(width) = float_width(ctx, ty) {
        return square(if width == 80 {
            16
        } else {
            u64::from(width) / 8
        });
    }
    if let Some(part) = complex_part(ctx, ty) {
        let part = extent(ctx, records, part)?;
        return Some(Extent {
            size: 2 * part.size,
            align: part.align,
        });
    }
    if pointee_of(ctx, ty).is_some() {
        return square(8);
    }
    if let Some((length, of)) = array_parts(ctx, ty) {
        let of = extent(ctx, records, of)?;
        return Some(Extent {
            size: length.checked_mul(of.size)?,
            align: of.align,
        });
    }
    let record = records.get(&record_tag(ctx, ty)?)?;
    Some(Extent {
        size: record.layout.size,
        align: record.layout.align.max(1),
    })
}
