//! What kernels are made for, described by values: a pass asks for the property that decides, not for a target's name.
//!
//! ```text
//!                      distribution   gangs                              the compiler below
//! cores of the host    blocked        one thread each                    optimises C, knows `omp simd`
//! NVIDIA GPUs          cyclic         as many as wanted, of many lanes   schedules and allocates registers
//! OpenCL devices       cyclic         as many as wanted, of many lanes   may do no more than that
//! ```
//!
//! Another target is another value.

/// A kind of device and what makes code for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name in options.
    pub name: &'static str,
    /// The words by which directives mean such devices (`device_type(nvidia)`).
    pub device_types: &'static [&'static str],
    /// Works beside the host, which waits for it.
    pub beside_host: bool,
    pub distribution: Distribution,
    pub gangs: Gangs,
    /// Bytes that a gang may have for its copy of a variable in memory of its own, without fewer gangs running at once; 0: gangs
    /// have no memory that is nearer than the device's.
    pub gang_copy_bytes: u64,
    /// The widths of floats of which its library finds sine and cosine in two steps, of which both have the first in common, or
    /// both at once.
    pub shares_turns: &'static [u32],
    /// The widths of floats of which its library has quotients by means of a reciprocal.
    pub shares_divisors: &'static [u32],
    /// Has no instruction that divides integers: their quotients take a reciprocal of floats and its corrections.
    pub divides_integers_by_floats: bool,
    /// Its language has types for several numbers, which the compiler below does not find by itself where it should.
    pub vector_types: bool,
    /// Kernels can take memory from a heap, and have none for arrays whose length is known at run time only.
    pub has_heap: bool,
    /// Launches can tell whether the memory behind arguments overlaps, and leave a kernel that must not have that to the host.
    pub tells_apart: bool,
    pub finisher: Finisher,
}

/// Which thread takes which iterations of a partitioned loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// A contiguous chunk each: a core wants cache lines of its own.
    Blocked,
    /// Iteration k goes to thread k mod their number: lanes load adjacent elements in one transaction.
    Cyclic,
}

/// What a launch may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gangs {
    /// Lanes that a gang may have where the program does not say.
    pub most_lanes: u32,
    /// The device hands gangs out by itself as others end, in up to three dimensions, so that there may be one for every few
    /// iterations.
    pub handed_out: bool,
}

/// What the compiler that reads a target's code does by itself. What it does not do is left to passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finisher {
    /// Puts short functions into what calls them.
    pub inlines: bool,
    /// Keeps variables in registers whose address goes nowhere, parts of structs and arrays included.
    pub promotes_memory: bool,
    /// Finds out how often loops run, and unrolls short ones.
    pub unrolls: bool,
    /// Adds addresses up instead of computing them anew, knowing which integers cannot overflow.
    pub reduces_strength: bool,
    /// Makes selections of branches between cheap values.
    pub selects: bool,
    /// Moves divisions and mathematical functions out of loops in which their operands do not change.
    pub moves_invariants: bool,
    /// Knows what mathematical functions compute, and may replace one by another.
    pub knows_mathematics: bool,
    /// Moves loads ahead of divisions and mathematical functions, which are code with branches.
    pub moves_loads: bool,
    /// Can be told that iterations are independent, and then has loads of several under way.
    pub knows_independence: bool,
}

impl Target {
    /// Cores of the host: C for the user's compiler. A gang is a thread.
    pub const CPU: Target = Target {
        name: "cpu",
        device_types: &["host", "multicore"],
        beside_host: false,
        distribution: Distribution::Blocked,
        gangs: Gangs {
            most_lanes: 1,
            handed_out: false,
        },
        // Half of a core's nearest cache.
        gang_copy_bytes: 16 << 10,
        shares_turns: &[],
        shares_divisors: &[],
        divides_integers_by_floats: false,
        vector_types: false,
        has_heap: false,
        tells_apart: false,
        finisher: Finisher {
            inlines: true,
            promotes_memory: true,
            unrolls: true,
            reduces_strength: true,
            selects: true,
            moves_invariants: true,
            knows_mathematics: true,
            moves_loads: true,
            knows_independence: true,
        },
    };

    /// NVIDIA GPUs: PTX for the driver's assembler, which schedules instructions and allocates registers.
    pub const NVIDIA: Target = Target {
        name: "gpu",
        device_types: &["nvidia"],
        beside_host: true,
        distribution: Distribution::Cyclic,
        gangs: Gangs {
            most_lanes: 1024,
            handed_out: true,
        },
        // A multiprocessor has 228 KB for eight gangs of 256 lanes; some have 100 KB for six.
        gang_copy_bytes: 16 << 10,
        shares_turns: &[32, 64],
        shares_divisors: &[64],
        divides_integers_by_floats: true,
        vector_types: false,
        has_heap: true,
        tells_apart: true,
        finisher: Finisher {
            inlines: false,
            promotes_memory: false,
            unrolls: false,
            reduces_strength: false,
            selects: false,
            moves_invariants: false,
            knows_mathematics: false,
            moves_loads: false,
            knows_independence: false,
        },
    };

    /// Devices behind OpenCL: OpenCL C, which a driver optimises that may know little more than PTX's assembler does. Variables in
    /// registers and inlined functions spare it pointers to memory of several kinds.
    pub const OPENCL: Target = Target {
        name: "opencl",
        device_types: &["opencl"],
        beside_host: true,
        distribution: Distribution::Cyclic,
        gangs: Gangs {
            // Drivers run so many work items of any kernel; more are the program's own risk.
            most_lanes: 256,
            handed_out: true,
        },
        // Half of what every device has.
        gang_copy_bytes: 16 << 10,
        shares_turns: &[32],
        shares_divisors: &[],
        divides_integers_by_floats: false,
        vector_types: false,
        has_heap: true,
        tells_apart: true,
        finisher: Target::NVIDIA.finisher,
    };

    /// CPU cores behind OpenCL: a gang is one work item, with a contiguous chunk of the iterations as on cores of the host. Drivers
    /// there have all of a C compiler's passes.
    pub const OPENCL_CORES: Target = Target {
        name: "opencl-cores",
        device_types: &["opencl"],
        beside_host: true,
        distribution: Distribution::Blocked,
        gangs: Gangs {
            most_lanes: 1,
            handed_out: false,
        },
        gang_copy_bytes: 16 << 10,
        shares_turns: &[],
        shares_divisors: &[],
        divides_integers_by_floats: false,
        vector_types: true,
        has_heap: true,
        tells_apart: true,
        finisher: Finisher {
            unrolls: true,
            reduces_strength: true,
            moves_loads: true,
            knows_independence: true,
            ..Target::NVIDIA.finisher
        },
    };

    pub const ALL: [Target; 4] = [
        Target::CPU,
        Target::NVIDIA,
        Target::OPENCL,
        Target::OPENCL_CORES,
    ];

    /// The target of this name.
    pub fn named(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name == name)
    }
}

impl Default for Target {
    fn default() -> Self {
        Target::CPU
    }
}
