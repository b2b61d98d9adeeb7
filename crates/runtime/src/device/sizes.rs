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

/// Gangs that a device which executes them one after another runs at most. Those without work cost something there, too.
pub const MOST_GANGS: u64 = 1 << 20;

/// The clauses.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    Gangs,
    Workers,
    Vector,
}

impl Size {
    fn clause(self) -> &'static str {
        match self {
            Size::Gangs => "num_gangs",
            Size::Workers => "num_workers",
            Size::Vector => "vector_length",
        }
    }
}

/// Says that the device uses another number than the directive asks for.
#[cold]
pub fn tell(site: &SiteState, device: &str, size: Size, asked: impl Display, used: impl Display) {
    let bit = 1 << size as u32;
    if site.told.fetch_or(bit, Relaxed) & bit == 0 {
        eprintln!(
            "accrue: warning: {}: {}({asked}): device {device} uses {used}",
            site.place(),
            size.clause()
        );
    }
}

/// The gangs, not more than `most` of them: the largest dimensions lose some.
pub fn at_most(mut gangs: [u64; 3], most: u64) -> [u64; 3] {
    let number = |gangs: &[u64]| gangs.iter().fold(1u64, |all, n| all.saturating_mul(*n));
    while number(&gangs) > most {
        let largest = (0..3).max_by_key(|&index| gangs[index]).unwrap_or(0);
        let mut others = gangs;
        others[largest] = 1;
        let fits = most / number(&others);
        gangs[largest] = match others.iter().all(|&other| other < fits) {
            true => fits,
            false => gangs[largest] / 2,
        };
    }
    gangs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_dimensions_lose_gangs() {
        assert_eq!(at_most([7, 3, 2], 100), [7, 3, 2]);
        assert_eq!(
            at_most([2_000_000_000, 1, 1], MOST_GANGS),
            [MOST_GANGS, 1, 1]
        );
        assert_eq!(at_most([4, 1000, 1], 100), [4, 25, 1]);
        for gangs in [[u64::MAX; 3], [1 << 40, 1 << 30, 5], [3, 1 << 62, 1 << 62]] {
            let [x, y, z] = at_most(gangs, MOST_GANGS);
            assert!(x * y * z <= MOST_GANGS && x * y * z > MOST_GANGS / 8);
        }
    }
}
