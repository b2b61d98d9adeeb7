//! Bounds and the entry and exit operations of data clauses (OpenACC 3.4, section 2.7).

use super::clauses::{self, ClauseOp, Group};
use crate::{
    clause_op,
    core::types::{Shape, ShapeDim},
    par::ReductionOperator,
};
use accrue_ir::{
    attributes,
    attributes::Declared,
    effects,
    effects::{Effect, EffectOp, Effects},
    pointers::PointerLike,
};
use pliron::{
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{NResultsInterface, OneResultInterface, SegmentNImplsTy},
    },
    common_traits::Verify,
    context::{Context, Ptr},
    derive::{op_interface, op_interface_impl, pliron_attr, pliron_op, pliron_type},
    dict_key,
    op::{Op, op_cast},
    operation::Operation,
    result::Result,
    r#type::Typed,
    value::Value,
    verify_err,
};

/// The clause that the user wrote, or that the specification implies.
#[pliron_attr(name = "acc.data_clause", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum DataClause {
    Copy,
    Copyin,
    Copyout,
    Create,
    NoCreate,
    Present,
    Deviceptr,
    Attach,
    Detach,
    Delete,
    UseDevice,
    UpdateSelf,
    UpdateDevice,
    Private,
    Firstprivate,
    Reduction,
    /// On `declare`: the variable is only the device's (2.13.1).
    DeviceResident,
    /// On `declare`: other directives map the variable (2.13.3).
    Link,
    /// A pointer without a clause in a compute construct: its value is the device's address if what it points to is
    /// present, and the pointer itself otherwise.
    Pointer,
}

impl DataClause {
    /// The word in the user's program.
    pub fn spelling(self) -> &'static str {
        match self {
            DataClause::Copy => "copy",
            DataClause::Copyin => "copyin",
            DataClause::Copyout => "copyout",
            DataClause::Create => "create",
            DataClause::NoCreate => "no_create",
            DataClause::Present => "present",
            DataClause::Deviceptr => "deviceptr",
            DataClause::Attach => "attach",
            DataClause::Detach => "detach",
            DataClause::Delete => "delete",
            DataClause::UseDevice => "use_device",
            DataClause::UpdateSelf => "self",
            DataClause::UpdateDevice => "device",
            DataClause::Private => "private",
            DataClause::Firstprivate => "firstprivate",
            DataClause::Reduction => "reduction",
            DataClause::DeviceResident => "device_resident",
            DataClause::Link => "link",
            DataClause::Pointer => "pointer",
        }
    }
}

/// What is said about a variable in a data clause. `counted`: the structured reference counter (else the dynamic one).
#[pliron_attr(name = "acc.data_info", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct DataInfo {
    /// The clause.
    pub clause: DataClause,
    /// The variable as written, with its section.
    pub name: String,
    /// Structured (constructs) or dynamic (enter and exit data) reference counter.
    pub structured: bool,
    /// Not written by the user, but implied by the specification.
    pub implicit: bool,
    pub readonly: bool,
    pub zero: bool,
    pub always_in: bool,
    pub always_out: bool,
    pub capture: bool,
    /// Shape of the variable as declared (bounds narrow it down).
    pub shape: Shape,
}

impl DataInfo {
    /// An explicit clause without modifiers on a structured construct.
    pub fn new(clause: DataClause, name: &str, shape: Shape) -> Self {
        DataInfo {
            clause,
            name: name.to_string(),
            structured: true,
            implicit: false,
            readonly: false,
            zero: false,
            always_in: false,
            always_out: false,
            capture: false,
            shape,
        }
    }
}

/// Where in the source a clause item stands: ordinal number of the directive in the unit, of the clause in the directive
/// and of the item in the clause.
#[pliron_attr(name = "acc.origin", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct Origin {
    pub directive: u32,
    pub clause: u32,
    pub item: u32,
}

/// The type of bounds: only data operations use them.
#[pliron_type(
    name = "acc.bounds_type",
    format,
    generate_get = true,
    verifier = "succ"
)]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BoundsType;

/// Bounds of one dimension.
#[pliron_op(name = "acc.bounds", interfaces = [OneResultInterface], verifier = "succ")]
pub struct Bounds;
clause_op!(Bounds: LowerBound, Extent, Stride);
effects!(none: Bounds);

impl Bounds {
    /// `extent` elements from `lower` on. `None`: from the start, or to the end of the variable.
    pub fn new(ctx: &mut Context, lower: Option<Value>, extent: Option<Value>) -> Self {
        Bounds::with_stride(ctx, lower, extent, None)
    }

    /// The same, each `stride` behind the one before it.
    pub fn with_stride(
        ctx: &mut Context,
        lower: Option<Value>,
        extent: Option<Value>,
        stride: Option<Value>,
    ) -> Self {
        let ty = BoundsType::get(ctx).into();
        let groups = [lower, extent, stride].map(|value| value.into_iter().collect());
        clauses::build(ctx, vec![ty], groups.to_vec(), 0)
    }
}

dict_key!(DATA_INFO, "acc_data");
dict_key!(ORIGIN, "acc_origin");

/// What all data operations have.
const DATA_ATTRIBUTES: &[Declared] = &[
    Declared {
        key: &DATA_INFO,
        required: true,
        fits: attributes::is::<DataInfo>,
    },
    Declared {
        key: &ORIGIN,
        required: false,
        fits: attributes::is::<Origin>,
    },
];

/// What all entry and exit operations share.
#[op_interface]
pub trait DataOp: ClauseOp {
    /// Clause, name and modifiers.
    fn info(&self, ctx: &Context) -> DataInfo {
        attributes::required(ctx, self.get_operation(), &DATA_INFO)
    }

    fn set_info(&self, ctx: &Context, info: DataInfo) {
        attributes::set(ctx, self.get_operation(), &DATA_INFO, info);
    }

    /// Place in the source; `None` for implicit ones.
    fn origin(&self, ctx: &Context) -> Option<Origin> {
        attributes::optional(ctx, self.get_operation(), &ORIGIN)
    }

    fn set_origin(&self, ctx: &Context, origin: Origin) {
        attributes::set(ctx, self.get_operation(), &ORIGIN, origin);
    }

    /// The host variable's address.
    fn var(&self, ctx: &Context) -> Option<Value> {
        self.clause(ctx, Group::Var).first().copied()
    }

    /// The `acc.bounds` operations, outermost dimension first.
    fn bounds(&self, ctx: &Context) -> Vec<Bounds> {
        let values = self.clause(ctx, Group::Bounds);
        let ops = values.into_iter().filter_map(|v| v.defining_op());
        ops.filter_map(|op| Operation::get_op::<Bounds>(op, ctx))
            .collect()
    }

    fn verify(op: &dyn Op, ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        let Some(data) = op_cast::<dyn DataOp>(op) else {
            return Ok(());
        };
        attributes::verify(op, ctx, DATA_ATTRIBUTES)?;
        if data.var(ctx).is_none() {
            return verify_err!(op.loc(ctx), "a data operation has a variable");
        }
        verify_bounds(ctx, data)
    }
}

/// A pointer does not say how far a section of it goes.
fn verify_bounds(ctx: &Context, data: &dyn DataOp) -> Result<()> {
    let info = data.info(ctx);
    for (bounds, dim) in data.bounds(ctx).iter().zip(&info.shape.dims) {
        let open = bounds.clause(ctx, Group::Extent).is_empty();
        let said = |group| !bounds.clause(ctx, group).is_empty();
        let written = said(Group::LowerBound) || said(Group::Stride);
        if *dim == ShapeDim::Pointer && open && written {
            return verify_err!(
                data.loc(ctx),
                "the bounds of `{}`, a pointer, have no extent",
                info.name
            );
        }
    }
    Ok(())
}

/// `op` as a data operation, if it is one.
pub fn as_data_info(ctx: &Context, op: Ptr<Operation>) -> Option<DataInfo> {
    let dynamic = Operation::get_op_dyn(op, ctx);
    op_cast::<dyn DataOp>(&*dynamic).map(|d| d.info(ctx))
}

macro_rules! entry_ops {
    ($($(#[$doc:meta])* $op:ident $name:literal: $($clause:ident)|+;)*) => {$(
        $(#[$doc])*
        #[pliron_op(name = $name, interfaces = [DataOp, OneResultInterface, SegmentNImplsTy<0, dyn PointerLike>])]
        pub struct $op;
        clause_op!($op: Var, Bounds);

        impl $op {
            /// `var` is the variable's address; the result is the device's.
            pub fn new(ctx: &mut Context, info: DataInfo, var: Value, bounds: Vec<Value>) -> Self {
                let ty = var.get_type(ctx);
                let op: Self = clauses::build(ctx, vec![ty], vec![vec![var], bounds], 0);
                op.set_info(ctx, info);
                op
            }
        }

        impl Verify for $op {
            fn verify(&self, ctx: &Context) -> Result<()> {
                if !matches!(self.info(ctx).clause, $(DataClause::$clause)|+) {
                    return verify_err!(self.loc(ctx), "`{}` does not start with {}", self.info(ctx).clause.spelling(), $name);
                }
                if self.var(ctx).map(|v| v.get_type(ctx)) != Some(self.result_type(ctx)) {
                    return verify_err!(self.loc(ctx), "the result has the type of var");
                }
                Ok(())
            }
        }

        #[op_interface_impl]
        impl EffectOp for $op {
            fn effects(&self, ctx: &Context) -> Effects {
                Effects::Known(vec![Effect::Read(self.var(ctx))])
            }
        }
    )*};
}

entry_ops! {
    /// Entry part of `copyin` and `copy` (section 2.7.7, 2.7.8).
    Copyin "acc.copyin": Copy | Copyin;
    /// Entry part of `create` and `copyout` (2.7.9, 2.7.10).
    Create "acc.create": Create | Copyout;
    /// Entry part of `present` (2.7.6).
    Present "acc.present": Present;
    /// Entry part of `no_create` (2.7.11).
    Nocreate "acc.nocreate": NoCreate;
    /// `deviceptr`: the pointer is a device address already (2.7.5).
    Deviceptr "acc.deviceptr": Deviceptr;
    /// Entry part of `attach` (2.7.13).
    Attach "acc.attach": Attach;
    /// `host_data use_device` (2.8.1).
    UseDevice "acc.use_device": UseDevice;
    /// `private` on a compute construct or loop (2.5.11, 2.9.10).
    Private "acc.private": Private;
    /// `firstprivate` (2.5.12).
    Firstprivate "acc.firstprivate": Firstprivate;
    /// A pointer that no clause mentions.
    Pointer "acc.pointer": Pointer;
    /// `update device` (2.14.4).
    UpdateDevice "acc.update_device": UpdateDevice;
    /// `device_resident` on `declare` (2.13.1).
    DeclareDeviceResident "acc.declare_device_resident": DeviceResident;
    /// `link` on `declare` (2.13.3): nothing is mapped.
    DeclareLink "acc.declare_link": Link;
    /// What an entry operation elsewhere has made, for the exit operation of an `acc.global_dtor`.
    GetDeviceptr "acc.getdeviceptr": Copyin | Create | DeviceResident | Deviceptr | Link;
}

/// An exit operation with an entry is of the same clause and variable.
fn verify_exit(ctx: &Context, exit: &dyn DataOp) -> Result<()> {
    let ended = exit.info(ctx).clause;
    let by_itself = matches!(
        ended,
        DataClause::Delete | DataClause::Detach | DataClause::UpdateSelf
    );
    let begun = exit.clause(ctx, Group::Entry);
    let entry = begun.first().and_then(|entry| entry.defining_op());
    let Some(object) = entry.map(|op| Operation::get_op_dyn(op, ctx)) else {
        return match exit.info(ctx).structured && !by_itself {
            true => verify_err!(
                exit.loc(ctx),
                "the end of something that no entry operation made"
            ),
            false => Ok(()),
        };
    };
    let Some(entry) = op_cast::<dyn DataOp>(&*object) else {
        return verify_err!(
            exit.loc(ctx),
            "the end of something that no entry operation made"
        );
    };
    let begun = entry.info(ctx).clause;
    if begun != ended || entry.var(ctx) != exit.var(ctx) {
        return verify_err!(
            exit.loc(ctx),
            "this ends `{}`, and the entry operation is of `{}` or of another variable",
            ended.spelling(),
            begun.spelling()
        );
    }
    Ok(())
}

macro_rules! exit_ops {
    ($($(#[$doc:meta])* $op:ident $name:literal: $($clause:ident)|+;)*) => {$(
        $(#[$doc])*
        #[pliron_op(name = $name, interfaces = [DataOp, NResultsInterface<0>])]
        pub struct $op;
        clause_op!($op: Entry, Var, Bounds);

        impl $op {
            /// `acc` is the value of the entry operation; absent on `exit data` and `update`.
            pub fn new(
                ctx: &mut Context,
                info: DataInfo,
                acc: Option<Value>,
                var: Value,
                bounds: Vec<Value>,
            ) -> Self {
                let groups = vec![acc.into_iter().collect(), vec![var], bounds];
                let op: Self = clauses::build(ctx, vec![], groups, 0);
                op.set_info(ctx, info);
                op
            }
        }

        impl Verify for $op {
            fn verify(&self, ctx: &Context) -> Result<()> {
                if !matches!(self.info(ctx).clause, $(DataClause::$clause)|+) {
                    return verify_err!(self.loc(ctx), "`{}` does not end with {}", self.info(ctx).clause.spelling(), $name);
                }
                verify_exit(ctx, self)
            }
        }

        #[op_interface_impl]
        impl EffectOp for $op {
            fn effects(&self, ctx: &Context) -> Effects {
                Effects::Known(vec![Effect::Write(self.var(ctx))])
            }
        }
    )*};
}

exit_ops! {
    /// Exit part of `copyout` and `copy`.
    Copyout "acc.copyout": Copy | Copyout;
    /// Exit part of everything that is not copied back.
    Delete "acc.delete": Copyin | Create | Present | NoCreate | Delete | DeviceResident;
    /// Exit part of `attach`; `exit data detach`.
    Detach "acc.detach": Attach | Detach;
    /// `update self` (2.14.4).
    UpdateSelf "acc.update_self": UpdateSelf;
}

/// `reduction` on a compute construct or loop. `acc_reduction_signed`: integers compare as signed (`max`, `min`).
#[pliron_op(
    name = "acc.reduction",
    interfaces = [DataOp, OneResultInterface, SegmentNImplsTy<0, dyn PointerLike>]
)]
pub struct Reduction;
clause_op!(Reduction: Var, Bounds);

attributes! { Reduction:
    required acc_reduction_operator: ReductionOperator = operator, set_operator;
    required acc_reduction_signed: BoolAttr = signed_attribute, set_signed_attribute;
}

impl Reduction {
    /// `signed` tells how integers of this variable compare.
    pub fn new(
        ctx: &mut Context,
        operator: ReductionOperator,
        signed: bool,
        info: DataInfo,
        var: Value,
        bounds: Vec<Value>,
    ) -> Self {
        let ty = var.get_type(ctx);
        let op: Self = clauses::build(ctx, vec![ty], vec![vec![var], bounds], 0);
        op.set_info(ctx, info);
        op.set_operator(ctx, operator);
        op.set_signed_attribute(ctx, signed.into());
        op
    }

    pub fn signed(&self, ctx: &Context) -> bool {
        self.signed_attribute(ctx).into()
    }
}

impl Verify for Reduction {
    fn verify(&self, ctx: &Context) -> Result<()> {
        if self.info(ctx).clause != DataClause::Reduction {
            return verify_err!(self.loc(ctx), "acc.reduction is for reduction clauses");
        }
        Ok(())
    }
}

#[op_interface_impl]
impl EffectOp for Reduction {
    fn effects(&self, ctx: &Context) -> Effects {
        Effects::Known(vec![
            Effect::Read(self.var(ctx)),
            Effect::Write(self.var(ctx)),
        ])
    }
}
