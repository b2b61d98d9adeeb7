//! The description of one site, independent of source language and target.

use crate::call::Call;
use crate::kernel::Kernel;
use crate::reach::Reach;
use crate::section::InferredSection;
pub use accrue_abi::{Action, SiteKind, VarFlags};
use accrue_abi::{Passed, trip::Step};

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
    /// The same, of the file, which only functions name that the region calls: where the region is, its name may mean something else.
    FileScope { name: String },
    /// The extent of dimension `dim` of a variable-length array variable (an integer passed by value).
    Extent { name: String, dim: u32 },
    /// A scalar in the object that `of` is (passed by value).
    Member {
        of: Box<WordSource>,
        path: Vec<MemberStep>,
    },
    /// A variable of the program that another unit's function uses: the call has no words for it, the tables have its address.
    Global { symbol: String },
    /// `of`, a pointer, with the section that the region accesses.
    Section {
        of: Box<WordSource>,
        section: InferredSection,
    },
    /// Nowhere: it is the construct's own, and its words are 0.
    Own,
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
    /// Of a pointer that kernels only compare with another variable's: the number of that variable.
    pub limited: Option<usize>,
    /// What the loops of a compute construct access of it, where its clause has no section.
    pub reach: Option<Reach>,
    /// Of what regions get a copy of as bytes: the pointers in an element that they follow. Of what is declared: those in its initial
    /// value.
    pub pointers: Vec<SitePointer>,
    pub line: u32,
    pub column: u32,
}

/// A pointer in memory that is copied to a device, where it is to lead to the device's copy of what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SitePointer {
    /// Where it is, in bytes.
    pub offset: u64,
    /// How many bytes before what it leads to the object begins, and how many it has, where the pointer is to make it present; else 0.
    pub before: u64,
    pub bytes: u64,
}

impl SiteVar {
    /// The name of the variable that it is, or is in.
    pub fn object(&self) -> &str {
        let suffix = match &self.source {
            WordSource::Member { path, .. } => named("", path),
            WordSource::Clause { .. }
            | WordSource::Variable { .. }
            | WordSource::FileScope { .. }
            | WordSource::Extent { .. }
            | WordSource::Global { .. }
            | WordSource::Section { .. }
            | WordSource::Own => String::new(),
        };
        self.name.strip_suffix(&suffix).unwrap_or(&self.name)
    }

    /// Whether the call has no words for it.
    pub fn is_global(&self) -> bool {
        match &self.source {
            WordSource::Global { .. } => true,
            WordSource::Clause { .. }
            | WordSource::Variable { .. }
            | WordSource::FileScope { .. }
            | WordSource::Extent { .. }
            | WordSource::Member { .. }
            | WordSource::Section { .. }
            | WordSource::Own => false,
        }
    }

    /// Whether it is the number of the round ([`Rounds`]), which is nobody's variable.
    pub fn is_round(&self) -> bool {
        self.flags.own && self.action == Action::Value
    }

    /// Number of kernel argument words: one address, or the value.
    pub fn argument_words(&self) -> u64 {
        match self.action.passed() {
            Passed::Value => accrue_abi::value_words(self.elem_size),
            Passed::Pointer | Passed::Object => 1,
        }
    }
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
    /// By OpenMP's rules devices are numbered, and mappings have one counter.
    pub openmp: bool,
    pub call: Call,
    pub vars: Vec<SiteVar>,
    pub kernels: Vec<Kernel>,
    /// In the order of their kernels, which no two of them share.
    pub rounds: Vec<Rounds>,
}

/// Kernels that a launch runs several times: what a loop in order of a `kernels` construct consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// The number of the first, and how many they are.
    pub first: usize,
    pub kernels: usize,
    /// The number of the variable that has the number of the round.
    pub var: usize,
    /// How many rounds there are; ends in [`Step::End`].
    pub count: Vec<Step>,
}

impl Site {
    /// The argument word that has the number of the round.
    pub fn round_word(&self, rounds: &Rounds) -> u64 {
        let before = self.vars.iter().take(rounds.var);
        before.map(SiteVar::argument_words).sum()
    }
}
