//! The members of a reduced struct.
//!
//! The operator applies to each member by itself (OpenACC 3.4, section 2.5.15), so a struct is reduced as so many
//! scalars and arrays:
//!
//! ```text
//! struct { double sum; struct { int low, high; } range; } v;     reduction(+:v)
//! →  v.sum reduction (1,0)    v.range.low reduction (1,1)    v.range.high reduction (1,2)
//! ```

use accrue_dialects::core::elements;
use accrue_dialects::core::emit::Emitter;
use accrue_dialects::core::{
    Field, Member, RecordDef, RecordLayout, is_scalar, pointee_of, record_tag,
};
use accrue_ir::walk;
use pliron::{builtin::ops::ModuleOp, context::Context, op::Op, r#type::TypeHandle, value::Value};
use std::collections::HashMap;

/// The structs of a module.
pub struct Records(HashMap<String, (RecordLayout, Vec<Field>)>);

/// A scalar or array inside an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Fields and their types from the outside in; empty for the object itself.
    path: Vec<(u32, TypeHandle)>,
    pub ty: TypeHandle,
    /// Integers compare as signed.
    pub signed: bool,
}

impl Leaf {
    /// The object itself.
    pub fn whole(ty: TypeHandle, signed: bool) -> Self {
        Leaf {
            path: vec![],
            ty,
            signed,
        }
    }

    /// The address of this part of the object at `address`.
    pub fn address(&self, e: &mut Emitter, address: Value) -> Value {
        self.path.iter().fold(address, |record, (field, ty)| {
            let member = Member::new(e.ctx, record, *field, *ty);
            e.value(member)
        })
    }
}

impl Records {
    pub fn of_module(ctx: &Context, module: ModuleOp) -> Self {
        let records = walk::nested::<RecordDef>(ctx, module.get_operation());
        let named = records
            .into_iter()
            .map(|r| (r.tag(ctx), (r.layout(ctx), r.fields(ctx))));
        Records(named.collect())
    }

    /// The scalars and arrays of scalars that a struct consists of; `None` if it contains something else.
    pub fn leaves(&self, ctx: &Context, ty: TypeHandle) -> Option<Vec<Leaf>> {
        let (layout, fields) = self.0.get(&record_tag(ctx, ty)?)?;
        if layout.union_ {
            return None;
        }
        let mut leaves = vec![];
        for (index, field) in fields.iter().enumerate() {
            let step = (u32::try_from(index).ok()?, field.ty);
            if field.bits > 0 {
                return None;
            }
            if record_tag(ctx, field.ty).is_some() {
                for mut leaf in self.leaves(ctx, field.ty)? {
                    leaf.path.insert(0, step);
                    leaves.push(leaf);
                }
                continue;
            }
            let element = elements(ctx, field.ty).1;
            if !is_scalar(ctx, element) || pointee_of(ctx, element).is_some() {
                return None;
            }
            leaves.push(Leaf {
                path: vec![step],
                ty: field.ty,
                signed: field.signed,
            });
        }
        Some(leaves)
    }
}
