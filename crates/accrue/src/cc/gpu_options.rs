//! Options that say whether code for GPUs is made, for which ones, and how.
//!
//! ```text
//! -acc=multicore  -acc=host  -foffload=disable  -gpu=none      no code for GPUs
//! -gpu=cc80,cc90  -gpu=sm_90  -gpu=ccall  -ta=tesla:cc70       for these (nvc's spellings)
//! -gpu=fastmath  -gpu=nofma  -gpu=lineinfo                     how
//! -g  -ffast-math  -ffp-contract=off  -std=c11                 as for the user's own compiler
//! ```

use std::ffi::OsString;

use crate::gpu::{Architecture, Settings};

/// What the OpenACC options of a command line say about GPUs; the last one wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GpuOptions {
    unwanted: bool,
    architectures: Vec<Architecture>,
    fast_math: bool,
    contract: Option<bool>,
}

impl GpuOptions {
    /// Takes over what one OpenACC option says; other words say nothing.
    pub fn note(&mut self, word: &str) -> Result<(), String> {
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
        }
        Ok(())
    }

    /// How code is made with these options and the user's dialect and code generation options; `None` for no code.
    pub fn settings(&self, user: &[OsString]) -> Option<Settings> {
        if self.unwanted {
            return None;
        }
        let mut settings = Settings {
            architectures: self.architectures.clone(),
            // They cost nothing at run time, and the simulator's reports and the tools for GPUs need them.
            debug: true,
            contract: true,
            fast_math: self.fast_math,
        };
        let mut contract = None;
        for word in user {
            match word.as_encoded_bytes() {
                b"-ffast-math" | b"-Ofast" => settings.fast_math = true,
                b"-fno-fast-math" => settings.fast_math = false,
                b"-ffp-contract=off" => contract = Some(false),
                b"-ffp-contract=on" | b"-ffp-contract=fast" => contract = Some(true),
                // gcc rounds every operation when it is asked for ISO C.
                b"-ansi" => settings.contract = false,
                b"-g0" => settings.debug = false,
                other if other.starts_with(b"-std=") => {
                    settings.contract =
                        !other.starts_with(b"-std=c") && !other.starts_with(b"-std=iso");
                }
                other if other.starts_with(b"-g") => settings.debug = true,
                _ => {}
            }
        }
        settings.contract = self.contract.or(contract).unwrap_or(settings.contract);
        Some(settings)
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
                "ccall" => named.extend(Architecture::all()),
                "fastmath" => self.fast_math = true,
                "fma" => self.contract = Some(true),
                "nofma" => self.contract = Some(false),
                // They are there unless the user says `-g0`.
                "lineinfo" | "debug" => {}
                // The driver translates the code for the GPU that is there.
                "ccnative" | "native" => {}
                _ => named.extend(architecture(word, value)?),
            }
        }
        if !named.is_empty() {
            self.unwanted = false;
            self.architectures = named;
        }
        Ok(())
    }
}

/// The architecture that `cc90` or `sm_90` names; `None` for other values, which are nvc's own.
fn architecture(word: &str, value: &str) -> Result<Option<Architecture>, String> {
    let digits = value
        .strip_prefix("cc")
        .or_else(|| value.strip_prefix("sm_"))
        .or_else(|| value.strip_prefix("compute_"));
    let Some(digits) = digits else {
        return Ok(None);
    };
    let sm = digits.trim_end_matches(['a', 'f']).parse();
    let sm = sm.map_err(|_| format!("`{value}` in `{word}` names no GPU; write it like cc90"))?;
    Architecture::serving(sm)
        .map(Some)
        .map_err(|message| format!("`{word}`: {message}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(openacc: &[&str], user: &[&str]) -> Option<Settings> {
        let mut options = GpuOptions::default();
        for word in openacc {
            options.note(word).unwrap();
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
            let error = GpuOptions::default().note(wrong).unwrap_err();
            assert!(error.contains(wrong), "{error}");
        }
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
}
