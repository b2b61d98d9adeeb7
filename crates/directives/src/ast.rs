//! What a directive is after parsing.
//!
//! Nothing here knows the host language: an expression is the [`Span`] of its text, and what a name refers to is
//! for the front end to find out.
//!
//! ```text
//! parallel loop gang(static: 4) copyin(readonly: a[0:n]) device_type(nvidia) num_gangs(64)
//! └ kind        └ Clause        └ Clause{modifiers: [ReadOnly],          └ Clause{devices: Listed([Nvidia])}
//!                                        args: Vars([base `a`, subscripts [Range 0, n]])}
//! ```

use crate::Diagnostic;
use crate::Span;

/// The language whose directive syntax is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// `#pragma acc …`
    C,
    /// `#pragma acc …`, with C++ expressions.
    Cxx,
    /// `!$acc …`
    Fortran,
}

/// The directives of OpenACC 3.4. A Fortran `end` directive is a directive of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DirectiveKind {
    /// `parallel` (section 2.5.1)
    Parallel,
    /// `serial` (section 2.5.2)
    Serial,
    /// `kernels` (section 2.5.3)
    Kernels,
    /// `parallel loop` (section 2.11)
    ParallelLoop,
    /// `serial loop` (section 2.11)
    SerialLoop,
    /// `kernels loop` (section 2.11)
    KernelsLoop,
    /// `data` (section 2.6.5)
    Data,
    /// `enter data` (section 2.6.6)
    EnterData,
    /// `exit data` (section 2.6.6)
    ExitData,
    /// `host_data` (section 2.8)
    HostData,
    /// `loop` (section 2.9)
    Loop,
    /// `cache` (section 2.10)
    Cache,
    /// `atomic` (section 2.12)
    Atomic,
    /// `declare` (section 2.13)
    Declare,
    /// `init` (section 2.14.1)
    Init,
    /// `shutdown` (section 2.14.2)
    Shutdown,
    /// `set` (section 2.14.3)
    Set,
    /// `update` (section 2.14.4)
    Update,
    /// `routine` (section 2.15.1)
    Routine,
    /// `wait` (section 2.16.3)
    Wait,
    /// Fortran `end parallel`
    EndParallel,
    /// Fortran `end serial`
    EndSerial,
    /// Fortran `end kernels`
    EndKernels,
    /// Fortran `end loop`, which the specification lacks but every compiler accepts
    EndLoop,
    /// Fortran `end parallel loop`
    EndParallelLoop,
    /// Fortran `end serial loop`
    EndSerialLoop,
    /// Fortran `end kernels loop`
    EndKernelsLoop,
    /// Fortran `end data`
    EndData,
    /// Fortran `end host_data`
    EndHostData,
    /// Fortran `end atomic`
    EndAtomic,
}

/// One directive.
#[derive(Clone, Debug, PartialEq)]
pub struct Directive {
    /// Which one.
    pub kind: DirectiveKind,
    /// Its name, e.g. `parallel loop`.
    pub kind_span: Span,
    /// What stands between the name and the clauses.
    pub args: DirectiveArgs,
    /// The clauses in the order of the source, `device_type` clauses included.
    pub clauses: Vec<Clause>,
    /// From the first to the last byte that is not blank.
    pub span: Span,
    /// What is legal but deserves a remark, e.g. a device type that no one knows.
    pub warnings: Vec<Diagnostic>,
}

/// What stands between the name of a directive and its clauses.
#[derive(Clone, Debug, PartialEq)]
pub enum DirectiveArgs {
    /// Nothing.
    None,
    /// `wait [( [devnum: n:] [queues:] q, … )]` (section 2.16.3): the argument in parentheses.
    Wait(WaitArgs),
    /// `cache( [readonly:] var, … )` (section 2.10)
    Cache {
        /// The `readonly` modifier.
        readonly: Option<Span>,
        /// The variables.
        vars: Vec<Var>,
    },
    /// `atomic [read | write | update | capture]` (section 2.12)
    Atomic {
        /// The kind; `update` when none is written.
        kind: AtomicKind,
        /// The word, if written.
        span: Option<Span>,
    },
    /// `routine( name )` (section 2.15.1): the name.
    Routine {
        /// The name, perhaps qualified (`ns::f`).
        name: Span,
    },
}

/// What an atomic construct does (section 2.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicKind {
    /// `v = x`
    Read,
    /// `x = expr`
    Write,
    /// `x op= expr`
    Update,
    /// `v = x op= expr`, and the structured-block forms
    Capture,
}

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
    /// C `[lower : length]`; either may be left out. Span: between the brackets.
    Section {
        /// Between the brackets.
        span: Span,
        /// The first element; 0 when left out.
        lower: Option<Span>,
        /// The number of elements; to the end of the dimension when left out.
        length: Option<Span>,
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

impl Directive {
    /// Item `item` of clause `clause`, or of the directive's own argument, if it is an expression. Items are counted in the order
    /// of the grammar: of `wait` the device number comes before the queues, of `gang` num, dim and static follow each other.
    pub fn expression(&self, clause: Option<u32>, item: u32) -> Option<Span> {
        let item = item as usize;
        let Some(clause) = clause else {
            return match &self.args {
                DirectiveArgs::Wait(wait) => wait.item(item),
                DirectiveArgs::None
                | DirectiveArgs::Cache { .. }
                | DirectiveArgs::Atomic { .. }
                | DirectiveArgs::Routine { .. } => None,
            };
        };
        match &self.clauses.get(clause as usize)?.args {
            ClauseArgs::Expr(span) | ClauseArgs::Worker(span) | ClauseArgs::Vector(span) => {
                (item == 0).then_some(*span)
            }
            ClauseArgs::Exprs(spans) => spans.get(item).copied(),
            ClauseArgs::Wait(wait) => wait.item(item),
            ClauseArgs::Gang {
                num,
                dim,
                static_size,
            } => match item {
                0 => *num,
                1 => *dim,
                2 => static_size.and_then(SizeExpr::expression),
                _ => None,
            },
            ClauseArgs::Tile(sizes) => sizes.get(item).copied().and_then(SizeExpr::expression),
            ClauseArgs::None
            | ClauseArgs::Vars(_)
            | ClauseArgs::Reduction { .. }
            | ClauseArgs::Devices(_)
            | ClauseArgs::Default { .. }
            | ClauseArgs::Collapse { .. }
            | ClauseArgs::Bind { .. } => None,
        }
    }
}

impl WaitArgs {
    fn item(&self, item: usize) -> Option<Span> {
        match item.checked_sub(1) {
            None => self.devnum,
            Some(queue) => self.queues.get(queue).copied(),
        }
    }
}

impl SizeExpr {
    fn expression(self) -> Option<Span> {
        match self {
            SizeExpr::Any(_) => None,
            SizeExpr::Expr(span) => Some(span),
        }
    }
}
