//! Nodes of the tree: their kinds, casts and operators, in clang's own names.
//!
//! One flat record serves all kinds: most fields are four bytes, and a unit with the usual headers
//! has some ten thousand nodes, so a tree of differently shaped nodes would buy nothing.

use super::names::Sym;

/// A node of an [`super::Ast`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub(super) u32);

/// Declares an enum whose variants are named as clang prints them, and its parser.
macro_rules! clang_names {
    ($(#[$doc:meta])* $enum:ident { $($variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum $enum {
            $($variant,)*
            /// A name this list lacks.
            Other(Sym),
        }

        impl $enum {
            /// The value clang calls `name`, if it is in the list.
            pub fn from_clang(name: &str) -> Option<$enum> {
                match name {
                    $(stringify!($variant) => Some($enum::$variant),)*
                    _ => None,
                }
            }

            /// What clang calls it; `text` gives names that the list lacks.
            pub fn name<'a>(self, text: impl FnOnce(Sym) -> &'a str) -> &'a str {
                match self {
                    $($enum::$variant => stringify!($variant),)*
                    $enum::Other(name) => text(name),
                }
            }
        }
    };
}

clang_names! {
    /// What a node is.
    Kind {
        // Declarations.
        TranslationUnitDecl, FunctionDecl, ParmVarDecl, VarDecl, TypedefDecl, RecordDecl, FieldDecl,
        IndirectFieldDecl, EnumDecl, EnumConstantDecl, StaticAssertDecl, EmptyDecl, LabelDecl,
        FileScopeAsmDecl,
        // Statements.
        CompoundStmt, DeclStmt, NullStmt, IfStmt, ForStmt, WhileStmt, DoStmt, SwitchStmt, CaseStmt,
        DefaultStmt, BreakStmt, ContinueStmt, ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt,
        GCCAsmStmt, AttributedStmt,
        // Expressions.
        IntegerLiteral, FloatingLiteral, ImaginaryLiteral, CharacterLiteral, StringLiteral,
        DeclRefExpr, MemberExpr, ArraySubscriptExpr, CallExpr, ParenExpr, UnaryOperator,
        BinaryOperator, CompoundAssignOperator, ConditionalOperator, BinaryConditionalOperator,
        OpaqueValueExpr, ImplicitCastExpr, CStyleCastExpr, CompoundLiteralExpr, InitListExpr,
        ImplicitValueInitExpr, DesignatedInitExpr, UnaryExprOrTypeTraitExpr, OffsetOfExpr,
        StmtExpr, VAArgExpr, GenericSelectionExpr, ConstantExpr, ChooseExpr, AddrLabelExpr,
        PredefinedExpr, AtomicExpr, ShuffleVectorExpr, ConvertVectorExpr, ExtVectorElementExpr,
        RecoveryExpr, SourceLocExpr,
        // Attributes.
        PackedAttr, AlignedAttr, MaxFieldAlignmentAttr, ConstAttr, PureAttr, NoReturnAttr,
        CleanupAttr, WeakAttr,
        // Types, as they occur below typedefs.
        BuiltinType, PointerType, ConstantArrayType, IncompleteArrayType, VariableArrayType,
        RecordType, EnumType, TypedefType, ElaboratedType, FunctionProtoType, FunctionNoProtoType,
        ParenType, QualType, ComplexType, VectorType, AttributedType, TypeOfExprType, TypeOfType,
        DecayedType, AdjustedType, AtomicType,
    }
}

clang_names! {
    /// What a cast does.
    CastKind {
        BitCast, LValueBitCast, LValueToRValue, NoOp, ArrayToPointerDecay, FunctionToPointerDecay,
        BuiltinFnToFnPtr, NullToPointer, IntegralToPointer, PointerToIntegral, PointerToBoolean,
        ToVoid, IntegralCast, IntegralToBoolean, IntegralToFloating, FloatingToIntegral,
        FloatingToBoolean, FloatingCast, BooleanToSignedIntegral, FloatingRealToComplex,
        FloatingComplexToReal, FloatingComplexToBoolean, FloatingComplexCast,
        FloatingComplexToIntegralComplex, IntegralRealToComplex, IntegralComplexToReal,
        IntegralComplexToBoolean, IntegralComplexCast, IntegralComplexToFloatingComplex, ToUnion,
        AtomicToNonAtomic, NonAtomicToAtomic, VectorSplat, Dependent, AddressSpaceConversion,
    }
}

/// An operator of C. `AddAssign` and its like are compound assignments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    And,
    Xor,
    Or,
    LAnd,
    LOr,
    Comma,
    Assign,
    MulAssign,
    DivAssign,
    RemAssign,
    AddAssign,
    SubAssign,
    ShlAssign,
    ShrAssign,
    AndAssign,
    XorAssign,
    OrAssign,
    Inc,
    Dec,
    Not,
    LNot,
    Real,
    Imag,
    Extension,
    /// An operator of another language.
    Unknown,
}

impl Operator {
    /// The operator clang spells `text`. `&`, `*`, `+` and `-` name their binary form
    /// ([`Operator::And`], …) for unary nodes too; the node's kind tells which is meant.
    pub fn from_clang(text: &str) -> Operator {
        use Operator::*;
        match text {
            "*" => Mul,
            "/" => Div,
            "%" => Rem,
            "+" => Add,
            "-" => Sub,
            "<<" => Shl,
            ">>" => Shr,
            "<" => Lt,
            ">" => Gt,
            "<=" => Le,
            ">=" => Ge,
            "==" => Eq,
            "!=" => Ne,
            "&" => And,
            "^" => Xor,
            "|" => Or,
            "&&" => LAnd,
            "||" => LOr,
            "," => Comma,
            "=" => Assign,
            "*=" => MulAssign,
            "/=" => DivAssign,
            "%=" => RemAssign,
            "+=" => AddAssign,
            "-=" => SubAssign,
            "<<=" => ShlAssign,
            ">>=" => ShrAssign,
            "&=" => AndAssign,
            "^=" => XorAssign,
            "|=" => OrAssign,
            "++" => Inc,
            "--" => Dec,
            "~" => Not,
            "!" => LNot,
            "__real" => Real,
            "__imag" => Imag,
            "__extension__" => Extension,
            _ => Unknown,
        }
    }

    /// `+` of `+=`, and so on; `None` for everything that is no compound assignment.
    pub fn of_compound_assignment(self) -> Option<Operator> {
        use Operator::*;
        Some(match self {
            MulAssign => Mul,
            DivAssign => Div,
            RemAssign => Rem,
            AddAssign => Add,
            SubAssign => Sub,
            ShlAssign => Shl,
            ShrAssign => Shr,
            AndAssign => And,
            XorAssign => Xor,
            OrAssign => Or,
            Mul | Div | Rem | Add | Sub | Shl | Shr | Lt | Gt | Le | Ge | Eq | Ne | And | Xor
            | Or | LAnd | LOr | Comma | Assign | Inc | Dec | Not | LNot | Real | Imag
            | Extension | Unknown => return None,
        })
    }
}

/// Yes-or-no properties of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags(u32);

impl Flags {
    /// `p->m` rather than `s.m`.
    pub const ARROW: Flags = Flags(1);
    /// `x++` rather than `++x`.
    pub const POSTFIX: Flags = Flags(2);
    /// Not written by the user.
    pub const IMPLICIT: Flags = Flags(4);
    /// A bit-field, of a field.
    pub const BITFIELD: Flags = Flags(8);
    /// `if` with an `else`.
    pub const ELSE: Flags = Flags(16);
    /// `case a ... b:`.
    pub const CASE_RANGE: Flags = Flags(32);
    /// `static`.
    pub const STATIC: Flags = Flags(64);
    /// `extern`.
    pub const EXTERN: Flags = Flags(128);
    /// `inline`.
    pub const INLINE: Flags = Flags(256);
    /// A record with its members.
    pub const COMPLETE: Flags = Flags(512);
    /// `union` rather than `struct`.
    pub const UNION: Flags = Flags(1024);
    /// An object, not a value.
    pub const LVALUE: Flags = Flags(2048);
    /// A variable with an initialiser.
    pub const INITIALISED: Flags = Flags(4096);
    /// The chosen branch of `_Generic`.
    pub const SELECTED: Flags = Flags(8192);
    /// Thread-local.
    pub const THREAD: Flags = Flags(16384);
    /// A function without parameter list, or one with `...`.
    pub const VARIADIC: Flags = Flags(32768);
    /// An initialiser list whose first child stands for the elements that are not listed.
    pub const FILLER: Flags = Flags(65536);

    /// True when all of `flags` are set.
    pub fn has(self, flags: Flags) -> bool {
        self.0 & flags.0 == flags.0
    }

    pub(super) fn set(&mut self, flags: Flags, on: bool) {
        if on {
            self.0 |= flags.0;
        }
    }
}

/// A type as clang prints it: as written, and with the outermost typedef removed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TypeText {
    /// As the user wrote it.
    pub written: Sym,
    /// Without the outermost sugar, where that differs.
    pub desugared: Sym,
}

/// One node. Which fields mean something depends on the kind.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its yes-or-no properties.
    pub flags: Flags,
    /// Byte offset of the node's own position (the name of a declaration); for a statement or an
    /// expression its first byte.
    pub at: u32,
    /// Byte offset of the first byte of its text.
    pub begin: u32,
    /// Byte offset behind its text.
    pub end: u32,
    /// Its name, or the label of a `goto`.
    pub name: Sym,
    /// Its type.
    pub ty: TypeText,
    /// The type of a compound assignment's left side during the computation, the argument of
    /// `sizeof (T)`, or the underlying type given to an enumeration.
    pub other_ty: TypeText,
    /// The value of a literal or constant expression.
    pub value: Sym,
    /// What a cast does.
    pub cast: Option<CastKind>,
    /// Its operator.
    pub op: Option<Operator>,
    /// clang's number of the node, for declarations; 0 else.
    pub(super) clang_id: u64,
    /// clang's number of the declaration it refers to.
    pub(super) refers: u64,
    /// clang's number of the previous declaration of the same entity.
    pub(super) previous: u64,
    /// Its children: a range of the tree's child list.
    pub(super) first_child: u32,
    pub(super) child_count: u32,
}

impl Default for Node {
    fn default() -> Self {
        Node {
            kind: Kind::Other(Sym::NONE),
            flags: Flags::default(),
            at: 0,
            begin: 0,
            end: 0,
            name: Sym::NONE,
            ty: TypeText::default(),
            other_ty: TypeText::default(),
            value: Sym::NONE,
            cast: None,
            op: None,
            clang_id: 0,
            refers: 0,
            previous: 0,
            first_child: 0,
            child_count: 0,
        }
    }
}

impl Node {
    /// True when all of `flags` are set.
    pub fn has(&self, flags: Flags) -> bool {
        self.flags.has(flags)
    }
}
