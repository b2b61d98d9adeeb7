//! What the environment says of the simulated GPU.

use crate::fatal;
use accrue_ptx_sim::{Checks, MODELS, Model, Options};

/// The options that the environment asks for.
pub fn options() -> Options {
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
        options.checks = checks(&text).unwrap_or_else(|| {
            fatal::fatal_text(&format!(
                "ACCRUE_SIM_CHECK={text}: expected 'all', 'none' or some of 'uninitialised', 'races', 'convergence', \
                 separated by commas"
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
    options
}

fn checks(text: &str) -> Option<Checks> {
    let mut checks = Checks::NONE;
    for word in text.split(',') {
        match word.trim() {
            "all" | "1" => checks = Checks::ALL,
            "none" | "0" | "" => {}
            "uninitialised" | "uninitialized" => checks.uninitialised = true,
            "races" => checks.races = true,
            "convergence" => checks.convergence = true,
            _ => return None,
        }
    }
    Some(checks)
}

fn wants_stats() -> bool {
    std::env::var("ACCRUE_SIM_STATS").is_ok_and(|value| !value.is_empty() && value != "0")
}
