//! A missing `update device`: kernels that read data of which the host has newer values.
//!
//! Host programs are not simulated, so their writes cannot be seen. Instead, what the host's copy of mapped data looked
//! like at the last transfer is kept, and compared before each launch:
//!
//! ```text
//! copyin(a)            seen = 0 1 2 3      host 0 1 2 3
//! a[2] = 7;                                host 0 1 7 3
//! launch               seen ≠ host in a[2]: the device's a[2] is stale until something is transferred or written there
//! ```
//! A byte that was never transferred (`create`) has no older value than the host's, and is not looked at.

use accrue_ptx_sim::Gpu;
use std::collections::BTreeMap;

/// Most bytes of host data that are kept; data mapped beyond that is not looked at.
const MOST: usize = 1 << 30;
/// Bytes compared at a time.
const CHUNK: usize = 1 << 16;

/// The mapped data, by device address.
#[derive(Default)]
pub struct Watch {
    mappings: BTreeMap<usize, Watched>,
    kept: usize,
}

/// Data that is on the device.
struct Watched {
    host: usize,
    /// The host's bytes, as they were last seen.
    seen: Vec<u8>,
    /// Pieces that were ever transferred: start and end, neither touching nor overlapping.
    known: BTreeMap<usize, usize>,
}

impl Watch {
    /// Begins to watch a mapping.
    pub fn begin(&mut self, host: usize, device: usize, bytes: usize) {
        if bytes > MOST - self.kept {
            return;
        }
        self.kept += bytes;
        let watched = Watched {
            host,
            seen: vec![0; bytes],
            known: BTreeMap::new(),
        };
        self.mappings.insert(device, watched);
    }

    /// The device memory is no longer that of a mapping.
    pub fn end(&mut self, device: usize) {
        if let Some(watched) = self.mappings.remove(&device) {
            self.kept -= watched.seen.len();
        }
    }

    /// Host and device have the same `bytes` at these addresses now.
    pub fn transferred(&mut self, host: usize, device: usize, bytes: &[u8]) {
        let Some((start, watched)) = self.mappings.range_mut(..=device).next_back() else {
            return;
        };
        let at = device - start;
        // A transfer with memory that is not mapped to this says nothing about the host's copy.
        if watched.host.wrapping_add(at) != host {
            return;
        }
        if let Some(seen) = watched.seen.get_mut(at..at + bytes.len()) {
            seen.copy_from_slice(bytes);
            watched.know(at, at + bytes.len());
        }
    }

    /// Tells the device which of its bytes are older than the host's.
    pub fn tell(&mut self, gpu: &Gpu) {
        for (device, watched) in &mut self.mappings {
            watched.tell(*device, gpu);
        }
    }
}

impl Watched {
    fn know(&mut self, mut start: usize, mut end: usize) {
        while let Some((&first, &last)) = self.known.range(..=end).next_back() {
            if last < start {
                break;
            }
            self.known.remove(&first);
            start = start.min(first);
            end = end.max(last);
        }
        self.known.insert(start, end);
    }

    fn tell(&mut self, device: usize, gpu: &Gpu) {
        let mut now = vec![0; CHUNK.min(self.seen.len())];
        for (&start, &end) in &self.known {
            for at in (start..end).step_by(CHUNK) {
                let seen = &mut self.seen[at..end.min(at + CHUNK)];
                let now = &mut now[..seen.len()];
                // The program may have given the memory back: then there is nothing newer.
                if !read_host(self.host + at, now) || seen == now {
                    continue;
                }
                for (first, bytes) in differences(seen, now) {
                    // The mapping's memory is there until `end`.
                    let _ = gpu.set_stale((device + at + first) as u64, bytes as u64, true);
                }
                seen.copy_from_slice(now);
            }
        }
    }
}

/// Where the two differ: start and length of each piece.
fn differences(old: &[u8], new: &[u8]) -> Vec<(usize, usize)> {
    let mut pieces: Vec<(usize, usize)> = Vec::new();
    for (at, _) in old.iter().zip(new).enumerate().filter(|(_, (a, b))| a != b) {
        match pieces.last_mut() {
            Some((start, bytes)) if *start + *bytes == at => *bytes += 1,
            Some(_) | None => pieces.push((at, 1)),
        }
    }
    pieces
}

/// Reads host memory that may no longer be there.
fn read_host(from: usize, to: &mut [u8]) -> bool {
    let local = libc::iovec {
        iov_base: to.as_mut_ptr().cast(),
        iov_len: to.len(),
    };
    let remote = libc::iovec {
        iov_base: from as *mut libc::c_void,
        iov_len: to.len(),
    };
    // SAFETY: the kernel writes at most `to.len()` bytes to `to`, and checks the other address itself.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    usize::try_from(read).is_ok_and(|read| read == to.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_differ() {
        assert_eq!(differences(b"abcdef", b"abXYeZ"), [(2, 2), (5, 1)]);
        assert_eq!(differences(b"abc", b"abc"), []);
    }

    #[test]
    fn known_pieces_grow_together() {
        let mut watched = Watched {
            host: 0,
            seen: vec![0; 100],
            known: BTreeMap::new(),
        };
        watched.know(10, 20);
        watched.know(30, 40);
        watched.know(50, 60);
        watched.know(20, 35);
        assert_eq!(watched.known, BTreeMap::from([(10, 40), (50, 60)]));
        watched.know(0, 100);
        assert_eq!(watched.known, BTreeMap::from([(0, 100)]));
    }

    #[test]
    fn host_memory_that_is_gone() {
        let here = [1u8, 2, 3];
        let mut to = [0; 3];
        assert!(read_host(here.as_ptr() as usize, &mut to) && to == here);
        assert!(!read_host(16, &mut to));
    }

    #[test]
    fn only_what_was_transferred_is_compared() {
        let gpu = Gpu::new(accrue_ptx_sim::Options::default());
        let device = gpu.alloc(8).expect("there is memory");
        let mut host = [1u8; 8];
        let mut watch = Watch::default();
        watch.begin(host.as_ptr() as usize, device as usize, 8);
        host[7] = 3;
        watch.tell(&gpu);
        watch.transferred(host.as_ptr() as usize, device as usize, &host[..4]);
        std::hint::black_box(&mut host)[2] = 2;
        let seen = |watch: &Watch| watch.mappings[&(device as usize)].seen.clone();
        assert_eq!(seen(&watch), [1, 1, 1, 1, 0, 0, 0, 0]);
        watch.tell(&gpu);
        assert_eq!(seen(&watch), [1, 1, 2, 1, 0, 0, 0, 0]);
        watch.end(device as usize);
        assert_eq!(watch.kept, 0);
    }
}
