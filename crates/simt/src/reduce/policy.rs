//! What the user says about the algorithms of reductions: `-freduction=`.
//!
//! ```text
//! -freduction=deterministic              the default: the same bits in every run of the same launch shape
//! -freduction=fast                       what is fastest, in any order: atomic updates where the hardware has them
//! -freduction=lock                       atomic updates, else a lock (seed: OpenACC reductions in GCC, "PTX Implementation")
//! -freduction=dispersed                  an algorithm, at all levels that have it
//! -freduction=vector:redux,gang:atomic   algorithms of single levels, the others as always
//! -freduction=launches                   gangs by further launches (seed: OpenACC to OpenCL, "Reduction")
//! -freduction=fast,worker:lock           both
//! ```
//! An algorithm that cannot be used for a reduction gives way to one that can ([`super::choose`]).

use std::fmt;

/// How the values of several threads become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    /// The lanes of a sub-group: a tree of shuffles over all lanes that take part, whose number is a power of two.
    Shuffle,
    /// The lanes of a sub-group: shuffles over the first so many lanes, of any number.
    Contiguous,
    /// The lanes of a sub-group: shuffles over lanes anywhere in the sub-group, which are numbered first.
    Dispersed,
    /// The lanes of a sub-group: one instruction.
    Redux,
    /// Each one stores into a slot of its own, then the slots are added up in order.
    Slots,
    /// The same, but the lanes of the first sub-group add the slots up as a tree.
    FirstWarp,
    /// The same, but those that have stored add some slots each, until few are left.
    Tree,
    /// One after another adds to one slot, under a lock.
    Lock,
    /// One after another adds to one slot, atomically.
    Atomic,
    /// Each one leaves a record, and further launches halve the number of records.
    Launches,
}

impl Algorithm {
    pub const ALL: [Algorithm; 10] = [
        Algorithm::Shuffle,
        Algorithm::Contiguous,
        Algorithm::Dispersed,
        Algorithm::Redux,
        Algorithm::Slots,
        Algorithm::FirstWarp,
        Algorithm::Tree,
        Algorithm::Lock,
        Algorithm::Atomic,
        Algorithm::Launches,
    ];

    /// As `-freduction=` spells it.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Shuffle => "shuffle",
            Algorithm::Contiguous => "contiguous",
            Algorithm::Dispersed => "dispersed",
            Algorithm::Redux => "redux",
            Algorithm::Slots => "slots",
            Algorithm::FirstWarp => "first-warp",
            Algorithm::Tree => "tree",
            Algorithm::Lock => "lock",
            Algorithm::Atomic => "atomic",
            Algorithm::Launches => "launches",
        }
    }

    /// The stages that have the algorithm.
    pub fn stages(self) -> &'static [Stage] {
        match self {
            Algorithm::Shuffle
            | Algorithm::Contiguous
            | Algorithm::Dispersed
            | Algorithm::Redux => &[Stage::Lanes],
            Algorithm::Slots => &[Stage::Subgroups, Stage::Workers, Stage::Gangs],
            Algorithm::FirstWarp | Algorithm::Tree => &[Stage::Subgroups, Stage::Workers],
            Algorithm::Lock | Algorithm::Atomic => &[Stage::Workers, Stage::Gangs],
            Algorithm::Launches => &[Stage::Gangs],
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What is combined. A vector reduction has two stages where a worker has several sub-groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The lanes of a sub-group.
    Lanes,
    /// The sub-groups of a worker.
    Subgroups,
    /// The workers of a gang; all sub-groups of a gang where `worker vector` is one loop.
    Workers,
    /// The gangs.
    Gangs,
}

impl Stage {
    pub const ALL: [Stage; 4] = [Stage::Lanes, Stage::Subgroups, Stage::Workers, Stage::Gangs];

    /// The level as `-freduction=` spells it.
    fn level(self) -> &'static str {
        match self {
            Stage::Lanes | Stage::Subgroups => "vector",
            Stage::Workers => "worker",
            Stage::Gangs => "gang",
        }
    }
}

/// What counts where no algorithm is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// The same bits in every run.
    #[default]
    Deterministic,
    /// Speed.
    Fast,
    /// Few bytes: one slot, under a lock where it has to be.
    Lock,
}

/// The user's wishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    pub goal: Goal,
    /// By [`Stage`].
    wanted: [Option<Algorithm>; 4],
}

impl Policy {
    /// Reads the value of `-freduction=`.
    pub fn parse(text: &str) -> Result<Policy, String> {
        let mut policy = Policy::default();
        for word in text.split(',') {
            policy.word(word)?;
        }
        Ok(policy)
    }

    /// The algorithm that the user wants.
    pub fn wanted(&self, stage: Stage) -> Option<Algorithm> {
        self.wanted[stage as usize]
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        match word {
            "deterministic" => self.goal = Goal::Deterministic,
            "fast" => self.goal = Goal::Fast,
            "lock" => self.goal = Goal::Lock,
            _ => {
                let (level, name) = match word.split_once(':') {
                    Some((level, name)) => (Some(level), name),
                    None => (None, word),
                };
                self.algorithm(level, name)
                    .ok_or_else(|| unknown(word, level))?;
            }
        }
        Ok(())
    }

    /// Notes an algorithm; `None` if there is none of this name at this level.
    fn algorithm(&mut self, level: Option<&str>, name: &str) -> Option<()> {
        let algorithm = Algorithm::ALL.into_iter().find(|a| a.name() == name)?;
        let stages = algorithm.stages().iter().copied();
        let stages = stages.filter(|s| level.is_none_or(|l| l == s.level()));
        let mut found = None;
        for stage in stages {
            self.wanted[stage as usize] = Some(algorithm);
            found = Some(());
        }
        found
    }
}

/// Why a word means nothing, and what would.
fn unknown(word: &str, level: Option<&str>) -> String {
    let names = |level: &str| -> String {
        let has = |a: &Algorithm| a.stages().iter().any(|s| s.level() == level);
        let names: Vec<_> = Algorithm::ALL.into_iter().filter(has).collect();
        let names: Vec<_> = names.into_iter().map(Algorithm::name).collect();
        names.join(", ")
    };
    let known = level.filter(|l| Stage::ALL.iter().any(|s| s.level() == *l));
    match (level, known) {
        (_, Some(level)) => format!(
            "`{word}` in `-freduction=`: the algorithms of level {level} are {}",
            names(level)
        ),
        (Some(level), None) => format!(
            "`{level}` in `-freduction=` is no level; the levels are vector, worker and gang"
        ),
        (None, None) => format!(
            "`{word}` in `-freduction=` is unknown; write deterministic, fast, lock, or the name of an algorithm: for \
             vector {}; for worker {}; for gang {}",
            names("vector"),
            names("worker"),
            names("gang")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(text: &str) -> [Option<&'static str>; 4] {
        let policy = Policy::parse(text).expect(text);
        Stage::ALL.map(|s| policy.wanted(s).map(Algorithm::name))
    }

    #[test]
    fn goals_and_algorithms() {
        let parse = |text| Policy::parse(text).expect(text);
        assert_eq!(parse("deterministic"), Policy::default());
        assert_eq!(parse("fast").goal, Goal::Fast);
        assert_eq!(parse("lock").goal, Goal::Lock);
        assert_eq!(wanted("fast"), [None; 4]);
        assert_eq!(wanted("redux"), [Some("redux"), None, None, None]);
        let atomic = Some("atomic");
        assert_eq!(wanted("atomic"), [None, None, atomic, atomic]);
        assert_eq!(wanted("gang:lock"), [None, None, None, Some("lock")]);
        assert_eq!(
            wanted("vector:dispersed,vector:first-warp,worker:lock,fast"),
            [Some("dispersed"), Some("first-warp"), Some("lock"), None]
        );
    }

    #[test]
    fn wrong_names_are_answered_with_the_right_ones() {
        let error = |text| Policy::parse(text).expect_err(text);
        assert!(error("fats").contains("deterministic, fast, lock"));
        assert!(error("fats").contains("gang slots, lock, atomic, launches"));
        assert!(error("gang:redux").contains("level gang are slots, lock, atomic, launches"));
        assert!(error("subgroup:redux").contains("vector, worker and gang"));
        assert!(error("").contains("is unknown"));
    }
}
