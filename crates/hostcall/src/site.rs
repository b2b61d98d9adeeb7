//! The description of one site, independent of source language and target.

use crate::call::Call;
use accrue_abi::KernelFlags;
use accrue_abi::launch::{LONG_VECTOR, SHORT_VECTOR, VECTOR};
pub use accrue_abi::{Action, SiteKind, VarFlags, trip::Step};

/// How a scalar passed by value becomes words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// An integer or `_Bool` of at most 8 bytes, or an enumeration.
    Integer,
    Float32,
    Float64,
    Pointer,
    /// `float _Complex`, 8 bytes.
    Complex32,
    /// `double _Complex`, 16 bytes.
    Complex64,
    /// `__int128`
    Integer128,
    /// `long double`, 16 bytes.
    LongDouble,
}

/// One dimension of a mapped variable: reached through a pointer, or part of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteDim {
    Pointer,
    Array,
}

/// Where the words of a variable come from in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordSource {
    /// Item `item` of clause `clause` of the site's directive.
    Clause { clause: u32, item: u32 },
    /// A variable that no clause names, whole.
    Variable { name: String },
    /// The extent of dimension `dim` of a variable-length array variable (an integer passed by value).
    Extent { name: String, dim: u32 },
    /// A scalar in the object that `of` is (passed by value).
    Member {
        of: Box<WordSource>,
        path: Vec<MemberStep>,
    },
}

/// From an object to what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberStep {
    Field(String),
    Element(u64),
}

/// The name of what is in the object `object`, as programs and messages write it.
pub fn named(object: &str, path: &[MemberStep]) -> String {
    let steps = path.iter().map(|step| match step {
        MemberStep::Field(name) => format!(".{name}"),
        MemberStep::Element(index) => format!("[{index}]"),
    });
    steps.fold(object.to_string(), |name, step| name + &step)
}

/// A variable of a site, in the order of words and kernel arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteVar {
    /// As written in the source.
    pub name: String,
    pub action: Action,
    pub flags: VarFlags,
    /// For [`Action::Value`].
    pub value: Option<ValueKind>,
    /// Size of one element in bytes (of the whole object when there are no dimensions).
    pub elem_size: u64,
    /// The declared dimensions, outermost first; empty for scalars and records.
    pub dims: Vec<SiteDim>,
    /// The dimensions of whose elements the section leaves some out: the front end says how far they are apart.
    pub stepped: Vec<usize>,
    pub source: WordSource,
    pub line: u32,
    pub column: u32,
}

impl SiteVar {
    /// The name of the variable that it is, or is in.
    pub fn object(&self) -> &str {
        let suffix = match &self.source {
            WordSource::Member { path, .. } => named("", path),
            WordSource::Clause { .. } | WordSource::Variable { .. } | WordSource::Extent { .. } => {
                String::new()
            }
        };
        self.name.strip_suffix(&suffix).unwrap_or(&self.name)
    }

    /// Number of kernel argument words: one address, or the value.
    pub fn argument_words(&self) -> u64 {
        match self.action {
            Action::Value => accrue_abi::value_words(self.elem_size),
            Action::Copy
            | Action::Copyin
            | Action::Copyout
            | Action::Create
            | Action::NoCreate
            | Action::Present
            | Action::Deviceptr
            | Action::Attach
            | Action::Detach
            | Action::Delete
            | Action::UpdateSelf
            | Action::UpdateDevice
            | Action::UseDevice
            | Action::Firstprivate
            | Action::Pointer => 1,
        }
    }
}

/// The argument of a `num_workers` or `vector_length` clause (OpenACC 3.4, sections 2.5.11 and 2.5.12).
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

/// A kernel of a compute site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteKernel {
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
    pub num_workers: ClauseSize,
    pub vector_length: ClauseSize,
    /// How many iterations the gangs share, if it can be computed from the arguments.
    pub trip: Option<GangTrip>,
    /// Versions of the kernel for short and for long inner loops.
    pub inner: Option<InnerLoops>,
    /// A version of the kernel for a grid with a thread for every iteration.
    pub grid: Option<GridVersion>,
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
    /// Blocks have [`VECTOR`] lanes where no clause says how many: iterations are long, and few of them should be spread over as
    /// many multiprocessors as there are.
    pub small_blocks: bool,
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

impl SiteKernel {
    /// What the library's tables say of it.
    pub fn flags(&self) -> KernelFlags {
        KernelFlags {
            gang_loop: self.gang_loop,
            single_gang: self.single_gang,
            gang_dims: self.gang_dims,
        }
    }

    /// All versions, as kernels.
    pub fn versions(&self) -> Vec<SiteKernel> {
        self.inner_versions()
            .into_iter()
            .chain(self.grid_version())
            .collect()
    }

    /// The version for a grid that covers its loop, as a kernel.
    pub fn grid_version(&self) -> Option<SiteKernel> {
        let grid = self.grid.as_ref()?;
        Some(SiteKernel {
            function: grid.function.clone(),
            gang_dims: [true, grid.rows.is_some(), grid.outer.is_some()],
            num_workers: ClauseSize::Absent,
            vector_length: match self.vector_length {
                ClauseSize::Absent if grid.small_blocks => ClauseSize::Constant(u64::from(VECTOR)),
                given => given,
            },
            trip: self.trip.as_ref().map(|trip| GangTrip {
                workers: false,
                vector: true,
                several: false,
                ..trip.clone()
            }),
            inner: None,
            grid: None,
            ..self.clone()
        })
    }

    /// The versions for short and for long inner loops, as kernels.
    pub fn inner_versions(&self) -> Vec<SiteKernel> {
        let version = |function: &String, num_workers, lanes| SiteKernel {
            function: function.clone(),
            num_workers,
            vector_length: ClauseSize::Constant(u64::from(lanes)),
            inner: None,
            grid: None,
            ..self.clone()
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

/// A directive that calls the runtime.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Ordinal number of the directive in the unit.
    pub directive: u32,
    pub kind: SiteKind,
    /// The function that contains the directive.
    pub function: String,
    pub line: u32,
    pub column: u32,
    pub finalize: bool,
    pub if_present: bool,
    pub default_present: bool,
    pub call: Call,
    pub vars: Vec<SiteVar>,
    pub kernels: Vec<SiteKernel>,
}
