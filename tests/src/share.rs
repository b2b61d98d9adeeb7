//! How much of the test matrix runs.
//!
//! The matrix is programs × devices × assembler targets × random nests, and grows with every language and device. A share
//! of it, always the same one, is what must be green before a change lands (`make test`, CI); all of it runs before a
//! release and before a change is called done (`make test-all`, `ACCRUE_TESTS=all`).
//!
//! | harness | share | all |
//! | --- | --- | --- |
//! | `run` | three of four programs on the simulator; half of them, with all of the others, on the CPU with one kind of memory: shared or discrete, as a hash of the name has it; one of 16 behind OpenCL, and another one there on cores | each program in each mode |
//! | `ptxas` | one program of eight, each PTX text for the oldest or the newest GPU that takes it, as a hash of the program's name has it | each program for every generation |
//! | `opencl-c` | one program of 16 | each program |
//! | `pragmas` | one program of eight | each program |
//! | `fuzz` | 50 nests of each kind, 10 with long bodies, a fifth of them behind OpenCL | 20 times as many |
//! | `stepwise`, a test of `accrue` | one program of 64 | each program |
//!
//! Every other harness runs whole in both. Names given in `ACCRUE_TEST_MODES` are not cut: who asks for a mode gets all of it.

use crate::mode::Mode;

/// The part of the matrix that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// The fixed part that every change must pass.
    Fixed,
    /// Everything.
    All,
}

/// Chooses the share.
const CHOICE: &str = "ACCRUE_TESTS";

impl Share {
    /// The share that `ACCRUE_TESTS` names: `share` (the default) or `all`.
    pub fn selected() -> Result<Share, String> {
        match std::env::var(CHOICE).as_deref() {
            Err(_) | Ok("" | "share") => Ok(Share::Fixed),
            Ok("all") => Ok(Share::All),
            Ok(other) => Err(format!("{CHOICE}: `{other}` is neither `share` nor `all`")),
        }
    }

    /// Whether a program that can run in `modes` runs in `mode`. A program without a choice of memory runs where it can.
    pub fn has(self, program: &str, mode: Mode, modes: &[Mode]) -> bool {
        let both = [Mode::Shared, Mode::Discrete];
        match self {
            Share::All => true,
            // A program with this mode alone would otherwise never run.
            Share::Fixed if mode == Mode::OpenCl && modes.len() > 1 => {
                hash(program).is_multiple_of(16)
            }
            Share::Fixed if mode == Mode::OpenClCores && modes.len() > 1 => hash(program) % 16 == 8,
            Share::Fixed if both.iter().all(|mode| modes.contains(mode)) => match mode {
                Mode::Shared => hash(program).is_multiple_of(4),
                Mode::Discrete => hash(program) % 4 == 1,
                Mode::Sim => hash(program) % 8 > 1,
                Mode::OpenCl | Mode::OpenClCores | Mode::Nvidia => true,
            },
            Share::Fixed => true,
        }
    }

    /// Whether each pass of the lowering is run by itself on `program`.
    pub fn has_steps_of(self, program: &str) -> bool {
        match self {
            Share::Fixed => hash(program).is_multiple_of(64),
            Share::All => true,
        }
    }

    /// Whether clang reads the OpenCL C of `program`.
    pub fn has_opencl_c_of(self, program: &str) -> bool {
        match self {
            Share::Fixed => hash(program) % 16 == 3,
            Share::All => true,
        }
    }

    /// Whether the directives of `program` are made anew of its IR.
    pub fn has_pragmas_of(self, program: &str) -> bool {
        match self {
            Share::Fixed => hash(program) % 8 == 5,
            Share::All => true,
        }
    }

    /// Whether the PTX texts of `program` are assembled.
    pub fn assembles(self, program: &str) -> bool {
        match self {
            Share::Fixed => hash(program).is_multiple_of(8),
            Share::All => true,
        }
    }

    /// Of the generations that a text of `program` can be assembled for, oldest first, those that it is assembled for.
    pub fn generations(self, program: &str, possible: &[u32]) -> Vec<u32> {
        match (self, possible) {
            (Share::Fixed, [oldest, .., newest]) => {
                vec![match hash(program) & 8 {
                    0 => *oldest,
                    _ => *newest,
                }]
            }
            (Share::Fixed | Share::All, _) => possible.to_vec(),
        }
    }

    /// How many programs of random nests of each kind run.
    pub fn programs_of_nests(self) -> u32 {
        match self {
            Share::Fixed => 1,
            Share::All => 20,
        }
    }
}

/// FNV-1a, and not Rust's own hash: the share must not change with its version.
fn hash(name: &str) -> u32 {
    let hash: u32 = name.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    hash >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    const CPU_AND_SIM: [Mode; 3] = [Mode::Shared, Mode::Discrete, Mode::Sim];

    #[test]
    fn the_fixed_share_has_each_program_on_the_simulator_or_with_one_memory() {
        let (mut simulated, mut shared, mut discrete) = (0, 0, 0);
        for index in 0..1000 {
            let program = format!("loops/program{index}");
            let has = |mode| Share::Fixed.has(&program, mode, &CPU_AND_SIM);
            assert!(has(Mode::Sim) || has(Mode::Shared) || has(Mode::Discrete));
            assert!(!(has(Mode::Shared) && has(Mode::Discrete)));
            simulated += usize::from(has(Mode::Sim));
            shared += usize::from(has(Mode::Shared));
            discrete += usize::from(has(Mode::Discrete));
        }
        assert!(
            (700..800).contains(&simulated),
            "{simulated} of 1000 are simulated"
        );
        for (count, memory) in [(shared, "shared"), (discrete, "discrete")] {
            assert!((200..300).contains(&count), "{count} of 1000 are {memory}");
        }
    }

    #[test]
    fn a_program_with_one_mode_runs_in_it() {
        for mode in CPU_AND_SIM {
            assert!(Share::Fixed.has("data/one", mode, &[mode]));
        }
    }

    #[test]
    fn the_fixed_share_assembles_an_eighth_of_the_programs_for_one_end() {
        let (mut oldest, mut newest) = (0, 0);
        for index in 0..1000 {
            let program = format!("loops/program{index}");
            assert!(Share::All.assembles(&program));
            if !Share::Fixed.assembles(&program) {
                continue;
            }
            match *Share::Fixed.generations(&program, &[60, 70, 80, 90, 100]) {
                [60] => oldest += 1,
                [100] => newest += 1,
                ref chosen => panic!("{chosen:?}"),
            }
            assert_eq!(Share::Fixed.generations(&program, &[100]), [100]);
            assert_eq!(
                Share::All.generations(&program, &[60, 70, 80]),
                [60, 70, 80]
            );
        }
        for (count, end) in [(oldest, "oldest"), (newest, "newest")] {
            assert!((40..90).contains(&count), "{count} of 1000 for the {end}");
        }
    }
}
