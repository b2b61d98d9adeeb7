//! What passes that know no directive language may ask about an operation of a source dialect.
//!
//! Such operations stand around and inside code of `core` until kernels are made of it; analyses that work on both meet them.
//!
//! ```text
//! acc.parallel   Construct           acc.copyin    Variable
//! acc.loop       Loop                acc.bounds    Part
//! ```

use crate::{
    acc::{AccOp, DirectiveOp, as_data_info},
    omp::OmpOp,
};
use accrue_ir::keys;
use pliron::{
    builtin::attr_interfaces::OutlinedAttr,
    context::{Context, Ptr},
    derive::{attr_interface_impl, pliron_attr},
    operation::Operation,
};

/// Where a statement or an expression begins in its front end's text: a number that only the front end understands.
#[pliron_attr(name = "source.place", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct TextPlace(pub u64);

/// It is printed behind all operations, whose own text has no room for it.
#[attr_interface_impl]
impl OutlinedAttr for TextPlace {}

keys! {
    /// Of code of the host: where the front end can put something in front of a loop, or of the whole expression that an operation
    /// is part of. Of a function of the host: that the front end has seen all of it.
    PLACE "source_place": TextPlace;
}

/// An operation of a source dialect.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum SourceOp {
    Acc(AccOp),
    Omp(OmpOp),
}

/// What such an operation is, in any directive language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A construct whose region becomes kernels: that of the directive of this number.
    Construct { directive: u32 },
    /// A loop whose iterations are shared out.
    Loop,
    /// Another directive with a region, which is run once.
    Region,
    /// A directive without one.
    Standalone,
    /// Says something about a variable, by its address; nobody gets that address from it but the device's runtime.
    Variable,
    /// The same: its result is reduced by the constructs that use this one's.
    Reduction,
    /// No directive by itself and about no variable: what an operand is made of.
    Part,
    /// The end of a region.
    End,
    /// Stands beside functions: what happens when the program, or a part of it, is loaded or goes away.
    Outside,
}

impl Role {
    /// Whether this is what a user writes as a directive.
    pub fn is_directive(self) -> bool {
        match self {
            Role::Construct { .. } | Role::Loop | Role::Region | Role::Standalone => true,
            Role::Variable | Role::Reduction | Role::Part | Role::End | Role::Outside => false,
        }
    }

    /// Whether this is a clause about a variable.
    pub fn is_about_variable(self) -> bool {
        match self {
            Role::Variable | Role::Reduction => true,
            Role::Construct { .. } | Role::Loop | Role::Region | Role::Standalone => false,
            Role::Part | Role::End | Role::Outside => false,
        }
    }
}

/// Whether `op` is a clause that no user wrote: it says what holds anyway.
pub fn is_implicit(ctx: &Context, op: Ptr<Operation>) -> bool {
    as_data_info(ctx, op).is_some_and(|info| info.implicit)
}

impl SourceOp {
    /// `None` for operations of other dialects.
    pub fn of(ctx: &Context, op: Ptr<Operation>) -> Option<Self> {
        None.or_else(|| AccOp::of(ctx, op).map(SourceOp::Acc))
            .or_else(|| OmpOp::of(ctx, op).map(SourceOp::Omp))
    }

    pub fn role(&self, ctx: &Context) -> Role {
        let construct = |op: &dyn DirectiveOp| Role::Construct {
            directive: op.directive(ctx).0,
        };
        let op = match self {
            SourceOp::Acc(op) => op,
            SourceOp::Omp(op) => {
                return match op {
                    OmpOp::Target(op) => construct(op),
                    OmpOp::Teams(_) | OmpOp::Parallel(_) | OmpOp::Critical(_) => Role::Region,
                    OmpOp::LoopNest(_) => Role::Loop,
                    OmpOp::Barrier(_)
                    | OmpOp::Scan(_)
                    | OmpOp::SetLock(_)
                    | OmpOp::UnsetLock(_)
                    | OmpOp::TestLock(_) => Role::Standalone,
                    OmpOp::Query(_) | OmpOp::TeamVariable(_) => Role::Part,
                    OmpOp::Yield(_) => Role::End,
                };
            }
        };
        match op {
            AccOp::Parallel(op) => construct(op),
            AccOp::Serial(op) => construct(op),
            AccOp::Kernels(op) => construct(op),
            AccOp::Loop(_) => Role::Loop,
            AccOp::Data(_) | AccOp::HostData(_) => Role::Region,
            AccOp::EnterData(_)
            | AccOp::ExitData(_)
            | AccOp::Update(_)
            | AccOp::Wait(_)
            | AccOp::Init(_)
            | AccOp::Shutdown(_)
            | AccOp::Set(_)
            | AccOp::DeclareEnter(_)
            | AccOp::DeclareExit(_) => Role::Standalone,
            AccOp::GlobalCtor(_) | AccOp::GlobalDtor(_) => Role::Outside,
            AccOp::Copyin(_)
            | AccOp::Create(_)
            | AccOp::Present(_)
            | AccOp::Nocreate(_)
            | AccOp::Deviceptr(_)
            | AccOp::Attach(_)
            | AccOp::UseDevice(_)
            | AccOp::Private(_)
            | AccOp::Firstprivate(_)
            | AccOp::Pointer(_)
            | AccOp::UpdateDevice(_)
            | AccOp::DeclareDeviceResident(_)
            | AccOp::DeclareLink(_)
            | AccOp::GetDeviceptr(_)
            | AccOp::Copyout(_)
            | AccOp::Delete(_)
            | AccOp::Detach(_)
            | AccOp::UpdateSelf(_) => Role::Variable,
            AccOp::Reduction(_) => Role::Reduction,
            AccOp::Bounds(_) => Role::Part,
            AccOp::Yield(_) => Role::End,
        }
    }
}
