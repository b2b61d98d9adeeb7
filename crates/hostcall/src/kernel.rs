//! The description of a kernel: what its launches need, whatever runs it, and the forms of code that it has.
//!
//! ```text
//! lower-acc:  accrue_k0_0, loop over gangs, vector_length(128), trip n            forms []
//! back-cpu:                                                                       forms [Cpu accrue_k0_0]
//! back-ptx:                                                                       forms [Cpu …, Ptx accrue_k0_0, 128 lanes at most]
//! ```
//! The library's tables and `accrue explain` are made of nothing else. What only one form has, as its entry and how large a group may
//! be, is the form's ([`crate::form`]).

use crate::form::{CpuForm, Form, OpenClForm, SimtForm};
use accrue_abi::launch::{Code, LONG_VECTOR, SHORT_VECTOR};
pub use accrue_abi::trip::Step;
use accrue_abi::{KernelFlags, SimtFlags};

/// A kernel of a compute site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Name of the kernel function in the IR.
    pub function: String,
    pub line: u32,
    /// Has a loop spread over gangs.
    pub gang_loop: bool,
    /// Runs with exactly one gang.
    pub single_gang: bool,
    /// The gang dimensions, from 1 to 3, that loops are spread over one by one. None: the gangs of all dimensions count as
    /// one.
    pub gang_dims: [bool; 3],
    /// Iterations of its loops over gangs may take very different times.
    pub uneven: bool,
    /// Takes pointers from memory that others reach, or puts them there.
    pub pointers: bool,
    pub num_gangs: ClauseSize,
    pub num_workers: ClauseSize,
    pub vector_length: ClauseSize,
    /// How many iterations the gangs share, if it can be computed from the arguments.
    pub trip: Option<GangTrip>,
    /// Versions of the kernel for short and for long inner loops.
    pub inner: Option<InnerLoops>,
    /// A version of the kernel for launches of few iterations, with a gang for each of them.
    pub each: Option<EachGang>,
    /// A version of the kernel for a grid with a thread for every iteration.
    pub grid: Option<GridVersion>,
    /// One for a grid of several dimensions, where its loop counts what a nest would: taken before the other one.
    pub nest: Option<GridVersion>,
    /// What devices can run, at most one of a kind. The lowerings give a kernel none; each back end that can make code of it adds
    /// its own.
    pub forms: Vec<Form>,
}

/// The argument of a `num_gangs`, `num_workers` or `vector_length` clause, or of `gang`, `worker` or `vector` in `kernels` (OpenACC 3.4,
/// sections 2.5.10 to 2.5.12, 2.9.2 to 2.9.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClauseSize {
    /// There is no such clause.
    #[default]
    Absent,
    /// A constant, the same in every launch.
    Constant(u64),
    /// Known when the kernel is launched.
    Runtime,
}

impl ClauseSize {
    /// 0 for a size that is not given or not constant.
    fn constant(self) -> u32 {
        match self {
            ClauseSize::Absent | ClauseSize::Runtime => 0,
            ClauseSize::Constant(size) => u32::try_from(size).unwrap_or(u32::MAX),
        }
    }
}

/// The number of iterations of a kernel's gang-partitioned loops (the largest of several), and who shares them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GangTrip {
    /// For the runtime; ends in [`Step::End`].
    pub program: Vec<Step>,
    /// The loops are spread over workers too.
    pub workers: bool,
    /// The loops are spread over vector lanes too.
    pub vector: bool,
    /// A lane works on four iterations at a time if it has as many.
    pub several: bool,
    /// Each gang has work of its own before or after the loops.
    pub gang_cost: bool,
    /// Nobody can tell whether gangs without iterations run.
    pub only_loops: bool,
}

/// A version of a kernel whose only loop over gangs and lanes is covered by the grid. A block of n lanes has the
/// iterations of n columns; or, where there are rows, of n/32 rows of 32 columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridVersion {
    /// The version's function.
    pub function: String,
    /// Iterations of the innermost dimension; this and the others are programs that end in [`Step::End`].
    pub columns: Vec<Step>,
    /// Of the dimension around it, if there is one.
    pub rows: Option<Vec<Step>>,
    /// Of all dimensions around these, if there are any.
    pub outer: Option<Vec<Step>>,
    /// The lanes of blocks where no clause says how many.
    pub lanes: Option<u32>,
}

/// A version of a kernel whose loop is over gangs alone, while loops inside it are over lanes, with a gang for each iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EachGang {
    /// The version's function.
    pub function: String,
    /// Lanes of all gangs together, for launches that are to run it, and 0 for others; ends in [`Step::End`].
    pub threads: Vec<Step>,
    /// How many gangs there are in the third dimension, if those share out the loop that gangs have, and each iteration has several in the
    /// first.
    pub gangs: Option<Vec<Step>>,
    /// Iterations from which on it may run …
    pub least: u64,
    /// … and up to which.
    pub most: u64,
    /// Lanes of a gang.
    pub lanes: u32,
}

/// The vector loops inside the worker loops of a kernel whose clauses leave its number of workers and lanes open: one worker
/// of a warp suits middling lengths only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerLoops {
    /// The number of iterations (the largest of several), for the runtime; ends in [`Step::End`].
    pub program: Vec<Step>,
    /// The kernel's function for workers of [`SHORT_VECTOR`] lanes.
    pub short: String,
    /// The kernel's function for one worker of [`LONG_VECTOR`] lanes.
    pub long: String,
}

impl Kernel {
    /// What the library's tables say of it.
    pub fn flags(&self) -> KernelFlags {
        KernelFlags {
            gang_loop: self.gang_loop,
            single_gang: self.single_gang,
            gang_dims: self.gang_dims,
            uneven: self.uneven,
            pointers: self.pointers,
        }
    }

    /// All versions, as kernels.
    pub fn versions(&self) -> Vec<Kernel> {
        self.inner_versions()
            .into_iter()
            .chain(self.each_version())
            .chain(self.grid_version())
            .chain(self.nest_version())
            .collect()
    }

    /// The kernel with another function, which has no versions of its own.
    fn version(&self, function: &str) -> Kernel {
        Kernel {
            function: function.to_string(),
            inner: None,
            each: None,
            grid: None,
            nest: None,
            forms: vec![],
            ..self.clone()
        }
    }

    /// The version with a gang for each iteration, as a kernel.
    pub fn each_version(&self) -> Option<Kernel> {
        let each = self.each.as_ref()?;
        Some(Kernel {
            gang_dims: match each.gangs {
                Some(_) => [true, false, true],
                None => self.gang_dims,
            },
            vector_length: ClauseSize::Constant(u64::from(each.lanes)),
            trip: self.trip.as_ref().map(|trip| GangTrip {
                vector: false,
                several: false,
                ..trip.clone()
            }),
            ..self.version(&each.function)
        })
    }

    /// The version for a grid that covers its loop, as a kernel.
    pub fn grid_version(&self) -> Option<Kernel> {
        self.grid.as_ref().map(|grid| self.covering(grid))
    }

    /// The version for a grid of several dimensions, as a kernel.
    pub fn nest_version(&self) -> Option<Kernel> {
        self.nest.as_ref().map(|nest| self.covering(nest))
    }

    fn covering(&self, grid: &GridVersion) -> Kernel {
        Kernel {
            gang_dims: [true, grid.rows.is_some(), grid.outer.is_some()],
            num_workers: ClauseSize::Absent,
            vector_length: match (self.vector_length, grid.lanes) {
                (ClauseSize::Absent, Some(lanes)) => ClauseSize::Constant(u64::from(lanes)),
                (given, _) => given,
            },
            trip: self.trip.as_ref().map(|trip| GangTrip {
                workers: false,
                vector: true,
                several: false,
                ..trip.clone()
            }),
            ..self.version(&grid.function)
        }
    }

    /// The versions for short and for long inner loops, as kernels.
    pub fn inner_versions(&self) -> Vec<Kernel> {
        let version = |function: &String, num_workers, lanes| Kernel {
            num_workers,
            vector_length: ClauseSize::Constant(u64::from(lanes)),
            ..self.version(function)
        };
        match &self.inner {
            None => vec![],
            Some(inner) => vec![
                version(&inner.short, ClauseSize::Absent, SHORT_VECTOR),
                version(&inner.long, ClauseSize::Constant(1), LONG_VECTOR),
            ],
        }
    }
}

impl Kernel {
    /// The form for CPU cores.
    pub fn cpu(&self) -> Option<&CpuForm> {
        self.forms.iter().find_map(|form| match form {
            Form::Cpu(form) => Some(form),
            Form::Ptx(_) | Form::OpenCl(_) | Form::OpenClCores(_) => None,
        })
    }

    /// The form for NVIDIA GPUs.
    pub fn ptx(&self) -> Option<&SimtForm> {
        self.forms.iter().find_map(|form| match form {
            Form::Ptx(form) => Some(form),
            Form::Cpu(_) | Form::OpenCl(_) | Form::OpenClCores(_) => None,
        })
    }

    /// The form for devices behind OpenCL.
    pub fn opencl(&self) -> Option<&OpenClForm> {
        self.forms.iter().find_map(|form| match form {
            Form::OpenCl(form) => Some(form),
            Form::Cpu(_) | Form::Ptx(_) | Form::OpenClCores(_) => None,
        })
    }

    /// What decides about launches of its form for groups of threads.
    pub fn launches_of(&self, form: &SimtForm) -> Code {
        let shared = |by: fn(&GangTrip) -> bool| self.trip.as_ref().is_some_and(by);
        let flags = SimtFlags {
            workers: form.worker_partitioned,
            vector: form.vector_partitioned,
            scratch: form.needs_scratch,
            gang_worker_loop: shared(|trip| trip.workers),
            gang_vector_loop: shared(|trip| trip.vector),
            no_gang_loop: self.gang_loop && !form.gang_loop,
            several: shared(|trip| trip.several),
            gang_cost: shared(|trip| trip.gang_cost),
            gang_dims: form.gang_dims,
            only_loops: shared(|trip| trip.only_loops),
            doubles: form.doubles,
            halving: form.halving,
            waits_in_branches: form.waits_in_branches,
            own_gang_loop: !self.gang_loop && form.gang_loop,
            open_lanes: form.open_lanes,
        };
        Code {
            flags: flags.bits(),
            max_workers: form.max_workers,
            max_vector: form.max_vector,
            shared_worker_bytes: form.shared_worker_bytes,
            scratch_gang_bytes: form.scratch_gang_bytes,
            scratch_worker_bytes: form.scratch_worker_bytes,
            workers: self.num_workers.constant(),
            vector: match form.open_lanes {
                true => 0,
                false => self.vector_length.constant(),
            },
        }
    }
}
