//! What the environment says of the simulated GPU.

use super::host;
use crate::fatal;
use accrue_ptx_sim::{Checks, MODELS, Model, Options};
use std::io::Write;
use std::sync::Arc;

/// What the environment asks for.
pub struct Settings {
    pub options: Options,
    /// Look for data that is newer on the other side.
    pub stale: bool,
}

/// Reads the environment.
pub fn settings() -> Settings {
    let mut stale = None;
    let mut options = Options {
        print: Arc::new(print),
        ..Options::default()
    };
    if let Ok(name) = std::env::var("ACCRUE_SIM_GPU") {
        let known = || {
            MODELS
                .iter()
                .map(|model| model.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        options.model = Model::described(&name).unwrap_or_else(|| {
            fatal::fatal_text(&format!(
                "ACCRUE_SIM_GPU={name}: unknown GPU; known are, alone or with fewer multiprocessors (`h100/8`): {}",
                known()
            ))
        });
        options.memory = options.model.memory;
    }
    if let Ok(text) = std::env::var("ACCRUE_SIM_CHECK") {
        (options.checks, stale) = checks(&text).unwrap_or_else(|| {
            fatal::fatal_text(&format!(
                "ACCRUE_SIM_CHECK={text}: expected 'default', 'all', 'none' or some of 'uninitialised', 'races', \
                 'convergence', 'stale', separated by commas"
            ))
        });
    }
    if let Ok(text) = std::env::var("ACCRUE_SIM_SEED") {
        options.seed = text.trim().parse().unwrap_or_else(|_| {
            fatal::fatal_text(&format!("ACCRUE_SIM_SEED={text}: expected a number"))
        });
        // Only one core gives the same order every time.
        options.cores = 1;
    }
    options.count_memory = wants_stats();
    Settings {
        options,
        stale: stale.unwrap_or_else(host::tells),
    }
}

/// Puts what a kernel prints behind what the host has printed so far.
fn print(text: &[u8]) {
    // SAFETY: flushing all C streams is always allowed.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    let mut out = std::io::stdout().lock();
    // A closed standard output is no business of the kernel.
    let _ = out.write_all(text).and_then(|()| out.flush());
}

/// The checks that a text names, and whether data that is newer on the other side is one of them.
///
/// By default it is for programs that tell of the host's accesses: others may keep other values on the host on purpose.
fn checks(text: &str) -> Option<(Checks, Option<bool>)> {
    let (mut checks, mut stale) = (Checks::NONE, Some(false));
    for word in text.split(',') {
        match word.trim() {
            "all" => (checks, stale) = (Checks::ALL, Some(true)),
            "default" | "1" => (checks, stale) = (Checks::ALL, stale.filter(|wanted| *wanted)),
            "none" | "0" | "" => {}
            "uninitialised" | "uninitialized" => checks.uninitialised = true,
            "races" => checks.races = true,
            "convergence" => checks.convergence = true,
            "stale" => stale = Some(true),
            _ => return None,
        }
    }
    Some((checks, stale))
}

fn wants_stats() -> bool {
    std::env::var("ACCRUE_SIM_STATS").is_ok_and(|value| !value.is_empty() && value != "0")
}
