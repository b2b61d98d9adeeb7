//! The `par` dialect: target-neutral single-program-multiple-data kernels.
//!
//! A kernel is a `builtin.func` with a [`Kernel`] attribute. Every gang, worker and vector lane runs it. Code outside
//! `par.fork`/`par.join` of a level is in that level's single mode: it behaves as if one worker (one lane) ran it. All
//! gangs run everything (gang-redundant mode).
//!
//! # Partitioned loops
//! ```text
//! par.fork gang 0            // positions of this level may differ from here on
//! … core.for over the share of par.dim_pos gang of par.dim_size gang …
//! par.join gang 0
//! ```
//! The number after the level is the loop's identifier, unique per kernel. In such a region `par.barrier vector 0` waits for the
//! other lanes: all of them come to it, or none.
//!
//! Gangs have up to three dimensions. Mostly they count as one, dimension 1 changing fastest; `par.dim_pos Gang[dim : Two]`
//! is the position in a single dimension. A loop may then be inside another gang loop, over another dimension.
//!
//! # Reductions (seed: OpenACC reductions in GCC, section "Early Builtins")
//! ```text
//! %a1 = par.red_setup    gang + (0,0) result %r, %a0     before the partitioned region
//! par.fork gang 0
//! %a2 = par.red_init     gang + (0,0) result %r, %a1     LOCAL starts as the operator's identity
//! … loop …
//! par.lock gang 0
//! %a4 = par.red_fini     gang + (0,0) result %r, %a3     LOCALs are combined
//! par.unlock gang 0
//! par.join gang 0
//! %a5 = par.red_teardown gang + (0,0) result %r, %a4     RESULT is written
//! ```
//! The pair is (loop identifier, reduction identifier). RESULT is the address of the mapped variable, or absent when the
//! result is a private variable; the inner RESULT is the outer LOCAL. LOCAL is a scalar value; for an array it is the
//! address of the local array, which the operations change in place (they then have no result).
//! `par.red_fini` is unique: no pass clones it.

pub mod declared;
pub mod kernels;
mod loops;
pub mod operators;
pub mod vectors;
mod words;

pub use self::loops::{Elements, Loop, LoopBounds, Reduce, Reduced};
pub use self::words::{
    GangDim, Level, Levels, LoopDim, LoopDims, LoopTest, ReductionOperator, TileSizes,
};

use crate::core::{array_parts, pointee};
use accrue_ir::{attributes, attributes::Declared, build::build, effects, walk::nested_ops};
use pliron::{
    builtin::{
        attributes::BoolAttr,
        op_interfaces::{NOpdsInterface, NResultsInterface, OneResultInterface},
    },
    context::{Context, Ptr},
    derive::{op_interface, pliron_attr, pliron_op},
    dict_key,
    op::{Op, op_cast},
    operation::Operation,
    result::Result,
    r#type::Typed,
    value::Value,
    verify_err,
};

/// Identifies a loop in a kernel and a reduction in a loop.
#[pliron_attr(
    name = "par.reduction_id",
    format = "`(` $loop_id `,` $reduction_id `)`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct ReductionId {
    pub loop_id: u32,
    pub reduction_id: u32,
}

/// Identifies a loop in a kernel.
#[pliron_attr(name = "par.loop_id", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct LoopId(pub u32);

/// Loop identifier of a reduction on the compute construct itself: the null gang loop. Loops count from 1.
pub const CONSTRUCT: u32 = 0;

/// What a kernel function says about itself. `site`: the directive it was made from; `phase`: its place among the
/// kernels of that directive, which run one after another.
#[pliron_attr(name = "par.kernel", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct Kernel {
    pub site: u32,
    pub phase: u32,
    /// Has a loop spread over gangs.
    pub gang_loop: bool,
    /// Runs with exactly one gang, whatever the launch: the directive says so, or nothing is spread over gangs.
    pub single_gang: bool,
}

dict_key!(KERNEL, "par_kernel");

/// The kernel attribute of a function, if it is a kernel.
pub fn kernel_of(ctx: &Context, func: &dyn Op) -> Option<Kernel> {
    let op = func.get_operation().deref(ctx);
    op.attributes.get::<Kernel>(&KERNEL).cloned()
}

/// Makes a function a kernel.
pub fn set_kernel(ctx: &Context, func: &dyn Op, kernel: Kernel) {
    let mut op = func.get_operation().deref_mut(ctx);
    op.attributes.set(KERNEL.clone(), kernel);
}

macro_rules! marker_ops {
    ($($(#[$doc:meta])* $op:ident $name:literal $format:literal ($level:ident, $id:ident);)*) => {$(
        $(#[$doc])*
        #[pliron_op(
            name = $name,
            format = $format,
            interfaces = [NOpdsInterface<0>, NResultsInterface<0>],
            verifier = "succ"
        )]
        pub struct $op;

        attributes! { $op:
            required $level: Level = level, set_level;
            required $id: LoopId = id, set_id;
        }

        impl $op {
            pub fn new(ctx: &mut Context, level: Level, id: u32) -> Self {
                let op: Self = build(ctx, vec![], vec![], 0);
                op.set_level(ctx, level);
                op.set_id(ctx, LoopId(id));
                op
            }

            pub fn loop_id(&self, ctx: &Context) -> u32 {
                self.id(ctx).0
            }
        }
    )*};
}

marker_ops! {
    /// Start of a region partitioned over `level`.
    Fork "par.fork" "attr($par_fork_level, $Level) ` ` attr($par_fork_loop, $LoopId)" (par_fork_level, par_fork_loop);
    /// End of a region partitioned over `level`.
    Join "par.join" "attr($par_join_level, $Level) ` ` attr($par_join_loop, $LoopId)" (par_join_level, par_join_loop);
    /// Before the `par.red_fini`s of a loop.
    Lock "par.lock" "attr($par_lock_level, $Level) ` ` attr($par_lock_loop, $LoopId)" (par_lock_level, par_lock_loop);
    /// After the `par.red_fini`s of a loop.
    Unlock "par.unlock" "attr($par_unlock_level, $Level) ` ` attr($par_unlock_loop, $LoopId)" (par_unlock_level, par_unlock_loop);
    /// Inside a region partitioned over `level`: all threads that have come through its fork get here; what they have stored before
    /// is visible to all of them behind it.
    Barrier "par.barrier" "attr($par_barrier_level, $Level) ` ` attr($par_barrier_loop, $LoopId)" (par_barrier_level, par_barrier_loop);
}
effects!(convergent: Fork, Join, Lock, Unlock, Barrier);

macro_rules! dim_ops {
    ($($(#[$doc:meta])* $op:ident $name:literal $format:literal ($level:ident, $dim:ident);)*) => {$(
        $(#[$doc])*
        #[pliron_op(
            name = $name,
            format = $format,
            interfaces = [NOpdsInterface<0>, OneResultInterface],
            verifier = "succ"
        )]
        pub struct $op;

        attributes! { $op:
            required $level: Level = level, set_level;
            /// The only gang dimension that is meant, if it is not all gangs as one.
            optional $dim: GangDim = gang_dim, set_gang_dim;
        }

        impl $op {
            pub fn new(ctx: &mut Context, level: Level) -> Self {
                let ty = crate::core::int(ctx, 64);
                let op: Self = build(ctx, vec![ty], vec![], 0);
                op.set_level(ctx, level);
                op
            }

            /// Of the gangs in one dimension; `None`: of all gangs.
            pub fn of_gangs(ctx: &mut Context, dim: Option<GangDim>) -> Self {
                let op = Self::new(ctx, Level::Gang);
                if let Some(dim) = dim {
                    op.set_gang_dim(ctx, dim);
                }
                op
            }
        }
    )*};
}

dim_ops! {
    /// Position of this thread in `level`, from 0, as `i64`.
    DimPos "par.dim_pos" "attr($par_pos_level, $Level) opt_attr($par_pos_dim, $GangDim, label($dim), delimiters(`[`, `]`)) ` : ` type($0)"
        (par_pos_level, par_pos_dim);
    /// Number of threads in `level`, as `i64`.
    DimSize "par.dim_size" "attr($par_size_level, $Level) opt_attr($par_size_dim, $GangDim, label($dim), delimiters(`[`, `]`)) ` : ` type($0)"
        (par_size_level, par_size_dim);
}
effects!(none: DimPos, DimSize);

/// The gang dimensions that loops in `func` are spread over one by one, by [`GangDim::index`]. None: all gangs count as one.
pub fn gang_dims(ctx: &Context, func: &dyn Op) -> [bool; 3] {
    let mut found = [false; 3];
    for op in nested_ops(ctx, func.get_operation()) {
        let dim = match Operation::get_op::<DimPos>(op, ctx) {
            Some(position) => position.gang_dim(ctx),
            None => Operation::get_op::<DimSize>(op, ctx).and_then(|size| size.gang_dim(ctx)),
        };
        if let Some(dim) = dim {
            found[dim.index()] = true;
        }
    }
    found
}

/// The arguments that the four reduction builtins share.
#[pliron_attr(name = "par.reduction", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct ReductionInfo {
    pub level: Level,
    pub operator: ReductionOperator,
    /// Integers compare as signed (`max`, `min`).
    pub signed: bool,
    pub id: ReductionId,
}

dict_key!(REDUCTION, "par_reduction");
dict_key!(RESULT_IN_USE, "par_result_in_use");

/// What all four reduction builtins have.
const REDUCTION_ATTRIBUTES: &[Declared] = &[
    Declared {
        key: &REDUCTION,
        required: true,
        fits: attributes::is::<ReductionInfo>,
    },
    Declared {
        key: &RESULT_IN_USE,
        required: false,
        fits: attributes::is::<BoolAttr>,
    },
];

/// The four reduction builtins. Operands: the LOCAL, then the RESULT reference if there is one.
#[op_interface]
pub trait ReductionOp {
    fn info(&self, ctx: &Context) -> ReductionInfo {
        attributes::required(ctx, self.get_operation(), &REDUCTION)
    }

    /// LOCAL: the value, or the address of the local array.
    fn local(&self, ctx: &Context) -> Value {
        self.get_operation().deref(ctx).get_operand(0)
    }

    /// Address of the mapped variable that gets the result.
    fn result_ref(&self, ctx: &Context) -> Option<Value> {
        let op = self.get_operation().deref(ctx);
        (op.get_num_operands() > 1).then(|| op.get_operand(1))
    }

    /// Of a gang reduction: the kernel uses RESULT outside of the reductions too. Where one gang runs, what it finds there
    /// behind the loop is the result.
    fn result_in_use(&self, ctx: &Context) -> bool {
        attributes::flag(ctx, self.get_operation(), &RESULT_IN_USE)
    }

    fn set_result_in_use(&self, ctx: &Context) {
        let set = BoolAttr::new(true);
        attributes::set(ctx, self.get_operation(), &RESULT_IN_USE, set);
    }

    fn verify(op: &dyn Op, ctx: &Context) -> Result<()>
    where
        Self: Sized,
    {
        let Some(reduction) = op_cast::<dyn ReductionOp>(op) else {
            return Ok(());
        };
        attributes::verify(op, ctx, REDUCTION_ATTRIBUTES)?;
        let operation = op.get_operation().deref(ctx);
        if !(1..=2).contains(&operation.get_num_operands()) {
            return verify_err!(
                op.loc(ctx),
                "a reduction builtin has a LOCAL and perhaps a RESULT"
            );
        }
        let level = reduction.info(ctx).level;
        if level != Level::Gang && operation.get_num_operands() > 1 {
            return verify_err!(op.loc(ctx), "only a gang reduction has a RESULT reference");
        }
        let by_address =
            pointee(ctx, operation.get_operand(0)).is_some_and(|t| array_parts(ctx, t).is_some());
        if operation.get_num_results() != usize::from(!by_address) {
            return verify_err!(
                op.loc(ctx),
                "a LOCAL value gives a new LOCAL value, an array none"
            );
        }
        let local = operation.get_operand(0).get_type(ctx);
        if operation.result_types().any(|new| new != local) {
            return verify_err!(op.loc(ctx), "the new LOCAL has the type of the old one");
        }
        let object = match by_address {
            true => pointee(ctx, operation.get_operand(0)),
            false => Some(local),
        };
        if operation.get_num_operands() > 1 && pointee(ctx, operation.get_operand(1)) != object {
            return verify_err!(op.loc(ctx), "RESULT and LOCAL are of one type");
        }
        Ok(())
    }
}

macro_rules! reduction_ops {
    ($($(#[$doc:meta])* $op:ident $name:literal;)*) => {$(
        $(#[$doc])*
        #[pliron_op(name = $name, format, interfaces = [ReductionOp], verifier = "succ")]
        pub struct $op;

        impl $op {
            /// The operation has a result, the new LOCAL, unless `local` is the address of an array.
            pub fn new(ctx: &mut Context, info: ReductionInfo, local: Value, result: Option<Value>) -> Self {
                let ty = local.get_type(ctx);
                let by_address = pointee(ctx, local).is_some_and(|t| array_parts(ctx, t).is_some());
                let results = if by_address { vec![] } else { vec![ty] };
                let operands = std::iter::once(local).chain(result).collect();
                let op: Self = build(ctx, results, operands, 0);
                attributes::set(ctx, op.get_operation(), &REDUCTION, info);
                op
            }
        }
    )*};
}

reduction_ops! {
    /// Before the partitioned region: prepares storage.
    RedSetup "par.red_setup";
    /// At the start of the partitioned region: gives each thread its LOCAL.
    RedInit "par.red_init";
    /// At the end of the partitioned region: combines the LOCALs.
    RedFini "par.red_fini";
    /// After the partitioned region: updates RESULT.
    RedTeardown "par.red_teardown";
}

effects!(convergent: RedSetup, RedInit, RedFini, RedTeardown);

accrue_ir::view! {
    /// Every operation of the dialect.
    ParOp of "par": Loop, Reduce, Fork, Join, Lock, Unlock, Barrier, DimPos, DimSize, RedSetup, RedInit, RedFini, RedTeardown,
}

/// Where a region begins or ends whose threads are spread over a level.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Fork(Fork),
    Join(Join),
}

impl Edge {
    /// `None` for operations that stand between them.
    pub fn of(ctx: &Context, op: Ptr<Operation>) -> Option<Edge> {
        match ParOp::of(ctx, op)? {
            ParOp::Fork(fork) => Some(Edge::Fork(fork)),
            ParOp::Join(join) => Some(Edge::Join(join)),
            ParOp::Lock(_) | ParOp::Unlock(_) | ParOp::Barrier(_) => None,
            ParOp::DimPos(_) | ParOp::DimSize(_) | ParOp::Loop(_) | ParOp::Reduce(_) => None,
            ParOp::RedSetup(_) | ParOp::RedInit(_) => None,
            ParOp::RedFini(_) | ParOp::RedTeardown(_) => None,
        }
    }
}

/// Which of the four reduction builtins an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    Setup,
    Init,
    Fini,
    Teardown,
}

impl Builtin {
    pub const ALL: [Builtin; 4] = [
        Builtin::Setup,
        Builtin::Init,
        Builtin::Fini,
        Builtin::Teardown,
    ];

    /// The operation's name.
    pub fn name(self) -> &'static str {
        match self {
            Builtin::Setup => "par.red_setup",
            Builtin::Init => "par.red_init",
            Builtin::Fini => "par.red_fini",
            Builtin::Teardown => "par.red_teardown",
        }
    }

    /// `None` for other operations.
    pub fn of(ctx: &Context, op: Ptr<Operation>) -> Option<Builtin> {
        match ParOp::of(ctx, op)? {
            ParOp::RedSetup(_) => Some(Builtin::Setup),
            ParOp::RedInit(_) => Some(Builtin::Init),
            ParOp::RedFini(_) => Some(Builtin::Fini),
            ParOp::RedTeardown(_) => Some(Builtin::Teardown),
            ParOp::Fork(_) | ParOp::Join(_) | ParOp::Lock(_) | ParOp::Unlock(_) => None,
            ParOp::Barrier(_) | ParOp::DimPos(_) | ParOp::DimSize(_) => None,
            ParOp::Loop(_) | ParOp::Reduce(_) => None,
        }
    }
}
