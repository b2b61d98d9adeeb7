//! What threads of a group have accessed since their last barrier, and whether another access needs one first.
//!
//! | before \ then | all load | leader stores | partitioned load | partitioned store |
//! | --- | --- | --- | --- | --- |
//! | all loaded | | barrier | | barrier |
//! | leader stored | barrier | | barrier | barrier |
//! | partitioned load | | barrier | | barrier |
//! | partitioned store | barrier | barrier | barrier | barrier |
//!
//! "Partitioned" is each thread for itself, in a region or in a sequence that `expand` has made.

use pliron::{context::Ptr, operation::Operation, value::Value};
use std::collections::HashSet;

/// Memory that is accessed by its name only.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Named {
    /// The variable of this `core.alloca` or `simt.shared`.
    Variable(Ptr<Operation>),
    /// The shared variables of a function that is called.
    Function(String),
}

/// Memory that accesses can be told apart by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Memory that anything may point to.
    pub any: bool,
    /// Variables of the user's program, by kernel argument: apart from each other, but pointers may lead there.
    pub mapped: HashSet<Value>,
    pub named: HashSet<Named>,
}

impl Places {
    fn meet(&self, other: &Places) -> bool {
        (self.any && other.is_outside())
            || (other.any && self.is_outside())
            || !self.mapped.is_disjoint(&other.mapped)
            || !self.named.is_disjoint(&other.named)
    }

    /// Whether memory from outside of the function is among them.
    fn is_outside(&self) -> bool {
        self.any || !self.mapped.is_empty()
    }

    pub fn add(&mut self, other: &Places) {
        self.any |= other.any;
        self.mapped.extend(other.mapped.iter().copied());
        self.named.extend(other.named.iter().cloned());
    }
}

/// What an operation accesses.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    pub reads: Places,
    pub writes: Places,
}

/// Who accesses memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Who {
    All,
    Leader,
    Several,
}

/// What has been accessed since the last barrier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    reads: Places,
    leader_reads: Places,
    leader_writes: Places,
    writes: Places,
}

impl State {
    pub fn needs_barrier(&self, who: Who, accesses: &Accesses) -> bool {
        let (reads, writes) = (&accesses.reads, &accesses.writes);
        let after_leader = self.leader_writes.meet(reads) || self.leader_writes.meet(writes);
        let after_others = self.writes.meet(reads) || self.writes.meet(writes);
        match who {
            Who::Leader => after_others || self.reads.meet(writes),
            Who::All | Who::Several => {
                after_leader
                    || after_others
                    || self.reads.meet(writes)
                    || self.leader_reads.meet(writes)
            }
        }
    }

    pub fn add(&mut self, who: Who, accesses: &Accesses) {
        match who {
            Who::All | Who::Several => {
                self.reads.add(&accesses.reads);
                self.writes.add(&accesses.writes);
            }
            Who::Leader => {
                self.leader_reads.add(&accesses.reads);
                self.leader_writes.add(&accesses.writes);
            }
        }
    }

    pub fn join(&mut self, other: &State) {
        self.reads.add(&other.reads);
        self.leader_reads.add(&other.leader_reads);
        self.leader_writes.add(&other.leader_writes);
        self.writes.add(&other.writes);
    }

    /// Slots that are used in turns may be stored to again while others still read ([`super::reduce`]).
    pub fn forget_reads(&mut self, alternating: &HashSet<Ptr<Operation>>) {
        let stays = |n: &Named| !matches!(n, Named::Variable(v) if alternating.contains(v));
        self.reads.named.retain(stays);
    }

    /// Memory from outside of the function needs no order any more.
    pub fn forget_outside(&mut self) {
        for places in [
            &mut self.reads,
            &mut self.leader_reads,
            &mut self.leader_writes,
            &mut self.writes,
        ] {
            places.any = false;
            places.mapped.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(reads: bool, writes: bool) -> Accesses {
        let places = |any| Places {
            any,
            ..Places::default()
        };
        Accesses {
            reads: places(reads),
            writes: places(writes),
        }
    }

    #[test]
    fn table() {
        let all_load = (Who::All, access(true, false));
        let leader_stores = (Who::Leader, access(false, true));
        let loads = (Who::Several, access(true, false));
        let stores = (Who::Several, access(false, true));
        let columns = [&all_load, &leader_stores, &loads, &stores];
        let rows = [
            (&all_load, [false, true, false, true]),
            (&leader_stores, [true, false, true, true]),
            (&loads, [false, true, false, true]),
            (&stores, [true, true, true, true]),
        ];
        for (before, wanted) in rows {
            let mut state = State::default();
            state.add(before.0, &before.1);
            let got = columns.map(|then| state.needs_barrier(then.0, &then.1));
            assert_eq!(got, wanted);
        }
    }

    #[test]
    fn what_the_leader_reads_is_its_own_business() {
        let mut state = State::default();
        state.add(Who::Leader, &access(true, true));
        assert!(!state.needs_barrier(Who::Leader, &access(true, true)));
        let mut state = State::default();
        state.add(Who::Leader, &access(true, false));
        assert!(state.needs_barrier(Who::Several, &access(false, true)));
        assert!(!state.needs_barrier(Who::All, &access(true, false)));
    }

    #[test]
    fn named_memory_is_apart() {
        let named = |name: &str| Places {
            named: HashSet::from([Named::Function(name.to_string())]),
            ..Places::default()
        };
        let stores = |places| Accesses {
            reads: Places::default(),
            writes: places,
        };
        let mut state = State::default();
        state.add(Who::Several, &stores(named("a")));
        assert!(!state.needs_barrier(Who::Several, &stores(named("b"))));
        assert!(!state.needs_barrier(Who::Several, &access(true, true)));
        assert!(state.needs_barrier(Who::Several, &stores(named("a"))));
        state.forget_outside();
        assert!(state.needs_barrier(Who::Several, &stores(named("a"))));
    }
}
