//! The shape of a kernel's launches on a GPU, as the runtime library chooses it, and why.
//!
//! The rules are those of `crates/runtime/src/device/ptx/mod.rs`, for what is known when a program is compiled. The
//! tests of `tests/explain` run their programs and compare.

use accrue_back_ptx::PtxKernel;
use accrue_image::{ClauseSize, SiteKernel};

/// Lanes of a warp.
const WARP: u32 = 32;
/// Most threads of a block.
const BLOCK: u32 = 1024;
/// Most workers of more than one warp.
const WIDE_WORKERS: u32 = 15;
const WORKERS: u32 = 8;
const VECTOR: u32 = 128;
/// Lanes where gangs should be few and large.
const GANG_VECTOR: u32 = 256;

/// What decides.
pub struct Launch<'a> {
    pub ptx: &'a PtxKernel,
    pub kernel: &'a SiteKernel,
    /// One gang, one worker, one lane have work.
    pub serial: bool,
    /// A loop is spread over gangs.
    pub gang_loop: bool,
    /// The directive has a `num_gangs` clause.
    pub num_gangs: bool,
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

    /// Several workers share a warp.
    fn is_short(&self) -> bool {
        (1..WARP).contains(&self.ptx.max_vector)
    }

    fn vector(&self) -> Size {
        let limit = most(self.ptx.max_vector);
        let by_vector = self.ptx.vector_partitioned;
        let by_worker = self.ptx.worker_partitioned;
        if self.is_short() {
            let lanes = self.ptx.max_vector;
            return Size::known(
                lanes,
                format!(
                    "the kernel is made for vector_length({lanes}): several workers share a warp"
                ),
            );
        }
        if self.serial {
            return Size::known(
                WARP,
                "one warp: nothing is spread over lanes of other warps",
            );
        }
        let (size, why) = match self.kernel.vector_length {
            ClauseSize::Runtime => {
                return Size::later("the value of the clause, rounded up to whole warps of 32");
            }
            ClauseSize::Constant(asked) => {
                let asked = u32::try_from(asked).unwrap_or(BLOCK).min(BLOCK);
                let why = match asked.is_multiple_of(WARP) {
                    true => format!("vector_length({asked})"),
                    false => format!("vector_length({asked}), rounded up to whole warps of 32"),
                };
                (asked, why)
            }
            ClauseSize::Absent if by_vector && !by_worker => {
                let combined = self.kernel.trip.as_ref().is_some_and(|trip| trip.vector);
                if combined {
                    let why =
                        "a loop is spread over gangs and lanes at once, and large gangs are few";
                    (GANG_VECTOR, why.to_string())
                } else if self.ptx.scratch_gang_bytes > 0 {
                    let why = "each gang leaves a partial result, and large gangs are few";
                    (GANG_VECTOR, why.to_string())
                } else {
                    (
                        VECTOR,
                        "for a loop over lanes, without one over workers".to_string(),
                    )
                }
            }
            ClauseSize::Absent if by_vector => {
                (WARP, "a warp for each of several workers".to_string())
            }
            ClauseSize::Absent => (WARP, "one warp: no loop is spread over lanes".to_string()),
        };
        Size::known(size.next_multiple_of(WARP).max(WARP).min(limit), why)
    }

    fn workers(&self, vector: Option<u32>) -> Size {
        let by_worker = self.ptx.worker_partitioned;
        if self.serial && !self.is_short() {
            return Size::known(1, "nothing is spread over workers");
        }
        if self.is_short() {
            return Size::later(
                "as many whole warps of workers as the clause or the registers allow",
            );
        }
        if !by_worker {
            return Size::known(1, "no loop is spread over workers");
        }
        let (asked, why) = match self.kernel.num_workers {
            ClauseSize::Runtime => return Size::later("the value of the clause"),
            ClauseSize::Constant(asked) => {
                let asked = u32::try_from(asked).unwrap_or(BLOCK);
                (asked, format!("num_workers({asked})"))
            }
            ClauseSize::Absent => (WORKERS, "for a loop over workers".to_string()),
        };
        let Some(vector) = vector else {
            return Size::later(format!("{asked}, or what lanes leave of {BLOCK} threads"));
        };
        let wide = if vector > WARP { WIDE_WORKERS } else { BLOCK };
        let most = most(self.ptx.max_workers)
            .min(BLOCK / vector)
            .min(wide)
            .max(1);
        match asked > most {
            true => Size::known(
                most,
                format!("{why}, more than {most} do not fit into a gang"),
            ),
            false => Size::known(asked, why),
        }
    }

    fn gangs(&self) -> Size {
        if self.serial {
            return Size::known(1, "nothing is spread over gangs");
        }
        if self.num_gangs {
            return Size::later("the value of num_gangs");
        }
        let [in_x, in_y, in_z] = self.ptx.gang_dims;
        if in_y || in_z {
            return Size::later(match in_x {
                true => {
                    "as many as the iterations need in dimension 1, 16 in dimensions 2 and 3 if loops are spread over them"
                }
                false => {
                    "as many as run at once on the GPU, in the last dimension that loops are spread over"
                }
            });
        }
        if !self.gang_loop {
            return Size::known(1, "no loop is spread over gangs");
        }
        let Some(trip) = &self.kernel.trip else {
            return Size::later(
                "as many as run at once on the GPU: the number of iterations is not known at the launch",
            );
        };
        let threads = match (trip.workers, trip.vector) {
            (true, true) => "worker and lane",
            (true, false) => "worker",
            (false, true) => "lane",
            (false, false) => "gang",
        };
        let cost = trip.gang_cost || self.ptx.scratch_gang_bytes > 0;
        let one_does_few = trip.several && trip.vector && self.ptx.scratch_gang_bytes > 0;
        Size::later(match (cost, trip.several) {
            (true, _) if one_does_few => format!(
                "as many as the iterations need, one per {threads}, but no more than run at once, and one alone where \
                 each {threads} would have up to 32: each gang costs something of its own"
            ),
            (true, _) => format!(
                "as many as the iterations need, one per {threads}, but no more than run at once: each gang costs something \
                 of its own"
            ),
            (false, true) => format!("as many as the iterations need, one to four per {threads}"),
            (false, false) => format!("as many as the iterations need, one per {threads}"),
        })
    }
}

/// A limit of the code; 0 stands for none.
fn most(limit: u32) -> u32 {
    if limit == 0 { BLOCK } else { limit }
}
