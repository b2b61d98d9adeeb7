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
    Decay, Field, Member, RecordDef, RecordLayout, array_parts, is_scalar, pointee_of, record_tag,
};
use accrue_ir::walk;
use pliron::{builtin::ops::ModuleOp, context::Context, op::Op, r#type::TypeHandle, value::Value};
use std::collections::HashMap;

/// The structs of a module.
pub struct Records(HashMap<String, (RecordLayout, Vec<Field>)>);

/// A scalar or array inside an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// From the outside in; empty for the object itself.
    path: Vec<Step>,
    pub ty: TypeHandle,
    /// Integers compare as signed.
    pub signed: bool,
}

/// From an object to a part of it, of this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Field(u32, TypeHandle),
    Element(u64),
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

    /// The same part, of an object that `step` leads to.
    fn behind(mut self, step: Step) -> Self {
        self.path.insert(0, step);
        self
    }

    /// The address of this part of the object at `address`.
    pub fn address(&self, e: &mut Emitter, address: Value) -> Value {
        self.path.iter().fold(address, |at, step| match step {
            Step::Field(field, ty) => {
                let member = Member::new(e.ctx, at, *field, *ty);
                e.value(member)
            }
            Step::Element(index) => match Decay::new(e.ctx, at) {
                Some(decay) => {
                    let first = e.value(decay);
                    let index = e.i64(i128::from(*index));
                    e.ptr_add(first, index)
                }
                None => at,
            },
        })
    }
}

impl Records {
    pub fn of_module(ctx: &Context, module: ModuleOp) -> Self {
        let records = walk::directly_in::<RecordDef>(ctx, module.get_operation());
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
            let step = Step::Field(u32::try_from(index).ok()?, field.ty);
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

    /// The numbers that an object consists of, arrays taken apart; `None` if it contains something else, or more than `most`.
    pub fn numbers(&self, ctx: &Context, ty: TypeHandle, most: usize) -> Option<Vec<Leaf>> {
        let parts: Vec<Leaf> = match (array_parts(ctx, ty), record_tag(ctx, ty)) {
            (Some((length, of)), _) => {
                let inner = self.numbers(ctx, of, most)?;
                let whole = usize::try_from(length).ok()?.checked_mul(inner.len())?;
                if whole > most {
                    return None;
                }
                let one = |index| {
                    let step = Step::Element(index);
                    inner.iter().cloned().map(move |leaf| leaf.behind(step))
                };
                (0..length).flat_map(one).collect()
            }
            (None, Some(_)) => {
                let mut parts = vec![];
                for leaf in self.fields_of(ctx, ty)? {
                    let (ty, steps) = (leaf.ty, leaf.path);
                    let inner = self.numbers(ctx, ty, most)?;
                    let behind = |part: Leaf| steps.iter().rev().fold(part, |p, s| p.behind(*s));
                    parts.extend(inner.into_iter().map(behind));
                }
                parts
            }
            (None, None) => {
                let is_number = is_scalar(ctx, ty) && pointee_of(ctx, ty).is_none();
                vec![Leaf::whole(ty, true)]
                    .into_iter()
                    .filter(|_| is_number)
                    .collect()
            }
        };
        (!parts.is_empty() && parts.len() <= most).then_some(parts)
    }

    /// The fields of a struct, whatever they are.
    fn fields_of(&self, ctx: &Context, ty: TypeHandle) -> Option<Vec<Leaf>> {
        let (layout, fields) = self.0.get(&record_tag(ctx, ty)?)?;
        if layout.union_ || fields.iter().any(|field| field.bits > 0) {
            return None;
        }
        let fields = fields.iter().zip(0..);
        let leaf = |(field, index): (&Field, u32)| {
            let step = Step::Field(index, field.ty);
            Leaf::whole(field.ty, field.signed).behind(step)
        };
        Some(fields.map(leaf).collect())
    }
}
