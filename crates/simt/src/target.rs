//! What a target of this level has, as values. Nothing below asks which target it is.
//!
//! ```text
//!                        NVIDIA GPU       OpenCL 1.2, any device
//! sub-group              32               1: no shuffles, no votes; every thread has a slot of its own
//! barriers of a part     yes              no: one worker, whose lanes are the whole group
//! further launches       no               yes
//! lanes of a gang        many             many; for CPU cores one
//! ```

use crate::diagnostic::Result;
use accrue_dialects::core::Externs;
use pliron::{
    context::{Context, Ptr},
    operation::Operation,
};

/// Whether a target has something that came with newer devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Has {
    Yes,
    /// Newer devices of the kind have it.
    Newer,
    No,
}

/// Rewrites the calls of library functions in a function as the target's library takes them.
pub type Library = fn(&mut Context, Ptr<Operation>, &Externs) -> Result<()>;

/// A target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What messages call the devices.
    pub devices: &'static str,
    /// Bytes of an address. Objects are the same on the host, so that only programs with such addresses run.
    pub pointer_bytes: u64,
    /// Neighbouring threads of a group that exchange values, vote and wait among themselves: a power of two, 1 for none.
    pub subgroup: u32,
    /// A sub-group combines integers of up to 32 bits in one instruction.
    pub subgroup_reduce: Has,
    /// Some threads of a group can wait for each other while the others are elsewhere.
    pub partial_barriers: bool,
    /// A gang is one thread, so that there is nobody to wait for.
    pub one_lane: bool,
    /// The library can have further launches end a reduction that a launch began.
    pub further_launches: bool,
    /// Bytes of static memory of the group that variables may take.
    pub shared_bytes: u64,
    pub library: Library,
}

impl Target {
    /// Whether threads exchange values without memory.
    pub fn has_subgroups(&self) -> bool {
        self.subgroup > 1
    }
}

/// A library that takes all calls as they are.
pub fn as_it_is(_: &mut Context, _: Ptr<Operation>, _: &Externs) -> Result<()> {
    Ok(())
}
