//! A missing `update`: one side reads data of which the other has newer values.
//!
//! The simulator notes what kernels write. Host programs are not simulated. What they write to mapped data is seen before
//! the next launch, by a comparison:
//!
//! ```text
//! copyin(a)            device 0 1 2 3      host 0 1 2 3      the same since the transfer
//! a[2] = 7;                                host 0 1 7 3
//! launch               host ≠ device in a[2]: stale on the device until something is transferred or written there
//! ```
//! A byte that was never transferred (`create`) has no older value than the host's, and is not looked at. What host
//! programs read is seen only if they tell, see [`super::host`].

use accrue_ptx_sim::Gpu;
use std::collections::BTreeMap;

/// Bytes compared at a time.
const CHUNK: usize = 1 << 16;

/// The mapped data.
#[derive(Default)]
pub struct Watch {
    /// By device address.
    mappings: BTreeMap<usize, Mapping>,
    /// Device addresses by host address.
    hosts: BTreeMap<usize, usize>,
}

/// Data that is on the device.
#[derive(Clone, Copy)]
struct Mapping {
    host: usize,
    bytes: usize,
}

impl Watch {
    /// Begins to watch a mapping.
    pub fn begin(&mut self, gpu: &Gpu, host: usize, device: usize, bytes: usize) {
        if gpu.track(device as u64).is_ok() {
            self.mappings.insert(device, Mapping { host, bytes });
            self.hosts.insert(host, device);
        }
    }

    /// The device memory is no longer that of a mapping.
    pub fn end(&mut self, device: usize) {
        if let Some(mapping) = self.mappings.remove(&device) {
            self.hosts.remove(&mapping.host);
        }
    }

    /// Host and device have the same bytes at these addresses now.
    pub fn transferred(&self, gpu: &Gpu, host: usize, device: usize, bytes: usize) {
        let Some((start, mapping)) = self.mappings.range(..=device).next_back() else {
            return;
        };
        let at = device - start;
        // A transfer with memory that is not mapped to this says nothing about the host's copy.
        if mapping.host.wrapping_add(at) == host && at + bytes <= mapping.bytes {
            // The mapping's memory is there until `end`.
            let _ = gpu.transferred(device as u64, bytes as u64);
        }
    }

    /// Tells the device which of its bytes are older than the host's.
    pub fn tell(&self, gpu: &Gpu) {
        let mut host = vec![0; CHUNK];
        for (device, mapping) in &self.mappings {
            for at in (0..mapping.bytes).step_by(CHUNK) {
                let host = &mut host[..CHUNK.min(mapping.bytes - at)];
                // The program may have given the memory back: then there is nothing newer.
                if read_host(mapping.host + at, host) {
                    let _ = gpu.compare((device + at) as u64, host);
                }
            }
        }
    }

    /// The bytes of mapped data among those that begin at a host address: where they are on the device, and how many.
    pub fn find(&self, host: usize, bytes: usize) -> Option<(usize, usize)> {
        let (start, device) = self.hosts.range(..host + bytes).next_back()?;
        let mapping = self.mappings.get(device)?;
        let (first, end) = (host.max(*start), (host + bytes).min(start + mapping.bytes));
        (first < end).then(|| (device + (first - start), end - first))
    }
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
    fn host_memory_that_is_gone() {
        let here = [1u8, 2, 3];
        let mut to = [0; 3];
        assert!(read_host(here.as_ptr() as usize, &mut to) && to == here);
        assert!(!read_host(16, &mut to));
    }

    #[test]
    fn mapped_data_is_found_by_host_address() {
        let gpu = Gpu::new(accrue_ptx_sim::Options::default());
        let device = gpu.alloc(8).expect("there is memory") as usize;
        let mut watch = Watch::default();
        watch.begin(&gpu, 1000, device, 8);
        assert_eq!(watch.find(1004, 2), Some((device + 4, 2)));
        assert_eq!(watch.find(996, 8), Some((device, 4)));
        assert_eq!(watch.find(1006, 8), Some((device + 6, 2)));
        assert_eq!((watch.find(990, 10), watch.find(1008, 4)), (None, None));
        watch.end(device);
        assert_eq!(watch.find(1004, 2), None);
    }
}
