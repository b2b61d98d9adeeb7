//! The host's accesses, where the program tells of them: reads of data of which the device has newer values.
//!
//! What is compiled with `-fsanitize=thread` calls a function before each access to memory that others may see. When it is
//! linked without that option, these are the functions that it calls: they look the address up in the mapped data. Linked
//! with it, the program has the functions of ThreadSanitizer, and nothing is seen here.

use super::stale::Watch;
use super::texts::{Accessed, lines_of};
use crate::fatal;
use crate::once::Once;
use accrue_ptx_sim::{Access, Gpu, Newer, Space};
use std::backtrace::Backtrace;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// The program tells of its accesses.
static TELLS: AtomicBool = AtomicBool::new(false);
static WATCHED: Once<Watched> = Once::new();

struct Watched {
    gpu: Gpu,
    watch: Arc<Mutex<Watch>>,
}

/// Whether the program tells of its accesses.
pub fn tells() -> bool {
    TELLS.load(Relaxed)
}

/// Looks at the accesses from now on.
pub fn watch(gpu: &Gpu, watch: &Arc<Mutex<Watch>>) {
    let (gpu, watch) = (gpu.clone(), Arc::clone(watch));
    // There is one simulated GPU.
    let _ = WATCHED.set(Watched { gpu, watch });
}

fn accessed(address: usize, bytes: usize, write: bool) {
    let Some(watched) = WATCHED.get() else {
        return;
    };
    let lock = watched.watch.lock();
    let watch = lock.unwrap_or_else(PoisonError::into_inner);
    let Some((device, bytes)) = watch.find(address, bytes) else {
        return;
    };
    if write {
        // The mapping's memory is there as long as the lock is held.
        let _ = watched.gpu.host_writes(device as u64, bytes as u64);
    } else if let Some(newer) = watched.gpu.newer(device as u64, bytes as u64) {
        drop(watch);
        report(&watched.gpu, device as u64, bytes, &newer);
    }
}

fn report(gpu: &Gpu, device: u64, bytes: usize, newer: &Newer) -> ! {
    let access = Access {
        space: Space::Global,
        address: device,
        bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
        write: false,
        atomic: false,
        nearest: gpu.nearest(device),
    };
    let reader = Frame::of_the_program(&Backtrace::force_capture().to_string());
    let place = reader
        .place
        .map_or(String::new(), |place| format!("{place}: "));
    let mut message = format!(
        "{place}stale: {} by the host, of which the device has newer values: is an `update self` missing?",
        Accessed(&access)
    );
    for (file, line) in lines_of(&newer.writers) {
        message += &format!("\n  written on the device at {file}:{line}");
    }
    if let Some(function) = reader.function {
        message += &format!("\n  in function {function}");
    }
    fatal::fatal_text(&message)
}

/// The function that made an access, and where.
#[derive(Debug, Default, PartialEq, Eq)]
struct Frame {
    function: Option<String>,
    place: Option<String>,
}

impl Frame {
    /// The frame behind that of the function that the access calls, in the text of a backtrace:
    /// ```text
    ///    3: __tsan_read8
    ///    4: main
    ///              at ./heat.c:14:9
    /// ```
    fn of_the_program(backtrace: &str) -> Frame {
        let mut lines = backtrace.lines();
        let mut behind = lines
            .by_ref()
            .skip_while(|line| !line.contains(PREFIX))
            .filter(|line| !line.contains(PREFIX))
            .skip_while(|line| line.trim_start().starts_with("at "))
            .peekable();
        let function = behind.next().and_then(|line| {
            let (_, name) = line.split_once(": ")?;
            Some(name.trim().to_owned())
        });
        let place = behind.next().and_then(|line| {
            let place = line.trim_start().strip_prefix("at ")?;
            // Without the column.
            let (place, _) = place.rsplit_once(':')?;
            Some(place.trim_start_matches("./").to_owned())
        });
        Frame { function, place }
    }
}

const PREFIX: &str = "__tsan_";

macro_rules! accesses {
    ($($bytes:literal: $($read:ident)* / $($write:ident)*;)*) => {$(
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $read(address: usize) {
                accessed(address, $bytes, false);
            }
        )*
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $write(address: usize) {
                accessed(address, $bytes, true);
            }
        )*
    )*};
}

// Those that read and write are reads: the old value matters.
accesses! {
    1: __tsan_read1 __tsan_read_write1 / __tsan_write1;
    2: __tsan_read2 __tsan_unaligned_read2 __tsan_read_write2 __tsan_unaligned_read_write2
        / __tsan_write2 __tsan_unaligned_write2;
    4: __tsan_read4 __tsan_unaligned_read4 __tsan_read_write4 __tsan_unaligned_read_write4
        / __tsan_write4 __tsan_unaligned_write4;
    8: __tsan_read8 __tsan_unaligned_read8 __tsan_read_write8 __tsan_unaligned_read_write8
        / __tsan_write8 __tsan_unaligned_write8;
    16: __tsan_read16 __tsan_unaligned_read16 __tsan_read_write16 __tsan_unaligned_read_write16
        / __tsan_write16 __tsan_unaligned_write16;
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_read_range(address: usize, bytes: usize) {
    accessed(address, bytes, false);
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_write_range(address: usize, bytes: usize) {
    accessed(address, bytes, true);
}

/// Called when the program starts.
#[unsafe(no_mangle)]
extern "C" fn __tsan_init() {
    TELLS.store(true, Relaxed);
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_func_entry(_caller: usize) {}

#[unsafe(no_mangle)]
extern "C" fn __tsan_func_exit() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_behind_the_function_that_it_calls() {
        let text = "   0: std::backtrace::Backtrace::create\n   1: accrue::report\n   2: __tsan_read8\n             \
                    at /x/host.rs:7:5\n   3: main\n             at ./heat.c:14:9\n   4: __libc_start_main\n";
        let frame = Frame::of_the_program(text);
        assert_eq!(frame.function.as_deref(), Some("main"));
        assert_eq!(frame.place.as_deref(), Some("heat.c:14"));
        let text = "   2: __tsan_read8\n   3: main\n   4: __libc_start_main\n";
        let frame = Frame::of_the_program(text);
        assert_eq!(
            (frame.function.as_deref(), frame.place),
            (Some("main"), None)
        );
    }
}
