//! Attributes that passes leave on directives for later passes; those of kernels are [`accrue_dialects::par::kernels`].

use accrue_ir::keys;
use pliron::{
    builtin::{attr_interfaces::OutlinedAttr, attributes::BoolAttr},
    derive::{attr_interface_impl, pliron_attr},
};

use crate::loop_sizes::LoopSizes;
use accrue_dialects::par::kernels::Steps;

/// An extent of a variable-length array that a kernel gets as an argument.
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct ExtentArgument {
    /// The array variable.
    pub name: String,
    /// Its dimension, from 0.
    pub dim: u32,
}

/// The extents that the kernels of a construct get, after its variables.
#[pliron_attr(
    name = "lower.extents",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct ExtentArguments(pub Vec<ExtentArgument>);

/// A variable of the program that functions of other units use: the kernels get its address.
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct GlobalArgument {
    pub symbol: String,
    /// As messages name it.
    pub name: String,
    pub bytes: u64,
}

/// Those that the kernels of a construct get, behind all else.
#[pliron_attr(
    name = "lower.globals",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct GlobalArguments(pub Vec<GlobalArgument>);

/// A variable of the program whose address a function has as a parameter that its definition does not have.
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct GivenGlobal {
    pub symbol: String,
    pub name: String,
}

/// Those of the last parameters of a function.
#[pliron_attr(
    name = "lower.given",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct GivenGlobals(pub Vec<GivenGlobal>);

/// The phase of a `kernels` construct that an operation of its region belongs to.
#[pliron_attr(
    name = "lower.phase",
    format = "$number ` in rounds ` $rounds",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct Phase {
    pub number: u32,
    /// Which of the loops that the construct leaves to its launches is around it, from 1; 0: none.
    pub rounds: u32,
}

/// Operations of all kinds have it, also those whose text has no room for attributes: it is printed behind all of them.
#[attr_interface_impl]
impl OutlinedAttr for Phase {}

/// Which of the loops that a `kernels` construct leaves to its launches.
#[pliron_attr(name = "lower.rounds", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct RoundsId(pub u32);

#[attr_interface_impl]
impl OutlinedAttr for RoundsId {}

/// The program for a number of rounds, which [`accrue_abi::trip`] describes.
#[pliron_attr(name = "lower.round_steps", format = "$0", verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct RoundSteps(pub Steps);

/// What code of the host is to constructs that are not waited for one by one.
#[pliron_attr(name = "lower.stretch", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum StretchPart {
    /// A loop: they are waited for behind it.
    Loop,
    /// May tell whether they are complete: they are waited for in front of it.
    Observer,
}

#[attr_interface_impl]
impl OutlinedAttr for StretchPart {}

/// Which elements of what a pointer leads to a region accesses: the first, and how many, as text of
/// [`accrue_hostcall::Arithmetic`].
#[pliron_attr(name = "lower.section", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct SectionText {
    pub lower: String,
    pub length: String,
}

/// A pointer in a struct: the numbers of the fields that lead to it, each behind a point, and of elements in brackets; nothing for the
/// object itself.
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct FollowedMember {
    pub fields: String,
}

/// Those that a region follows, in a struct that no clause names.
#[pliron_attr(
    name = "lower.followed",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash, Default)]
pub struct FollowedMembers(pub Vec<FollowedMember>);

/// Sums in memory that are all that is in the way of a loop.
#[pliron_attr(
    name = "lower.sums",
    format = "$many ` apart ` $apart",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct NotedSums {
    pub many: u32,
    /// Only where the memory behind pointers does not overlap.
    pub apart: bool,
}

#[attr_interface_impl]
impl OutlinedAttr for NotedSums {}

keys! {
    /// Of a data operation: the object itself, or its members, are pointers that the region follows.
    FOLLOWED "lower_followed": FollowedMembers;
    /// Of a data operation about a pointer: the section that no clause has.
    SECTION "lower_section": SectionText;
    /// Of a data operation of a compute construct that has no section: what the region accesses.
    REACH "lower_reach": SectionText;
    /// Of a compute construct: the extents that its kernels get.
    EXTENTS "lower_extents": ExtentArguments;
    /// Of a compute construct: the variables of the program that its kernels get for other units' functions.
    GLOBALS "lower_globals": GlobalArguments;
    /// Of the address of a global: a function that the region calls uses it, and the region does not.
    OF_HELPER "lower_of_helper": BoolAttr;
    /// Of a function: the variables of the program that its last parameters are.
    GIVEN "lower_given": GivenGlobals;
    /// Of a kernel: what its loops say of its launches.
    LOOP_SIZES "lower_loop_sizes": LoopSizes;
    /// Of a loop or an operation of the host.
    STRETCH "lower_stretch": StretchPart;
    /// Of a loop in a `kernels` construct: it is independent only where the memory behind pointers does not overlap; and of the construct,
    /// if such loops run in parallel.
    APART "lower_apart": BoolAttr;
    /// Of a loop in order: its iterations are independent but for sums that it keeps in memory.
    SUMS "lower_sums": NotedSums;
    /// Of a loop that the pass `assign-levels` has made of two: it is over gangs and workers.
    JOINED "lower_joined": BoolAttr;
    /// Of a loop in a `kernels` construct: it is independent where a test in front of its nest says so.
    TESTED "lower_tested": BoolAttr;
    /// Of an operation in a `kernels` construct: it is part of what the next loop tests.
    TEST "lower_test": BoolAttr;
    /// Of an operation in a `kernels` construct.
    PHASE "lower_phase": Phase;
    /// Of an operation in a `kernels` construct: a loop around it is left to the launch. Behind the pass `phases`, the phase says so. Of a
    /// kernel: it is run in rounds.
    ROUNDS "lower_rounds": RoundsId;
    /// Of a store in front of one of its loops: what it stores is the number of rounds.
    ROUND_COUNT "lower_round_count": BoolAttr;
    /// Of a kernel: the program for the number of rounds.
    ROUND_STEPS "lower_round_steps": RoundSteps;
}
