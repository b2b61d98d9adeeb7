//! Which leaf constructs and directives take which clauses, how often, and what is made of each.
//!
//! A combined construct takes what its leaves take (section 17.2).

use super::{ClauseKind, DirectiveKind, Inside, Leaf};

/// How often a directive takes a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// `.`: not at all.
    Never,
    /// `1`: at most once.
    Once,
    /// `*`: any number.
    Any,
}

/// What is made of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// What it says.
    Compiled,
    /// Nothing: it is a hint, or what it allows is not made use of.
    Hint,
    /// An error: what to do instead.
    Missing(&'static str),
}

/// The columns of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Leaf(Leaf),
    Data,
    Enter,
    Exit,
    Update,
    Atomic,
    Single,
    Scope,
    Task,
    Taskgroup,
    Taskwait,
    Flush,
    Declare,
    Requires,
    Critical,
    Ordered,
    Scan,
}

const COLUMNS: [Column; 26] = [
    Column::Leaf(Leaf::Target),
    Column::Leaf(Leaf::Teams),
    Column::Leaf(Leaf::Distribute),
    Column::Leaf(Leaf::Parallel),
    Column::Leaf(Leaf::For),
    Column::Leaf(Leaf::Simd),
    Column::Leaf(Leaf::Loop),
    Column::Leaf(Leaf::Masked),
    Column::Leaf(Leaf::Taskloop),
    Column::Data,
    Column::Enter,
    Column::Exit,
    Column::Update,
    Column::Atomic,
    Column::Single,
    Column::Scope,
    Column::Task,
    Column::Taskgroup,
    Column::Taskwait,
    Column::Flush,
    Column::Declare,
    Column::Requires,
    Column::Leaf(Leaf::Sections),
    Column::Critical,
    Column::Ordered,
    Column::Scan,
];

#[rustfmt::skip]
fn row(clause: ClauseKind) -> &'static str {
    match clause {
        //                                targ team dist para for  simd loop mask tlop data ent  exit upd  atom sing scop task tgrp tw   flsh decl req sect crit ord  scan
        ClauseKind::If                 => " *    .    .    *    .    *    .    .    *    1    1    1    1    .    .    .    *    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Device             => " 1    .    .    .    .    .    .    .    .    1    1    1    1    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Map                => " *    .    .    .    .    .    .    .    .    *    *    *    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Defaultmap         => " *    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Private            => " *    *    *    *    *    *    *    .    *    .    .    .    .    .    *    *    *    .    .    .    .    .    *    .    .    . ",
        ClauseKind::Firstprivate       => " *    *    *    *    *    .    .    .    *    .    .    .    .    .    *    *    *    .    .    .    .    .    *    .    .    . ",
        ClauseKind::Lastprivate        => " .    .    *    .    *    *    *    .    *    .    .    .    .    .    .    .    .    .    .    .    .    .    *    .    .    . ",
        ClauseKind::Shared             => " .    *    .    *    .    .    .    .    *    .    .    .    .    .    .    .    *    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Default            => " .    1    .    1    .    .    .    .    1    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Reduction          => " .    *    .    *    *    *    *    .    *    .    .    .    .    .    .    *    .    .    .    .    .    .    *    .    .    . ",
        ClauseKind::InReduction        => " *    .    .    .    .    .    .    .    *    .    .    .    .    .    .    .    *    .    .    .    .    .    .    .    .    . ",
        ClauseKind::TaskReduction      => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    *    .    .    .    .    .    .    .    . ",
        ClauseKind::Final              => " .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Untied             => " .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Mergeable          => " .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Priority           => " .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Affinity           => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    *    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Detach             => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Grainsize          => " .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::NumTasks           => " .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Nogroup            => " .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::IsDevicePtr        => " *    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::HasDeviceAddr      => " *    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::UseDevicePtr       => " .    .    .    .    .    .    .    .    .    *    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::UseDeviceAddr      => " .    .    .    .    .    .    .    .    .    *    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Collapse           => " .    .    1    .    1    1    1    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Ordered            => " .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Schedule           => " .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::DistSchedule       => " .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::NumTeams           => " .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::ThreadLimit        => " 1    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::NumThreads         => " .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Safelen            => " .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Simdlen            => " .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Aligned            => " .    .    .    .    .    *    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Linear             => " .    .    .    .    *    *    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Nontemporal        => " .    .    .    .    .    *    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::ProcBind           => " .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Order              => " .    .    1    .    1    1    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Bind               => " .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Nowait             => " 1    .    .    .    1    .    .    .    .    .    1    1    1    .    1    1    .    .    1    .    .    .    1    .    .    . ",
        ClauseKind::Depend             => " *    .    .    .    .    .    .    .    .    .    *    *    *    .    .    .    *    .    *    .    .    .    .    .    *    . ",
        ClauseKind::Allocate           => " *    *    *    *    *    .    .    .    *    .    .    .    .    .    *    *    *    *    .    .    .    .    *    .    .    . ",
        ClauseKind::UsesAllocators     => " *    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Copyin             => " .    .    .    *    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Copyprivate        => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    *    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Filter             => " .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::To                 => " .    .    .    .    .    .    .    .    .    .    .    .    *    .    .    .    .    .    .    .    *    .    .    .    .    . ",
        ClauseKind::From               => " .    .    .    .    .    .    .    .    .    .    .    .    *    .    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Enter              => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    *    .    .    .    .    . ",
        ClauseKind::Link               => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    *    .    .    .    .    . ",
        ClauseKind::DeviceType         => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    . ",
        ClauseKind::Indirect           => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    . ",
        ClauseKind::UnifiedAddress     => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    . ",
        ClauseKind::UnifiedSharedMemory => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    . ",
        ClauseKind::ReverseOffload     => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    . ",
        ClauseKind::SelfMaps           => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    . ",
        ClauseKind::DynamicAllocators  => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    . ",
        ClauseKind::AtomicDefaultMemOrder => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    . ",
        ClauseKind::Read               => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Write              => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Update             => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Capture            => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Compare            => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Fail               => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Weak               => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::SeqCst             => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    1    .    .    .    .    .    . ",
        ClauseKind::AcqRel             => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    1    .    .    .    .    .    . ",
        ClauseKind::Acquire            => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    1    .    .    .    .    .    . ",
        ClauseKind::Release            => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    1    .    .    .    .    .    . ",
        ClauseKind::Relaxed            => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    .    .    . ",
        ClauseKind::Hint               => " .    .    .    .    .    .    .    .    .    .    .    .    .    1    .    .    .    .    .    .    .    .    .    1    .    . ",
        ClauseKind::Threads            => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    . ",
        ClauseKind::Lanes              => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1    . ",
        ClauseKind::Doacross           => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    *    . ",
        ClauseKind::Inclusive          => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1 ",
        ClauseKind::Exclusive          => " .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    .    1 ",
    }
}

fn cell(column: Column, clause: ClauseKind) -> Rule {
    let cells = COLUMNS.iter().zip(row(clause).split_ascii_whitespace());
    match cells.into_iter().find(|(found, _)| **found == column) {
        Some((_, "1")) => Rule::Once,
        Some((_, "*")) => Rule::Any,
        Some(_) | None => Rule::Never,
    }
}

/// Whether the leaf construct takes the clause.
pub fn takes(leaf: Leaf, clause: ClauseKind) -> bool {
    cell(Column::Leaf(leaf), clause) != Rule::Never
}

/// How `directive` takes `clause`.
pub fn rule(directive: &DirectiveKind, clause: ClauseKind) -> Rule {
    let one = |column| cell(column, clause);
    match directive {
        DirectiveKind::Construct(leaves) => {
            let rules = leaves.iter().map(|leaf| one(Column::Leaf(*leaf)));
            rules.max().unwrap_or(Rule::Never)
        }
        DirectiveKind::TargetData => one(Column::Data),
        DirectiveKind::TargetEnterData => one(Column::Enter),
        DirectiveKind::TargetExitData => one(Column::Exit),
        DirectiveKind::TargetUpdate => one(Column::Update),
        DirectiveKind::Atomic => one(Column::Atomic),
        DirectiveKind::Inside(Inside::Single) => one(Column::Single),
        DirectiveKind::Inside(Inside::Scope) => one(Column::Scope),
        DirectiveKind::Inside(Inside::Task) => one(Column::Task),
        DirectiveKind::Inside(Inside::Taskgroup) => one(Column::Taskgroup),
        DirectiveKind::Inside(Inside::Taskwait) => one(Column::Taskwait),
        DirectiveKind::Inside(Inside::Flush) => one(Column::Flush),
        DirectiveKind::DeclareTarget => one(Column::Declare),
        DirectiveKind::Requires => one(Column::Requires),
        DirectiveKind::Inside(Inside::Critical) => one(Column::Critical),
        DirectiveKind::Inside(Inside::Ordered | Inside::Doacross) => one(Column::Ordered),
        DirectiveKind::Inside(Inside::Scan) => one(Column::Scan),
        DirectiveKind::DeclareMapper
        | DirectiveKind::DeclareReduction
        | DirectiveKind::DeclareVariant
        | DirectiveKind::Inside(
            Inside::Barrier
            | Inside::Taskyield
            | Inside::Section
            | Inside::Cancel
            | Inside::Nothing
            | Inside::Error,
        )
        | DirectiveKind::Other => Rule::Never,
    }
}

/// The clauses that `directive` takes.
pub fn clauses_of(directive: &DirectiveKind) -> impl Iterator<Item = ClauseKind> {
    let all = ClauseKind::ALL.iter().copied();
    all.filter(move |clause| rule(directive, *clause) != Rule::Never)
}

/// What is made of a clause.
pub fn support(clause: ClauseKind) -> Support {
    match clause {
        ClauseKind::If
        | ClauseKind::Device
        | ClauseKind::Map
        | ClauseKind::Defaultmap
        | ClauseKind::Depend
        | ClauseKind::Private
        | ClauseKind::Firstprivate
        | ClauseKind::Lastprivate
        | ClauseKind::Linear
        | ClauseKind::Shared
        | ClauseKind::Default
        | ClauseKind::Reduction
        | ClauseKind::InReduction
        | ClauseKind::TaskReduction
        | ClauseKind::IsDevicePtr
        | ClauseKind::HasDeviceAddr
        | ClauseKind::UseDevicePtr
        | ClauseKind::UseDeviceAddr
        | ClauseKind::Collapse
        | ClauseKind::NumTeams
        | ClauseKind::ThreadLimit
        | ClauseKind::NumThreads
        | ClauseKind::Bind
        | ClauseKind::Filter
        | ClauseKind::Nowait
        | ClauseKind::To
        | ClauseKind::From
        | ClauseKind::Enter
        | ClauseKind::Link
        | ClauseKind::DeviceType
        | ClauseKind::Indirect
        | ClauseKind::UnifiedAddress
        | ClauseKind::UnifiedSharedMemory
        | ClauseKind::ReverseOffload
        | ClauseKind::SelfMaps
        | ClauseKind::Read
        | ClauseKind::Write
        | ClauseKind::Update
        | ClauseKind::Capture
        | ClauseKind::Compare
        | ClauseKind::Ordered
        | ClauseKind::Copyprivate
        | ClauseKind::Threads
        | ClauseKind::Lanes
        | ClauseKind::Doacross
        | ClauseKind::Inclusive
        | ClauseKind::Exclusive
        | ClauseKind::Schedule
        | ClauseKind::DistSchedule => Support::Compiled,
        ClauseKind::Safelen
        | ClauseKind::Simdlen
        | ClauseKind::Aligned
        | ClauseKind::Nontemporal
        | ClauseKind::ProcBind
        | ClauseKind::Allocate
        | ClauseKind::UsesAllocators
        | ClauseKind::Final
        | ClauseKind::Untied
        | ClauseKind::Mergeable
        | ClauseKind::Priority
        | ClauseKind::Affinity
        | ClauseKind::Grainsize
        | ClauseKind::NumTasks
        | ClauseKind::Nogroup
        | ClauseKind::DynamicAllocators
        | ClauseKind::AtomicDefaultMemOrder
        | ClauseKind::Order
        | ClauseKind::Fail
        | ClauseKind::Weak
        | ClauseKind::SeqCst
        | ClauseKind::AcqRel
        | ClauseKind::Acquire
        | ClauseKind::Release
        | ClauseKind::Relaxed
        | ClauseKind::Hint => Support::Hint,
        ClauseKind::Detach => Support::Missing("fulfil the event's part at the end of the task"),
        ClauseKind::Copyin => Support::Missing("name the variable in `firstprivate`"),
    }
}

/// Clauses of which one must be there.
pub fn required(directive: &DirectiveKind) -> &'static [ClauseKind] {
    match directive {
        DirectiveKind::TargetData => &[
            ClauseKind::Map,
            ClauseKind::UseDevicePtr,
            ClauseKind::UseDeviceAddr,
        ],
        DirectiveKind::TargetEnterData | DirectiveKind::TargetExitData => &[ClauseKind::Map],
        DirectiveKind::TargetUpdate => &[ClauseKind::To, ClauseKind::From],
        DirectiveKind::Inside(Inside::Scan) => &[ClauseKind::Inclusive, ClauseKind::Exclusive],
        DirectiveKind::Construct(_)
        | DirectiveKind::Atomic
        | DirectiveKind::Inside(_)
        | DirectiveKind::DeclareTarget
        | DirectiveKind::DeclareMapper
        | DirectiveKind::DeclareReduction
        | DirectiveKind::DeclareVariant
        | DirectiveKind::Requires
        | DirectiveKind::Other => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_rule_for_every_column() {
        for clause in ClauseKind::ALL {
            let cells: Vec<_> = row(*clause).split_ascii_whitespace().collect();
            assert_eq!(cells.len(), COLUMNS.len(), "{clause:?}");
            assert!(cells.iter().all(|cell| [".", "1", "*"].contains(cell)));
            assert!(cells.iter().any(|cell| *cell != "."), "{clause:?}");
        }
    }
}
