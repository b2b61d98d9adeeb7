//! Structs whose fields are objects of their own.

use accrue_dialects::core::{RecordDef, float_width, int_width, record_tag};
use accrue_ir::walk;
use pliron::{builtin::ops::ModuleOp, context::Context, op::Op, r#type::TypeHandle};
use std::collections::HashMap;

/// What is known of the module's structs; `None` for unions and structs with bit-fields.
pub struct Records(HashMap<String, Option<Fields>>);

struct Fields {
    types: Vec<TypeHandle>,
    /// They are numbers of one type, and lie as in an array.
    are_elements: bool,
}

/// A member of a variable, perhaps in structs in it.
#[derive(Clone)]
pub struct Leaf {
    /// The fields that lead to it from the outside in.
    pub fields: Vec<u32>,
    pub ty: TypeHandle,
}

impl Records {
    pub fn of_module(ctx: &Context, module: ModuleOp) -> Self {
        let defined = walk::directly_in::<RecordDef>(ctx, module.get_operation());
        let fields = |record: &RecordDef| {
            let fields = record.fields(ctx);
            let plain = !record.layout(ctx).union_ && fields.iter().all(|f| f.bits == 0);
            plain.then(|| Fields {
                types: fields.iter().map(|f| f.ty).collect(),
                are_elements: are_elements(ctx, record),
            })
        };
        Records(defined.iter().map(|r| (r.tag(ctx), fields(r))).collect())
    }

    /// The members of an object of type `ty` that are no structs, with the fields that lead to each. `None` where members
    /// cannot be told apart, or there are more than `most`.
    pub fn leaves(&self, ctx: &Context, ty: TypeHandle, most: usize) -> Option<Vec<Leaf>> {
        let mut leaves = vec![];
        let mut pending = vec![Leaf { fields: vec![], ty }];
        while let Some(Leaf { fields, ty }) = pending.pop() {
            if record_tag(ctx, ty).is_none() {
                leaves.push(Leaf { fields, ty });
                continue;
            }
            let inner = self.fields_of(ctx, ty)?.iter().zip(0..);
            pending.extend(inner.map(|(ty, field)| Leaf {
                fields: fields.iter().copied().chain([field]).collect(),
                ty: *ty,
            }));
            if leaves.len() + pending.len() > most {
                return None;
            }
        }
        Some(leaves)
    }

    /// The types of the fields of `ty`, if that is such a struct.
    pub fn fields_of(&self, ctx: &Context, ty: TypeHandle) -> Option<&[TypeHandle]> {
        Some(&self.0.get(&record_tag(ctx, ty)?)?.as_ref()?.types)
    }

    /// The fields of `ty` as those of an array, how many and of which type, if it is a struct of numbers of one type without gaps:
    /// programs take a point of three coordinates for an array of three.
    pub fn elements_of(&self, ctx: &Context, ty: TypeHandle) -> Option<(u64, TypeHandle)> {
        let fields = self.0.get(&record_tag(ctx, ty)?)?.as_ref()?;
        let first = fields.types.first().filter(|_| fields.are_elements)?;
        Some((fields.types.len() as u64, *first))
    }
}

/// Whether the fields are numbers of one type that lie next to each other.
fn are_elements(ctx: &Context, record: &RecordDef) -> bool {
    let fields = record.fields(ctx);
    let Some(ty) = fields.first().map(|field| field.ty) else {
        return false;
    };
    let Some(bytes) = bytes_of(ctx, ty) else {
        return false;
    };
    let mut places = fields.iter().zip(0..);
    places.all(|(field, number)| field.ty == ty && field.offset == number * bytes)
        && record.layout(ctx).size == fields.len() as u64 * bytes
}

/// Size of a number.
pub fn bytes_of(ctx: &Context, ty: TypeHandle) -> Option<u64> {
    let bits = int_width(ctx, ty).or_else(|| float_width(ctx, ty))?;
    matches!(bits, 8 | 16 | 32 | 64).then(|| u64::from(bits / 8))
}
