//! Overheads that users feel: looking an address up among a million mappings, and an empty
//! compute construct with and without present data.
//!
//! `cargo bench -p accrue-runtime --bench overhead`

#[path = "../tests/support/mod.rs"]
mod support;

use accrue::abi::{Action, CpuLaunch, KERNEL_GANG_LOOP, SiteKind};
use accrue::fatal::Place;
use accrue::present::table::{Mapping, Memory, Origin, Presence, PresentTable};
use std::hint::black_box;
use std::time::Instant;
use support::directive;

const MAPPINGS: usize = 1_000_000;
const SAMPLES: usize = 2000;

/// A fixed pseudo-random sequence.
fn random(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state as usize
}

/// Median, over samples, of the time per call in nanoseconds.
fn median(samples: usize, calls: usize, mut call: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..samples)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(|_| call());
            start.elapsed().as_nanos() as f64 / calls as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[samples / 2]
}

fn lookups() {
    let mut table = PresentTable::default();
    static ORIGIN: Origin = Origin {
        name: "bench",
        place: Place {
            file: "bench.c",
            line: 1,
            what: "enter data",
        },
    };
    let mut seed = 42;
    let mut order: Vec<usize> = (1..=MAPPINGS).collect();
    for i in (1..MAPPINGS).rev() {
        order.swap(i, random(&mut seed) % (i + 1));
    }
    let start = Instant::now();
    for &i in &order {
        table.insert(Mapping {
            host: i * 4096,
            base: i * 4096,
            bytes: 4000,
            device: i * 4096,
            structured: 0,
            dynamic: 1,
            declared: 0,
            memory: Memory::Host,
            origin: &ORIGIN,
            around: false,
            attachments: Vec::new(),
        });
    }
    let insert = start.elapsed().as_nanos() as f64 / MAPPINGS as f64;
    let mut hits = 0usize;
    let lookup = median(SAMPLES, 100, || {
        let host = (random(&mut seed) % MAPPINGS + 1) * 4096 + 64;
        if let Presence::Present(id) = table.find(host, 128) {
            hits += black_box(table.get(id)).is_some() as usize;
        }
    });
    assert_eq!(hits, SAMPLES * 100);
    println!(
        "{MAPPINGS} mappings, random order: insertion {insert:.0} ns, lookup median {lookup:.0} ns"
    );
}

unsafe extern "C" fn empty(launch: *const CpuLaunch, gang: u64) {
    black_box((launch, gang));
}

fn launches() {
    let threads = accrue::device::cpu::pool::allowed_cores();
    let plain = directive(SiteKind::Parallel, 1).kernel(0, empty).build();
    let one = median(SAMPLES, 50, || assert!(plain.launch()));
    println!("empty region, 1 gang: {one:.0} ns");
    let gangs = directive(SiteKind::Parallel, 2)
        .kernel(KERNEL_GANG_LOOP, empty)
        .build();
    let all = median(SAMPLES, 50, || assert!(gangs.launch()));
    println!("empty region, {threads} gangs: {all:.0} ns");
    let mut parked: Vec<f64> = (0..SAMPLES / 10)
        .map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            let start = Instant::now();
            assert!(gangs.launch());
            start.elapsed().as_nanos() as f64
        })
        .collect();
    parked.sort_by(f64::total_cmp);
    let parked = parked[parked.len() / 2];
    println!("empty region, {threads} gangs, after a pause of 1 ms: {parked:.0} ns");
    let queued = directive(SiteKind::Parallel, 5)
        .queue(1)
        .kernel(0, empty)
        .build();
    let queued = median(SAMPLES, 50, || assert!(queued.launch()));
    accrue::api::queue::acc_wait_all();
    println!("empty region, 1 gang, async: {queued:.0} ns");
    let arrays: Vec<Vec<f64>> = (0..8).map(|_| vec![0.0; 100]).collect();
    for array in &arrays {
        directive(SiteKind::EnterData, 3)
            .slice(Action::Copyin, 0, "a", array.as_ptr(), 0, 100)
            .exec();
    }
    let mut with = directive(SiteKind::Parallel, 4).kernel(0, empty);
    // Clauses about one variable cost more: its sections may have to be brought together.
    for (array, name) in arrays.iter().zip(["a", "b", "c", "d", "e", "f", "g", "h"]) {
        with = with.slice(Action::Present, 0, name, array.as_ptr(), 0, 100);
    }
    let with = with.build();
    let eight = median(SAMPLES, 50, || assert!(with.launch()));
    println!(
        "empty region, 1 gang, 8 present arrays: {eight:.0} ns ({:.0} ns more)",
        eight - one
    );
}

fn main() {
    lookups();
    launches();
}
