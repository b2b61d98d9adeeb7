//! Which element of a copy an address stands for, from how many bytes it is behind the first object.
//!
//! ```text
//! struct { int n; float sum[16]; } c[32]           [k of 32, 68 bytes each]  [d of 16, 4 bytes each, from byte 4 on]
//! ```

use super::places::Places;
use accrue_dialects::core::{
    BinKind, CmpKind, array_parts,
    emit::Emitter,
    layout::{Records, size_of},
    pointee, record_tag,
};
use pliron::{context::Context, r#type::TypeHandle, value::Value};

/// The rows in each other, from the outside in.
pub(super) struct Shape(Vec<Row>);

/// Objects one behind the other.
struct Row {
    /// Bytes in front of the first one.
    offset: u64,
    count: u64,
    /// Bytes of each.
    bytes: u64,
}

/// An element of a copy.
pub(super) struct Element {
    pub number: Value,
    /// Whether there is one: there may be another member of a struct.
    pub is_one: Value,
    /// Which byte of it is meant.
    pub byte: Value,
}

impl Shape {
    /// That of what `parameter` leads to.
    pub(super) fn of(
        ctx: &Context,
        records: &Records,
        parameter: Value,
        places: &Places,
    ) -> Option<Shape> {
        let mut rows = vec![];
        let mut ways = places.way.iter();
        let (mut ty, mut offset) = (single(ctx, pointee(ctx, parameter)?), 0);
        for count in &places.sizes {
            let (count, bytes) = (*count, size_of(ctx, records, ty)?);
            rows.push(Row {
                offset,
                count,
                bytes,
            });
            if let Some((field, of_field)) = ways.next() {
                let record = records.get(&record_tag(ctx, ty)?)?;
                offset = record.fields.get(*field as usize)?.offset;
                ty = single(ctx, *of_field);
            }
        }
        Some(Shape(rows))
    }

    /// Bytes of all objects.
    pub(super) fn bytes(&self) -> u64 {
        self.0.first().map_or(0, |row| row.count * row.bytes)
    }

    /// What is `distance` bytes behind the first object.
    pub(super) fn element(&self, e: &mut Emitter, distance: Value) -> Element {
        let never = e.int(1, 0);
        let (mut rest, mut number, mut is_one) = (distance, e.i64(0), e.int(1, 1));
        for row in &self.0 {
            let [offset, count, bytes, all] =
                [row.offset, row.count, row.bytes, row.count * row.bytes]
                    .map(|number| e.i64(i128::from(number)));
            rest = e.bin(BinKind::Sub, rest, offset);
            let inside = e.cmp(CmpKind::LtU, rest, all);
            is_one = e.select(inside, is_one, never);
            let index = e.bin(BinKind::DivU, rest, bytes);
            let before = e.bin(BinKind::Mul, index, bytes);
            rest = e.bin(BinKind::Sub, rest, before);
            let rows = e.bin(BinKind::Mul, number, count);
            number = e.bin(BinKind::Add, rows, index);
        }
        Element {
            number,
            is_one,
            byte: rest,
        }
    }
}

/// What an array, of however many dimensions, consists of.
fn single(ctx: &Context, ty: TypeHandle) -> TypeHandle {
    let mut at = ty;
    while let Some((_, of)) = array_parts(ctx, at) {
        at = of;
    }
    at
}
