//! Which clauses each directive takes, how often, which ones it needs and which exclude each other.
//!
//! This is the directive × clause matrix of OpenACC 3.4; the checks in [`crate::check`] only walk it.

use crate::ast::{ClauseKind, DirectiveKind, ModifierKind};

/// How often a directive takes a clause, and whether the clause may follow a `device_type` clause (section 2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// `.`: not at all.
    Never,
    /// `1`: at most once; not device-specific.
    Once,
    /// `*`: any number; not device-specific.
    Any,
    /// `1d`: at most once for each device type; may be device-specific.
    OncePerDevice,
    /// `*d`: any number; may be device-specific.
    AnyPerDevice,
}

impl Rule {
    /// Whether the directive takes the clause.
    pub fn allows(self) -> bool {
        self != Rule::Never
    }

    /// Whether the clause may stand after a `device_type` clause.
    pub fn may_follow_device_type(self) -> bool {
        match self {
            Rule::Never | Rule::Once | Rule::Any => false,
            Rule::OncePerDevice | Rule::AnyPerDevice => true,
        }
    }

    fn from_cell(cell: &str) -> Option<Rule> {
        match cell {
            "." => Some(Rule::Never),
            "1" => Some(Rule::Once),
            "*" => Some(Rule::Any),
            "1d" => Some(Rule::OncePerDevice),
            "*d" => Some(Rule::AnyPerDevice),
            _ => None,
        }
    }
}

/// One row of the matrix. A combined construct takes what its two parts take (section 2.11); `cache` and the
/// Fortran `end` directives take no clauses.
#[rustfmt::skip]
fn row(clause: ClauseKind) -> &'static str {
    match clause {
        //                             paral serial kernl data enter exit host_ loop decl init shut set  upd  wait rout atom
        ClauseKind::If             => " 1     1     1     1    1     1    1     .    .    1    1    1    1    1    .    1 ",
        ClauseKind::SelfCondition  => " 1     1     1     .    .     .    .     .    .    .    .    .    .    .    .    . ",
        ClauseKind::Async          => " 1d    1d    1d    1d   1     1    .     .    .    .    .    .    1d   1    .    . ",
        ClauseKind::Wait           => " *d    *d    *d    *d   *     *    .     .    .    .    .    .    *d   .    .    . ",
        ClauseKind::NumGangs       => " 1d    .     1d    .    .     .    .     .    .    .    .    .    .    .    .    . ",
        ClauseKind::NumWorkers     => " 1d    .     1d    .    .     .    .     .    .    .    .    .    .    .    .    . ",
        ClauseKind::VectorLength   => " 1d    .     1d    .    .     .    .     .    .    .    .    .    .    .    .    . ",
        ClauseKind::DeviceType     => " *d    *d    *d    *d   .     .    .     *d   .    *    *    1    *d   .    *d   . ",
        ClauseKind::Private        => " *     *     .     .    .     .    .     *    .    .    .    .    .    .    .    . ",
        ClauseKind::FirstPrivate   => " *     *     .     .    .     .    .     .    .    .    .    .    .    .    .    . ",
        ClauseKind::Reduction      => " *     *     .     .    .     .    .     *    .    .    .    .    .    .    .    . ",
        ClauseKind::Default        => " 1     1     1     1    .     .    .     .    .    .    .    .    .    .    .    . ",
        // data clauses
        ClauseKind::Copy           => " *     *     *     *    .     .    .     .    *    .    .    .    .    .    .    . ",
        ClauseKind::CopyIn         => " *     *     *     *    *     .    .     .    *    .    .    .    .    .    .    . ",
        ClauseKind::CopyOut        => " *     *     *     *    .     *    .     .    *    .    .    .    .    .    .    . ",
        ClauseKind::Create         => " *     *     *     *    *     .    .     .    *    .    .    .    .    .    .    . ",
        ClauseKind::NoCreate       => " *     *     *     *    .     .    .     .    .    .    .    .    .    .    .    . ",
        ClauseKind::Present        => " *     *     *     *    .     .    .     .    *    .    .    .    .    .    .    . ",
        ClauseKind::DevicePtr      => " *     *     *     *    .     .    .     .    *    .    .    .    .    .    .    . ",
        ClauseKind::Attach         => " *     *     *     *    *     .    .     .    .    .    .    .    .    .    .    . ",
        ClauseKind::Detach         => " .     .     .     .    .     *    .     .    .    .    .    .    .    .    .    . ",
        ClauseKind::Delete         => " .     .     .     .    .     *    .     .    .    .    .    .    .    .    .    . ",
        ClauseKind::Finalize       => " .     .     .     .    .     *    .     .    .    .    .    .    .    .    .    . ",
        ClauseKind::UseDevice      => " .     .     .     .    .     .    *     .    .    .    .    .    .    .    .    . ",
        ClauseKind::IfPresent      => " .     .     .     .    .     .    *     .    .    .    .    .    *    .    .    . ",
        ClauseKind::DeviceResident => " .     .     .     .    .     .    .     .    *    .    .    .    .    .    .    . ",
        ClauseKind::Link           => " .     .     .     .    .     .    .     .    *    .    .    .    .    .    .    . ",
        ClauseKind::UpdateSelf     => " .     .     .     .    .     .    .     .    .    .    .    .    *    .    .    . ",
        ClauseKind::UpdateDevice   => " .     .     .     .    .     .    .     .    .    .    .    .    *    .    .    . ",
        // loops and routines
        ClauseKind::Collapse       => " .     .     .     .    .     .    .     1d   .    .    .    .    .    .    .    . ",
        ClauseKind::Gang           => " .     .     .     .    .     .    .     1d   .    .    .    .    .    .    1d   . ",
        ClauseKind::Worker         => " .     .     .     .    .     .    .     1d   .    .    .    .    .    .    1d   . ",
        ClauseKind::Vector         => " .     .     .     .    .     .    .     1d   .    .    .    .    .    .    1d   . ",
        ClauseKind::Seq            => " .     .     .     .    .     .    .     1d   .    .    .    .    .    .    1d   . ",
        ClauseKind::Independent    => " .     .     .     .    .     .    .     1d   .    .    .    .    .    .    .    . ",
        ClauseKind::Auto           => " .     .     .     .    .     .    .     1d   .    .    .    .    .    .    .    . ",
        ClauseKind::Tile           => " .     .     .     .    .     .    .     1d   .    .    .    .    .    .    .    . ",
        ClauseKind::Bind           => " .     .     .     .    .     .    .     .    .    .    .    .    .    .    1d   . ",
        ClauseKind::NoHost         => " .     .     .     .    .     .    .     .    .    .    .    .    .    .    1    . ",
        // devices
        ClauseKind::DeviceNum      => " .     .     .     .    .     .    .     .    .    1    1    1    .    .    .    . ",
        ClauseKind::DefaultAsync   => " .     .     .     .    .     .    .     .    .    .    .    1    .    .    .    . ",
    }
}

/// Whether the clauses after a `device_type` clause apply to its device types only (section 2.4). On `init`,
/// `shutdown` and `set` it is an argument of the directive.
pub fn device_type_scopes(directive: DirectiveKind) -> bool {
    rule(directive, ClauseKind::DeviceType).may_follow_device_type()
}

/// The columns of the matrix.
const COLUMNS: [DirectiveKind; 16] = [
    DirectiveKind::Parallel,
    DirectiveKind::Serial,
    DirectiveKind::Kernels,
    DirectiveKind::Data,
    DirectiveKind::EnterData,
    DirectiveKind::ExitData,
    DirectiveKind::HostData,
    DirectiveKind::Loop,
    DirectiveKind::Declare,
    DirectiveKind::Init,
    DirectiveKind::Shutdown,
    DirectiveKind::Set,
    DirectiveKind::Update,
    DirectiveKind::Wait,
    DirectiveKind::Routine,
    DirectiveKind::Atomic,
];

/// How `directive` takes `clause`.
pub fn rule(directive: DirectiveKind, clause: ClauseKind) -> Rule {
    if let (Some(compute), true) = (directive.compute_part(), directive.is_combined()) {
        let of_compute = rule(compute, clause);
        return if of_compute.allows() {
            of_compute
        } else {
            rule(DirectiveKind::Loop, clause)
        };
    }
    COLUMNS
        .iter()
        .zip(row(clause).split_ascii_whitespace())
        .find(|(column, _)| **column == directive)
        .and_then(|(_, cell)| Rule::from_cell(cell))
        .unwrap_or(Rule::Never)
}

/// The clauses that `directive` takes.
pub fn clauses_of(directive: DirectiveKind) -> impl Iterator<Item = ClauseKind> {
    ClauseKind::ALL
        .into_iter()
        .filter(move |clause| rule(directive, *clause).allows())
}

/// The directives that take `clause`.
pub fn directives_with(clause: ClauseKind) -> impl Iterator<Item = DirectiveKind> {
    DirectiveKind::ALL
        .into_iter()
        .filter(move |directive| rule(*directive, clause).allows())
}

/// A set of clauses of which at least one must appear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Required {
    /// The clauses.
    pub one_of: &'static [ClauseKind],
    /// Where the rule stands.
    pub section: &'static str,
}

/// What `directive` cannot do without.
pub fn required(directive: DirectiveKind) -> Option<Required> {
    use ClauseKind::*;
    let one_of: &'static [ClauseKind] = match directive {
        DirectiveKind::Data => &[
            Copy, CopyIn, CopyOut, Create, NoCreate, Present, DevicePtr, Attach, Default,
        ],
        DirectiveKind::EnterData => &[CopyIn, Create, Attach],
        DirectiveKind::ExitData => &[CopyOut, Delete, Detach],
        DirectiveKind::HostData => &[UseDevice],
        DirectiveKind::Declare => &[
            Copy,
            CopyIn,
            CopyOut,
            Create,
            Present,
            DevicePtr,
            DeviceResident,
            Link,
        ],
        DirectiveKind::Set => &[DefaultAsync, DeviceNum, DeviceType],
        DirectiveKind::Update => &[UpdateSelf, UpdateDevice],
        DirectiveKind::Parallel
        | DirectiveKind::Serial
        | DirectiveKind::Kernels
        | DirectiveKind::ParallelLoop
        | DirectiveKind::SerialLoop
        | DirectiveKind::KernelsLoop
        | DirectiveKind::Loop
        | DirectiveKind::Cache
        | DirectiveKind::Atomic
        | DirectiveKind::Init
        | DirectiveKind::Shutdown
        | DirectiveKind::Routine
        | DirectiveKind::Wait => return None,
        DirectiveKind::EndParallel
        | DirectiveKind::EndSerial
        | DirectiveKind::EndKernels
        | DirectiveKind::EndLoop
        | DirectiveKind::EndParallelLoop
        | DirectiveKind::EndSerialLoop
        | DirectiveKind::EndKernelsLoop
        | DirectiveKind::EndData
        | DirectiveKind::EndHostData
        | DirectiveKind::EndAtomic => return None,
    };
    Some(Required {
        one_of,
        section: directive.section(),
    })
}

/// Clauses of which a directive takes at most one for each device type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exclusion {
    /// No clause of this set …
    pub left: &'static [ClauseKind],
    /// … together with a clause of this one, if it is another clause.
    pub right: &'static [ClauseKind],
    /// Where the rule stands.
    pub section: &'static str,
}

const LEVELS: &[ClauseKind] = &[
    ClauseKind::Gang,
    ClauseKind::Worker,
    ClauseKind::Vector,
    ClauseKind::Seq,
];
const LOOP_MODES: &[ClauseKind] = &[ClauseKind::Seq, ClauseKind::Independent, ClauseKind::Auto];

const LOOP_EXCLUSIONS: &[Exclusion] = &[
    Exclusion {
        left: LOOP_MODES,
        right: LOOP_MODES,
        section: "2.9",
    },
    Exclusion {
        left: &[ClauseKind::Gang, ClauseKind::Worker, ClauseKind::Vector],
        right: &[ClauseKind::Seq],
        section: "2.9",
    },
];
const ROUTINE_EXCLUSIONS: &[Exclusion] = &[Exclusion {
    left: LEVELS,
    right: LEVELS,
    section: "2.15.1",
}];

/// The exclusions of `directive`.
pub fn exclusions(directive: DirectiveKind) -> &'static [Exclusion] {
    if directive.is_loop() {
        LOOP_EXCLUSIONS
    } else if directive == DirectiveKind::Routine {
        ROUTINE_EXCLUSIONS
    } else {
        &[]
    }
}

/// The data clause modifiers that `clause` takes on `directive` (section 2.7.4). `capture` belongs to structured
/// data lifetimes, `zero` needs a device copy that the directive itself creates.
pub fn modifiers(directive: DirectiveKind, clause: ClauseKind) -> &'static [ModifierKind] {
    use ModifierKind::*;
    let structured = directive.is_compute() || directive == DirectiveKind::Data;
    let declare = directive == DirectiveKind::Declare;
    match clause {
        ClauseKind::Copy if declare => &[Always, AlwaysIn, AlwaysOut],
        ClauseKind::Copy => &[Always, AlwaysIn, AlwaysOut, Capture],
        ClauseKind::CopyIn if structured => &[Always, AlwaysIn, ReadOnly, Capture],
        ClauseKind::CopyIn => &[Always, AlwaysIn, ReadOnly],
        ClauseKind::CopyOut if structured => &[Always, AlwaysOut, Zero, Capture],
        ClauseKind::CopyOut if declare => &[Always, AlwaysOut],
        ClauseKind::CopyOut => &[Always, AlwaysOut, Zero],
        ClauseKind::Create if structured => &[Zero, Capture],
        ClauseKind::Create if declare => &[],
        ClauseKind::Create => &[Zero],
        ClauseKind::If
        | ClauseKind::SelfCondition
        | ClauseKind::Async
        | ClauseKind::Wait
        | ClauseKind::NumGangs
        | ClauseKind::NumWorkers
        | ClauseKind::VectorLength
        | ClauseKind::Private
        | ClauseKind::FirstPrivate
        | ClauseKind::Reduction
        | ClauseKind::Default
        | ClauseKind::NoCreate
        | ClauseKind::Present
        | ClauseKind::DevicePtr
        | ClauseKind::Attach
        | ClauseKind::Detach
        | ClauseKind::Delete
        | ClauseKind::Finalize
        | ClauseKind::UseDevice
        | ClauseKind::IfPresent
        | ClauseKind::Collapse
        | ClauseKind::Gang
        | ClauseKind::Worker
        | ClauseKind::Vector
        | ClauseKind::Seq
        | ClauseKind::Independent
        | ClauseKind::Auto
        | ClauseKind::Tile
        | ClauseKind::DeviceType
        | ClauseKind::Bind
        | ClauseKind::NoHost
        | ClauseKind::DeviceResident
        | ClauseKind::Link
        | ClauseKind::DeviceNum
        | ClauseKind::DefaultAsync
        | ClauseKind::UpdateSelf
        | ClauseKind::UpdateDevice => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_rule_for_every_column() {
        for clause in ClauseKind::ALL {
            let cells: Vec<_> = row(clause)
                .split_ascii_whitespace()
                .map(Rule::from_cell)
                .collect();
            assert_eq!(cells.len(), COLUMNS.len(), "{clause:?}");
            assert!(cells.iter().all(Option::is_some), "{clause:?}");
        }
    }

    #[test]
    fn every_clause_is_taken_by_some_directive() {
        for clause in ClauseKind::ALL {
            assert!(directives_with(clause).next().is_some(), "{clause:?}");
        }
    }
}
