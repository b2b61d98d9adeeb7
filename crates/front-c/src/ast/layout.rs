//! Sizes, alignments and record layouts by the System V ABI, on x86-64 and AArch64.
//!
//! Device code must find every member where the host's compiler put it. The rules for bit-fields:
//! one of declared type `T` goes at the next free bit unless it would cross a boundary of `T`'s
//! size, and then at the next multiple of `T`'s alignment; zero width closes the unit; `packed`
//! lets it cross.

use std::sync::Arc;

use super::describe::describe;
use super::node::NodeId;
use super::types::{
    ArrayLength, CType, Field, FloatRank, IntRank, Record, TypeError, TypeId, Types,
};

/// Where a member lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Offset in bits from the start of the record.
    pub bit: u64,
    /// Width in bits of a bit-field.
    pub width: Option<u32>,
}

/// The layout of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordLayout {
    /// The members, as [`Types::record`] gives them.
    pub record: Record,
    /// Their places, in the same order.
    pub places: Vec<Place>,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
}

/// Width of an integer type in bits.
pub fn int_bits(rank: IntRank) -> u32 {
    match rank {
        IntRank::PlainChar | IntRank::Char => 8,
        IntRank::Short => 16,
        IntRank::Int => 32,
        IntRank::Long | IntRank::LongLong => 64,
        IntRank::Int128 => 128,
    }
}

/// Size of a floating type in bytes; its alignment is the same.
pub fn float_bytes(rank: FloatRank) -> u64 {
    match rank {
        FloatRank::Half => 2,
        FloatRank::Float => 4,
        FloatRank::Double => 8,
        FloatRank::LongDouble | FloatRank::Float128 => 16,
    }
}

impl Types<'_> {
    /// `sizeof` of a type; `sizeof (void)` and of a function is 1, as GNU C has it.
    pub fn size_of(&mut self, ty: TypeId) -> Result<u64, TypeError> {
        Ok(match self.get(ty).clone() {
            CType::Void | CType::Bool | CType::Function { .. } => 1,
            CType::Int { rank, .. } => u64::from(int_bits(rank) / 8),
            CType::Float(rank) => float_bytes(rank),
            CType::Complex(rank) => 2 * float_bytes(rank),
            CType::Pointer(_) => 8,
            CType::Array {
                element,
                length: ArrayLength::Fixed(length),
            } => self
                .size_of(element.ty)?
                .checked_mul(length)
                .ok_or_else(|| TypeError::Incomplete(describe(self, ty)))?,
            CType::Array {
                length: ArrayLength::Unknown,
                ..
            } => {
                return Err(TypeError::Incomplete(describe(self, ty)));
            }
            CType::Array {
                length: ArrayLength::Variable(_),
                ..
            } => {
                return Err(TypeError::VariableSize(describe(self, ty)));
            }
            CType::Record(declaration) => self.layout(declaration)?.size,
            CType::Enum(declaration) => {
                let int = self.enum_type(declaration)?;
                self.size_of(int)?
            }
            CType::Vector(_, bytes) => bytes,
            CType::Builtin => return Err(TypeError::Incomplete(describe(self, ty))),
        })
    }

    /// `_Alignof` of a type.
    pub fn align_of(&mut self, ty: TypeId) -> Result<u64, TypeError> {
        match self.get(ty).clone() {
            CType::Array { element, .. } => self.align_of(element.ty),
            CType::Complex(rank) => Ok(float_bytes(rank)),
            CType::Record(declaration) => Ok(self.layout(declaration)?.align),
            CType::Void
            | CType::Bool
            | CType::Int { .. }
            | CType::Float(_)
            | CType::Pointer(_)
            | CType::Function { .. }
            | CType::Enum(_)
            | CType::Vector(..)
            | CType::Builtin => self.size_of(ty),
        }
    }

    /// The layout of the record declared by `declaration`.
    pub fn layout(&mut self, declaration: NodeId) -> Result<Arc<RecordLayout>, TypeError> {
        if let Some(layout) = self.layouts.get(&declaration) {
            return Ok(layout.clone());
        }
        let record = self.record(declaration)?;
        self.check_layout_changes(declaration)?;
        let pack = match record.pragma_pack {
            false => None,
            true => Some(self.pragma_pack(declaration)?),
        };
        let mut build = Build {
            pack,
            bit: 0,
            size_bits: 0,
            align: 1,
        };
        let places = record
            .fields
            .iter()
            .map(|field| build.place(self, &record, field))
            .collect::<Result<_, _>>()?;
        let align = build.align.max(record.aligned.unwrap_or(1));
        let size = build.size_bits.div_ceil(8).next_multiple_of(align);
        let layout = Arc::new(RecordLayout {
            record,
            places,
            size,
            align,
        });
        self.layouts.insert(declaration, layout.clone());
        Ok(layout)
    }

    /// The value of `#pragma pack` at a record: clang says that there was one, the text says which.
    fn pragma_pack(&self, declaration: NodeId) -> Result<u64, TypeError> {
        let at = self.ast.node(declaration).begin as usize;
        let before = self.text.get(..at).unwrap_or_default();
        let mut stack = Vec::new();
        let mut current = None;
        let lines = before
            .split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii_start);
        for line in lines.filter(|line| line.first() == Some(&b'#')) {
            let line = String::from_utf8_lossy(line);
            let Some(rest) = line[1..].trim_start().strip_prefix("pragma") else {
                continue;
            };
            let Some(rest) = rest.trim_start().strip_prefix("pack") else {
                continue;
            };
            let Some((arguments, _)) = rest
                .trim_start()
                .strip_prefix('(')
                .and_then(|rest| rest.split_once(')'))
            else {
                continue;
            };
            let mut given = None;
            let mut resets = arguments.trim().is_empty();
            for argument in arguments.split(',').map(str::trim) {
                match argument {
                    "push" => stack.push(current),
                    "pop" => {
                        current = stack.pop().flatten();
                        resets = false;
                    }
                    number => given = number.parse().ok().or(given),
                }
            }
            if given.is_some() || resets {
                current = given;
            }
        }
        current.ok_or_else(|| {
            let name = self.ast.name(declaration).to_owned();
            TypeError::Layout(name, "its `#pragma pack` was not found")
        })
    }
}

/// A layout in the making.
struct Build {
    /// Largest alignment of a member, by `#pragma pack`.
    pack: Option<u64>,
    /// The next free bit.
    bit: u64,
    size_bits: u64,
    align: u64,
}

impl Build {
    fn place(
        &mut self,
        types: &mut Types<'_>,
        record: &Record,
        field: &Field,
    ) -> Result<Place, TypeError> {
        // A flexible array member has no size but its elements' alignment.
        let size = match types.get(field.ty.ty) {
            CType::Array {
                length: ArrayLength::Unknown,
                ..
            } => 0,
            _ => types.size_of(field.ty.ty)?,
        };
        let packed = record.packed || field.packed;
        let natural = match field.by_typedef {
            Some(asked) => asked,
            None => types.align_of(field.ty.ty)?,
        };
        let mut align = if packed { 1 } else { natural };
        align = align.max(field.aligned.unwrap_or(1));
        if let Some(pack) = self.pack {
            align = align.min(pack);
        }
        if record.is_union {
            self.bit = 0;
        }
        match field.bits {
            None => {
                self.align = self.align.max(align);
                self.bit = self.bit.next_multiple_of(align * 8);
                let place = Place {
                    bit: self.bit,
                    width: None,
                };
                self.advance(size * 8);
                Ok(place)
            }
            Some(0) => {
                self.bit = self.bit.next_multiple_of(natural * 8);
                if types.target.unnamed_bit_fields_align {
                    self.align = self.align.max(natural);
                }
                Ok(Place {
                    bit: self.bit,
                    width: Some(0),
                })
            }
            Some(width) => {
                let (unit, bits) = (size * 8, u64::from(width));
                let may_cross = packed || self.pack.is_some();
                if field.aligned.is_some() {
                    self.bit = self.bit.next_multiple_of(align * 8);
                } else if !may_cross && self.bit % unit + bits > unit {
                    self.bit = self.bit.next_multiple_of(natural * 8);
                }
                if field.name.is_some() || types.target.unnamed_bit_fields_align {
                    self.align = self.align.max(align);
                }
                let place = Place {
                    bit: self.bit,
                    width: Some(width),
                };
                self.advance(bits);
                Ok(place)
            }
        }
    }

    fn advance(&mut self, bits: u64) {
        self.bit += bits;
        self.size_bits = self.size_bits.max(self.bit);
    }
}
