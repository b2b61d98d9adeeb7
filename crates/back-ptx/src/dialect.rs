//! The `ptx` dialect: what a kernel on an NVIDIA GPU has beside `core`.
//!
//! Every thread of the grid runs the kernel. A block is a gang: `tid.y` is the worker, `tid.x` the vector lane; a block
//! consists of whole warps. A worker has whole warps as well, or it has 1, 2, 4, 8 or 16 lanes and shares a warp with
//! others. Operations with an effect between threads say which threads take part:
//!
//! ```text
//! %l = ptx.special TidX : i32                         this thread's place in its block
//! ptx.barrier Block                                   all threads of the block have got here; their stores are visible
//! ptx.barrier Warp[lanes : 8]                         the same for 8 lanes of a warp: this one's worker
//! %y = ptx.shuffle Xor %x, %distance                  the value of the lane whose number differs in these bits
//! %p = ptx.shared "sum" 256 align 8                   memory of the block
//! %s = ptx.redux Add %x                               the sum of the values of all lanes, in one instruction
//! %m = ptx.ballot %b                                  a bit per lane: where the condition is true
//! %n = ptx.mask Count %m                              how many bits of it are set
//! ptx.locked %lock { … }                              one thread at a time
//! ```

use accrue_dialects::core::{AddressSpace, PointerType, int};
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

pub use accrue_abi::launch::WARP;

/// A register that the hardware provides (PTX ISA, "Special Registers").
#[pliron_attr(name = "ptx.register", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum Register {
    TidX,
    TidY,
    NtidX,
    NtidY,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    LaneId,
    /// A bit for each lane of the warp before this one.
    LanemaskLt,
    /// A bit for each lane of the warp after this one.
    LanemaskGt,
}

/// Reads a special register, as `i32`.
#[pliron_op(
    name = "ptx.special",
    format = "attr($ptx_register, $Register) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct Special;

attributes! { Special:
    required ptx_register: Register = register, set_register;
}

impl Special {
    pub fn new(ctx: &mut Context, register: Register) -> Self {
        let ty = int(ctx, 32);
        let op: Self = build(ctx, vec![ty], vec![], 0);
        op.set_register(ctx, register);
        op
    }
}

/// Who takes part in a barrier or a fence.
#[pliron_attr(name = "ptx.scope", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum Scope {
    /// The 32 threads of a warp, or those of them that an operation's [`Lanes`] say.
    Warp,
    /// The threads of this worker (same `tid.y`): named barrier 1 + `tid.y`.
    Worker,
    /// All threads of the block.
    Block,
    /// All threads of the device (fences only).
    Device,
    /// Device and host (fences only).
    System,
}

/// How many neighbouring lanes of a warp take part in an operation among themselves, while the others of the warp may be
/// elsewhere: a power of two. Absent: all 32.
#[pliron_attr(name = "ptx.lanes", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct Lanes(pub u32);

/// Waits for the other threads of the scope; what they stored before is visible afterwards.
#[pliron_op(
    name = "ptx.barrier",
    format = "attr($ptx_barrier_scope, $Scope) opt_attr($ptx_barrier_lanes, $Lanes, label($lanes), delimiters(`[`, `]`))",
    interfaces = [NOpdsInterface<0>, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Barrier;

attributes! { Barrier:
    required ptx_barrier_scope: Scope = scope, set_scope;
    optional ptx_barrier_lanes: Lanes = some_lanes, set_some_lanes;
}

impl Barrier {
    /// Of the warp's threads, `lanes` wait for each other; all do in the other scopes.
    pub fn new(ctx: &mut Context, scope: Scope, lanes: u32) -> Self {
        let op: Self = build(ctx, vec![], vec![], 0);
        op.set_scope(ctx, scope);
        if scope == Scope::Warp && lanes < WARP {
            op.set_some_lanes(ctx, Lanes(lanes));
        }
        op
    }

    /// The threads of a warp that wait for each other.
    pub fn lanes(&self, ctx: &Context) -> u32 {
        self.some_lanes(ctx).map_or(WARP, |l| l.0)
    }
}

/// Orders this thread's accesses before it and after it for all threads of the scope (`membar`).
#[pliron_op(
    name = "ptx.fence",
    format = "attr($ptx_fence_scope, $Scope)",
    interfaces = [NOpdsInterface<0>, NResultsInterface<0>],
    verifier = "succ"
)]
pub struct Fence;

attributes! { Fence:
    required ptx_fence_scope: Scope = scope, set_scope;
}

impl Fence {
    pub fn new(ctx: &mut Context, scope: Scope) -> Self {
        let op: Self = build(ctx, vec![], vec![], 0);
        op.set_scope(ctx, scope);
        op
    }
}

/// A number of bytes.
#[pliron_attr(name = "ptx.bytes", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct Bytes(pub u64);

/// A note for the simulator: by the end of the kernel, this gang adds to the bytes at `$0`, which are undefined until then.
#[pliron_op(
    name = "ptx.contribute",
    format = "$0 ` ` attr($ptx_contribute_bytes, $Bytes)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, NResultsInterface<0>],
    operands = (address),
    verifier = "succ"
)]
pub struct Contribute;

attributes! { Contribute:
    required ptx_contribute_bytes: Bytes = size, set_size;
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
#[pliron_attr(name = "ptx.shuffle_mode", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum ShuffleMode {
    /// Own lane plus the operand; a lane beyond the last gives the own value.
    Down,
    /// Own lane with the operand's bits flipped.
    Xor,
    /// The lane with the operand's number.
    Index,
}

/// The value `$0` of another lane of the warp; `$1` (`i32`) says which. Where only some lanes take part, they are numbered
/// from the first of them. Any scalar type.
#[pliron_op(
    name = "ptx.shuffle",
    format = "attr($ptx_shuffle_mode, $ShuffleMode) ` ` $0 `, ` $1 opt_attr($ptx_shuffle_lanes, $Lanes, label($lanes), delimiters(`[`, `]`)) ` : ` type($0)",
    interfaces = [NOpdsInterface<2>, OneResultInterface],
    operands = (value, lane),
    verifier = "succ"
)]
pub struct Shuffle;

attributes! { Shuffle:
    required ptx_shuffle_mode: ShuffleMode = mode, set_mode;
    optional ptx_shuffle_lanes: Lanes = some_lanes, set_some_lanes;
}

impl Shuffle {
    /// `lanes` of the warp take part.
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
        if lanes < WARP {
            op.set_some_lanes(ctx, Lanes(lanes));
        }
        op
    }

    /// The threads of a warp that take part.
    pub fn lanes(&self, ctx: &Context) -> u32 {
        self.some_lanes(ctx).map_or(WARP, |l| l.0)
    }
}

/// What [`Redux`] computes.
#[pliron_attr(name = "ptx.redux_kind", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum ReduxKind {
    Add,
    MinS,
    MaxS,
    MinU,
    MaxU,
    And,
    Or,
    Xor,
}

/// The values `$0` (`i32`) of all lanes that take part, combined; all of them get the result. From compute capability 8.0.
#[pliron_op(
    name = "ptx.redux",
    format = "attr($ptx_redux_kind, $ReduxKind) ` ` $0 opt_attr($ptx_redux_lanes, $Lanes, label($lanes), delimiters(`[`, `]`)) ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface],
    operands = (value),
    verifier = "succ"
)]
pub struct Redux;

attributes! { Redux:
    required ptx_redux_kind: ReduxKind = kind, set_kind;
    optional ptx_redux_lanes: Lanes = some_lanes, set_some_lanes;
}

impl Redux {
    /// `lanes` of the warp take part.
    pub fn new(ctx: &mut Context, kind: ReduxKind, value: Value, lanes: u32) -> Self {
        let ty = value.get_type(ctx);
        let op: Self = build(ctx, vec![ty], vec![value], 0);
        op.set_kind(ctx, kind);
        if lanes < WARP {
            op.set_some_lanes(ctx, Lanes(lanes));
        }
        op
    }

    /// The threads of a warp that take part.
    pub fn lanes(&self, ctx: &Context) -> u32 {
        self.some_lanes(ctx).map_or(WARP, |l| l.0)
    }
}

/// A bit for each lane of the warp (`i32`): set where the lane takes part and `$0` is true.
#[pliron_op(
    name = "ptx.ballot",
    format = "$0 opt_attr($ptx_ballot_lanes, $Lanes, label($lanes), delimiters(`[`, `]`)) ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface],
    operands = (condition),
    verifier = "succ"
)]
pub struct Ballot;

attributes! { Ballot:
    optional ptx_ballot_lanes: Lanes = some_lanes, set_some_lanes;
}

impl Ballot {
    /// `lanes` of the warp take part.
    pub fn new(ctx: &mut Context, condition: Value, lanes: u32) -> Self {
        let ty = int(ctx, 32);
        let op: Self = build(ctx, vec![ty], vec![condition], 0);
        if lanes < WARP {
            op.set_some_lanes(ctx, Lanes(lanes));
        }
        op
    }

    /// The threads of a warp that take part.
    pub fn lanes(&self, ctx: &Context) -> u32 {
        self.some_lanes(ctx).map_or(WARP, |l| l.0)
    }
}

/// What [`Mask`] asks of a mask of lanes.
#[pliron_attr(name = "ptx.mask_kind", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum MaskKind {
    /// How many bits are set.
    Count,
    /// The number of the lowest one that is set; 32 if there is none.
    First,
}

/// A number about the mask of lanes `$0`, as `i32`.
#[pliron_op(
    name = "ptx.mask",
    format = "attr($ptx_mask_kind, $MaskKind) ` ` $0 ` : ` type($0)",
    interfaces = [NOpdsInterface<1>, OneOpdInterface, OneResultInterface],
    operands = (mask),
    verifier = "succ"
)]
pub struct Mask;

attributes! { Mask:
    required ptx_mask_kind: MaskKind = kind, set_kind;
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
    name = "ptx.locked",
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
    name = "ptx.module_lock",
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

/// Name, size and alignment in bytes of a variable in the block's memory.
#[pliron_attr(name = "ptx.shared_variable", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct SharedVariable {
    pub name: String,
    pub bytes: u64,
    pub align: u64,
}

/// A variable in the block's memory; the result is its address. Operations with the same variable give the same address.
#[pliron_op(
    name = "ptx.shared",
    format = "attr($ptx_shared_variable, $SharedVariable) ` : ` type($0)",
    interfaces = [NOpdsInterface<0>, OneResultInterface],
    verifier = "succ"
)]
pub struct Shared;

attributes! { Shared:
    required ptx_shared_variable: SharedVariable = variable, set_variable;
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

/// The start of the block's memory whose size the launch says; the result points to it.
#[pliron_op(
    name = "ptx.dynamic_shared",
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
    name = "ptx.scratch",
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

effects!(none: Special, Shared, DynamicShared, Scratch, ModuleLock, Mask);
effects!(convergent: Barrier, Fence, Shuffle, Redux, Ballot);
// Nothing happens but in the simulator, and there whichever thread says it.
effects!(structure: Contribute);

/// A pointer to `to` in `space`.
pub fn in_space(ctx: &Context, to: TypeHandle, space: AddressSpace) -> TypeHandle {
    PointerType::get(ctx, to, space).into()
}
