//! Size and alignment of types, as the front end's attribute of the module says ([`DataLayout`]).
//!
//! GPUs use the host's layout: objects are copied between the two byte by byte. Of the CPU, the slot of a kernel's gang
//! reductions is laid out here, and the printer of records compares a `core.record_def` with the natural layout to see
//! whether plain C fields give the same one; what is computed here is checked again in the C text by `_Static_assert`.

use super::{
    DataLayout, Field, RecordDef, RecordLayout, array_parts, complex_part, float_width, int_width,
    pointee_of, record_tag,
};
use accrue_ir::walk::directly_in;
use pliron::{builtin::ops::ModuleOp, context::Context, op::Op, r#type::TypeHandle};
use std::collections::HashMap;

/// A record as its definition describes it.
#[derive(Clone, Debug)]
pub struct Record {
    pub layout: RecordLayout,
    pub fields: Vec<Field>,
    /// Place among the definitions of the module.
    pub order: usize,
}

/// How a module's types are laid out: the record definitions by tag, and what holds for all others.
#[derive(Clone, Debug, Default)]
pub struct Records {
    defined: HashMap<String, Record>,
    pub data: DataLayout,
}

impl Records {
    /// The definition of the record with this tag.
    pub fn get(&self, tag: &str) -> Option<&Record> {
        self.defined.get(tag)
    }

    /// All definitions, in any order.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &Record)> {
        self.defined.iter()
    }
}

/// The layouts of `module`.
pub fn records(ctx: &Context, module: ModuleOp) -> Records {
    let defs = directly_in::<RecordDef>(ctx, module.get_operation());
    let entry = |(order, def): (usize, RecordDef)| {
        (
            def.tag(ctx),
            Record {
                layout: def.layout(ctx),
                fields: def.fields(ctx),
                order,
            },
        )
    };
    Records {
        defined: defs.into_iter().enumerate().map(entry).collect(),
        data: DataLayout::of_module(ctx, module.get_operation()),
    }
}

/// Size and alignment of a type in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub size: u64,
    pub align: u64,
}

/// Size and alignment of objects of type `ty`; `None` for types without objects and records without definition.
pub fn extent(ctx: &Context, records: &Records, ty: TypeHandle) -> Option<Extent> {
    let data = records.data;
    let scalar = |size| {
        let align = data.scalar_align(size);
        Some(Extent { size, align })
    };
    if let Some(width) = int_width(ctx, ty) {
        return scalar(u64::from(width).div_ceil(8));
    }
    if let Some(width) = float_width(ctx, ty) {
        return scalar(match width {
            80 => data.extended_bytes,
            _ => u64::from(width) / 8,
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
        return scalar(data.pointer_bytes);
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

/// Size in bytes of objects of type `ty`, as [`extent`].
pub fn size_of(ctx: &Context, records: &Records, ty: TypeHandle) -> Option<u64> {
    extent(ctx, records, ty).map(|extent| extent.size)
}

/// The layout that plain C fields of these types and bit widths get: the bit offset of each field, then size and
/// alignment of the whole.
pub fn natural(
    ctx: &Context,
    records: &Records,
    fields: &[Field],
    union_: bool,
) -> Option<(Vec<u64>, Extent)> {
    let (mut at, mut end, mut align) = (0, 0, 1);
    let mut offsets = vec![];
    for field in fields {
        let unit = extent(ctx, records, field.ty)?;
        align = align.max(unit.align);
        let bits = if field.bits > 0 {
            u64::from(field.bits)
        } else {
            8 * unit.size
        };
        if union_ {
            at = 0;
        } else if field.bits == 0 {
            at = u64::next_multiple_of(at, 8 * unit.align);
        } else if at / (8 * unit.size) != (at + bits - 1) / (8 * unit.size) {
            at = u64::next_multiple_of(at, 8 * unit.size);
        }
        offsets.push(at);
        at += bits;
        end = end.max(at);
    }
    let size = end.div_ceil(8).next_multiple_of(align);
    Some((offsets, Extent { size, align }))
}
