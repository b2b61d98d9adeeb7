//! C types as values.
//!
//! Types are interned: equal types have equal [`TypeId`]s, so comparing types is comparing numbers.
//! Records and enumerations are known by their declaration; their members are read on demand,
//! because a record may contain pointers to itself.

use std::collections::HashMap;

use super::constant;
use super::names::Sym;
use super::node::{Flags, Kind, NodeId, TypeText};
use super::scope::{NameSpace, TypeNames};
use super::tree::Ast;
use super::type_parser;

/// A type without qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(u32);

/// A type with qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QualType {
    /// The type.
    pub ty: TypeId,
    /// `const`.
    pub is_const: bool,
    /// `volatile`.
    pub is_volatile: bool,
    /// `restrict`.
    pub is_restrict: bool,
    /// `_Atomic`.
    pub is_atomic: bool,
}

impl From<TypeId> for QualType {
    fn from(ty: TypeId) -> Self {
        QualType {
            ty,
            is_const: false,
            is_volatile: false,
            is_restrict: false,
            is_atomic: false,
        }
    }
}

/// Integer types by rank; signedness is kept beside it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum IntRank {
    /// `char` without `signed` or `unsigned`; its signedness is the target's.
    PlainChar,
    Char,
    Short,
    Int,
    Long,
    LongLong,
    Int128,
}

/// Floating types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum FloatRank {
    /// `_Float16`, `__fp16`.
    Half,
    Float,
    Double,
    LongDouble,
    /// `__float128`, `_Float128`.
    Float128,
}

/// The length of an array type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLength {
    /// A constant.
    Fixed(u64),
    /// `[]`.
    Unknown,
    /// A variable length: the text of the expression, as clang prints it. Its value is that at the
    /// time of the declaration.
    Variable(Sym),
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// The integer types.
    Int {
        /// Which one.
        rank: IntRank,
        /// Signed or not.
        signed: bool,
    },
    /// The real floating types.
    Float(FloatRank),
    /// The complex types.
    Complex(FloatRank),
    /// A pointer to an object, to a function or to `void`.
    Pointer(QualType),
    /// An array.
    Array {
        /// Type of an element.
        element: QualType,
        /// Number of elements.
        length: ArrayLength,
    },
    /// A function.
    Function {
        /// What it returns.
        result: QualType,
        /// Types of its parameters.
        parameters: Vec<QualType>,
        /// `...` or no prototype.
        variadic: bool,
    },
    /// `struct` or `union`, by its declaration.
    Record(NodeId),
    /// `enum`, by its declaration.
    Enum(NodeId),
    /// GNU vector: element and size in bytes.
    Vector(QualType, u64),
    /// A type of the compiler's own: what is behind `va_list`, a builtin function.
    Builtin,
}

/// The properties of the machine that C types depend on; `int` is 32 bits, `long` and pointers 64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// Plain `char` is signed.
    pub char_is_signed: bool,
    /// `long double` has the 80 bits of the x87 rather than 128.
    pub x87_long_double: bool,
    /// Unnamed bit-fields count for a record's alignment.
    pub unnamed_bit_fields_align: bool,
    /// Enumerations are as small as their constants allow (`-fshort-enums`).
    pub short_enums: bool,
    /// Accesses with different types are to different objects; not with `-fno-strict-aliasing`.
    pub strict_aliasing: bool,
}

impl Target {
    /// x86-64 with the System V ABI.
    pub const X86_64: Target = Target {
        char_is_signed: true,
        x87_long_double: true,
        unnamed_bit_fields_align: false,
        short_enums: false,
        strict_aliasing: true,
    };
    /// AArch64 Linux.
    pub const AARCH64: Target = Target {
        char_is_signed: false,
        x87_long_double: false,
        unnamed_bit_fields_align: true,
        short_enums: false,
        strict_aliasing: true,
    };

    /// The machine this program runs on.
    pub fn host() -> Target {
        if cfg!(target_arch = "aarch64") {
            Target::AARCH64
        } else {
            Target::X86_64
        }
    }
}

/// Why a type is not known.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TypeError {
    /// A type string this reader does not understand.
    #[error("the type `{0}` is not understood")]
    Syntax(String),
    /// A name without visible declaration.
    #[error("no type named `{0}` is visible here")]
    UnknownName(String),
    /// A type without size.
    #[error("the type `{0}` is incomplete")]
    Incomplete(String),
    /// A record whose layout cannot be known.
    #[error("the layout of `{0}` is not known: {1}")]
    Layout(String, &'static str),
    /// A type whose size is known at run time only.
    #[error("the size of `{0}` is not constant")]
    VariableSize(String),
}

/// One member of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its declaration.
    pub declaration: NodeId,
    /// Its name; absent for unnamed members.
    pub name: Sym,
    /// Its type.
    pub ty: QualType,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// What the typedef of its type asks for, which may be less than the type's alignment.
    pub by_typedef: Option<u64>,
    /// What `aligned` or `_Alignas` ask for.
    pub aligned: Option<u64>,
    /// `packed` on the member itself.
    pub packed: bool,
}

/// A record with its members.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its name; absent for unnamed ones.
    pub name: Sym,
    /// `union`.
    pub is_union: bool,
    /// `packed`.
    pub packed: bool,
    /// What `aligned` asks for.
    pub aligned: Option<u64>,
    /// `#pragma pack` was in force, which the dump tells, with a value, which it does not.
    pub pragma_pack: bool,
    /// Its members.
    pub fields: Vec<Field>,
}

/// The types of one unit.
#[derive(Debug)]
pub struct Types<'a> {
    pub(super) ast: &'a Ast,
    pub(super) text: &'a [u8],
    /// The machine.
    pub target: Target,
    pub(super) names: TypeNames,
    types: Vec<CType>,
    index: HashMap<CType, TypeId>,
    parsed: HashMap<Sym, QualType>,
    pub(super) layouts: HashMap<NodeId, std::sync::Arc<super::layout::RecordLayout>>,
    /// Values of enumeration constants, collected at the first use.
    pub(super) enum_constants: Option<HashMap<NodeId, i128>>,
    /// Typedefs with alignments of their own, collected at the first use.
    pub(super) aligned_typedefs: Option<HashMap<NodeId, u64>>,
    /// Which words that change layouts occur in the text, looked up at the first record.
    pub(super) layout_changes: Option<Vec<bool>>,
    /// Texts of array lengths found while parsing; their numbers follow the tree's own.
    lengths: super::names::Interner,
}

impl<'a> Types<'a> {
    /// The types of `ast`, whose offsets point into `text` (the carrier text).
    pub fn new(ast: &'a Ast, text: &'a [u8], target: Target) -> Types<'a> {
        Types {
            ast,
            text,
            target,
            names: TypeNames::new(ast, text),
            types: Vec::new(),
            index: HashMap::new(),
            parsed: HashMap::new(),
            layouts: HashMap::new(),
            enum_constants: None,
            aligned_typedefs: None,
            layout_changes: None,
            lengths: super::names::Interner::default(),
        }
    }

    /// The number of `ty`.
    pub fn intern(&mut self, ty: CType) -> TypeId {
        if let Some(id) = self.index.get(&ty) {
            return *id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.index.insert(ty, id);
        id
    }

    /// The type with number `id`.
    pub fn get(&self, id: TypeId) -> &CType {
        &self.types[id.0 as usize]
    }

    /// The type of an expression or declaration.
    pub fn of(&mut self, node: NodeId) -> Result<QualType, TypeError> {
        let node = self.ast.node(node);
        self.of_text(node.ty, node.at)
    }

    /// The argument type of `sizeof`, or the type a compound assignment computes in.
    pub fn other_of(&mut self, node: NodeId) -> Result<QualType, TypeError> {
        let node = self.ast.node(node);
        self.of_text(node.other_ty, node.at)
    }

    fn of_text(&mut self, ty: TypeText, at: u32) -> Result<QualType, TypeError> {
        let sym = if ty.desugared.is_some() {
            ty.desugared
        } else {
            ty.written
        };
        self.parse(sym, at)
    }

    /// The type that the string `sym` of the dump means at offset `at`.
    pub fn parse(&mut self, sym: Sym, at: u32) -> Result<QualType, TypeError> {
        if let Some(ty) = self.parsed.get(&sym) {
            return Ok(*ty);
        }
        let ast = self.ast;
        let parsed = type_parser::parse(self, ast.text(sym), at)?;
        if parsed.same_everywhere {
            self.parsed.insert(sym, parsed.ty);
        }
        Ok(parsed.ty)
    }

    /// Keeps the text of a variable array length.
    pub(super) fn intern_length(&mut self, text: &str) -> Sym {
        self.lengths.intern(text)
    }

    /// The text of a variable array length.
    pub fn length_text(&self, length: Sym) -> &str {
        self.lengths.text(length)
    }

    /// The tree.
    pub fn ast(&self) -> &'a Ast {
        self.ast
    }

    /// The members of the record declared by `declaration`.
    pub fn record(&mut self, declaration: NodeId) -> Result<Record, TypeError> {
        let ast = self.ast;
        let node = ast.node(declaration);
        if !node.has(Flags::COMPLETE) {
            return Err(TypeError::Incomplete(ast.name(declaration).to_owned()));
        }
        let mut record = Record {
            name: node.name,
            is_union: node.has(Flags::UNION),
            packed: false,
            aligned: None,
            pragma_pack: false,
            fields: Vec::new(),
        };
        for child in ast.children(declaration) {
            match ast.kind(child) {
                Kind::PackedAttr => record.packed = true,
                Kind::AlignedAttr => record.aligned = record.aligned.max(self.alignment_of(child)),
                Kind::MaxFieldAlignmentAttr => record.pragma_pack = true,
                Kind::FieldDecl => {
                    let field = self.field(child)?;
                    record.fields.push(field);
                }
                _ => {}
            }
        }
        Ok(record)
    }

    fn field(&mut self, declaration: NodeId) -> Result<Field, TypeError> {
        let ast = self.ast;
        let mut field = Field {
            declaration,
            name: ast.node(declaration).name,
            ty: self.of(declaration)?,
            bits: None,
            by_typedef: {
                let node = ast.node(declaration);
                self.alignment_by_typedef(node.ty.written, node.at)
            },
            aligned: None,
            packed: false,
        };
        for child in ast.children(declaration) {
            match ast.kind(child) {
                Kind::AlignedAttr => field.aligned = field.aligned.max(self.alignment_of(child)),
                Kind::PackedAttr => field.packed = true,
                kind if super::tree::is_expression(kind)
                    && ast.node(declaration).has(Flags::BITFIELD) =>
                {
                    let width = constant::integer(self, child);
                    field.bits = width.and_then(|width| u32::try_from(width).ok());
                }
                _ => {}
            }
        }
        Ok(field)
    }

    /// The alignment an `aligned` attribute asks for; without argument the largest there is.
    pub(super) fn alignment_of(&mut self, attribute: NodeId) -> Option<u64> {
        let Some(argument) = self.ast.child(attribute, 0) else {
            return Some(16);
        };
        constant::integer(self, argument).and_then(|value| u64::try_from(value).ok())
    }

    /// The integer type that values of an enumeration have (the choice of GCC and clang before
    /// C23's explicit ones): unsigned unless there is a negative constant, `int` unless too small.
    pub fn enum_type(&mut self, declaration: NodeId) -> Result<TypeId, TypeError> {
        let ast = self.ast;
        if ast.node(declaration).other_ty.written.is_some() {
            return Ok(self.other_of(declaration)?.ty);
        }
        let (mut lowest, mut highest) = (0, 0);
        let mut packed = self.target.short_enums;
        for child in ast.children(declaration) {
            match ast.kind(child) {
                Kind::EnumConstantDecl => {
                    let value = constant::enum_constant(self, child).unwrap_or(0);
                    lowest = lowest.min(value);
                    highest = highest.max(value);
                }
                Kind::PackedAttr => packed = true,
                _ => {}
            }
        }
        let signed = lowest < 0;
        let fits = |bits: u32| match signed {
            true => lowest >= -(1 << (bits - 1)) && highest < 1 << (bits - 1),
            false => highest < 1i128 << bits,
        };
        let rank = match () {
            () if packed && fits(8) => IntRank::Char,
            () if packed && fits(16) => IntRank::Short,
            () if fits(32) => IntRank::Int,
            () => IntRank::Long,
        };
        Ok(self.intern(CType::Int { rank, signed }))
    }

    /// The tag or typedef that `name` means at the end of the text.
    pub fn at_end(&self, name_space: NameSpace, name: Sym) -> Option<NodeId> {
        self.names.find(self.ast, name_space, name, u32::MAX)
    }

    /// `ty` with enumerations replaced by their integer type.
    pub fn without_enum(&mut self, ty: TypeId) -> Result<TypeId, TypeError> {
        match *self.get(ty) {
            CType::Enum(declaration) => self.enum_type(declaration),
            _ => Ok(ty),
        }
    }

    /// What a pointer points to, or an array consists of.
    pub fn pointee(&self, ty: TypeId) -> Option<QualType> {
        match self.get(ty) {
            CType::Pointer(target) => Some(*target),
            CType::Array { element, .. } => Some(*element),
            CType::Void
            | CType::Bool
            | CType::Int { .. }
            | CType::Float(_)
            | CType::Complex(_)
            | CType::Function { .. }
            | CType::Record(_)
            | CType::Enum(_)
            | CType::Vector(..)
            | CType::Builtin => None,
        }
    }

    /// True when the type has a variable array length somewhere inside.
    pub fn is_variably_modified(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            CType::Array {
                length: ArrayLength::Variable(_),
                ..
            } => true,
            CType::Array { element, .. } => self.is_variably_modified(element.ty),
            CType::Pointer(target) => self.is_variably_modified(target.ty),
            CType::Function {
                result, parameters, ..
            } => {
                self.is_variably_modified(result.ty)
                    || parameters
                        .iter()
                        .any(|parameter| self.is_variably_modified(parameter.ty))
            }
            CType::Void
            | CType::Bool
            | CType::Int { .. }
            | CType::Float(_)
            | CType::Complex(_)
            | CType::Record(_)
            | CType::Enum(_)
            | CType::Vector(..)
            | CType::Builtin => false,
        }
    }
}
