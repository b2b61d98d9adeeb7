//! What the environment says of the simulated GPU.

use crate::fatal;
use accrue_ptx_sim::{Checks, MODELS, Model, Options};

/// What the environment asks for.
pub struct Settings {
    pub options: Options,
    /// Look for data that is newer on the host.
    pub stale: bool,
}

/// Reads the environment.
pub fn settings() -> Settings {
    let mut stale = false;
    let mut options = Options::default();
    if let Ok(name) = std::env::var("ACCRUE_SIM_GPU") {
        let known = || {
            MODELS
                .iter()
                .map(|model| model.name)
                .collect::<Vec<_>>()
                .join(", ")
        };
        options.model = Model::named(name.trim()).unwrap_or_else(|| {
            fatal::fatal_text(&format!(
                "ACCRUE_SIM_GPU={name}: unknown GPU; known are: {}",
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
    Settings { options, stale }
}

/// The checks that a text names, and whether data that is newer on the host is one of them.
///
/// It is not by default: a program may keep other values on the host on purpose.
fn checks(text: &str) -> Option<(Checks, bool)> {
    let (mut checks, mut stale) = (Checks::NONE, false);
    for word in text.split(',') {
        match word.trim() {
            "all" => (checks, stale) = (Checks::ALL, true),
            "default" | "1" => checks = Checks::ALL,
            "none" | "0" | "" => {}
            "uninitialised" | "uninitialized" => checks.uninitialised = true,
            "races" => checks.races = true,
            "convergence" => checks.convergence = true,
            "stale" => stale = true,
            _ => return None,
        }
    }
    Some((checks, stale))
}

fn wants_stats() -> bool {
    std::env::var("ACCRUE_SIM_STATS").is_ok_and(|value| !value.is_empty() && value != "0")
}
