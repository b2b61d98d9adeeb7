//! Record definitions.
//!
//! Fields that C lays out by itself where the definition says are printed plainly. Everything else (packed records,
//! over-aligned fields, gaps from bit-fields without name) becomes a packed record with its gaps written out:
//! ```text
//! struct __attribute__((packed, aligned(4))) s { signed char a; char gap_1[1]; int b; };
//! ```
//! Either way the compiler checks size and offsets against the definition.

use super::{
    dialect::{Dialect, Scalar},
    names::{Names, identifier},
    types::Types,
};
use crate::layout::{Record, Records, natural};
use accrue_abi::symbols::shown;
use accrue_dialects::core::{Field, array_parts, int_width, record_tag};
use pliron::{context::Context, r#type::TypeHandle};
use std::{
    collections::{BTreeSet, HashMap},
    fmt::Write,
};

/// What the records and their fields are called in C.
#[derive(Clone, Debug, Default)]
pub struct RecordNames {
    records: HashMap<String, (String, Vec<String>)>,
}

impl RecordNames {
    /// Gives every record a tag and every field a name, unique in its space.
    pub fn new(dialect: &dyn Dialect, records: &Records) -> Self {
        let reserved = || dialect.reserved().iter().copied();
        let mut tags = Names::new(reserved());
        let mut all: Vec<_> = records.iter().collect();
        all.sort_by_key(|(_, r)| r.order);
        let name = |(tag, record): (&String, &Record)| {
            let keyword = if record.layout.union_ {
                "union"
            } else {
                "struct"
            };
            let plain = tag
                .trim_start_matches("struct ")
                .trim_start_matches("union ");
            let mut fields = Names::new(reserved());
            let base = |(i, f): (usize, &Field)| match f.name.as_str() {
                "" => fields.fresh(&format!("member_{i}")),
                name => fields.fresh(name),
            };
            let fields = record.fields.iter().enumerate().map(base).collect();
            (
                tag.clone(),
                (
                    format!("{keyword} {}", tags.fresh(&identifier(&shown(plain)))),
                    fields,
                ),
            )
        };
        RecordNames {
            records: all.into_iter().map(name).collect(),
        }
    }

    /// `struct` or `union` and the tag.
    pub fn c_name(&self, tag: &str) -> Option<String> {
        self.records.get(tag).map(|(name, _)| name.clone())
    }

    /// Name of the field with that index.
    pub fn field(&self, tag: &str, index: u32) -> Option<&str> {
        let (_, fields) = self.records.get(tag)?;
        fields.get(index as usize).map(String::as_str)
    }
}

/// The definitions of `needed` and of all records inside them, each before the ones that contain it.
pub fn definitions(
    types: Types,
    records: &Records,
    needed: &BTreeSet<String>,
) -> Result<String, String> {
    let mut order = vec![];
    for tag in needed {
        visit(types.ctx, records, tag, &mut order);
    }
    let mut text = String::new();
    for tag in &order {
        let Some(name) = types.records.c_name(tag) else {
            continue;
        };
        let _ = writeln!(text, "{name};");
    }
    for tag in &order {
        let Some(record) = records.get(tag) else {
            continue;
        };
        text.push_str(&definition(types, records, tag, record)?);
    }
    Ok(text)
}

/// Appends `tag` to `order`, after the records its fields contain.
fn visit(ctx: &Context, records: &Records, tag: &str, order: &mut Vec<String>) {
    let Some(record) = records.get(tag) else {
        return;
    };
    if order.iter().any(|t| t == tag) {
        return;
    }
    for field in &record.fields {
        if let Some(inner) = contained(ctx, field.ty).filter(|inner| inner != tag) {
            visit(ctx, records, &inner, order);
        }
    }
    order.push(tag.to_string());
}

/// Tag of the record that an object of type `ty` is or consists of.
fn contained(ctx: &Context, ty: TypeHandle) -> Option<String> {
    match array_parts(ctx, ty) {
        Some((_, of)) => contained(ctx, of),
        None => record_tag(ctx, ty),
    }
}

fn definition(
    types: Types,
    records: &Records,
    tag: &str,
    record: &Record,
) -> Result<String, String> {
    let name = types.records.c_name(tag).unwrap_or_default();
    let (keyword, plain) = name.split_once(' ').unwrap_or(("struct", tag));
    let wanted: Vec<u64> = record.fields.iter().map(bit_position).collect();
    let hidden = |field: &Field| field.bits > 0 && !types.dialect.has_bit_fields();
    let by_itself = natural(types.ctx, records, &record.fields, record.layout.union_);
    let fits = by_itself.is_some_and(|(offsets, whole)| {
        !record.fields.iter().any(hidden)
            && offsets == wanted
            && whole.size == record.layout.size
            && whole.align == record.layout.align
    });
    let attribute = match fits {
        true => String::new(),
        false => format!(
            "__attribute__((packed, aligned({}))) ",
            record.layout.align.max(1)
        ),
    };
    let mut text = format!("{keyword} {attribute}{plain} {{\n");
    let mut at = 0;
    for (index, field) in record.fields.iter().enumerate() {
        if hidden(field) {
            continue;
        }
        let label = types.records.field(tag, index as u32).unwrap_or_default();
        if !fits && !record.layout.union_ {
            text.push_str(&gap(at, bit_position(field)));
            at = bit_position(field) + bit_size(types.ctx, records, field);
        }
        let _ = writeln!(text, "    {};", field_declaration(types, field, label)?);
    }
    if !fits {
        text.push_str(&end_gap(record, at));
    }
    text.push_str("};\n");
    let layout = record.layout;
    text.push_str(
        &types
            .dialect
            .check_size(&name, layout.size, layout.align.max(1)),
    );
    for (index, field) in record
        .fields
        .iter()
        .enumerate()
        .filter(|(_, f)| f.bits == 0)
    {
        let label = types.records.field(tag, index as u32).unwrap_or_default();
        let offset = field.offset;
        text.push_str(&types.dialect.check_offset(&name, label, offset));
    }
    Ok(text)
}

fn bit_position(field: &Field) -> u64 {
    8 * field.offset + u64::from(field.bit_offset)
}

fn bit_size(ctx: &Context, records: &Records, field: &Field) -> u64 {
    match field.bits {
        0 => crate::layout::extent(ctx, records, field.ty).map_or(0, |e| 8 * e.size),
        bits => u64::from(bits),
    }
}

fn field_declaration(types: Types, field: &Field, label: &str) -> Result<String, String> {
    if field.bits == 0 {
        return types.declare(field.ty, label);
    }
    let width = int_width(types.ctx, field.ty).ok_or("a bit-field is an integer")?;
    let (sign, base) = match field.signed {
        // Without the word it would be the compiler's choice.
        true if width != 8 => ("signed ", Scalar::Signed(width)),
        true => ("", Scalar::Signed(width)),
        false => ("", Scalar::Unsigned(width)),
    };
    let base = types.dialect.scalar(base);
    let base = base.ok_or_else(|| format!("a bit-field of type i{width} has no C form"))?;
    Ok(format!("{sign}{base} {label} : {}", field.bits))
}

/// Unnamed bits from bit `from` to bit `to`.
fn gap(from: u64, to: u64) -> String {
    let mut text = String::new();
    let whole = from.next_multiple_of(8).min(to);
    if whole > from {
        let _ = writeln!(text, "    unsigned : {};", whole - from);
    }
    let bytes = to.saturating_sub(whole) / 8;
    if bytes > 0 {
        let _ = writeln!(text, "    char gap_{}[{bytes}];", whole / 8);
    }
    let rest = to.saturating_sub(whole) % 8;
    if rest > 0 {
        let _ = writeln!(text, "    unsigned : {rest};");
    }
    text
}

/// What is missing at the end of a packed record.
fn end_gap(record: &Record, at: u64) -> String {
    match record.layout.union_ {
        true => format!("    char gap_0[{}];\n", record.layout.size),
        false => gap(at, 8 * record.layout.size),
    }
}
