//! Structs whose fields are objects of their own.

use accrue_dialects::core::{RecordDef, record_tag};
use accrue_ir::walk;
use pliron::{builtin::ops::ModuleOp, context::Context, op::Op, r#type::TypeHandle};
use std::collections::HashMap;

/// The types of the fields of the module's structs; `None` for unions and structs with bit-fields.
pub struct Records(HashMap<String, Option<Vec<TypeHandle>>>);

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
            plain.then(|| fields.iter().map(|f| f.ty).collect())
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
        self.0.get(&record_tag(ctx, ty)?)?.as_deref()
    }
}
