//! The decision table of reductions: stage, goal, operator, type, width and target to algorithm.
//!
//! Which algorithms are tried, in this order; what the user wants at a stage is tried before:
//!
//! | stage | deterministic | fast | lock |
//! | --- | --- | --- | --- |
//! | lanes of a sub-group | redux, shuffle | redux, shuffle | redux, shuffle |
//! | sub-groups of a worker | slots, or tree of many | the same | the same |
//! | workers, or all sub-groups of a gang | slots | slots | atomic, lock, slots |
//! | gangs | slots | atomic, slots | atomic, lock |
//!
//! Where an algorithm can be used:
//!
//! | algorithm | types and operators | where |
//! | --- | --- | --- |
//! | `redux` | integers up to 32 bits and `_Bool`: `+ max min & \| ^ && \|\|` | targets that have it |
//! | `shuffle` | all | the lanes that take part are a power of two, as they are in all kernels |
//! | `contiguous`, `dispersed` | all | everywhere |
//! | `slots` | all | everywhere |
//! | `first-warp` | all | workers consist of whole sub-groups |
//! | `tree` | all | everywhere |
//! | `atomic` | 32 and 64 bits: `+` (floating point and complex too), integer `max min & \| ^` | no arrays in shared memory |
//! | `lock` | all but declared reductions | no arrays in shared memory |
//! | `launches` | all but declared reductions | targets whose launches may be followed by others that end them |
//!
//! `atomic` and `lock` of workers need a slot that is prepared before the loop: not where workers that contribute to a gang
//! reduction on their own are combined at the end of the kernel.
//!
//! Why the default is what it is. `redux` is one instruction where the tree has ten that depend on each other, and for
//! integers any order gives the same bits. Up to 32 slots are read as broadcasts without a second barrier, which the first
//! sub-group would need to give the result back. Where there are no sub-groups each thread has a slot: 256 threads that read 256 of
//! them take longer than a tree, whose steps are three barriers. Atomic updates of floating point numbers are in any order, and those of `float`
//! in global memory flush denormal numbers; a lock costs a round trip to memory per gang.

use super::policy::{Algorithm, Goal, Policy, Stage};
use accrue_dialects::{
    core::{complex_part, float_width, int_width},
    par::{ReductionOperator, declared::number_of},
};
use pliron::{context::Context, r#type::TypeHandle};
use std::fmt;

/// A type that is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// Unsigned and signed integers by width; `_Bool` has width 1.
    Int(u32),
    Float(u32),
    /// By the width of a part.
    Complex(u32),
    /// Pointers, and what else no operator is defined for.
    Other,
}

impl Scalar {
    pub fn of(ctx: &Context, ty: TypeHandle) -> Scalar {
        if let Some(width) = int_width(ctx, ty) {
            return Scalar::Int(width);
        }
        if let Some(width) = float_width(ctx, ty) {
            return Scalar::Float(width);
        }
        let part = complex_part(ctx, ty).and_then(|part| float_width(ctx, part));
        part.map_or(Scalar::Other, Scalar::Complex)
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Int(1) => write!(f, "_Bool"),
            Scalar::Int(width) => write!(f, "{width}-bit integer"),
            Scalar::Float(32) => write!(f, "float"),
            Scalar::Float(64) => write!(f, "double"),
            Scalar::Float(width) => write!(f, "{width}-bit float"),
            Scalar::Complex(32) => write!(f, "float _Complex"),
            Scalar::Complex(64) => write!(f, "double _Complex"),
            Scalar::Complex(width) => write!(f, "complex of {width}-bit floats"),
            Scalar::Other => write!(f, "object"),
        }
    }
}

/// A reduction of which one stage is to be decided.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    pub operator: ReductionOperator,
    pub scalar: Scalar,
    /// An array, reduced element by element.
    pub is_array: bool,
    /// Workers consist of whole sub-groups.
    pub whole_subgroups: bool,
    /// There is a SETUP before the loop.
    pub has_setup: bool,
    /// More slots than all threads should read.
    pub many_slots: bool,
    /// Other launches may end what a launch began.
    pub has_launches: bool,
}

/// The algorithm for one stage. `has_reduce`: a sub-group reduces integers in one instruction.
pub fn choose(question: &Question, stage: Stage, policy: &Policy, has_reduce: bool) -> Algorithm {
    let wanted = policy.wanted(stage).into_iter();
    let mut tried = wanted.chain(row(stage, policy.goal, question.many_slots).iter().copied());
    let last = match stage {
        Stage::Lanes => Algorithm::Shuffle,
        Stage::Subgroups | Stage::Workers | Stage::Gangs => Algorithm::Slots,
    };
    tried
        .find(|algorithm| fits(*algorithm, question, stage, has_reduce))
        .unwrap_or(last)
}

/// The first table.
fn row(stage: Stage, goal: Goal, many_slots: bool) -> &'static [Algorithm] {
    match (stage, goal) {
        (Stage::Lanes, _) => &[Algorithm::Redux, Algorithm::Shuffle],
        (Stage::Subgroups, _) if many_slots => &[Algorithm::Tree],
        (Stage::Subgroups, _) => &[Algorithm::Slots],
        (Stage::Workers, Goal::Deterministic | Goal::Fast) => &[Algorithm::Slots],
        (Stage::Workers, Goal::Lock) => &[Algorithm::Atomic, Algorithm::Lock, Algorithm::Slots],
        (Stage::Gangs, Goal::Deterministic) => &[Algorithm::Slots],
        (Stage::Gangs, Goal::Fast) => &[Algorithm::Atomic, Algorithm::Slots],
        (Stage::Gangs, Goal::Lock) => &[Algorithm::Atomic, Algorithm::Lock],
    }
}

/// The second table.
fn fits(algorithm: Algorithm, question: &Question, stage: Stage, has_reduce: bool) -> bool {
    let one_slot = stage == Stage::Gangs || (question.has_setup && !question.is_array);
    // Several scalars are one object, which is combined as a whole.
    let is_declared = number_of(question.operator).is_some();
    match algorithm {
        Algorithm::Shuffle
        | Algorithm::Contiguous
        | Algorithm::Dispersed
        | Algorithm::Slots
        | Algorithm::Tree => true,
        Algorithm::FirstWarp => question.whole_subgroups,
        Algorithm::Redux => has_reduce && has_redux(question.operator, question.scalar),
        Algorithm::Atomic => one_slot && has_atomic(question.operator, question.scalar),
        Algorithm::Lock => one_slot && !is_declared,
        Algorithm::Launches => question.has_launches && !is_declared,
    }
}

/// Whether a sub-group combines such values in one instruction.
fn has_redux(operator: ReductionOperator, scalar: Scalar) -> bool {
    let narrow = matches!(scalar, Scalar::Int(width) if width <= 32);
    match operator {
        ReductionOperator::Add
        | ReductionOperator::Max
        | ReductionOperator::Min
        | ReductionOperator::BitAnd
        | ReductionOperator::BitOr
        | ReductionOperator::BitXor
        | ReductionOperator::LogicalAnd
        | ReductionOperator::LogicalOr => narrow,
        ReductionOperator::Mul
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => false,
    }
}

/// Whether memory is updated in one instruction, or in one for each part of a complex number. Smaller types and other
/// operators would need a loop around a compare-and-swap, which is a lock with more traffic.
fn has_atomic(operator: ReductionOperator, scalar: Scalar) -> bool {
    let word = matches!(scalar, Scalar::Int(32 | 64));
    match operator {
        ReductionOperator::Add => {
            word || matches!(scalar, Scalar::Float(32 | 64) | Scalar::Complex(32 | 64))
        }
        ReductionOperator::Max
        | ReductionOperator::Min
        | ReductionOperator::BitAnd
        | ReductionOperator::BitOr
        | ReductionOperator::BitXor => word,
        ReductionOperator::Mul
        | ReductionOperator::LogicalAnd
        | ReductionOperator::LogicalOr
        | ReductionOperator::Eqv
        | ReductionOperator::Neqv
        | ReductionOperator::Declared(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReductionOperator::{Add, LogicalAnd, Max, Mul};

    fn chosen(
        policy: &str,
        has_reduce: bool,
        operator: ReductionOperator,
        scalar: Scalar,
    ) -> String {
        let policy = Policy::parse(policy).expect(policy);
        let question = Question {
            operator,
            scalar,
            is_array: false,
            whole_subgroups: true,
            has_setup: true,
            many_slots: false,
            has_launches: false,
        };
        let names = Stage::ALL.map(|stage| choose(&question, stage, &policy, has_reduce).name());
        names.join(" ")
    }

    #[test]
    fn goals() {
        let (i32, f32, f64) = (Scalar::Int(32), Scalar::Float(32), Scalar::Float(64));
        assert_eq!(
            chosen("deterministic", false, Add, i32),
            "shuffle slots slots slots"
        );
        assert_eq!(
            chosen("deterministic", true, Add, i32),
            "redux slots slots slots"
        );
        assert_eq!(
            chosen("deterministic", true, Add, f32),
            "shuffle slots slots slots"
        );
        assert_eq!(chosen("fast", true, Add, f64), "shuffle slots slots atomic");
        assert_eq!(chosen("fast", true, Max, f64), "shuffle slots slots slots");
        assert_eq!(
            chosen("lock", false, Max, i32),
            "shuffle slots atomic atomic"
        );
        assert_eq!(chosen("lock", false, Mul, i32), "shuffle slots lock lock");
    }

    #[test]
    fn what_cannot_be_used_gives_way() {
        let (bool_, i64, c64) = (Scalar::Int(1), Scalar::Int(64), Scalar::Complex(64));
        assert_eq!(
            chosen("atomic", false, LogicalAnd, bool_),
            "shuffle slots slots slots"
        );
        assert_eq!(
            chosen("atomic", false, Add, c64),
            "shuffle slots atomic atomic"
        );
        assert_eq!(
            chosen("redux", true, LogicalAnd, bool_),
            "redux slots slots slots"
        );
        assert_eq!(chosen("redux", true, Add, i64), "shuffle slots slots slots");
        assert_eq!(
            chosen("redux", false, Add, Scalar::Int(8)),
            "shuffle slots slots slots"
        );
        assert_eq!(
            chosen("dispersed,gang:lock", true, Add, i64),
            "dispersed slots slots lock"
        );
    }

    #[test]
    fn many_slots_are_a_tree() {
        let question = Question {
            operator: Add,
            scalar: Scalar::Float(64),
            is_array: false,
            whole_subgroups: false,
            has_setup: false,
            many_slots: true,
            has_launches: false,
        };
        let choice = |policy, stage| {
            let policy = Policy::parse(policy).expect(policy);
            choose(&question, stage, &policy, false)
        };
        for goal in ["deterministic", "fast", "lock"] {
            assert_eq!(choice(goal, Stage::Subgroups), Algorithm::Tree);
        }
        assert_eq!(choice("slots", Stage::Subgroups), Algorithm::Slots);
        assert_eq!(
            choice("first-warp", Stage::Subgroups),
            Algorithm::Tree,
            "there are no sub-groups"
        );
        assert_eq!(choice("tree", Stage::Workers), Algorithm::Tree);
    }

    #[test]
    fn further_launches_are_for_those_who_want_them() {
        let policy = |text| Policy::parse(text).expect(text);
        let choice = |has_launches, text| {
            let question = Question {
                operator: Mul,
                scalar: Scalar::Complex(64),
                is_array: true,
                whole_subgroups: false,
                has_setup: true,
                many_slots: false,
                has_launches,
            };
            choose(&question, Stage::Gangs, &policy(text), false)
        };
        assert_eq!(choice(true, "deterministic"), Algorithm::Slots);
        assert_eq!(choice(true, "launches"), Algorithm::Launches);
        assert_eq!(choice(false, "gang:launches"), Algorithm::Slots);
    }

    #[test]
    fn arrays_and_small_workers_have_slots() {
        let policy = Policy::parse("lock,first-warp").expect("a policy");
        let mut question = Question {
            operator: Add,
            scalar: Scalar::Int(32),
            is_array: true,
            whole_subgroups: true,
            has_setup: true,
            many_slots: false,
            has_launches: false,
        };
        let choice = |q: &Question, stage| choose(q, stage, &policy, false);
        assert_eq!(choice(&question, Stage::Workers), Algorithm::FirstWarp);
        question.whole_subgroups = false;
        assert_eq!(choice(&question, Stage::Workers), Algorithm::Slots);
        assert_eq!(choice(&question, Stage::Gangs), Algorithm::Atomic);
        question.is_array = false;
        assert_eq!(choice(&question, Stage::Workers), Algorithm::Atomic);
        question.has_setup = false;
        assert_eq!(choice(&question, Stage::Workers), Algorithm::Slots);
    }
}
