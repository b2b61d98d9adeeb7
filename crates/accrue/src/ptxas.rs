//! Machine code for GPUs, made by NVIDIA's assembler when the program is compiled.
//!
//! The driver translates PTX when a program first runs on a GPU, and keeps the result. With `ptxas` it is done now:
//!
//! ```text
//! PTX for sm_60 ──ptxas -arch=sm_80──▶ cubin for 8.0 to 8.9
//! PTX for sm_90 ──ptxas -arch=sm_90──▶ cubin for 9.0
//! ```
//! Of a GPU's own text, or the newest one for older GPUs. What `ptxas -v` says of each kernel is kept for
//! `accrue explain`. `ptxas` is the one that `ACCRUE_PTXAS` names, the first in `PATH`, or that of the CUDA toolkit in
//! its usual place.

use accrue_abi::scheduling::scheduled;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::gpu::{Machine, Variant};
use crate::host::find_program;
use crate::process::{Failure, Runner, Step};

/// Names the assembler.
const VARIABLE: &str = "ACCRUE_PTXAS";
/// Where the CUDA toolkit puts it.
const TOOLKIT: &str = "/usr/local/cuda/bin/ptxas";
/// The GPUs that get machine code when it is asked for and no GPU is named, as far as the assembler knows them: the first
/// of each generation, whose code the others of the generation take as well.
const FIRST_OF_GENERATIONS: [u32; 6] = [60, 70, 80, 90, 100, 120];

/// The unit's code for GPUs of one generation.
pub struct MachineCode {
    /// Compute capability, times ten.
    pub sm: u32,
    /// The cubin.
    pub image: Vec<u8>,
    pub kernels: Vec<Resources>,
}

/// What a thread or a block of a kernel uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Name of the kernel in the PTX.
    pub entry: String,
    pub registers: u32,
    /// Local memory of a thread, in bytes: arrays, variables whose address is taken, and spills.
    pub stack: u32,
    /// Bytes of registers that are stored because there are too few, and loaded again.
    pub spill_stores: u32,
    pub spill_loads: u32,
    /// Shared memory of a block, in bytes, without what a launch adds.
    pub shared: u32,
}

/// The assembler; an error if `ACCRUE_PTXAS` names none. None when there is none.
pub fn find() -> Result<Option<PathBuf>, String> {
    if let Some(named) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) {
        return match find_program(&named) {
            Some(program) => Ok(Some(program)),
            None => Err(format!(
                "{VARIABLE} names {}, which is no program",
                named.to_string_lossy()
            )),
        };
    }
    let in_path = find_program(OsStr::new("ptxas"));
    Ok(in_path.or_else(|| find_program(OsStr::new(TOOLKIT))))
}

/// Assembles the code for the GPUs that `machine` names; nothing if it names none. Temporary files go to `folder`.
pub fn assemble(
    machine: &Machine,
    variants: &[Variant],
    folder: &Path,
    runner: Runner,
) -> Result<Vec<MachineCode>, String> {
    if *machine == Machine::None || variants.is_empty() {
        return Ok(vec![]);
    }
    let program = find()?.ok_or_else(|| {
        format!(
            "machine code for GPUs (`-gpu=sm_…` or `-gpu=aot`) needs NVIDIA's assembler: ptxas is neither in PATH nor at \
             {TOOLKIT}; name it in {VARIABLE}, or leave it to the driver at run time: `-gpu=cc…` or `-gpu=noaot`"
        )
    })?;
    let gpus = match machine {
        Machine::None => vec![],
        Machine::Gpus(gpus) => gpus.clone(),
        Machine::All => {
            let known = known_gpus(&program)?;
            let firsts = FIRST_OF_GENERATIONS.into_iter();
            firsts.filter(|sm| known.contains(sm)).collect()
        }
    };
    assemble_for(&program, &gpus, variants, folder, runner)
}

/// Assembles the code for each of `gpus` that it can run on.
pub fn assemble_for(
    program: &Path,
    gpus: &[u32],
    variants: &[Variant],
    folder: &Path,
    runner: Runner,
) -> Result<Vec<MachineCode>, String> {
    let jobs: Vec<Job> = gpus
        .iter()
        .filter_map(|sm| Job::new(*sm, variants, folder))
        .collect();
    for job in &jobs {
        let text = scheduled(&job.variant.text, job.sm);
        std::fs::write(&job.text, text.as_bytes())
            .map_err(|error| format!("cannot write {}: {error}", job.text.display()))?;
    }
    let steps: Vec<Step> = jobs.iter().map(|job| job.step(program)).collect();
    let said = runner.run_all(&steps).map_err(|failure| match failure {
        Failure::Step(code) => format!("{} ended with status {code}", program.display()),
        Failure::Message(message) => message,
    })?;
    jobs.iter()
        .zip(said)
        .map(|(job, (succeeded, said))| {
            let said = String::from_utf8_lossy(&said);
            match succeeded {
                true => job.result(&said),
                false => Err(job.refusal(program, &said)),
            }
        })
        .collect()
}

/// One run of the assembler.
struct Job<'a> {
    sm: u32,
    variant: &'a Variant,
    text: PathBuf,
    image: PathBuf,
}

impl<'a> Job<'a> {
    /// None if no text is for this GPU.
    fn new(sm: u32, variants: &'a [Variant], folder: &Path) -> Option<Job<'a>> {
        let fitting = variants.iter().filter(|v| v.architecture.sm <= sm);
        let variant = fitting.max_by_key(|v| v.architecture.sm)?;
        Some(Job {
            sm,
            variant,
            text: folder.join(format!("sm_{sm}.ptx")),
            image: folder.join(format!("sm_{sm}.cubin")),
        })
    }

    fn step(&self, program: &Path) -> Step {
        let mut step: Step = vec![program.into()];
        step.extend(["-v".into(), format!("-arch=sm_{}", self.sm).into()]);
        step.extend([OsString::from("-o"), self.image.clone().into()]);
        step.push(self.text.clone().into());
        step
    }

    fn result(&self, said: &str) -> Result<MachineCode, String> {
        let image = std::fs::read(&self.image)
            .map_err(|error| format!("{}: {error}", self.image.display()))?;
        Ok(MachineCode {
            sm: self.sm,
            image,
            kernels: resources(said),
        })
    }

    fn refusal(&self, program: &Path, said: &str) -> String {
        let (sm, program) = (self.sm, program.display());
        if said.contains("gpu-name") {
            return format!(
                "{program} knows no GPU sm_{sm}; name one that it knows, or leave the machine code to the driver at run \
                 time: `-gpu=cc{sm}` or `-gpu=noaot`"
            );
        }
        format!(
            "{program} does not take the GPU code for sm_{sm}; `-gpu=noaot` leaves the machine code to the driver at run \
             time\n{}",
            said.trim_end()
        )
    }
}

/// The GPUs that the assembler lists in its help.
fn known_gpus(program: &Path) -> Result<Vec<u32>, String> {
    let output = Command::new(program)
        .arg("--help")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let help = String::from_utf8_lossy(&output.stdout);
    let names = help.split("'sm_").skip(1);
    Ok(names
        .filter_map(|name| name.split('\'').next()?.parse().ok())
        .collect())
}

/// What `ptxas -v` has said of kernels:
///
/// ```text
/// ptxas info    : Compiling entry function 'k' for 'sm_90'
/// ptxas info    : Function properties for k
///     56 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
/// ptxas info    : Used 40 registers, used 1 barriers, 56 bytes cumulative stack size, 520 bytes smem
/// ```
/// Device functions have properties too, after the kernels' figures.
fn resources(said: &str) -> Vec<Resources> {
    let mut kernels: Vec<Resources> = vec![];
    let mut open = false;
    for line in said.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            let entry = rest.split('\'').next().unwrap_or_default().to_string();
            kernels.push(Resources {
                entry,
                ..Resources::default()
            });
            open = true;
        }
        let Some(kernel) = kernels.last_mut().filter(|_| open) else {
            continue;
        };
        if line.contains("bytes stack frame") {
            kernel.stack = number_before(line, "bytes stack frame");
            kernel.spill_stores = number_before(line, "bytes spill stores");
            kernel.spill_loads = number_before(line, "bytes spill loads");
        } else if line.contains(": Used ") {
            kernel.registers = number_before(line, "registers");
            kernel.shared = number_before(line, "bytes smem");
            kernel.stack = kernel
                .stack
                .max(number_before(line, "bytes cumulative stack size"));
            open = false;
        }
    }
    kernels
}

/// The number that stands before `unit`; 0 if there is none.
fn number_before(line: &str, unit: &str) -> u32 {
    let Some(at) = line.find(unit) else { return 0 };
    let word = line[..at].split_whitespace().next_back();
    word.and_then(|word| word.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_kernels() {
        let said = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k1' for 'sm_90'
ptxas info    : Function properties for k1
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 20 registers, used 0 barriers
ptxas info    : Compiling entry function 'k0' for 'sm_90'
ptxas info    : Function properties for k0
    48 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 56 bytes cumulative stack size, 520 bytes smem, 400 bytes cmem[0]
ptxas info    : Function properties for __accrue_sin
    8 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
";
        let expected = [("k1", 20, 0, 0, 0, 0), ("k0", 40, 56, 16, 24, 520)].map(
            |(entry, registers, stack, spill_stores, spill_loads, shared)| Resources {
                entry: entry.to_string(),
                registers,
                stack,
                spill_stores,
                spill_loads,
                shared,
            },
        );
        assert_eq!(resources(said), expected);
    }
}
