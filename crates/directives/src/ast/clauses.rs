//! A clause after parsing: its kind, modifiers, device types, and what stands in its parentheses.

use crate::Span;

/// The clauses of OpenACC 3.4. Other spellings of a clause (`pcopy`, `dtype` …) are the same kind;
/// the text of [`Clause::name_span`] keeps what was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClauseKind {
    /// `if( condition )`
    If,
    /// `self [( condition )]` of the compute constructs (section 2.5.7)
    SelfCondition,
    /// `async [( argument )]` (section 2.16.1)
    Async,
    /// `wait [( arguments )]` (section 2.16.2)
    Wait,
    /// `num_gangs( n, … )`, at most three (section 2.5.10)
    NumGangs,
    /// `num_workers( n )` (section 2.5.11)
    NumWorkers,
    /// `vector_length( n )` (section 2.5.12)
    VectorLength,
    /// `private( var, … )`
    Private,
    /// `firstprivate( var, … )` (section 2.5.14)
    FirstPrivate,
    /// `reduction( operator : var, … )`
    Reduction,
    /// `default( none | present )` (section 2.5.16)
    Default,
    /// `copy`, `pcopy`, `present_or_copy` (section 2.7.7)
    Copy,
    /// `copyin`, `pcopyin`, `present_or_copyin` (section 2.7.8)
    CopyIn,
    /// `copyout`, `pcopyout`, `present_or_copyout` (section 2.7.9)
    CopyOut,
    /// `create`, `pcreate`, `present_or_create` (section 2.7.10)
    Create,
    /// `no_create` (section 2.7.11)
    NoCreate,
    /// `present` (section 2.7.6)
    Present,
    /// `deviceptr` (section 2.7.5)
    DevicePtr,
    /// `attach` (section 2.7.13)
    Attach,
    /// `detach` (section 2.7.14)
    Detach,
    /// `delete` (section 2.7.12)
    Delete,
    /// `finalize` of `exit data` (section 2.6.6)
    Finalize,
    /// `use_device( var, … )` (section 2.8.1)
    UseDevice,
    /// `if_present` (sections 2.8.3 and 2.14.4)
    IfPresent,
    /// `collapse( [force:] n )` (section 2.9.1)
    Collapse,
    /// `gang [( … )]` (sections 2.9.2 and 2.15.1)
    Gang,
    /// `worker [( [num:] n )]` (sections 2.9.3 and 2.15.1)
    Worker,
    /// `vector [( [length:] n )]` (sections 2.9.4 and 2.15.1)
    Vector,
    /// `seq` (sections 2.9.5 and 2.15.1)
    Seq,
    /// `independent` (section 2.9.6)
    Independent,
    /// `auto` (section 2.9.7)
    Auto,
    /// `tile( size, … )` (section 2.9.8)
    Tile,
    /// `device_type`, `dtype` (section 2.4)
    DeviceType,
    /// `bind( name | "string" )` (section 2.15.1)
    Bind,
    /// `nohost` (section 2.15.1)
    NoHost,
    /// `device_resident( var, … )` (section 2.13.1)
    DeviceResident,
    /// `link( var, … )` (section 2.13.3)
    Link,
    /// `device_num( n )` (section 2.14)
    DeviceNum,
    /// `default_async( argument )` (section 2.14.3)
    DefaultAsync,
    /// `self` and `host` of `update` (section 2.14.4)
    UpdateSelf,
    /// `device` of `update` (section 2.14.4)
    UpdateDevice,
}

/// One clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Which one.
    pub kind: ClauseKind,
    /// Its name as it is written.
    pub name_span: Span,
    /// Data clause modifiers, in the order of the source.
    pub modifiers: Vec<Modifier>,
    /// What stands in its parentheses.
    pub args: ClauseArgs,
    /// The device types it applies to.
    pub devices: DeviceScope,
    /// Name and parentheses.
    pub span: Span,
}

/// A modifier of a data clause (section 2.7.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modifier {
    /// Which one.
    pub kind: ModifierKind,
    /// The word.
    pub span: Span,
}

/// The modifiers of data clauses (section 2.7.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModifierKind {
    /// `always`
    Always,
    /// `alwaysin`
    AlwaysIn,
    /// `alwaysout`
    AlwaysOut,
    /// `capture`
    Capture,
    /// `readonly`
    ReadOnly,
    /// `zero`
    Zero,
}

/// What stands in the parentheses of a clause.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseArgs {
    /// No parentheses: `seq`, `async`, `self`, `wait`, `gang` …
    None,
    /// One expression: `if`, `self`, `async`, `num_workers`, `vector_length`, `device_num`, `default_async`.
    Expr(Span),
    /// One expression or more: `num_gangs`.
    Exprs(Vec<Span>),
    /// Variables: data clauses, `private`, `firstprivate`, `use_device`, `device_resident`, `link`, `update`'s.
    Vars(Vec<Var>),
    /// `reduction`
    Reduction {
        /// The operator.
        operator: ReductionOperator,
        /// The operator as it is written.
        operator_span: Span,
        /// The variables.
        vars: Vec<Var>,
    },
    /// `wait( … )`
    Wait(WaitArgs),
    /// `device_type( … )`
    Devices(Vec<DeviceType>),
    /// `default( … )`
    Default {
        /// The value.
        value: DefaultValue,
        /// The word.
        span: Span,
    },
    /// `collapse( … )`
    Collapse {
        /// The word `force`.
        force: Option<Span>,
        /// The number of loops.
        count: Span,
    },
    /// `gang( … )`, with at least one of the three.
    Gang {
        /// `[num:] n`
        num: Option<Span>,
        /// `dim: n`
        dim: Option<Span>,
        /// `static: size`
        static_size: Option<SizeExpr>,
    },
    /// `worker( [num:] n )`: the expression.
    Worker(Span),
    /// `vector( [length:] n )`: the expression.
    Vector(Span),
    /// `tile( size, … )`
    Tile(Vec<SizeExpr>),
    /// `bind( name )` or `bind( "name" )`: the name; quotes are not part of the span.
    Bind {
        /// The name.
        name: Span,
        /// Whether it was written as a string, which is then used as it is, without name mangling.
        string: bool,
    },
}

/// A size of `tile` or of `gang(static: …)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeExpr {
    /// `*`: the implementation chooses.
    Any(Span),
    /// A positive integer expression.
    Expr(Span),
}

/// The argument of a `wait` directive or clause (section 2.16): `[devnum: n:] [queues:] q, …`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitArgs {
    /// The expression after `devnum:`.
    pub devnum: Option<Span>,
    /// The queues.
    pub queues: Vec<Span>,
}

/// A variable in a clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// The whole of it.
    pub span: Span,
    /// What is subscripted: `s->p` of `s->p[0:n][1:m]`, `t%a` of `t%a(1:n)`; the name of a common block without
    /// its slashes. Equal to `span` for a variable without trailing subscripts.
    pub base: Span,
    /// A variable or a common block.
    pub kind: VarKind,
    /// The trailing subscripts, one for each dimension.
    pub subscripts: Vec<Subscript>,
}

/// What a [`Var`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarKind {
    /// A variable, a member, an array element or a subarray.
    Object,
    /// Fortran `/name/`.
    CommonBlock,
}

/// One dimension of a subarray or array element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subscript {
    /// `[i]`, `(i)`
    Index(Span),
    /// C `[lower : length]`, in OpenMP also `[lower : length : stride]`; each may be left out. Span: between the brackets.
    Section {
        /// Between the brackets.
        span: Span,
        /// The first element; 0 when left out.
        lower: Option<Span>,
        /// The number of elements; to the end of the dimension when left out.
        length: Option<Span>,
        /// From an element to the next; 1 when left out.
        stride: Option<Span>,
    },
    /// Fortran `lower : upper [: stride]`; each may be left out.
    Triplet {
        /// The three with their colons.
        span: Span,
        /// The first element; the dimension's lower bound when left out.
        lower: Option<Span>,
        /// The last element; the dimension's upper bound when left out.
        upper: Option<Span>,
        /// The stride; 1 when left out.
        stride: Option<Span>,
    },
}

/// The value of a `default` clause (section 2.5.16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultValue {
    /// `none`
    None,
    /// `present`
    Present,
}

/// The device types that a clause applies to (section 2.4).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum DeviceScope {
    /// No `device_type` clause stands before it: every type for which no later `device_type` clause of the
    /// directive gives the same clause.
    #[default]
    All,
    /// The types of the nearest `device_type` clause before it.
    Listed(Vec<DeviceType>),
}

/// A device type with its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceType {
    /// Which one.
    pub kind: DeviceTypeKind,
    /// The word or star.
    pub span: Span,
}

/// The names a `device_type` clause may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceTypeKind {
    /// `*`: each type that no other `device_type` clause of the directive names.
    Any,
    /// `default`
    Default,
    /// `host`
    Host,
    /// `multicore`
    Multicore,
    /// `nvidia`
    Nvidia,
    /// `radeon`
    Radeon,
    /// `sim`, the PTX simulator
    Sim,
    /// `opencl`
    OpenCl,
    /// A name that we have no device for; its clauses are skipped.
    Unknown,
}

/// The operators of `reduction` (section 2.5.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReductionOperator {
    /// `+`
    Add,
    /// `*`
    Multiply,
    /// `max`
    Max,
    /// `min`
    Min,
    /// C `&`, Fortran `iand`
    BitAnd,
    /// C `|`, Fortran `ior`
    BitOr,
    /// C `^`, Fortran `ieor`
    BitXor,
    /// C `&&`, Fortran `.and.`
    LogicalAnd,
    /// C `||`, Fortran `.or.`
    LogicalOr,
    /// Fortran `.eqv.`
    Equivalent,
    /// Fortran `.neqv.`
    NotEquivalent,
}

impl WaitArgs {
    pub(super) fn item(&self, item: usize) -> Option<Span> {
        match item.checked_sub(1) {
            None => self.devnum,
            Some(queue) => self.queues.get(queue).copied(),
        }
    }
}

impl SizeExpr {
    pub(super) fn expression(self) -> Option<Span> {
        match self {
            SizeExpr::Any(_) => None,
            SizeExpr::Expr(span) => Some(span),
        }
    }
}
