//! Device memory of the CPU device.
//!
//! Memory the device needs beside the host's (`acc_malloc`, all mappings in discrete mode) comes
//! from the C allocator, is accounted for, and limited by the machine's memory or by
//! `ACCRUE_CPU_MEMORY_SIZE` (bytes, or with the suffix K, M or G). In discrete mode new memory is
//! filled with a pattern, so that a program which forgets to initialise it does not get zeros by
//! luck.

use crate::device::OutOfMemory;
use crate::fatal;
use crate::present::ranges::{Entry, Ranges};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Makes large floats and large integers: 0x5a5a5a5a is 1 515 870 810 and about 1.5e16.
const PATTERN: u8 = 0x5a;
const ALIGNMENT: usize = 128;

#[derive(Default)]
struct Allocations {
    ranges: Ranges,
    in_use: usize,
}

/// The allocator.
pub struct Memory {
    discrete: bool,
    total: usize,
    allocations: Mutex<Allocations>,
}

fn machine_memory() -> usize {
    // SAFETY: `sysconf` has no preconditions.
    let (pages, size) = unsafe {
        (
            libc::sysconf(libc::_SC_PHYS_PAGES),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    match (usize::try_from(pages), usize::try_from(size)) {
        (Ok(pages), Ok(size)) if pages > 0 => pages.saturating_mul(size),
        (Ok(_) | Err(_), Ok(_) | Err(_)) => usize::MAX,
    }
}

/// Parses `64M`, `2G`, `1000`.
fn parse_size(text: &str) -> Option<usize> {
    let text = text.trim();
    let (digits, unit) = match text.chars().last()?.to_ascii_uppercase() {
        'K' => (&text[..text.len() - 1], 1 << 10),
        'M' => (&text[..text.len() - 1], 1 << 20),
        'G' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    digits.parse::<usize>().ok()?.checked_mul(unit)
}

impl Memory {
    /// The allocator of a device that has memory of its own (`discrete`) or shares the host's.
    pub fn new(discrete: bool) -> Memory {
        let total = match std::env::var("ACCRUE_CPU_MEMORY_SIZE") {
            Ok(text) => parse_size(&text).unwrap_or_else(|| {
                fatal::fatal_text(&format!(
                    "ACCRUE_CPU_MEMORY_SIZE={text}: expected a number of bytes, or one with the \
                     suffix K, M or G"
                ))
            }),
            Err(_) => machine_memory(),
        };
        Memory {
            discrete,
            total,
            allocations: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Allocations> {
        self.allocations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// All memory the device may use.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Bytes allocated now.
    pub fn in_use(&self) -> usize {
        self.lock().in_use
    }

    /// Allocates at least one byte.
    pub fn alloc(&self, bytes: usize) -> Result<usize, OutOfMemory> {
        let bytes = bytes.max(1);
        let mut allocations = self.lock();
        let failed = OutOfMemory {
            requested: bytes,
            in_use: allocations.in_use,
            total: self.total,
        };
        if bytes > self.total.saturating_sub(allocations.in_use) {
            return Err(failed);
        }
        let mut memory = std::ptr::null_mut();
        // SAFETY: the alignment is a power of two and a multiple of a pointer's size.
        if unsafe { libc::posix_memalign(&mut memory, ALIGNMENT, bytes) } != 0 {
            return Err(failed);
        }
        if self.discrete {
            // SAFETY: the memory has `bytes` bytes.
            unsafe { memory.cast::<u8>().write_bytes(PATTERN, bytes) };
        }
        let start = memory as usize;
        allocations.ranges.insert(Entry {
            start,
            end: start + bytes,
            id: 0,
            generation: 0,
        });
        allocations.in_use += bytes;
        Ok(start)
    }

    /// Frees memory of [`Memory::alloc`]; false when the address is not the start of any.
    pub fn free(&self, address: usize) -> bool {
        let mut allocations = self.lock();
        match allocations.ranges.remove(address) {
            Some(entry) => {
                allocations.in_use -= entry.end - entry.start;
                // SAFETY: the address came from `posix_memalign` and was not freed yet.
                unsafe { libc::free(address as *mut libc::c_void) };
                true
            }
            None => false,
        }
    }

    /// Start and bytes of the allocation in which, or just behind which, the address lies.
    pub fn allocation(&self, address: usize) -> Option<(usize, usize)> {
        let entry = self.lock().ranges.floor(address)?;
        (address <= entry.end).then_some((entry.start, entry.end - entry.start))
    }

    /// Takes the lock around a `fork`.
    pub fn freeze(&self) -> impl Sized + '_ {
        self.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("1000"), Some(1000));
        assert_eq!(parse_size("64M"), Some(64 << 20));
        assert_eq!(parse_size("2g"), Some(2 << 30));
        assert_eq!(parse_size("x"), None);
        assert_eq!(parse_size(""), None);
    }

    #[test]
    fn accounting_and_limit() {
        let memory = Memory {
            discrete: true,
            total: 1000,
            allocations: Mutex::default(),
        };
        let a = memory.alloc(600).unwrap();
        assert_eq!(memory.in_use(), 600);
        let error = memory.alloc(500).unwrap_err();
        assert_eq!((error.requested, error.in_use), (500, 600));
        assert_eq!(memory.allocation(a), Some((a, 600)));
        assert_eq!(memory.allocation(a + 599), Some((a, 600)));
        assert!(!memory.free(a + 8));
        assert!(memory.free(a));
        assert!(!memory.free(a));
        assert_eq!(memory.in_use(), 0);
    }
}
