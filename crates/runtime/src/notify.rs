//! `ACCRUE_NOTIFY`: one line on stderr per event.
//!
//! The value is a sum of 1 (launches), 2 (copies), 4 (entering and leaving regions), 8 (waits)
//! and 16 (allocations). `NVCOMPILER_ACC_NOTIFY` is read when `ACCRUE_NOTIFY` is not set.

use crate::once::Once;
use std::fmt::Arguments;

/// Kinds of events.
#[derive(Clone, Copy)]
#[repr(u32)]
pub enum Event {
    Launch = 1,
    Copy = 2,
    Region = 4,
    Wait = 8,
    Allocation = 16,
}

static MASK: Once<u32> = Once::new();

fn mask() -> u32 {
    *MASK.get_or_init(|| {
        ["ACCRUE_NOTIFY", "NVCOMPILER_ACC_NOTIFY"]
            .iter()
            .find_map(|name| Some((name, std::env::var(name).ok()?)))
            .map_or(0, |(name, value)| {
                value.trim().parse().unwrap_or_else(|_| {
                    crate::message::say!(
                        "accrue: warning: {name}={value}: expected a sum of 1 (launches), \
                         2 (copies), 4 (regions), 8 (waits), 16 (allocations); ignored"
                    );
                    0
                })
            })
    })
}

/// True when lines of this kind are wanted.
pub fn wants(event: Event) -> bool {
    mask() & event as u32 != 0
}

/// Writes one line; ask [`wants`] first.
pub fn line(text: Arguments<'_>) {
    crate::message::say!("accrue: {text}");
}
