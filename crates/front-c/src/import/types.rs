//! C types to IR types, and the definitions of records.
//!
//! ```text
//! int, unsigned        builtin.integer i32            struct s        core.record<"s"> + core.record_def
//! double _Complex      core.complex<core.float<64>>   T[n][10]        the element type: core.array<10 x T>
//! int *                core.ptr<i32>                  void *               core.ptr<core.void>
//! int (*)(double)      builtin.integer i64            (a number: no device can follow it)
//! ```

use super::functions::Module;
use super::state::{Result, Stop};
use crate::ast::describe::describe;
use crate::ast::layout::int_bits;
use crate::ast::node::NodeId;
use crate::ast::types::{ArrayLength, CType, FloatRank, TypeId};
use accrue_dialects::core;
use pliron::builtin::types::FunctionType;
use pliron::op::Op;
use pliron::r#type::TypeHandle;

/// A scalar type, as arithmetic sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// `_Bool`.
    Bool,
    /// An integer or enumeration.
    Int {
        /// Its width.
        bits: u32,
        /// Signed or not.
        signed: bool,
    },
    /// A real floating type.
    Float(FloatRank),
    /// A complex type.
    Complex(FloatRank),
    /// A pointer.
    Pointer,
}

/// A pointer to a function: the number of its address on the host.
const FUNCTION_POINTER: Scalar = Scalar::Int {
    bits: 64,
    signed: false,
};

impl Module<'_> {
    /// What kind of scalar `ty` is; `None` for everything else.
    pub fn scalar(&mut self, ty: TypeId) -> Option<Scalar> {
        let ty = self.types.without_enum(ty).ok()?;
        match self.types.get(ty) {
            CType::Bool => Some(Scalar::Bool),
            CType::Int { rank, signed } => Some(Scalar::Int {
                bits: int_bits(*rank),
                signed: *signed,
            }),
            CType::Float(rank) => Some(Scalar::Float(*rank)),
            CType::Complex(rank) => Some(Scalar::Complex(*rank)),
            CType::Pointer(target) if self.is_function(target.ty) => Some(FUNCTION_POINTER),
            CType::Pointer(_) => Some(Scalar::Pointer),
            CType::Void
            | CType::Array { .. }
            | CType::Function { .. }
            | CType::Record(_)
            | CType::Enum(_)
            | CType::Vector(..)
            | CType::Builtin => None,
        }
    }

    /// The scalar type of the expression or declaration `node`.
    pub fn scalar_of(&mut self, node: NodeId) -> Result<(TypeId, Scalar)> {
        let ty = self.type_of(node)?;
        match self.scalar(ty) {
            Some(scalar) => Ok((ty, scalar)),
            None => {
                let text = describe(&self.types, ty);
                Err(Stop::at(
                    node,
                    format!("a value of type `{text}` is not supported here"),
                ))
            }
        }
    }

    /// The type of the expression or declaration `node`.
    pub fn type_of(&mut self, node: NodeId) -> Result<TypeId> {
        self.types
            .of(node)
            .map(|ty| ty.ty)
            .map_err(|error| Stop::at(node, error.to_string()))
    }

    /// The IR type of `node`'s type.
    pub fn ir_type_of(&mut self, node: NodeId) -> Result<TypeHandle> {
        let ty = self.type_of(node)?;
        self.ir_type(ty, node)
    }

    /// The float type of a rank.
    pub fn float_type(&self, rank: FloatRank) -> TypeHandle {
        let width = match rank {
            FloatRank::Half => 16,
            FloatRank::Float => 32,
            FloatRank::Double => 64,
            FloatRank::LongDouble if self.types.target.x87_long_double => 80,
            FloatRank::LongDouble | FloatRank::Float128 => 128,
        };
        core::float(self.ctx, width)
    }

    /// The IR type of objects of type `ty`; of the elements, where a length is variable. `at` is
    /// named when there is none.
    pub fn ir_type(&mut self, ty: TypeId, at: NodeId) -> Result<TypeHandle> {
        Ok(match self.types.get(ty).clone() {
            CType::Void => core::VoidType::get(self.ctx).into(),
            CType::Bool => core::boolean(self.ctx),
            CType::Int { rank, .. } => core::int(self.ctx, int_bits(rank)),
            CType::Float(rank) => self.float_type(rank),
            CType::Complex(rank) => {
                let part = self.float_type(rank);
                core::ComplexType::get(self.ctx, part).into()
            }
            CType::Pointer(target) => {
                let to = match self.types.get(target.ty).clone() {
                    CType::Function { .. } => return Ok(core::int(self.ctx, 64)),
                    CType::Builtin => core::VoidType::get(self.ctx).into(),
                    // Nothing in this unit goes behind the pointer.
                    CType::Record(record) if self.types.layout(record).is_err() => {
                        core::VoidType::get(self.ctx).into()
                    }
                    _ => self.ir_type(target.ty, at)?,
                };
                core::pointer(self.ctx, to)
            }
            CType::Array { element, length } => {
                let of = self.ir_type(element.ty, at)?;
                if self.types.is_variably_modified(ty) {
                    return Ok(of);
                }
                let length = match length {
                    ArrayLength::Fixed(length) => length,
                    ArrayLength::Unknown | ArrayLength::Variable(_) => 0,
                };
                core::ArrayType::get(self.ctx, length, of).into()
            }
            CType::Record(declaration) => {
                if self.in_device_code() {
                    self.note_use(declaration);
                }
                let tag = self.record_tag(declaration, at)?;
                core::RecordType::get(self.ctx, tag).into()
            }
            CType::Enum(declaration) => {
                if self.in_device_code() {
                    self.note_use(declaration);
                }
                let int = self
                    .types
                    .enum_type(declaration)
                    .map_err(|error| Stop::at(at, error.to_string()))?;
                self.ir_type(int, at)?
            }
            CType::Function { .. } | CType::Vector(..) | CType::Builtin => {
                let text = describe(&self.types, ty);
                return Err(
                    Stop::at(at, format!("the type `{text}` is not supported here"))
                        .help("use arrays, structs and scalar types in code for a device"),
                );
            }
        })
    }

    /// The tag of a record; the first time its definition goes into the module, members' first.
    fn record_tag(&mut self, declaration: NodeId, at: NodeId) -> Result<String> {
        if let Some(tag) = self.record_tags.get(&declaration) {
            return Ok(tag.clone());
        }
        let name = self.source.ast.name(declaration);
        let plain = if name.is_empty() { "unnamed" } else { name };
        let numbers = (self.record_tags.len()..).map(|number| format!("{plain}_{number}"));
        let names = [plain.to_owned()].into_iter().filter(|_| !name.is_empty());
        let mut tags = names.chain(numbers).map(|name| self.in_unit(&name));
        let tag = tags.find(|tag| !self.record_tags.values().any(|used| used == tag));
        let tag = tag.unwrap_or_default();
        self.record_tags.insert(declaration, tag.clone());
        let Ok(layout) = self.types.layout(declaration) else {
            // Incomplete here: only pointed to.
            return Ok(tag);
        };
        let mut fields = Vec::new();
        for (field, place) in layout.record.fields.iter().zip(&layout.places) {
            let element = self.element(field.ty.ty);
            let signed = match self.scalar(element) {
                Some(Scalar::Int { signed, .. }) => signed,
                Some(Scalar::Bool | Scalar::Float(_) | Scalar::Complex(_) | Scalar::Pointer)
                | None => false,
            };
            let ty = match place.width {
                // `int : 0` ends the unit of the field before it, and has no bits itself.
                Some(0) => {
                    let byte = core::int(self.ctx, 8);
                    core::ArrayType::get(self.ctx, 0, byte).into()
                }
                Some(_) | None => self.ir_type(field.ty.ty, at)?,
            };
            fields.push(core::Field {
                name: self.source.ast.text(field.name).to_owned(),
                ty,
                offset: place.bit / 8,
                bits: place.width.unwrap_or(0),
                bit_offset: (place.bit % 8) as u32,
                signed,
            });
        }
        let size = core::RecordLayout {
            size: layout.size,
            align: layout.align,
            union_: layout.record.is_union,
        };
        let definition = core::RecordDef::new(self.ctx, &tag, size, fields);
        definition
            .get_operation()
            .insert_at_back(self.body, self.ctx);
        Ok(tag)
    }

    /// The IR type of a function of C type `ty`: records go by pointer, a returned record through a
    /// first pointer argument.
    pub fn function_type(
        &mut self,
        result: TypeId,
        parameters: &[TypeId],
        at: NodeId,
    ) -> Result<(Vec<TypeHandle>, Vec<TypeHandle>)> {
        let mut arguments = Vec::new();
        let mut results = Vec::new();
        match self.types.get(result) {
            CType::Void => {}
            CType::Record(_) => {
                let record = self.ir_type(result, at)?;
                arguments.push(core::pointer(self.ctx, record));
            }
            _ => results.push(self.ir_type(result, at)?),
        }
        for parameter in parameters {
            let ty = self.ir_type(*parameter, at)?;
            arguments.push(match self.is_record(*parameter) {
                true => core::pointer(self.ctx, ty),
                false => ty,
            });
        }
        Ok((arguments, results))
    }

    /// A variable as the host's side knows it.
    pub fn user_variable(&mut self, name: &str, ty: TypeId, at: NodeId) -> Result<core::Variable> {
        Ok(core::Variable {
            name: name.to_owned(),
            shape: self.shape(ty, at)?,
        })
    }

    /// Pointers and array dimensions of a type from the outside in, and what they lead to.
    pub fn shape(&mut self, ty: TypeId, at: NodeId) -> Result<core::Shape> {
        let mut dims = Vec::new();
        let mut inner = ty;
        loop {
            let (dim, next) = match self.types.get(inner) {
                CType::Pointer(target) if self.is_function(target.ty) => {
                    return Ok(core::Shape {
                        dims,
                        elem: core::int(self.ctx, 64),
                    });
                }
                CType::Pointer(target) => (core::ShapeDim::Pointer, target.ty),
                CType::Array { element, length } => {
                    let dim = match length {
                        ArrayLength::Fixed(length) => core::ShapeDim::Fixed(*length),
                        ArrayLength::Unknown => core::ShapeDim::Fixed(0),
                        ArrayLength::Variable(_) => core::ShapeDim::Variable,
                    };
                    (dim, element.ty)
                }
                CType::Function { .. } | CType::Builtin => {
                    return Ok(core::Shape {
                        dims,
                        elem: core::VoidType::get(self.ctx).into(),
                    });
                }
                CType::Void
                | CType::Bool
                | CType::Int { .. }
                | CType::Float(_)
                | CType::Complex(_)
                | CType::Record(_)
                | CType::Enum(_)
                | CType::Vector(..) => {
                    return Ok(core::Shape {
                        dims,
                        elem: self.ir_type(inner, at)?,
                    });
                }
            };
            dims.push(dim);
            inner = next;
        }
    }

    /// True for structs and unions.
    pub fn is_record(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), CType::Record(_))
    }

    /// True for functions.
    pub fn is_function(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), CType::Function { .. })
    }

    /// True for `void`.
    pub fn is_void(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), CType::Void)
    }

    /// The `builtin.function` with these types.
    pub fn function_handle(
        &self,
        arguments: Vec<TypeHandle>,
        results: Vec<TypeHandle>,
    ) -> pliron::r#type::TypedHandle<FunctionType> {
        FunctionType::get(self.ctx, arguments, results)
    }
}
