//! Copies of a device's memory for a region that runs on the host, and the pointers in them.
//!
//! Problem: what a pointer in memory holds is an address of the device, whether a directive attached it or a kernel stored it:
//!
//! ```text
//! device   s[0] { next ──┐ }     s[1] { … }       kernels stored &s[1]
//!                        └────────▲
//! shadow   s[0] { next ──┐ }     s[1] { … }       the host's kernel loads the address of the shadow
//!                        └────────▲
//! ```
//!
//! Steps:
//! 1. Each allocation that an argument leads to has a shadow, all of it, so that no two overlap.
//! 2. Words of shadows that hold an address in, or just behind, memory of the device lead to its shadow, which is made if there is none.
//! 3. Behind the kernel, words that lead to a shadow lead to the device's memory.
//! 4. Shadows are copied back.
//!
//! Steps 2 and 3 are for kernels that take pointers from memory or put them there ([`KERNEL_POINTERS`]): in those a number that equals
//! an address of the device is taken for that. Addresses of functions are the host's everywhere.
//!
//! Cost: a look at each word, and one in the device's tables for those that may be addresses.
//!
//! [`KERNEL_POINTERS`]: crate::abi::KERNEL_POINTERS

use crate::device::{Device, Queue};
use crate::present::table::PresentTable;
use std::collections::{BTreeMap, BTreeSet};

const WORD: usize = size_of::<usize>();

/// What addresses of devices are among, also the simulator's: most numbers that programs count with are below, floating-point
/// numbers above.
const ADDRESSES: std::ops::Range<usize> = 1 << 16..1 << 60;

/// A copy of device memory on the host.
struct Shadow {
    device: usize,
    bytes: usize,
    /// Words, so that it is aligned for every type of C.
    memory: Vec<u128>,
}

impl Shadow {
    fn start(&self) -> usize {
        self.memory.as_ptr() as usize
    }

    /// The host address that stands for a device address in, or relative to, this memory.
    fn translate(&self, device: usize) -> usize {
        self.start().wrapping_add(device.wrapping_sub(self.device))
    }

    fn holds(&self, device: usize) -> bool {
        device.wrapping_sub(self.device) < self.bytes
    }

    fn word(&self, place: usize) -> usize {
        // SAFETY: places of words lie in the memory.
        unsafe { ((self.start() + place) as *const usize).read_unaligned() }
    }

    fn set(&mut self, place: usize, word: usize) {
        let start = self.memory.as_mut_ptr().cast::<u8>();
        // SAFETY: places of words lie in the memory.
        unsafe { start.add(place).cast::<usize>().write_unaligned(word) }
    }
}

/// All shadows of one launch.
pub struct Shadows<'a> {
    device: &'a dyn Device,
    all: Vec<Shadow>,
    /// Numbers of shadows, by where the device's memory starts.
    by_device: BTreeMap<usize, usize>,
    /// Where on the device attached pointers are that are not aligned: members of packed structures.
    unaligned: BTreeSet<usize>,
}

impl<'a> Shadows<'a> {
    pub fn new(device: &'a dyn Device, table: &PresentTable) -> Shadows<'a> {
        let attached = table.iter().flat_map(|mapping| {
            let attachments = mapping.attachments.iter();
            attachments.map(|attachment| mapping.device + attachment.offset)
        });
        Shadows {
            device,
            all: Vec::new(),
            by_device: BTreeMap::new(),
            unaligned: attached.filter(|place| place % WORD != 0).collect(),
        }
    }

    /// What `address`, in or relative to the device memory in which, or just behind which, `inside` lies, is on the host. None where there
    /// is no such memory.
    pub fn on_host(
        &mut self,
        table: &PresentTable,
        inside: usize,
        address: usize,
    ) -> Option<usize> {
        if let Some(shadow) = self.with(inside) {
            return Some(shadow.translate(address));
        }
        let (start, bytes) = self
            .own(table, inside)
            .or_else(|| self.device.allocation(inside))?;
        Some(self.add(start, bytes).translate(address))
    }

    /// What `word` is on the host if it leads to memory that is the runtime's or mapped; of other memory only the driver knows,
    /// which takes long to say it.
    fn pointer_on_host(&mut self, table: &PresentTable, word: usize) -> Option<usize> {
        if !ADDRESSES.contains(&word) {
            return None;
        }
        if let Some(shadow) = self.with(word) {
            return Some(shadow.translate(word));
        }
        let (start, bytes) = self.own(table, word)?;
        Some(self.add(start, bytes).translate(word))
    }

    /// The words of an argument on the host.
    pub fn word_on_host(&mut self, table: &PresentTable, word: u64) -> u64 {
        let host = usize::try_from(word).ok();
        let host = host.and_then(|word| self.pointer_on_host(table, word));
        host.map_or(word, |host| host as u64)
    }

    /// The shadow of the memory that `address` is in.
    fn with(&self, address: usize) -> Option<&Shadow> {
        let (_, shadow) = self.by_device.range(..=address).next_back()?;
        Some(&self.all[*shadow]).filter(|shadow| shadow.holds(address))
    }

    /// Start and bytes of the memory of the runtime's, or mapped, that `address` is in, or else just behind.
    fn own(&self, table: &PresentTable, address: usize) -> Option<(usize, usize)> {
        let owned = self.device.owns(address);
        let owned = owned.then(|| self.device.allocation(address)).flatten();
        if let Some((start, bytes)) = owned
            && address - start < bytes
        {
            return owned;
        }
        // Memory that the program has from elsewhere.
        let mut mapped = table.iter();
        let mapped = mapped.find(|mapping| address.wrapping_sub(mapping.device) < mapping.bytes);
        mapped
            .map(|mapping| (mapping.device, mapping.bytes))
            .or(owned)
    }

    /// The shadow of so many bytes from `start` on.
    fn add(&mut self, start: usize, bytes: usize) -> &Shadow {
        let number = *self.by_device.entry(start).or_insert(self.all.len());
        if number == self.all.len() {
            let mut memory = vec![0u128; bytes.div_ceil(size_of::<u128>())];
            let host = memory.as_mut_ptr() as usize;
            // SAFETY: the new memory has room for the bytes; the device's are those of a mapping or an allocation.
            unsafe { self.device.copy_out(host, start, bytes, Queue::Sync) };
            self.all.push(Shadow {
                device: start,
                bytes,
                memory,
            });
        }
        &self.all[number]
    }

    /// Where in a shadow pointers may be.
    fn places(&self, shadow: usize) -> impl Iterator<Item = usize> + use<> {
        let Shadow { device, bytes, .. } = self.all[shadow];
        let end = (bytes + 1).saturating_sub(WORD);
        let unaligned = self.unaligned.range(device..device + end);
        let unaligned: Vec<usize> = unaligned.map(|place| place - device).collect();
        (0..end).step_by(WORD).chain(unaligned)
    }

    /// Lets all pointers in shadows lead to shadows.
    pub fn translate_pointers(&mut self, table: &PresentTable) {
        let mut shadow = 0;
        while shadow < self.all.len() {
            self.device.complete();
            for place in self.places(shadow) {
                let word = self.all[shadow].word(place);
                if let Some(host) = self.pointer_on_host(table, word) {
                    self.all[shadow].set(place, host);
                }
            }
            shadow += 1;
        }
    }

    /// Lets all pointers in shadows lead to the device's memory again.
    pub fn restore_pointers(&mut self) {
        let shadows = self.all.iter();
        let mut starts: Vec<(usize, usize, usize)> = shadows
            .map(|shadow| (shadow.start(), shadow.bytes, shadow.device))
            .collect();
        starts.sort_unstable();
        let on_device = |word: usize| {
            let behind = starts.partition_point(|(start, ..)| *start <= word);
            let (start, bytes, device) = *starts.get(behind.checked_sub(1)?)?;
            (word - start <= bytes).then(|| device + (word - start))
        };
        for shadow in 0..self.all.len() {
            for place in self.places(shadow) {
                if let Some(address) = on_device(self.all[shadow].word(place)) {
                    self.all[shadow].set(place, address);
                }
            }
        }
    }

    /// Copies everything back.
    pub fn copy_back(&self) {
        for shadow in &self.all {
            // SAFETY: both memories have so many bytes.
            unsafe {
                self.device
                    .copy_in(shadow.device, shadow.start(), shadow.bytes, Queue::Sync);
            }
        }
        self.device.complete();
    }
}
