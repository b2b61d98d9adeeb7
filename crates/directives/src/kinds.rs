//! Groups of directives, as the specification uses them.

use crate::ast::{Clause, ClauseArgs, ClauseKind, Directive, DirectiveKind};

impl DirectiveKind {
    /// `parallel`, `serial`, `kernels`, also combined with `loop` (sections 2.5 and 2.11).
    pub fn is_compute(self) -> bool {
        self.compute_part().is_some()
    }

    /// `parallel loop`, `serial loop`, `kernels loop` (section 2.11).
    pub fn is_combined(self) -> bool {
        self.is_compute() && self.is_loop()
    }

    /// `loop` and the combined constructs: a loop follows.
    pub fn is_loop(self) -> bool {
        match self {
            DirectiveKind::Loop
            | DirectiveKind::ParallelLoop
            | DirectiveKind::SerialLoop
            | DirectiveKind::KernelsLoop => true,
            DirectiveKind::Parallel
            | DirectiveKind::Serial
            | DirectiveKind::Kernels
            | DirectiveKind::Data
            | DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::HostData
            | DirectiveKind::Cache
            | DirectiveKind::Atomic
            | DirectiveKind::Declare
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set
            | DirectiveKind::Update
            | DirectiveKind::Routine
            | DirectiveKind::Wait => false,
            DirectiveKind::EndParallel
            | DirectiveKind::EndSerial
            | DirectiveKind::EndKernels
            | DirectiveKind::EndLoop
            | DirectiveKind::EndParallelLoop
            | DirectiveKind::EndSerialLoop
            | DirectiveKind::EndKernelsLoop
            | DirectiveKind::EndData
            | DirectiveKind::EndHostData
            | DirectiveKind::EndAtomic => false,
        }
    }

    /// The compute construct of a compute or combined construct: `parallel` of `parallel loop`.
    pub fn compute_part(self) -> Option<DirectiveKind> {
        match self {
            DirectiveKind::Parallel | DirectiveKind::ParallelLoop => Some(DirectiveKind::Parallel),
            DirectiveKind::Serial | DirectiveKind::SerialLoop => Some(DirectiveKind::Serial),
            DirectiveKind::Kernels | DirectiveKind::KernelsLoop => Some(DirectiveKind::Kernels),
            DirectiveKind::Data
            | DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::HostData
            | DirectiveKind::Loop
            | DirectiveKind::Cache
            | DirectiveKind::Atomic
            | DirectiveKind::Declare
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set
            | DirectiveKind::Update
            | DirectiveKind::Routine
            | DirectiveKind::Wait => None,
            DirectiveKind::EndParallel
            | DirectiveKind::EndSerial
            | DirectiveKind::EndKernels
            | DirectiveKind::EndLoop
            | DirectiveKind::EndParallelLoop
            | DirectiveKind::EndSerialLoop
            | DirectiveKind::EndKernelsLoop
            | DirectiveKind::EndData
            | DirectiveKind::EndHostData
            | DirectiveKind::EndAtomic => None,
        }
    }

    /// Constructs: a statement, block or loop of the host program belongs to them.
    pub fn is_construct(self) -> bool {
        match self {
            DirectiveKind::Data | DirectiveKind::HostData | DirectiveKind::Atomic => true,
            DirectiveKind::Parallel
            | DirectiveKind::Serial
            | DirectiveKind::Kernels
            | DirectiveKind::ParallelLoop
            | DirectiveKind::SerialLoop
            | DirectiveKind::KernelsLoop
            | DirectiveKind::Loop => true,
            DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::Cache
            | DirectiveKind::Declare
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set
            | DirectiveKind::Update
            | DirectiveKind::Routine
            | DirectiveKind::Wait => false,
            DirectiveKind::EndParallel
            | DirectiveKind::EndSerial
            | DirectiveKind::EndKernels
            | DirectiveKind::EndLoop
            | DirectiveKind::EndParallelLoop
            | DirectiveKind::EndSerialLoop
            | DirectiveKind::EndKernelsLoop
            | DirectiveKind::EndData
            | DirectiveKind::EndHostData
            | DirectiveKind::EndAtomic => false,
        }
    }

    /// `declare` and `routine`: they stand where declarations stand.
    pub fn is_declarative(self) -> bool {
        self == DirectiveKind::Declare || self == DirectiveKind::Routine
    }

    /// Directives that stand alone in place of a statement; `cache` is one, inside a loop body.
    pub fn is_standalone(self) -> bool {
        !self.is_construct() && !self.is_declarative() && !self.is_end()
    }

    /// Fortran `end` directives.
    pub fn is_end(self) -> bool {
        self.ends().is_some()
    }

    /// What an `end` directive ends.
    pub fn ends(self) -> Option<DirectiveKind> {
        match self {
            DirectiveKind::EndParallel => Some(DirectiveKind::Parallel),
            DirectiveKind::EndSerial => Some(DirectiveKind::Serial),
            DirectiveKind::EndKernels => Some(DirectiveKind::Kernels),
            DirectiveKind::EndLoop => Some(DirectiveKind::Loop),
            DirectiveKind::EndParallelLoop => Some(DirectiveKind::ParallelLoop),
            DirectiveKind::EndSerialLoop => Some(DirectiveKind::SerialLoop),
            DirectiveKind::EndKernelsLoop => Some(DirectiveKind::KernelsLoop),
            DirectiveKind::EndData => Some(DirectiveKind::Data),
            DirectiveKind::EndHostData => Some(DirectiveKind::HostData),
            DirectiveKind::EndAtomic => Some(DirectiveKind::Atomic),
            DirectiveKind::Parallel
            | DirectiveKind::Serial
            | DirectiveKind::Kernels
            | DirectiveKind::ParallelLoop
            | DirectiveKind::SerialLoop
            | DirectiveKind::KernelsLoop
            | DirectiveKind::Data
            | DirectiveKind::EnterData
            | DirectiveKind::ExitData
            | DirectiveKind::HostData
            | DirectiveKind::Loop
            | DirectiveKind::Cache
            | DirectiveKind::Atomic
            | DirectiveKind::Declare
            | DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Set
            | DirectiveKind::Update
            | DirectiveKind::Routine
            | DirectiveKind::Wait => None,
        }
    }
}

impl Directive {
    /// The clauses of one kind, in the order of the source.
    pub fn clauses_of(&self, kind: ClauseKind) -> impl Iterator<Item = &Clause> {
        self.clauses
            .iter()
            .filter(move |clause| clause.kind == kind)
    }

    /// Whether there is a clause of this kind.
    pub fn has(&self, kind: ClauseKind) -> bool {
        self.clauses_of(kind).next().is_some()
    }
}

impl Clause {
    /// The variables the clause names; none for a clause without variables.
    pub fn vars(&self) -> &[crate::ast::Var] {
        match &self.args {
            ClauseArgs::Vars(vars) | ClauseArgs::Reduction { vars, .. } => vars,
            ClauseArgs::None
            | ClauseArgs::Expr(_)
            | ClauseArgs::Exprs(_)
            | ClauseArgs::Wait(_)
            | ClauseArgs::Devices(_)
            | ClauseArgs::Default { .. }
            | ClauseArgs::Collapse { .. }
            | ClauseArgs::Gang { .. }
            | ClauseArgs::Worker(_)
            | ClauseArgs::Vector(_)
            | ClauseArgs::Tile(_)
            | ClauseArgs::Bind { .. } => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(is_in_group: impl Fn(DirectiveKind) -> bool) -> Vec<&'static str> {
        DirectiveKind::ALL
            .into_iter()
            .filter(|kind| is_in_group(*kind))
            .map(DirectiveKind::name)
            .collect()
    }

    #[test]
    fn groups_have_their_members() {
        assert_eq!(
            names(DirectiveKind::is_combined),
            ["parallel loop", "serial loop", "kernels loop"]
        );
        assert_eq!(names(DirectiveKind::is_compute).len(), 6);
        assert_eq!(names(DirectiveKind::is_declarative), ["declare", "routine"]);
        let alone = [
            "enter data",
            "exit data",
            "cache",
            "init",
            "shutdown",
            "set",
            "update",
            "wait",
        ];
        assert_eq!(names(DirectiveKind::is_standalone), alone);
    }

    #[test]
    fn end_directives_end_what_their_names_say() {
        for kind in DirectiveKind::ALL {
            let ended = kind.name().strip_prefix("end ");
            assert_eq!(kind.ends().map(DirectiveKind::name), ended);
        }
    }
}
