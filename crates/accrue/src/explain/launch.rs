//! The shape of a kernel's launches on a GPU, and why: the words for the rules of [`accrue_abi::launch`], by which the runtime
//! library chooses, as far as they depend on what is known when a program is compiled.

use accrue_abi::SIMT_ONLY_LOOPS;
use accrue_abi::launch::{
    self, BLOCK, DIM_GANGS, FEW_ROUNDS, GangRule, LaneRule, SEVERAL, UNEVEN_ROUNDS, VECTOR, WARP,
    WorkerRule,
};
use accrue_hostcall::{ClauseSize, Kernel};

/// What decides.
pub struct Launch<'a> {
    pub rules: launch::Launch,
    pub kernel: &'a Kernel,
}

/// The shape of a launch.
pub struct Shape {
    pub vector: Size,
    pub workers: Size,
    pub gangs: Size,
}

/// One of its three sizes.
pub struct Size {
    /// `None` if it is known at run time only.
    pub value: Option<u32>,
    /// The rule that gives it.
    pub rule: String,
}

impl Size {
    fn known(value: u32, rule: impl Into<String>) -> Size {
        Size {
            value: Some(value),
            rule: rule.into(),
        }
    }

    fn later(rule: impl Into<String>) -> Size {
        Size {
            value: None,
            rule: rule.into(),
        }
    }
}

impl Launch<'_> {
    pub fn shape(&self) -> Shape {
        let vector = self.vector();
        let workers = self.workers(vector.value);
        let gangs = self.gangs();
        Shape {
            vector,
            workers,
            gangs,
        }
    }

    fn vector(&self) -> Size {
        let (lanes, rule) = self.rules.lanes(BLOCK);
        let why = match (rule, self.kernel.vector_length) {
            (LaneRule::Made, _) => format!(
                "the kernel is made for vector_length({lanes}): several workers share a warp"
            ),
            (LaneRule::Open, _) => {
                return Size::later(format!(
                    "{WARP} to {lanes}, fewer in launches of few iterations, which are long: all multiprocessors have some then"
                ));
            }
            (LaneRule::Serial, _) => {
                "one warp: nothing is spread over lanes of other warps".to_string()
            }
            (_, ClauseSize::Runtime) => {
                return Size::later(format!(
                    "the value of the clause, rounded up to whole warps of {WARP}"
                ));
            }
            (LaneRule::Clause, _) => {
                let asked = self.rules.code.vector.min(BLOCK);
                match asked.is_multiple_of(WARP) {
                    true => format!("vector_length({asked})"),
                    false => format!("vector_length({asked}), rounded up to whole warps of {WARP}"),
                }
            }
            (LaneRule::GangVectorLoop, _) => {
                "a loop is spread over gangs and lanes at once, and large gangs are few".to_string()
            }
            (LaneRule::PartialResults, _) => {
                "each gang leaves a partial result, and large gangs are few".to_string()
            }
            (LaneRule::VectorLoop, _) if lanes < VECTOR => {
                format!("no loop over lanes has more than {lanes} iterations")
            }
            (LaneRule::VectorLoop, _) => {
                "for a loop over lanes, without one over workers".to_string()
            }
            (LaneRule::WarpPerWorker, _) => "a warp for each of several workers".to_string(),
            (LaneRule::NoLoop, _) => "one warp: no loop is spread over lanes".to_string(),
        };
        Size::known(lanes, why)
    }

    /// `vector` is the number of lanes, if it is known.
    fn workers(&self, vector: Option<u32>) -> Size {
        let (workers, rule) = self.rules.block_workers(vector.unwrap_or(WARP), BLOCK);
        let asked = match (rule, self.kernel.num_workers) {
            (WorkerRule::FillWarps, _) => {
                return Size::later(
                    "as many whole warps of workers as the clause or the registers allow",
                );
            }
            (WorkerRule::Serial, _) => return Size::known(1, "nothing is spread over workers"),
            (WorkerRule::NoLoop, _) => return Size::known(1, "no loop is spread over workers"),
            (_, ClauseSize::Runtime) => return Size::later("the value of the clause"),
            (WorkerRule::Clause, _) => self.rules.code.workers,
            (WorkerRule::WorkerLoop, _) => launch::WORKERS,
        };
        let why = match rule {
            WorkerRule::Clause => format!("num_workers({asked})"),
            _ => "for a loop over workers".to_string(),
        };
        if vector.is_none() {
            return Size::later(format!("{asked}, or what lanes leave of {BLOCK} threads"));
        }
        match asked > workers {
            true => Size::known(
                workers,
                format!("{why}, more than {workers} do not fit into a gang"),
            ),
            false => Size::known(workers, why),
        }
    }

    fn gangs(&self) -> Size {
        let sharing = match self.rules.gang_rule() {
            GangRule::Serial => return Size::known(1, "nothing is spread over gangs"),
            GangRule::Clause => {
                return Size::later(match self.rules.code.has(SIMT_ONLY_LOOPS) {
                    true => {
                        "the value of the clause, or as many as get iterations if these are fewer"
                    }
                    false => "the value of the clause",
                });
            }
            GangRule::Dimensions => {
                let [in_x, ..] = self.rules.code.gang_dims();
                return Size::later(match in_x {
                    true => format!(
                        "as many as the iterations need in dimension 1, {DIM_GANGS} in dimensions 2 and 3 if loops are \
                         spread over them"
                    ),
                    false => "as many as run at once on the GPU, in the last dimension that loops are spread over"
                        .to_string(),
                });
            }
            GangRule::NoLoop => return Size::known(1, "no loop is spread over gangs"),
            GangRule::Iterations(sharing) => sharing,
        };
        if self.kernel.trip.is_none() {
            return Size::later(
                "as many as run at once on the GPU: the number of iterations is not known at the launch",
            );
        }
        let threads = match (sharing.workers, sharing.lanes) {
            (true, true) => "worker and lane",
            (true, false) => "worker",
            (false, true) => "lane",
            (false, false) => "gang",
        };
        Size::later(match (sharing.costly, sharing.several) {
            (true, _) if sharing.one_does_few => format!(
                "as many as the iterations need, one per {threads}, but no more than run at once, and one alone where \
                 each {threads} would have up to {FEW_ROUNDS}: each gang costs something of its own"
            ),
            (true, _) if sharing.uneven => format!(
                "as many as the iterations need, one per {threads}, but no more than {UNEVEN_ROUNDS} times those that run at once: \
                 each gang costs something of its own, and iterations may take different times"
            ),
            (true, _) => format!(
                "as many as the iterations need, one per {threads}, but no more than run at once: each gang costs something \
                 of its own"
            ),
            (false, true) => {
                const { assert!(SEVERAL == 4) };
                format!("as many as the iterations need, one to four per {threads}")
            }
            (false, false) => format!("as many as the iterations need, one per {threads}"),
        })
    }
}
