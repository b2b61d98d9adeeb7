//! What the environment allows the regions of a device where no clause says it (OpenMP 5.2, 21.6.1, 21.6.2 and 21 for the names).
//!
//! ```text
//! OMP_NUM_TEAMS_DEV_1=8     device 1                       the first of these that is set counts
//! OMP_NUM_TEAMS_DEV=16      all devices
//! OMP_NUM_TEAMS_ALL=32      all devices and the host
//! OMP_NUM_TEAMS=64          the host, and devices of which no other says anything
//! ```
//! By the letter the last is about the host alone; users of clang mean devices.

use super::devices;
use crate::fatal::fatal_text;
use crate::once::Once;
use crate::runtime::{self, DeviceState};

/// At most so many; 0 where the environment does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub teams: u64,
    /// Threads of a team.
    pub threads: u64,
}

/// The limits of a device.
pub fn limits(state: &DeviceState) -> Limits {
    static LIMITS: Once<Vec<Limits>> = Once::new();
    // Of each device, and last of the host.
    let all = LIMITS.get_or_init(|| {
        let numbers = 0..devices().len();
        numbers.map(Some).chain([None]).map(read).collect()
    });
    if all.iter().all(|limits| *limits == Limits::default()) {
        return Limits::default();
    }
    let runtime = runtime::get();
    let is_it = |&index: &_| std::ptr::eq(runtime.device(index), state);
    let number = devices().iter().position(is_it);
    all[number.unwrap_or(devices().len())]
}

fn read(device: Option<usize>) -> Limits {
    Limits {
        teams: variable("OMP_NUM_TEAMS", "21.6.1", device),
        threads: variable("OMP_TEAMS_THREAD_LIMIT", "21.6.2", device),
    }
}

fn variable(name: &str, section: &str, device: Option<usize>) -> u64 {
    let of_devices = device.map(|number| [format!("{name}_DEV_{number}"), format!("{name}_DEV")]);
    let for_all = [format!("{name}_ALL"), name.to_string()];
    let mut names = of_devices.into_iter().flatten().chain(for_all);
    let found = names.find_map(|name| Some((std::env::var(&name).ok()?, name)));
    let Some((text, name)) = found else {
        return 0;
    };
    match text.trim().parse::<u32>() {
        Ok(number) if number > 0 => number.into(),
        Ok(_) | Err(_) => fatal_text(&format!(
            "{name}={text}: expected a number from 1 on (OpenMP 5.2, {section})"
        )),
    }
}
