//! Bytes that several host threads read and write at once.
//!
//! Blocks of a grid run on several host threads and share device memory, with races where the kernel has races. All accesses
//! are atomic ones of the host, so that a race of the kernel is no undefined behaviour of the simulator. This is the only
//! unsafe code of the crate.

use std::{
    alloc::{Layout, alloc_zeroed, dealloc},
    ptr::NonNull,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed, Ordering::SeqCst},
    },
};

/// A zeroed stretch of memory. The host commits pages when they are first written.
pub struct Bytes {
    start: NonNull<u8>,
    size: usize,
}

// SAFETY: the memory belongs to this value alone, and all accesses to it are atomic.
unsafe impl Send for Bytes {}
// SAFETY: as above.
unsafe impl Sync for Bytes {}

impl Bytes {
    /// `None` when the host has not enough memory.
    pub fn new(size: u64) -> Option<Bytes> {
        let size = usize::try_from(size)
            .ok()?
            .checked_next_multiple_of(8)?
            .max(8);
        let layout = Layout::from_size_align(size, 16).ok()?;
        // SAFETY: the size is not zero.
        let start = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Bytes { start, size })
    }

    fn check(&self, at: u64, size: u64) -> *mut u8 {
        assert!(
            at.is_multiple_of(size)
                && at
                    .checked_add(size)
                    .is_some_and(|end| end <= self.size as u64),
            "access to simulated memory was not checked"
        );
        // SAFETY: `at` is within the memory.
        unsafe { self.start.as_ptr().add(at as usize) }
    }

    fn a8(&self, at: u64) -> &AtomicU8 {
        // SAFETY: within the memory and aligned (check); all accesses are atomic.
        unsafe { AtomicU8::from_ptr(self.check(at, 1)) }
    }

    fn a16(&self, at: u64) -> &AtomicU16 {
        // SAFETY: within the memory and aligned (check); all accesses are atomic.
        unsafe { AtomicU16::from_ptr(self.check(at, 2).cast()) }
    }

    pub fn a32(&self, at: u64) -> &AtomicU32 {
        // SAFETY: within the memory and aligned (check); all accesses are atomic.
        unsafe { AtomicU32::from_ptr(self.check(at, 4).cast()) }
    }

    pub fn a64(&self, at: u64) -> &AtomicU64 {
        // SAFETY: within the memory and aligned (check); all accesses are atomic.
        unsafe { AtomicU64::from_ptr(self.check(at, 8).cast()) }
    }

    /// The value of 1, 2, 4 or 8 bytes at an aligned offset.
    #[inline(always)]
    pub fn load(&self, at: u64, size: u32) -> u64 {
        match size {
            1 => u64::from(self.a8(at).load(Relaxed)),
            2 => u64::from(self.a16(at).load(Relaxed)),
            4 => u64::from(self.a32(at).load(Relaxed)),
            _ => self.a64(at).load(Relaxed),
        }
    }

    #[inline(always)]
    pub fn store(&self, at: u64, size: u32, value: u64) {
        match size {
            1 => self.a8(at).store(value as u8, Relaxed),
            2 => self.a16(at).store(value as u16, Relaxed),
            4 => self.a32(at).store(value as u32, Relaxed),
            _ => self.a64(at).store(value, Relaxed),
        }
    }

    /// Replaces the value by `f` of it in one step; gives the old one.
    pub fn update(&self, at: u64, size: u32, f: impl Fn(u64) -> u64) -> u64 {
        macro_rules! update {
            ($cell:expr, $t:ty) => {{
                let cell = $cell;
                let mut old = cell.load(SeqCst);
                loop {
                    match cell.compare_exchange_weak(old, f(u64::from(old)) as $t, SeqCst, SeqCst) {
                        Ok(old) => break u64::from(old),
                        Err(now) => old = now,
                    }
                }
            }};
        }
        match size {
            1 => update!(self.a8(at), u8),
            2 => update!(self.a16(at), u16),
            4 => update!(self.a32(at), u32),
            _ => update!(self.a64(at), u64),
        }
    }

    /// Replaces 16 aligned bytes by `f` of them; in one step for other callers of this function.
    pub fn update_wide(&self, at: u64, f: impl Fn(u128) -> u128) -> u128 {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _held = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let (low, high) = (self.a64(at), self.a64(at + 8));
        let old = u128::from(high.load(SeqCst)) << 64 | u128::from(low.load(SeqCst));
        let new = f(old);
        low.store(new as u64, SeqCst);
        high.store((new >> 64) as u64, SeqCst);
        old
    }

    pub fn read(&self, at: u64, out: &mut [u8]) {
        let head = ((8 - at % 8) % 8).min(out.len() as u64) as usize;
        let (first, rest) = out.split_at_mut(head);
        for (i, byte) in first.iter_mut().enumerate() {
            *byte = self.a8(at + i as u64).load(Relaxed);
        }
        let mut at = at + head as u64;
        let mut words = rest.chunks_exact_mut(8);
        for word in &mut words {
            word.copy_from_slice(&self.a64(at).load(Relaxed).to_le_bytes());
            at += 8;
        }
        for byte in words.into_remainder() {
            *byte = self.a8(at).load(Relaxed);
            at += 1;
        }
    }

    pub fn write(&self, at: u64, bytes: &[u8]) {
        let head = ((8 - at % 8) % 8).min(bytes.len() as u64) as usize;
        let (first, rest) = bytes.split_at(head);
        for (i, byte) in first.iter().enumerate() {
            self.a8(at + i as u64).store(*byte, Relaxed);
        }
        let mut at = at + head as u64;
        let words = rest.chunks_exact(8);
        let tail = words.remainder();
        for word in words {
            let mut value = [0; 8];
            value.copy_from_slice(word);
            self.a64(at).store(u64::from_le_bytes(value), Relaxed);
            at += 8;
        }
        for byte in tail {
            self.a8(at).store(*byte, Relaxed);
            at += 1;
        }
    }

    pub fn fill(&self, at: u64, byte: u8, size: u64) {
        let end = at + size;
        let mut at = at;
        while at < end {
            if at.is_multiple_of(8) && end - at >= 8 {
                self.a64(at).store(u64::from_le_bytes([byte; 8]), Relaxed);
                at += 8;
            } else {
                self.a8(at).store(byte, Relaxed);
                at += 1;
            }
        }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        if let Ok(layout) = Layout::from_size_align(self.size, 16) {
            // SAFETY: the memory came from `alloc_zeroed` with this layout.
            unsafe { dealloc(self.start.as_ptr(), layout) }
        }
    }
}
