//! Where [`Memory`](crate::device::memory::Memory) gets device memory from: chunks of shared virtual memory, in pieces.
//!
//! Addresses of such memory are the same for the program and for kernels, so that the present table, attached pointers and
//! pointers in structs work as on any other device. But a kernel may reach through computed addresses only what it was told of,
//! memory by memory. So there are few and large ones, and a kernel is told anew only when another chunk has come or gone:
//!
//! ```text
//! chunk 0   | a | b |     free      |          told to kernels: [chunk 0, chunk 1]
//! chunk 1   |       c (larger)      |
//! ```

use super::active::Active;
use super::driver::Event;
use super::queue::Stream;
use crate::device::memory::Source;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Least bytes of a chunk.
const CHUNK: usize = 64 << 20;
/// Pieces start at multiples of this.
const ALIGNMENT: usize = 512;

/// Memory of the driver's, with the parts of it that are free: start and bytes, none next to another.
struct Chunk {
    /// The address that the driver has given.
    given: usize,
    start: usize,
    bytes: usize,
    free: BTreeMap<usize, usize>,
    /// It is not given back.
    stays: bool,
}

impl Chunk {
    fn take(&mut self, bytes: usize) -> Option<usize> {
        let (&start, &room) = self.free.iter().find(|&(_, &room)| room >= bytes)?;
        self.free.remove(&start);
        if room > bytes {
            self.free.insert(start + bytes, room - bytes);
        }
        Some(start)
    }

    fn give_back(&mut self, mut start: usize, mut bytes: usize) {
        if let Some((&before, &room)) = self.free.range(..start).next_back()
            && before + room == start
        {
            self.free.remove(&before);
            (start, bytes) = (before, bytes + room);
        }
        if let Some(room) = self.free.remove(&(start + bytes)) {
            bytes += room;
        }
        self.free.insert(start, bytes);
    }

    fn has(&self, address: usize) -> bool {
        (self.start..self.start + self.bytes).contains(&address)
    }
}

#[derive(Default)]
struct Pieces {
    chunks: Vec<Chunk>,
    /// Bytes of each piece that is in use.
    sizes: BTreeMap<usize, usize>,
}

/// The chunks of a device, and what else kernels may reach.
#[derive(Default)]
pub struct Arena {
    pieces: Mutex<Pieces>,
    reached: Mutex<Reached>,
}

/// The memory that kernels are told of, and how often it has changed.
#[derive(Default)]
pub struct Reached {
    pub changes: u64,
    pub memory: Vec<usize>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Arena {
    /// All memory is in one buffer, which stays and which kernels have as an argument.
    pub fn of_buffer(given: usize, bytes: usize) -> Arena {
        let start = given.next_multiple_of(ALIGNMENT);
        let bytes = bytes - (start - given);
        let chunk = Chunk {
            given,
            start,
            bytes,
            free: BTreeMap::from([(start, bytes)]),
            stays: true,
        };
        let arena = Arena::default();
        lock(&arena.pieces).chunks.push(chunk);
        arena
    }

    /// The memory that kernels are told of.
    pub fn reached(&self) -> MutexGuard<'_, Reached> {
        lock(&self.reached)
    }

    /// Kernels are told of this memory from now on.
    pub fn reach(&self, memory: usize) {
        let mut reached = self.reached();
        reached.memory.push(memory);
        reached.changes += 1;
    }

    fn forget(&self, memory: usize) {
        let mut reached = self.reached();
        reached.memory.retain(|&known| known != memory);
        reached.changes += 1;
    }

    /// Whether all of these addresses are in its memory.
    pub fn has_all(&self, mut addresses: impl Iterator<Item = u64>) -> bool {
        let pieces = lock(&self.pieces);
        addresses.all(|address| {
            let address = usize::try_from(address).unwrap_or_default();
            pieces.chunks.iter().any(|chunk| chunk.has(address))
        })
    }

    /// Takes the locks around a `fork`.
    pub fn freeze(&self) -> impl Sized + '_ {
        (lock(&self.pieces), self.reached())
    }

    fn take(&self, bytes: usize, new: impl Fn(usize) -> Option<usize>) -> Option<usize> {
        let mut pieces = lock(&self.pieces);
        let known = pieces.chunks.iter_mut().find_map(|chunk| chunk.take(bytes));
        let start = match known {
            Some(start) => start,
            None => {
                let mut chunk = self.new_chunk(bytes, new)?;
                let start = chunk.take(bytes);
                pieces.chunks.push(chunk);
                start?
            }
        };
        pieces.sizes.insert(start, bytes);
        Some(start)
    }

    /// A chunk with room for so many bytes: a large one, or else one that has just that.
    fn new_chunk(&self, bytes: usize, new: impl Fn(usize) -> Option<usize>) -> Option<Chunk> {
        let least = bytes.checked_add(ALIGNMENT)?;
        let sizes = [least.max(CHUNK), least];
        let (given, size) = sizes
            .into_iter()
            .find_map(|size| Some((new(size)?, size)))?;
        self.reach(given);
        let start = given.next_multiple_of(ALIGNMENT);
        let bytes = size - ALIGNMENT;
        Some(Chunk {
            given,
            start,
            bytes,
            free: BTreeMap::from([(start, bytes)]),
            stays: false,
        })
    }

    /// Takes a piece back. Gives the chunk, of which nothing is in use any more, if that is so.
    fn give_back(&self, address: usize) -> Option<usize> {
        let mut pieces = lock(&self.pieces);
        let bytes = pieces.sizes.remove(&address)?;
        let index = pieces.chunks.iter().position(|chunk| chunk.has(address))?;
        let chunk = &mut pieces.chunks[index];
        chunk.give_back(address, bytes);
        if chunk.stays || chunk.free.get(&chunk.start) != Some(&chunk.bytes) {
            return None;
        }
        let given = pieces.chunks.swap_remove(index).given;
        self.forget(given);
        Some(given)
    }
}

/// A stream, as a key.
#[derive(Clone, Copy)]
pub struct StreamKey(pub &'static Stream);

impl StreamKey {
    fn address(self) -> usize {
        std::ptr::from_ref(self.0) as usize
    }
}

impl PartialEq for StreamKey {
    fn eq(&self, other: &StreamKey) -> bool {
        self.address() == other.address()
    }
}

impl Eq for StreamKey {}

impl PartialOrd for StreamKey {
    fn partial_cmp(&self, other: &StreamKey) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for StreamKey {
    fn cmp(&self, other: &StreamKey) -> std::cmp::Ordering {
        self.address().cmp(&other.address())
    }
}

/// The device's memory as [`Source`] of the allocator that keeps blocks for reuse.
pub struct Blocks(pub &'static Active);

impl Source for Blocks {
    type Event = Event;
    type Stream = StreamKey;

    fn alloc(&self, bytes: usize) -> Option<usize> {
        let active = self.0;
        active.arena.take(bytes, |bytes| match active.buffer {
            Some(_) => None,
            None => active.opencl.svm_alloc(active.context, bytes, false),
        })
    }

    fn free(&self, address: usize) {
        let active = self.0;
        if let Some(chunk) = active.arena.give_back(address) {
            // A kernel that was told of it may be under way, though it uses nothing of it.
            active.finish_all();
            // SAFETY: nothing of the chunk is in use, and nothing runs that knows it.
            unsafe { active.opencl.svm_free(active.context, chunk) };
        }
    }

    fn record(&self, stream: StreamKey) -> Event {
        self.0.record(stream.0)
    }

    fn is_done(&self, event: Event) -> bool {
        self.0
            .opencl
            .is_done(event)
            .unwrap_or_else(|status| self.0.failed(status, "asking about freed memory"))
    }

    fn wait(&self, event: Event) {
        if let Err(status) = self.0.opencl.wait(event) {
            self.0.failed(status, "waiting for freed memory");
        }
    }

    fn recycle(&self, event: Event) {
        self.0.opencl.release(event);
    }

    fn total(&self) -> usize {
        self.0.total_memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn pieces_of_a_chunk_come_back_as_one() {
        let arena = Arena::default();
        let next = Cell::new(1 << 40);
        let new = |bytes: usize| {
            next.set(next.get() + 2 * bytes + 3);
            Some(next.get())
        };
        let all: Vec<usize> = (0..4).map(|_| arena.take(1024, new).unwrap()).collect();
        assert!(all.windows(2).all(|pair| pair[1] == pair[0] + 1024));
        assert_eq!(all[0] % ALIGNMENT, 0);
        assert!(arena.has_all(all.iter().map(|address| *address as u64)));
        assert!(!arena.has_all([all[0] as u64, all[0] as u64 - 8].into_iter()));
        assert_eq!(arena.reached().memory.len(), 1);
        let large = arena.take(CHUNK, new).unwrap();
        assert_eq!(arena.reached().memory.len(), 2);
        assert_eq!(arena.give_back(all[1]), None);
        assert_eq!(arena.give_back(all[2]), None);
        // Two neighbours that came back are one again.
        assert_eq!(arena.take(2048, new), Some(all[1]));
        assert!(arena.give_back(large).is_some());
        for address in [all[0], all[1]] {
            assert_eq!(arena.give_back(address), None);
        }
        let given = arena.reached().memory[0];
        assert_eq!(arena.give_back(all[3]), Some(given));
        assert_eq!(arena.reached().memory, [0usize; 0]);
        assert_eq!(arena.reached().changes, 4);
    }

    #[test]
    fn a_buffer_stays() {
        let arena = Arena::of_buffer(ALIGNMENT - 1, 3 * ALIGNMENT + 1);
        let none = |_: usize| None;
        assert_eq!(arena.take(2 * ALIGNMENT, none), Some(ALIGNMENT));
        assert_eq!(arena.take(2 * ALIGNMENT, none), None);
        assert_eq!(arena.give_back(ALIGNMENT), None);
        assert_eq!(arena.take(3 * ALIGNMENT, none), Some(ALIGNMENT));
        assert_eq!(arena.reached().memory, [0usize; 0]);
    }

    #[test]
    fn a_chunk_is_as_small_as_need_be() {
        let arena = Arena::default();
        let few = |bytes: usize| (bytes < CHUNK).then_some(1 << 40);
        assert_eq!(arena.take(4096, few), Some(1 << 40));
        assert_eq!(arena.take(CHUNK, few), None);
        assert_eq!(arena.take(usize::MAX, few), None);
    }
}
