//! Numbers of gangs, workers and lanes that a device does not have.
//!
//! The specification lets a device use others than the directive asks for (OpenACC 3.4, 2.5.10 to 2.5.12); the program is
//! told, once per directive and clause:
//!
//! ```text
//! accrue: warning: heat.c:12: vector_length(4096): device nvidia:0 uses 1024
//! ```

use crate::site::SiteState;
use std::fmt::Display;
use std::sync::atomic::Ordering::Relaxed;

/// The clauses.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    Gangs,
    Workers,
    Vector,
    /// Threads of a team, which the environment limits.
    TeamThreads,
}

impl Size {
    fn clause(self, openmp: bool) -> &'static str {
        match self {
            Size::Gangs if openmp => "num_teams",
            Size::Gangs => "num_gangs",
            Size::Workers | Size::Vector if openmp => "num_threads or thread_limit",
            Size::Workers => "num_workers",
            Size::Vector => "vector_length",
            Size::TeamThreads => "OMP_TEAMS_THREAD_LIMIT",
        }
    }
}

/// Says that the device uses another number than the directive asks for.
#[cold]
pub fn tell(site: &SiteState, device: &str, size: Size, asked: impl Display, used: impl Display) {
    say(site, device, (size, size.clause(site.openmp)), asked, used);
}

/// Says that `clause` asks for none: the device has as many as it would have without it, as in other compilers' programs.
#[cold]
pub fn tell_none(site: &SiteState, device: &str, size: Size, clause: &str) {
    say(site, device, (size, clause), 0, "as many as it chooses");
}

fn say(
    site: &SiteState,
    device: &str,
    (size, clause): (Size, &str),
    asked: impl Display,
    used: impl Display,
) {
    let bit = 1 << size as u32;
    if site.told.fetch_or(bit, Relaxed) & bit == 0 {
        crate::message::say!(
            "accrue: warning: {}: {clause}({asked}): device {device} uses {used}",
            site.place()
        );
    }
}
