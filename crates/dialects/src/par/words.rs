//! The words of parallel loops that every directive language shares: levels, gang dimensions, reduction operators, and what
//! a canonical loop counts.

use pliron::derive::pliron_attr;

/// A level of parallelism.
#[pliron_attr(name = "par.level", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, PartialOrd, Ord)]
pub enum Level {
    Gang,
    Worker,
    Vector,
}

/// The levels of parallelism that a loop is spread over, as decided by the lowering of its directive. None at all: sequential.
#[pliron_attr(name = "par.levels", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, Default)]
pub struct Levels {
    pub gang: bool,
    pub worker: bool,
    pub vector: bool,
    /// Known to have no dependences between iterations.
    pub independent: bool,
}

impl Levels {
    /// Those that the loop is spread over, outermost first.
    pub fn list(self) -> Vec<Level> {
        let all = [
            (self.gang, Level::Gang),
            (self.worker, Level::Worker),
            (self.vector, Level::Vector),
        ];
        all.into_iter()
            .filter(|(on, _)| *on)
            .map(|(_, level)| level)
            .collect()
    }

    /// Whether the loop is spread over none.
    pub fn is_sequential(self) -> bool {
        !(self.gang || self.worker || self.vector)
    }
}

/// A dimension of the gangs (OpenACC 3.4, sections 2.5.10 and 2.9.2): gangs next to each other differ in the first.
#[pliron_attr(name = "par.gang_dim", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash, PartialOrd, Ord)]
pub enum GangDim {
    One,
    Two,
    Three,
}

impl GangDim {
    pub const ALL: [GangDim; 3] = [GangDim::One, GangDim::Two, GangDim::Three];

    /// The dimension that a `dim` argument names, if there is one.
    pub fn of_number(number: i128) -> Option<GangDim> {
        Self::ALL
            .into_iter()
            .find(|dim| i128::from(dim.number()) == number)
    }

    /// As it is written in a `dim` argument.
    pub fn number(self) -> u32 {
        self.index() as u32 + 1
    }

    /// Its place in lists of dimensions, such as the arguments of `num_gangs`.
    pub fn index(self) -> usize {
        match self {
            GangDim::One => 0,
            GangDim::Two => 1,
            GangDim::Three => 2,
        }
    }
}

/// Reduction operators (OpenACC 3.4, section 2.5.15).
#[pliron_attr(name = "par.reduction_operator", format, verifier = "succ")]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum ReductionOperator {
    Add,
    Mul,
    Max,
    Min,
    BitAnd,
    BitOr,
    BitXor,
    LogicalAnd,
    LogicalOr,
    /// Fortran only.
    Eqv,
    Neqv,
    /// One that the program declares (OpenMP 5.2, section 5.5.11), by its number: [`super::declared`] has its functions.
    Declared(u64),
}

impl ReductionOperator {
    /// As it is written in clauses.
    pub fn spelling(self) -> &'static str {
        match self {
            ReductionOperator::Add => "+",
            ReductionOperator::Mul => "*",
            ReductionOperator::Max => "max",
            ReductionOperator::Min => "min",
            ReductionOperator::BitAnd => "&",
            ReductionOperator::BitOr => "|",
            ReductionOperator::BitXor => "^",
            ReductionOperator::LogicalAnd => "&&",
            ReductionOperator::LogicalOr => "||",
            ReductionOperator::Eqv => ".eqv.",
            ReductionOperator::Neqv => ".neqv.",
            ReductionOperator::Declared(_) => "declared",
        }
    }
}

/// How the induction variable is compared with the upper bound in a canonical loop.
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub enum LoopTest {
    Lt,
    Le,
    Gt,
    Ge,
    Ne,
}

/// One dimension of a loop: its test, and whether the induction variable is unsigned.
#[pliron::derive::format]
#[derive(PartialEq, Eq, Clone, Copy, Debug, Hash)]
pub struct LoopDim {
    pub test: LoopTest,
    pub unsigned: bool,
}

/// The dimensions of a loop, outermost first: one, or as many as `collapse` says.
#[pliron_attr(
    name = "par.loop_dims",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct LoopDims(pub Vec<LoopDim>);

/// The sizes in the `tile` clause of a loop, one for each dimension, outermost first; 0 is `*`.
#[pliron_attr(
    name = "par.tile_sizes",
    format = "`[` vec($0, CharSpace(`,`)) `]`",
    verifier = "succ"
)]
#[derive(PartialEq, Eq, Clone, Debug, Hash)]
pub struct TileSizes(pub Vec<u64>);
