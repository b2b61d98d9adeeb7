//! Devices without shared virtual memory: all device memory is one buffer, and addresses are those inside it.
//!
//! Pointers in data are addresses that kernels load from memory, and OpenCL 1.2 has no function that tells where a buffer is. A kernel
//! knows:
//!
//! ```c
//! __kernel void accrue_where(__global char *memory) { *(__global ulong *)memory = (ulong)memory; }
//! ```
//! OpenCL does not promise that a buffer stays where it is. Drivers of devices with addresses of 64 bits keep it there as long as
//! kernels have it as an argument, and every kernel has ([`super::kernel`]): so it is asked twice, and a device that answers
//! differently is not used. One buffer, since a kernel could not be told of more.
//!
//! ```text
//! 0x7f…000  | a | b |        free        |      copy a[0:n] in  ──▶  clEnqueueWriteBuffer(buffer, a - 0x7f…000, …)
//! ```
//! Numbers that are addresses of the buffer may be addresses of the host, too. The same range of the host's is taken, so that
//! nothing of the program's comes to be there.
//!
//! The buffer is as large as the device gives. Where it is memory of the host's, other processes are to have some too, and PoCL breaks
//! off when what it has promised is not there: it is at most half of what is available, and of what the host gives this process.
//!
//! `ACCRUE_OPENCL_ADDRESSES=buffer` lets every device be used in this way.

use super::driver::{CommandQueue, Context, DeviceId, MemoryObject, OpenCl, Until};
use super::status::{Result, Status};
use opencl_sys as cl;

/// The environment variable, and what it may be.
const METHOD: &str = "ACCRUE_OPENCL_ADDRESSES";
const BUFFER: &str = "buffer";

/// Least bytes of a buffer that is worth having.
const LEAST: usize = 1 << 20;

const WHERE: &str = "__kernel void accrue_where(__global char *memory)\n{\n    *(__global ulong *)memory = (ulong)memory;\n}\n";

/// Whether the user wants a buffer on every device.
pub fn is_wanted() -> bool {
    std::env::var(METHOD).is_ok_and(|value| value == BUFFER)
}

/// Of the `most` bytes that a buffer in the host's memory may have, those that the host has for it.
pub fn of_host(most: usize) -> usize {
    let available = std::fs::read_to_string("/proc/meminfo").ok();
    let available = available.and_then(|text| available_bytes(&text));
    let mut bytes = most.min(available.map_or(most, |bytes| bytes / 2));
    while bytes / 2 >= LEAST && !has_twice(bytes) {
        bytes /= 2;
    }
    bytes
}

/// What the system says is available, in bytes.
fn available_bytes(meminfo: &str) -> Option<usize> {
    let line = meminfo
        .lines()
        .find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Whether this process can have so many bytes twice: limits of its own are not in what the system says.
fn has_twice(bytes: usize) -> bool {
    let all = bytes.saturating_mul(2);
    // SAFETY: new memory, which nobody uses and which is given back at once.
    unsafe {
        let start = libc::mmap(
            std::ptr::null_mut(),
            all,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        );
        start != libc::MAP_FAILED && libc::munmap(start, all) == 0
    }
}

/// The device's memory.
pub struct Buffer {
    pub memory: MemoryObject,
    /// Its address on the device.
    pub start: usize,
    pub bytes: usize,
}

/// Between what a copy is.
#[derive(Clone, Copy, Debug)]
pub enum Direction {
    In,
    Out(Until),
    Within,
}

impl Buffer {
    /// The largest that the device gives, up to `most` bytes.
    pub fn new(
        opencl: &OpenCl,
        context: Context,
        device: DeviceId,
        most: usize,
    ) -> std::result::Result<Buffer, String> {
        let failed = |status: Status| format!("{} ({})", status.name(), status.0);
        let program = opencl.build_text(context, device, WHERE, c"-cl-std=CL1.2");
        let program = program.map_err(|error| failed(error.status))?;
        let queue = opencl.new_plain_queue(context, device, false);
        let queue = queue.map_err(failed)?;
        let mut bytes = most;
        loop {
            // Some drivers find out only when the memory is used first.
            let made = opencl.new_buffer(context, bytes).and_then(|memory| {
                let start = [(); 2].map(|()| {
                    // SAFETY: the program is that of the text above.
                    let kernel = unsafe { opencl.kernel(program, c"accrue_where") }?;
                    opencl.set_buffer(kernel, 0, memory)?;
                    start(opencl, queue, kernel, memory)
                });
                match start {
                    [Ok(first), Ok(second)] => Ok((memory, first, second)),
                    [Err(status), _] | [_, Err(status)] => {
                        opencl.release_buffer(memory);
                        Err(status)
                    }
                }
            });
            match made {
                Ok((_, first, second)) if first != second || first == 0 => {
                    return Err("a buffer does not keep its address there".into());
                }
                Ok((memory, start, _)) => {
                    take_range(start, bytes);
                    return Ok(Buffer {
                        memory,
                        start,
                        bytes,
                    });
                }
                Err(status) if bytes / 2 < LEAST => return Err(failed(status)),
                Err(_) => bytes /= 2,
            }
        }
    }

    /// The place of an address.
    fn at(&self, address: usize) -> (MemoryObject, usize) {
        (self.memory, address.wrapping_sub(self.start))
    }

    /// Copies in the queue's order.
    ///
    /// # Safety
    /// Both ranges are valid until the command is complete.
    pub unsafe fn copy(
        &self,
        opencl: &OpenCl,
        queue: CommandQueue,
        direction: Direction,
        [to, from]: [usize; 2],
        bytes: usize,
    ) -> Result<()> {
        match direction {
            // SAFETY: passed on to the caller.
            Direction::In => unsafe { opencl.write_buffer(queue, self.at(to), from, bytes) },
            // SAFETY: passed on to the caller.
            Direction::Out(until) => unsafe {
                opencl.read_buffer(queue, to, self.at(from), bytes, until)
            },
            Direction::Within => {
                let places = [self.at(to).1, self.at(from).1];
                opencl.copy_buffer(queue, self.memory, places, bytes)
            }
        }
    }

    /// As [`OpenCl::fill`].
    pub fn fill(
        &self,
        opencl: &OpenCl,
        queue: CommandQueue,
        address: usize,
        pattern: &[u8],
        bytes: usize,
    ) -> Result<()> {
        opencl.fill_buffer(queue, self.at(address), pattern, bytes)
    }
}

/// Where the buffer is, as a kernel sees it that has it as its argument.
fn start(
    opencl: &OpenCl,
    queue: CommandQueue,
    kernel: super::driver::Kernel,
    memory: MemoryObject,
) -> Result<usize> {
    let mut start = 0u64;
    // SAFETY: the kernel takes the buffer, and the number lives until the queue is empty.
    unsafe {
        opencl.launch(queue, kernel, [1; 3], [1; 3], false)?;
        let (host, bytes) = ((&raw mut start) as usize, size_of_val(&start));
        opencl.read_buffer(queue, host, (memory, 0), bytes, Until::Complete)?;
    }
    usize::try_from(start).map_err(|_| Status(cl::CL_INVALID_VALUE))
}

/// Takes this range of the host's addresses, unless something is there: that is the driver's, which has taken it for the buffer.
fn take_range(start: usize, bytes: usize) {
    const PAGE: usize = 4096;
    let first = start.next_multiple_of(PAGE);
    let last = (start + bytes) / PAGE * PAGE;
    if first >= last {
        return;
    }
    // SAFETY: new memory that nobody may touch; nothing that is there is replaced.
    unsafe {
        libc::mmap(
            first as *mut libc::c_void,
            last - first,
            libc::PROT_NONE,
            libc::MAP_PRIVATE
                | libc::MAP_ANONYMOUS
                | libc::MAP_NORESERVE
                | libc::MAP_FIXED_NOREPLACE,
            -1,
            0,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_available() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:    2000000 kB\nBuffers: 1 kB\n";
        assert_eq!(available_bytes(text), Some(2_048_000_000));
        assert_eq!(available_bytes("MemTotal: 1 kB\n"), None);
        assert!(of_host(1 << 30) <= 1 << 30);
        assert!(has_twice(1 << 20));
        assert!(!has_twice(usize::MAX / 4));
    }
}
