//! What is simulated: the GPU model, memory, checks, schedule.

use std::{fmt, sync::Arc};

/// Sizes of a GPU, as `cuDeviceGetAttribute` would tell them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    pub name: &'static str,
    /// Compute capability, major and minor.
    pub capability: (u32, u32),
    pub sms: u32,
    pub threads_per_sm: u32,
    pub blocks_per_sm: u32,
    pub threads_per_block: u32,
    /// Bytes of shared memory that a block can have.
    pub shared_per_block: u32,
    pub shared_per_sm: u32,
    pub registers_per_sm: u32,
    /// Bytes of device memory.
    pub memory: u64,
}

const GIB: u64 = 1 << 30;

/// The models by name, as `Model::named` takes them.
pub const MODELS: [Model; 7] = [
    model("p100", (6, 0), 56, 2048, 48 << 10, 64 << 10, 16 * GIB),
    model("v100", (7, 0), 80, 2048, 96 << 10, 96 << 10, 16 * GIB),
    model("t4", (7, 5), 40, 1024, 64 << 10, 64 << 10, 16 * GIB),
    model("a100", (8, 0), 108, 2048, 163 << 10, 164 << 10, 40 * GIB),
    model("h100", (9, 0), 132, 2048, 227 << 10, 228 << 10, 80 * GIB),
    model("h200", (9, 0), 132, 2048, 227 << 10, 228 << 10, 141 * GIB),
    model("b200", (10, 0), 148, 2048, 227 << 10, 228 << 10, 180 * GIB),
];

const fn model(
    name: &'static str,
    capability: (u32, u32),
    sms: u32,
    threads_per_sm: u32,
    shared_per_block: u32,
    shared_per_sm: u32,
    memory: u64,
) -> Model {
    Model {
        name,
        capability,
        sms,
        threads_per_sm,
        blocks_per_sm: if threads_per_sm == 1024 { 16 } else { 32 },
        threads_per_block: 1024,
        shared_per_block,
        shared_per_sm,
        registers_per_sm: 65536,
        memory,
    }
}

impl Model {
    /// The model of that name (`h100`, `a100`, …), in any case.
    pub fn named(name: &str) -> Option<Model> {
        MODELS
            .into_iter()
            .find(|m| m.name.eq_ignore_ascii_case(name))
    }

    /// The model of that name, with fewer SMs where it says so.
    ///
    /// ```
    /// # use accrue_ptx_sim::Model;
    /// assert_eq!(Model::described("h100/8").map(|model| model.sms), Some(8));
    /// assert_eq!(Model::described("h100/500"), None);
    /// ```
    pub fn described(text: &str) -> Option<Model> {
        let Some((name, sms)) = text.split_once('/') else {
            return Model::named(text.trim());
        };
        let model = Model::named(name.trim())?;
        let sms = sms.trim().parse().ok()?;
        (1..=model.sms)
            .contains(&sms)
            .then_some(Model { sms, ..model })
    }

    /// How many blocks of a shape one SM holds at a time, without regard to registers.
    pub fn resident_blocks(&self, threads: u32, shared: u32) -> u32 {
        let warps = threads.div_ceil(32).max(1) * 32;
        let by_threads = self.threads_per_sm / warps;
        let by_shared = self.shared_per_sm.checked_div(shared).unwrap_or(u32::MAX);
        by_threads.min(by_shared).min(self.blocks_per_sm)
    }
}

impl Default for Model {
    fn default() -> Self {
        MODELS[4]
    }
}

/// Which checkers are on. Bounds, alignment and use after free are always checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Reads of global, shared or local memory that nobody has written.
    pub uninitialised: bool,
    /// Accesses of two threads to one place, one of them a write, with nothing in between that orders them.
    pub races: bool,
    /// Barriers that not all lanes of a warp reach, shuffles that read lanes which do not take part.
    pub convergence: bool,
}

impl Checks {
    pub const ALL: Checks = Checks {
        uninitialised: true,
        races: true,
        convergence: true,
    };
    pub const NONE: Checks = Checks {
        uninitialised: false,
        races: false,
        convergence: false,
    };
}

impl Default for Checks {
    fn default() -> Self {
        Checks::ALL
    }
}

/// Takes what kernels print, one whole `printf` at a time.
pub type Printer = Arc<dyn Fn(&[u8]) + Send + Sync>;

#[derive(Clone)]
pub struct Options {
    pub model: Model,
    /// Bytes of device memory; allocations beyond fail.
    pub memory: u64,
    pub checks: Checks,
    /// 0: blocks and warps in order. Any other number: another order, the same every time when `cores` is 1.
    pub seed: u64,
    /// Host threads that run blocks; 0: as many as the host has cores.
    pub cores: usize,
    /// A warp that has executed so many instructions in one launch is taken to loop forever.
    pub instruction_limit: Option<u64>,
    /// Count memory transactions, bank conflicts (`Stats::global`, `Stats::shared`).
    pub count_memory: bool,
    pub print: Printer,
}

impl Default for Options {
    fn default() -> Self {
        let model = Model::default();
        Options {
            model,
            memory: model.memory,
            checks: Checks::default(),
            seed: 0,
            cores: 0,
            instruction_limit: None,
            count_memory: false,
            print: Arc::new(|bytes| {
                use std::io::Write;
                let mut out = std::io::stdout().lock();
                // A closed standard output is no business of the kernel.
                let _ = out.write_all(bytes).and_then(|()| out.flush());
            }),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("model", &self.model.name)
            .field("memory", &self.memory)
            .field("checks", &self.checks)
            .field("seed", &self.seed)
            .field("cores", &self.cores)
            .finish_non_exhaustive()
    }
}
