//! The `simt` dialect: what a kernel has beside `core` on a device whose threads run in groups.
//!
//! Every thread of the launch runs the kernel. A group is a gang: its threads stand in rows, one row for each worker, and the
//! place in the row is the vector lane. A group consists of whole *sub-groups*: neighbouring threads that exchange values
//! without memory. How many threads a sub-group has is the device's affair (32 on NVIDIA GPUs; 1 where there is no such
//! thing), and so operations among them say how many take part. A worker has whole sub-groups as well, or it has fewer lanes
//! than one and shares it with others.
//!
//! ```text
//! %l = simt.query Lane : i32                          this thread's place in its row
//! simt.barrier Group                                  all threads of the group have got here; their stores are visible
//! simt.barrier Subgroup[lanes : 8]                    the same for 8 lanes of a sub-group: this one's worker
//! %y = simt.shuffle Xor %x, %distance[lanes : 32]     the value of the lane whose number differs in these bits
//! %p = simt.shared "sum" 256 align 8                  memory of the group
//! %s = simt.reduce Add %x[lanes : 32]                 the sum of the values of all these lanes, in one instruction
//! %m = simt.ballot %b[lanes : 32]                     a bit per lane: where the condition is true
//! %n = simt.mask Count %m                             how many bits of it are set
//! simt.locked %lock { … }                             one thread at a time
//! ```
//! Shuffles, reductions, votes and masks are for targets that have them, and so are barriers of less than the group; the
//! lowering to this dialect asks its target before it uses them.

use crate::core::{AddressSpace, PointerType, int};
use accrue_ir::{
    attributes,
    build::{build, entry},
    effects,
    effects::{Effect, EffectOp, Effects},
};
use pliron::{
    basic_block::BasicBlock,
    builtin::op_interfaces::{
        NOpdsInterface, NResultsInterface, OneOpdInterface, OneRegionInterface, OneResultInterface,
        SingleBlockRegionInterface,
    },
    context::{Context, Ptr},
    derive::{op_interface_impl, pliron_attr, pliron_op},
    r#type::{TypeHandle, Typed},
    value::Value,
};

/// What a thread can ask about its place in the launch.
#[pliron_attr(name = "simt.quantity", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum Quantity {
    /// This thread's number in its row: the vector lane.
    Lane,
    /// The number of its row in the group: the worker.
    Worker,
    /// Threads of a row.
    Lanes,
    /// Rows of a group.
    Workers,
    /// The group's place in a grid of up to three dimensions.
    GroupX,
    GroupY,
    GroupZ,
    /// How many groups the grid has in each dimension.
    GroupsX,
    GroupsY,
    GroupsZ,
    /// This thread's number in its sub-group.
    SubgroupLane,
    /// A bit for each lane of the sub-group before this one.
    LanesBefore,
    /// A bit for each lane of the sub-group after this one.
    LanesAfter,
}

/// Asks for a quantity, as `i32`.
#[pliron_op(
    name = "simt.query",
    format = "attr($simt_quantity, $Quantity) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct Query;

attributes! { Query:
    required simt_quantity: Quantity = quantity, set_quantity;
}

impl Query {
    pub fn new(ctx: &mut Context, quantity: Quantity) -> Self {
        let ty = int(ctx, 32);
        let op: Self = build(ctx, vec![ty], vec![], 0);
        op.set_quantity(ctx, quantity);
        op
    }
}

/// Who takes part in a barrier or a fence.
#[pliron_attr(name = "simt.scope", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum Scope {
    /// As many neighbouring lanes of a sub-group as an operation's [`Lanes`] say.
    Subgroup,
    /// The threads of this worker's row. For targets on which a part of a group can wait.
    Worker,
    /// All threads of the group.
    Group,
    /// All threads of the device (fences only).
    Device,
    /// Device and host (fences only).
    System,
}

/// How many neighbouring lanes of a sub-group take part in an operation among themselves, while the others may be elsewhere: a
/// power of two.
#[pliron_attr(name = "simt.lanes", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct Lanes(pub u32);

/// Waits for the other threads of the scope; what they stored before is visible afterwards.
#[pliron_op(
    name = "simt.barrier",
    format = "attr($simt_barrier_scope, $Scope) opt_attr($simt_barrier_lanes, $Lanes, label($lanes), delimiters(`[`, `]`))",
    interfaces = [NOpdsInterface<0>, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Barrier;

attributes! { Barrier:
    required simt_barrier_scope: Scope = scope, set_scope;
    optional simt_barrier_lanes: Lanes = some_lanes, set_some_lanes;
}

impl Barrier {
    /// Of a sub-group's threads, `lanes` wait for each other; all do in the other scopes.
    pub fn new(ctx: &mut Context, scope: Scope, lanes: u32) -> Self {
        let op: Self = build(ctx, vec![], vec![], 0);
        op.set_scope(ctx, scope);
        if scope == Scope::Subgroup {
            op.set_some_lanes(ctx, Lanes(lanes));
        }
        op
    }

    /// The threads of a sub-group that wait for each other; none in the other scopes.
    pub fn lanes(&self, ctx: &Context) -> Option<u32> {
        self.some_lanes(ctx).map(|l| l.0)
    }
}

/// Orders this thread's accesses before it and after it for all threads of the scope.
#[pliron_op(
    name = "simt.fence",
    format = "attr($simt_fence_scope, $Scope)",
    interfaces = [NOpdsInterface<0>, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Fence;

attributes! { Fence:
    required simt_fence_scope: Scope = scope, set_scope;
}

impl Fence {
    pub fn new(ctx: &mut Context, scope: Scope) -> Self {
        let op: Self = build(ctx, vec![], vec![], 0);
        op.set_scope(ctx, scope);
        op
    }
}

/// A number of bytes.
#[pliron_attr(name = "simt.bytes", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct Bytes(pub u64);

/// A note for the simulator: by the end of the kernel, this gang adds to the bytes at `$0`, which are undefined until then.
#[pliron_op(
    name = "simt.contribute",
    format = "$0 ` ` attr($simt_contribute_bytes, $Bytes)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, NResultsInterface<0>],
    operands = (address),
    verifier = "succ"
)]
pub struct Contribute;

attributes! { Contribute:
    required simt_contribute_bytes: Bytes = size, set_size;
}

impl Contribute {
    pub fn new(ctx: &mut Context, address: Value, bytes: u64) -> Self {
        let op: Self = build(ctx, vec![], vec![address], 0);
        op.set_size(ctx, Bytes(bytes));
        op
    }

    pub fn bytes(&self, ctx: &Context) -> u64 {
        self.size(ctx).0
    }
}

/// Which lane's value a shuffle takes.
#[pliron_attr(name = "simt.shuffle_mode", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum ShuffleMode {
    /// Own lane plus the operand; a lane beyond the last gives the own value.
    Down,
    /// Own lane with the operand's bits flipped.
    Xor,
    /// The lane with the operand's number.
    Index,
}

/// The value `$0` of another lane of the sub-group; `$1` (`i32`) says which. Where only some lanes take part, they are numbered
/// from the first of them. Any scalar type.
#[pliron_op(
    name = "simt.shuffle",
    format = "attr($simt_shuffle_mode, $ShuffleMode) ` ` $0 `, ` $1 `[lanes : ` attr($simt_shuffle_lanes, $Lanes) `]` ` : ` type($0)",
    interfaces = [NOpdsInterface<2>, OneResultInterface],
    operands = (value, lane),
    verifier = "succ"
)]
pub struct Shuffle;

attributes! { Shuffle:
    required simt_shuffle_mode: ShuffleMode = mode, set_mode;
    required simt_shuffle_lanes: Lanes = all_lanes, set_all_lanes;
}

impl Shuffle {
    /// `lanes` of the sub-group take part.
    pub fn new(
        ctx: &mut Context,
        mode: ShuffleMode,
        value: Value,
        lane: Value,
        lanes: u32,
    ) -> Self {
        let ty = value.get_type(ctx);
        let op: Self = build(ctx, vec![ty], vec![value, lane], 0);
        op.set_mode(ctx, mode);
        op.set_all_lanes(ctx, Lanes(lanes));
        op
    }

    /// The threads of a sub-group that take part.
    pub fn lanes(&self, ctx: &Context) -> u32 {
        self.all_lanes(ctx).0
    }
}

/// What [`Reduce`] computes.
#[pliron_attr(name = "simt.reduce_kind", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum ReduceKind {
    Add,
    MinS,
    MaxS,
    MinU,
    MaxU,
    And,
    Or,
    Xor,
}

/// The values `$0` (`i32`) of all lanes that take part, combined; all of them get the result. For targets that have that.
#[pliron_op(
    name = "simt.reduce",
    format = "attr($simt_reduce_kind, $ReduceKind) ` ` $0 `[lanes : ` attr($simt_reduce_lanes, $Lanes) `]` ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface],
    operands = (value),
    verifier = "succ"
)]
pub struct Reduce;

attributes! { Reduce:
    required simt_reduce_kind: ReduceKind = kind, set_kind;
    required simt_reduce_lanes: Lanes = all_lanes, set_all_lanes;
}

impl Reduce {
    /// `lanes` of the sub-group take part.
    pub fn new(ctx: &mut Context, kind: ReduceKind, value: Value, lanes: u32) -> Self {
        let ty = value.get_type(ctx);
        let op: Self = build(ctx, vec![ty], vec![value], 0);
        op.set_kind(ctx, kind);
        op.set_all_lanes(ctx, Lanes(lanes));
        op
    }

    /// The threads of a sub-group that take part.
    pub fn lanes(&self, ctx: &Context) -> u32 {
        self.all_lanes(ctx).0
    }
}

/// A bit for each lane of the sub-group (`i32`): set where the lane takes part and `$0` is true.
#[pliron_op(
    name = "simt.ballot",
    format = "$0 `[lanes : ` attr($simt_ballot_lanes, $Lanes) `]` ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface],
    operands = (condition),
    verifier = "succ"
)]
pub struct Ballot;

attributes! { Ballot:
    required simt_ballot_lanes: Lanes = all_lanes, set_all_lanes;
}

impl Ballot {
    /// `lanes` of the sub-group take part.
    pub fn new(ctx: &mut Context, condition: Value, lanes: u32) -> Self {
        let ty = int(ctx, 32);
        let op: Self = build(ctx, vec![ty], vec![condition], 0);
        op.set_all_lanes(ctx, Lanes(lanes));
        op
    }

    /// The threads of a sub-group that take part.
    pub fn lanes(&self, ctx: &Context) -> u32 {
        self.all_lanes(ctx).0
    }
}

/// What [`Mask`] asks of a mask of lanes.
#[pliron_attr(name = "simt.mask_kind", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum MaskKind {
    /// How many bits are set.
    Count,
    /// The number of the lowest one that is set; 32 if there is none.
    First,
}

/// A number about the mask of lanes `$0`, as `i32`.
#[pliron_op(
    name = "simt.mask",
    format = "attr($simt_mask_kind, $MaskKind) ` ` $0 ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface],
    operands = (mask),
    verifier = "succ"
)]
pub struct Mask;

attributes! { Mask:
    required simt_mask_kind: MaskKind = kind, set_kind;
}

impl Mask {
    pub fn new(ctx: &mut Context, kind: MaskKind, mask: Value) -> Self {
        let ty = int(ctx, 32);
        let op: Self = build(ctx, vec![ty], vec![mask], 0);
        op.set_kind(ctx, kind);
        op
    }
}

/// The region is run by one thread at a time of those that name the lock `$0`: a word that is 0 while nobody holds it. What
/// a thread has stored inside is visible to those that come after it.
#[pliron_op(
    name = "simt.locked",
    format = "$0 ` ` region($0)",
    interfaces = [
        NOpdsInterface<1>, OneOpdInterface, NResultsInterface<0>, OneRegionInterface, SingleBlockRegionInterface
    ],
    operands = (lock),
    verifier = "succ"
)]
pub struct Locked;

impl Locked {
    /// Gives the operation and its block, which is empty.
    pub fn new(ctx: &mut Context, lock: Value) -> (Self, Ptr<BasicBlock>) {
        let op: Self = build(ctx, vec![], vec![lock], 1);
        let block = entry(ctx, &op, 0, vec![]);
        (op, block)
    }
}

#[op_interface_impl]
impl EffectOp for Locked {
    fn effects(&self, ctx: &Context) -> Effects {
        let lock = self.get_operand_lock(ctx);
        Effects::Known(vec![Effect::Read(Some(lock)), Effect::Write(Some(lock))])
    }
}

/// The lock in global memory that the whole module shares; the result points to its word.
#[pliron_op(
    name = "simt.module_lock",
    format = "`: ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct ModuleLock;

impl ModuleLock {
    pub fn new(ctx: &mut Context) -> Self {
        let word = int(ctx, 32);
        let ty = in_space(ctx, word, AddressSpace::Global);
        build(ctx, vec![ty], vec![], 0)
    }
}

/// Name, size and alignment in bytes of a variable in the group's memory.
#[pliron_attr(name = "simt.shared_variable", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct SharedVariable {
    pub name: String,
    pub bytes: u64,
    pub align: u64,
}

/// A variable in the group's memory; the result is its address. Operations with the same variable give the same address.
#[pliron_op(
    name = "simt.shared",
    format = "attr($simt_shared_variable, $SharedVariable) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct Shared;

attributes! { Shared:
    required simt_shared_variable: SharedVariable = variable, set_variable;
}

impl Shared {
    /// The result points to `to` in shared memory.
    pub fn new(ctx: &mut Context, to: TypeHandle, variable: SharedVariable) -> Self {
        let ty = in_space(ctx, to, AddressSpace::Shared);
        let op: Self = build(ctx, vec![ty], vec![], 0);
        op.set_variable(ctx, variable);
        op
    }
}

/// The start of the group's memory whose size the launch says; the result points to it.
#[pliron_op(
    name = "simt.dynamic_shared",
    format = "`: ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct DynamicShared;

impl DynamicShared {
    /// The result points to `to` in shared memory.
    pub fn new(ctx: &mut Context, to: TypeHandle) -> Self {
        let ty = in_space(ctx, to, AddressSpace::Shared);
        build(ctx, vec![ty], vec![], 0)
    }
}

/// The start of the launch's scratch memory: a head that is zero before and after every launch, then what the kernel asked
/// for per gang and per worker. Only in kernels.
#[pliron_op(
    name = "simt.scratch",
    format = "`: ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct Scratch;

impl Scratch {
    /// The result points to `to` in global memory.
    pub fn new(ctx: &mut Context, to: TypeHandle) -> Self {
        let ty = in_space(ctx, to, AddressSpace::Global);
        build(ctx, vec![ty], vec![], 0)
    }
}

effects!(none: Query, Shared, DynamicShared, Scratch, ModuleLock, Mask);
effects!(convergent: Barrier, Fence, Shuffle, Reduce, Ballot);
// Nothing happens but in the simulator, and there whichever thread says it.
effects!(structure: Contribute);

accrue_ir::view! {
    /// Every operation of the dialect.
    SimtOp of "simt": Query, Barrier, Fence, Shuffle, Reduce, Ballot, Mask, Locked, ModuleLock, Shared, DynamicShared, Scratch,
        Contribute,
}

/// A pointer to `to` in `space`.
pub fn in_space(ctx: &Context, to: TypeHandle, space: AddressSpace) -> TypeHandle {
    PointerType::get(ctx, to, space).into()
}
