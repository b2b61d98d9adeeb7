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

mod clauses;

pub use clauses::*;

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
