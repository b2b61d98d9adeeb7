//! Options that say whether code for GPUs is made, for which ones, and how.
//!
//! ```text
//! -acc=multicore  -acc=host  -foffload=disable  -gpu=none      no code for GPUs
//! -gpu=cc80,cc90  -gpu=ccall  -ta=tesla:cc70                   for these (nvc's spellings)
//! -gpu=sm_80,sm_90                                             for these, with machine code for them (clang's and nvcc's)
//! -gpu=aot  -gpu=noaot                                         machine code for all named GPUs; for none
//! -gpu=fastmath  -gpu=nofma  -gpu=lineinfo  -gpu=nogrid        how
//! -gpu=nomathinline  -gpu=plainmath                            mathematical functions are called; nothing takes their place
//! -gpu=noopencl                                                no code for devices behind OpenCL
//! -gpu=nostaging,nounroll,staging                              what is not to be done, or is after all: `accrue_opt::switches`
//! -freduction=deterministic  -freduction=gang:atomic           which algorithms reductions have
//! -g  -ffast-math  -ffp-contract=off  -std=c11                 as for the user's own compiler
//! ```

use accrue_back_ptx::Policy;
use accrue_opt::Switches;
use std::ffi::OsString;

use super::options::is_iso;
use crate::gpu::{Architecture, Machine, Settings};

/// What the OpenACC options of a command line say about GPUs; the last one wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GpuOptions {
    unwanted: bool,
    gpus: Vec<NamedGpu>,
    ahead_of_time: Option<bool>,
    fast_math: bool,
    contract: Option<bool>,
    called_math: bool,
    plain_math: bool,
    no_opencl: bool,
    off: Switches,
    reductions: Policy,
    /// GPUs in `-ta=`, the spelling of old command lines, that are older than those that code is made for.
    outdated: Vec<String>,
}

/// A GPU that the user names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NamedGpu {
    /// Compute capability, times ten.
    sm: u32,
    /// Where its PTX comes from.
    architecture: Architecture,
    /// `sm_90`: its own instructions are wanted.
    real: bool,
}

impl GpuOptions {
    /// Takes over what one OpenACC option says; other words say nothing.
    pub fn read(&mut self, word: &str) -> Result<(), String> {
        if word == "-acc" || word == "-fopenacc" {
            return Ok(());
        }
        if let Some(values) = word.strip_prefix("-acc=") {
            self.devices(values);
        } else if let Some(targets) = word.strip_prefix("-foffload=") {
            self.unwanted = targets == "disable";
        } else if let Some(values) = word.strip_prefix("-ta=") {
            let (devices, details) = values.split_once(':').unwrap_or((values, ""));
            self.devices(devices);
            self.details(word, details)?;
        } else if let Some(values) = word.strip_prefix("-gpu=") {
            self.details(word, values)?;
        } else if let Some(policy) = word.strip_prefix("-freduction=") {
            self.reductions = Policy::parse(policy)?;
        }
        Ok(())
    }

    /// What the user must know of these options.
    pub fn note(&self) -> Option<String> {
        let named = self.outdated.join(", ");
        (!named.is_empty()).then(|| {
            format!(
                "no code is made for {named}: the oldest GPUs are those of compute capability 6.0"
            )
        })
    }

    /// How code is made with these options and the user's dialect and code generation options; `None` for no code.
    pub fn settings(&self, user: &[OsString]) -> Option<Settings> {
        if self.unwanted {
            return None;
        }
        let mut settings = Settings {
            architectures: self.gpus.iter().map(|gpu| gpu.architecture).collect(),
            machine: self.machine(),
            named: self.gpus.iter().map(|gpu| gpu.sm).collect(),
            may_assemble: self.ahead_of_time != Some(false),
            // They cost nothing at run time, and the simulator's reports and the tools for GPUs need them.
            debug: true,
            contract: true,
            fast_math: self.fast_math,
            inline_math: !self.called_math,
            plain_math: self.plain_math,
            off: self.off,
            reductions: self.reductions,
            opencl: !self.no_opencl,
        };
        // gcc rounds every operation when it is asked for ISO C.
        settings.contract = !is_iso(user);
        let mut contract = None;
        for word in user {
            match word.as_encoded_bytes() {
                b"-ffast-math" | b"-Ofast" => settings.fast_math = true,
                b"-fno-fast-math" => settings.fast_math = false,
                b"-ffp-contract=off" => contract = Some(false),
                b"-ffp-contract=on" | b"-ffp-contract=fast" => contract = Some(true),
                b"-g0" => settings.debug = false,
                other if other.starts_with(b"-g") => settings.debug = true,
                _ => {}
            }
        }
        settings.contract = self.contract.or(contract).unwrap_or(settings.contract);
        Some(settings)
    }

    /// Which GPUs get machine code. Nobody does without being asked for: it costs time, and the driver can do it.
    fn machine(&self) -> Machine {
        let wanted = |gpu: &&NamedGpu| gpu.real || self.ahead_of_time == Some(true);
        let mut gpus: Vec<_> = self.gpus.iter().filter(wanted).map(|gpu| gpu.sm).collect();
        gpus.sort_unstable();
        gpus.dedup();
        match (self.ahead_of_time, gpus.is_empty()) {
            (Some(false), _) | (None, true) => Machine::None,
            (Some(true), true) => Machine::All,
            (Some(true) | None, false) => Machine::Gpus(gpus),
        }
    }

    fn devices(&mut self, values: &str) {
        let named = |device: &str| values.split(',').any(|value| value == device);
        self.unwanted = (named("host") || named("multicore")) && !named("gpu");
    }

    fn details(&mut self, word: &str, values: &str) -> Result<(), String> {
        let mut named = vec![];
        for value in values.split(',') {
            match value {
                "none" => self.unwanted = true,
                "ccall" => named.extend(Architecture::all().into_iter().map(|architecture| {
                    let sm = architecture.sm;
                    NamedGpu {
                        sm,
                        architecture,
                        real: false,
                    }
                })),
                "aot" => self.ahead_of_time = Some(true),
                "noaot" => self.ahead_of_time = Some(false),
                "fastmath" => self.fast_math = true,
                "fma" => self.contract = Some(true),
                "nofma" => self.contract = Some(false),
                "mathinline" => self.called_math = false,
                "nomathinline" => self.called_math = true,
                "plainmath" => self.plain_math = true,
                "noplainmath" => self.plain_math = false,
                "opencl" => self.no_opencl = false,
                "noopencl" => self.no_opencl = true,
                // They are there unless the user says `-g0`.
                "lineinfo" | "debug" => {}
                // The driver translates the code for the GPU that is there.
                "ccnative" | "native" => {}
                switch if self.off.read(switch) => {}
                _ => match named_gpu(word, value) {
                    Ok(gpu) => named.extend(gpu),
                    Err(_) if word.starts_with("-ta=") && is_outdated(value) => {
                        self.outdated.push(value.to_string());
                    }
                    Err(message) => return Err(message),
                },
            }
        }
        if !named.is_empty() {
            self.unwanted = false;
            self.gpus = named;
        }
        Ok(())
    }
}

/// `cc35`: a GPU that there was, and that is no longer supported.
fn is_outdated(value: &str) -> bool {
    let digits = value
        .strip_prefix("cc")
        .and_then(|digits| digits.parse().ok());
    digits.is_some_and(|sm: u32| sm >= 10 && Architecture::serving(sm).is_err())
}

/// The GPU that `cc90` or `sm_90` names; `None` for other values, which are nvc's own.
fn named_gpu(word: &str, value: &str) -> Result<Option<NamedGpu>, String> {
    let digits = value
        .strip_prefix("cc")
        .or_else(|| value.strip_prefix("sm_"))
        .or_else(|| value.strip_prefix("compute_"));
    let Some(digits) = digits else {
        return Ok(None);
    };
    let sm = digits.trim_end_matches(['a', 'f']).parse();
    let sm = sm.map_err(|_| format!("`{value}` in `{word}` names no GPU; write it like cc90"))?;
    let architecture =
        Architecture::serving(sm).map_err(|message| format!("`{word}`: {message}"))?;
    Ok(Some(NamedGpu {
        sm,
        architecture,
        real: value.starts_with("sm_"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue_opt::Switch;

    fn settings(openacc: &[&str], user: &[&str]) -> Option<Settings> {
        let mut options = GpuOptions::default();
        for word in openacc {
            options.read(word).unwrap();
        }
        let user: Vec<OsString> = user.iter().map(OsString::from).collect();
        options.settings(&user)
    }

    fn architectures(word: &str) -> Vec<u32> {
        let settings = settings(&[word], &[]).unwrap();
        settings.architectures.iter().map(|a| a.sm).collect()
    }

    #[test]
    fn devices() {
        for none in [
            &["-acc=multicore"][..],
            &["-acc=host"],
            &["-ta=multicore"],
            &["-foffload=disable"],
            &["-acc=gpu", "-gpu=none"],
        ] {
            assert_eq!(settings(none, &[]), None, "{none:?}");
        }
        for some in [
            &["-acc"][..],
            &["-acc=gpu,multicore"],
            &["-acc=host", "-acc=gpu"],
            &["-foffload=nvptx-none"],
        ] {
            assert!(settings(some, &[]).is_some(), "{some:?}");
        }
    }

    #[test]
    fn named_architectures() {
        assert_eq!(architectures("-acc"), [0; 0]);
        assert_eq!(architectures("-gpu=cc70,managed,cc90"), [70, 90]);
        assert_eq!(architectures("-gpu=sm_89"), [80]);
        assert_eq!(architectures("-ta=tesla:cc120"), [100]);
        assert_eq!(architectures("-gpu=sm_90a"), [90]);
        for wrong in ["-gpu=cc9O", "-gpu=cc35"] {
            let error = GpuOptions::default().read(wrong).unwrap_err();
            assert!(error.contains(wrong), "{error}");
        }
    }

    #[test]
    fn old_command_lines_name_old_gpus() {
        let mut options = GpuOptions::default();
        options.read("-ta=tesla:cc35,cc70").unwrap();
        assert!(options.note().unwrap().contains("cc35"));
        assert_eq!(options.settings(&[]).unwrap().named, [70]);
        assert!(GpuOptions::default().read("-ta=tesla:ccx").is_err());
    }

    #[test]
    fn machine_code() {
        let of = |words: &[&str]| settings(words, &[]).unwrap().machine;
        assert_eq!(of(&["-acc"]), Machine::None);
        assert_eq!(of(&["-gpu=cc90"]), Machine::None);
        assert_eq!(of(&["-gpu=sm_89,cc70,sm_80"]), Machine::Gpus(vec![80, 89]));
        assert_eq!(of(&["-gpu=sm_90", "-gpu=cc80"]), Machine::None);
        assert_eq!(of(&["-gpu=cc80,aot"]), Machine::Gpus(vec![80]));
        assert_eq!(of(&["-gpu=aot"]), Machine::All);
        assert_eq!(of(&["-gpu=sm_90", "-gpu=noaot"]), Machine::None);
    }

    #[test]
    fn algorithms_of_reductions() {
        let policy = |words: &[&str]| settings(words, &[]).unwrap().reductions;
        assert_eq!(policy(&["-acc"]), Policy::default());
        let atomic = Policy::parse("gang:atomic").unwrap();
        assert_eq!(
            policy(&["-freduction=lock", "-freduction=gang:atomic"]),
            atomic
        );
        let error = GpuOptions::default().read("-freduction=gang:redux");
        assert!(error.unwrap_err().contains("slots, lock, atomic"));
    }

    #[test]
    fn arithmetic_follows_the_users_options() {
        let of = |openacc: &[&str], user: &[&str]| {
            let settings = settings(openacc, user).unwrap();
            (settings.contract, settings.fast_math, settings.debug)
        };
        assert_eq!(of(&[], &[]), (true, false, true));
        assert_eq!(of(&[], &["-ffp-contract=off", "-g"]), (false, false, true));
        assert_eq!(of(&[], &["-std=c11"]), (false, false, true));
        assert_eq!(of(&[], &["-std=gnu11", "-g3", "-g0"]), (true, false, false));
        assert_eq!(
            of(&[], &["-ffp-contract=fast", "-std=c11"]),
            (true, false, true)
        );
        assert_eq!(
            of(&["-gpu=nofma,lineinfo"], &["-Ofast"]),
            (false, true, true)
        );
    }

    #[test]
    fn switches_are_read_and_documented() {
        let readme = include_str!("../../../../README.md");
        for switch in Switch::ALL {
            let (on, off) = (switch.name(), format!("no{}", switch.name()));
            let is_off = |word: &str| settings(&[word], &[]).unwrap().off.is_off(switch);
            assert!(is_off(&format!("-gpu=cc90,{off}")));
            assert!(!is_off(&format!("-gpu={off},{on}")) && !is_off("-gpu=cc90"));
            assert!(readme.contains(&format!("`-gpu={off}`")), "{off}");
        }
    }
}
