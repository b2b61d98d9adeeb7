//! Device memory, kept for reuse.
//!
//! A driver's allocation and release take tens of microseconds and wait for the device. So memory that is given back is
//! kept by size and handed out again. Who gives memory back while a stream still uses it names the stream; the memory is
//! then *pending* until an event recorded in that stream is complete:
//!
//! ```text
//! alloc ──▶ kept memory of that size ──▶ pending memory whose event is complete ──▶ driver ──▶ (out of memory) give all
//!                                                                                             kept memory back, again
//! free  ──▶ kept, or pending with an event
//! ```

use crate::device::OutOfMemory;
use crate::present::ranges::{Entry, Ranges};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the allocator needs of the driver.
pub trait Source {
    /// A point in a stream.
    type Event: Copy;
    /// A stream that memory is given back in.
    type Stream: Copy + Ord;

    /// New memory; none when the device has no more.
    fn alloc(&self, bytes: usize) -> Option<usize>;
    /// Gives memory of `alloc` back to the driver, which waits until nothing uses it.
    fn free(&self, address: usize);
    fn record(&self, stream: Self::Stream) -> Self::Event;
    fn is_done(&self, event: Self::Event) -> bool;
    fn wait(&self, event: Self::Event);
    /// The event will not be asked about again.
    fn recycle(&self, event: Self::Event);
    /// All bytes of the device.
    fn total(&self) -> usize;
}

/// Least bytes of an allocation; the alignment that the driver gives.
const LEAST: usize = 512;
/// Larger memory may be used for a smaller need, up to this part of it more.
const SLACK: usize = 4;

struct Pending<E> {
    event: E,
    address: usize,
    bytes: usize,
}

struct State<S: Source> {
    /// Memory in use, with the bytes that were asked for.
    live: Ranges,
    in_use: usize,
    /// Size of each block that is in use, by address.
    sizes: BTreeMap<usize, usize>,
    kept: BTreeMap<usize, Vec<usize>>,
    pending: BTreeMap<S::Stream, VecDeque<Pending<S::Event>>>,
}

/// The allocator.
pub struct Memory<S: Source> {
    source: S,
    state: Mutex<State<S>>,
}

/// The size of the block for this many bytes: at most an eighth more.
fn block_size(bytes: usize) -> usize {
    let step = (bytes.next_power_of_two() / 16).max(LEAST);
    bytes.max(1).next_multiple_of(step)
}

impl<S: Source> Memory<S> {
    pub fn new(source: S) -> Memory<S> {
        Memory {
            source,
            state: Mutex::new(State {
                live: Ranges::default(),
                in_use: 0,
                sizes: BTreeMap::new(),
                kept: BTreeMap::new(),
                pending: BTreeMap::new(),
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes in use now.
    pub fn in_use(&self) -> usize {
        self.lock().in_use
    }

    /// Takes the lock around a `fork`.
    pub fn freeze(&self) -> impl Sized + '_ {
        self.lock()
    }

    /// Memory of at least one byte, aligned to 512 bytes, that no stream uses.
    pub fn alloc(&self, bytes: usize) -> Result<usize, OutOfMemory> {
        let bytes = bytes.max(1);
        let mut state = self.lock();
        let failed = OutOfMemory {
            requested: bytes,
            in_use: state.in_use,
            total: 0,
        };
        let block = if bytes > isize::MAX as usize {
            None
        } else {
            self.block(&mut state, block_size(bytes))
        };
        let Some((address, size)) = block else {
            drop(state);
            return Err(OutOfMemory {
                total: self.source.total(),
                ..failed
            });
        };
        state.live.insert(Entry {
            start: address,
            end: address + bytes,
            id: 0,
            generation: 0,
        });
        state.sizes.insert(address, size);
        state.in_use += size;
        Ok(address)
    }

    fn block(&self, state: &mut State<S>, size: usize) -> Option<(usize, usize)> {
        if let Some(found) = state.take(size) {
            return Some(found);
        }
        if self.collect(state)
            && let Some(found) = state.take(size)
        {
            return Some(found);
        }
        if let Some(address) = self.source.alloc(size) {
            return Some((address, size));
        }
        self.trim(state);
        self.source.alloc(size).map(|address| (address, size))
    }

    /// Keeps pending memory that streams are done with; true when there was any.
    fn collect(&self, state: &mut State<S>) -> bool {
        let mut any = false;
        let State { pending, kept, .. } = state;
        for waiting in pending.values_mut() {
            while let Some(first) = waiting.front() {
                if !self.source.is_done(first.event) {
                    break;
                }
                self.source.recycle(first.event);
                kept.entry(first.bytes).or_default().push(first.address);
                waiting.pop_front();
                any = true;
            }
        }
        any
    }

    /// Gives all memory that is not in use back to the driver.
    fn trim(&self, state: &mut State<S>) {
        for waiting in std::mem::take(&mut state.pending).into_values() {
            for pending in waiting {
                self.source.wait(pending.event);
                self.source.recycle(pending.event);
                self.source.free(pending.address);
            }
        }
        for address in std::mem::take(&mut state.kept).into_values().flatten() {
            self.source.free(address);
        }
    }

    /// Takes memory back, at once or after what is now in the stream. False when it is not memory of `alloc`.
    pub fn free(&self, address: usize, after: Option<S::Stream>) -> bool {
        let mut state = self.lock();
        let Some(bytes) = state.sizes.remove(&address) else {
            return false;
        };
        state.live.remove(address);
        state.in_use -= bytes;
        match after {
            None => state.kept.entry(bytes).or_default().push(address),
            Some(stream) => {
                let event = self.source.record(stream);
                state.pending.entry(stream).or_default().push_back(Pending {
                    event,
                    address,
                    bytes,
                });
            }
        }
        true
    }

    /// Start and bytes of the memory in use in which, or just behind which, the address lies.
    pub fn allocation(&self, address: usize) -> Option<(usize, usize)> {
        let entry = self.lock().live.floor(address)?;
        (address <= entry.end).then_some((entry.start, entry.end - entry.start))
    }
}

impl<S: Source> State<S> {
    /// A kept block of this size or a little more.
    fn take(&mut self, size: usize) -> Option<(usize, usize)> {
        let most = size + size / SLACK;
        let (&found, blocks) = self
            .kept
            .range_mut(size..=most)
            .find(|(_, blocks)| !blocks.is_empty())?;
        Some((blocks.pop()?, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    /// A driver with 10 KiB that counts its calls; events are complete when `done` has reached them.
    #[derive(Default)]
    struct Fake {
        next: Cell<usize>,
        used: RefCell<BTreeMap<usize, usize>>,
        allocs: Cell<usize>,
        events: Cell<u32>,
        done: Cell<u32>,
    }

    const TOTAL: usize = 10 << 10;

    impl Source for &Fake {
        type Event = u32;
        type Stream = u32;

        fn alloc(&self, bytes: usize) -> Option<usize> {
            let used: usize = self.used.borrow().values().sum();
            if used + bytes > TOTAL {
                return None;
            }
            self.allocs.set(self.allocs.get() + 1);
            self.next.set(self.next.get() + (1 << 20));
            self.used.borrow_mut().insert(self.next.get(), bytes);
            Some(self.next.get())
        }
        fn free(&self, address: usize) {
            assert!(self.used.borrow_mut().remove(&address).is_some());
        }
        fn record(&self, _stream: u32) -> u32 {
            self.events.set(self.events.get() + 1);
            self.events.get()
        }
        fn is_done(&self, event: u32) -> bool {
            event <= self.done.get()
        }
        fn wait(&self, event: u32) {
            self.done.set(self.done.get().max(event));
        }
        fn recycle(&self, _event: u32) {}
        fn total(&self) -> usize {
            TOTAL
        }
    }

    #[test]
    fn block_sizes_waste_little() {
        assert_eq!(block_size(1), 512);
        assert_eq!(block_size(513), 1024);
        assert_eq!(block_size(1 << 20), 1 << 20);
        for bytes in [10_000, 123_456, (1 << 30) + 1] {
            let size = block_size(bytes);
            assert!(
                size >= bytes && size - bytes <= bytes / 8,
                "{bytes}: {size}"
            );
        }
    }

    #[test]
    fn memory_given_back_is_used_again() {
        let fake = Fake::default();
        let memory = Memory::new(&fake);
        let a = memory.alloc(1000).unwrap();
        assert_eq!(memory.allocation(a + 999), Some((a, 1000)));
        assert!(memory.free(a, None));
        assert!(!memory.free(a, None));
        assert_eq!(memory.allocation(a), None);
        assert_eq!(memory.alloc(700).unwrap(), a);
        assert_eq!(fake.allocs.get(), 1);
    }

    #[test]
    fn memory_of_a_busy_stream_waits_for_it() {
        let fake = Fake::default();
        let memory = Memory::new(&fake);
        let a = memory.alloc(512).unwrap();
        memory.free(a, Some(1));
        let b = memory.alloc(512).unwrap();
        assert_ne!(a, b);
        fake.done.set(1);
        assert_eq!(memory.alloc(512).unwrap(), a);
        assert_eq!(fake.allocs.get(), 2);
    }

    #[test]
    fn kept_memory_is_given_up_before_there_is_none() {
        let fake = Fake::default();
        let memory = Memory::new(&fake);
        let small: Vec<usize> = (0..16).map(|_| memory.alloc(512).unwrap()).collect();
        for (index, address) in small.into_iter().enumerate() {
            memory.free(address, (index % 2 == 0).then_some(7));
        }
        let large = memory.alloc(8 << 10).unwrap();
        assert_eq!(fake.used.borrow().len(), 1);
        let error = memory.alloc(4096).unwrap_err();
        assert_eq!(
            (error.requested, error.in_use, error.total),
            (4096, 8 << 10, TOTAL)
        );
        assert!(memory.alloc(usize::MAX).is_err());
        memory.free(large, None);
        assert!(memory.alloc(4096).is_ok());
    }
}
