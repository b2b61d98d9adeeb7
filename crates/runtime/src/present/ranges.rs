//! An ordered map from non-overlapping address ranges to numbers, built for lookups.
//!
//! Two levels: a sorted list of blocks, each a sorted array of at most `BLOCK` ranges. A
//! lookup is a binary search over the first addresses of all blocks (for a million ranges these
//! fit the second-level cache) and one inside a block; an insertion moves at most one block.
//! With many ranges a lookup costs what its cache misses cost: a block therefore samples the
//! first address of every group of `GROUP`, so that two groups are read instead of the five
//! lines that a binary search over the block would touch.

/// Most ranges per block.
const BLOCK: usize = GROUP * GROUP;
/// Addresses that are compared together: two cache lines.
const GROUP: usize = 16;

/// A range of addresses with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub start: usize,
    /// One past the last address; greater than `start`.
    pub end: usize,
    pub id: u32,
    /// Tells successive owners of a number apart. It is kept here, where it costs no memory, so that a lookup need not
    /// read what the number stands for.
    pub generation: u32,
}

/// How a range lies in the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// No address of it is in the map.
    Absent,
    /// It lies inside this entry.
    Inside(Entry),
    /// Some of its addresses are in this entry, but it does not lie inside it.
    Partial(Entry),
}

struct Block {
    /// The start of every `GROUP`th range; the largest address where there is none.
    samples: [usize; GROUP],
    starts: Vec<usize>,
    /// End, number and generation.
    rest: Vec<(usize, u32, u32)>,
}

impl Block {
    fn new(starts: Vec<usize>, rest: Vec<(usize, u32, u32)>) -> Self {
        let mut block = Block {
            samples: [usize::MAX; GROUP],
            starts,
            rest,
        };
        block.sample();
        block
    }

    /// Takes the samples anew, after the starts have changed.
    fn sample(&mut self) {
        for (group, sample) in self.samples.iter_mut().enumerate() {
            let start = self.starts.get(group * GROUP);
            *sample = start.copied().unwrap_or(usize::MAX);
        }
    }

    /// Number of ranges that start at or before `address`.
    fn starting_by(&self, address: usize) -> usize {
        if self.starts.len() <= GROUP {
            return self.starts.partition_point(|&start| start <= address);
        }
        let groups = self.samples.partition_point(|&start| start <= address);
        let Some(group) = groups.checked_sub(1) else {
            return 0;
        };
        let first = (group * GROUP).min(self.starts.len());
        let last = (first + GROUP).min(self.starts.len());
        first + self.starts[first..last].partition_point(|&start| start <= address)
    }

    fn entry(&self, index: usize) -> Entry {
        let (end, id, generation) = self.rest[index];
        Entry {
            start: self.starts[index],
            end,
            id,
            generation,
        }
    }
}

/// The map.
#[derive(Default)]
pub struct Ranges {
    /// First address of each block, in order.
    firsts: Vec<usize>,
    blocks: Vec<Block>,
    len: usize,
}

impl Ranges {
    /// Number of ranges.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True when there is no range.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Position (block, index) of the last entry that starts at or before `address`.
    fn floor_position(&self, address: usize) -> Option<(usize, usize)> {
        let block = self
            .firsts
            .partition_point(|&first| first <= address)
            .checked_sub(1)?;
        // The block's first start is at or before the address, so the inner point is not 0.
        let index = self.blocks[block].starting_by(address).checked_sub(1)?;
        Some((block, index))
    }

    /// The last entry that starts at or before `address`.
    pub fn floor(&self, address: usize) -> Option<Entry> {
        let (block, index) = self.floor_position(address)?;
        Some(self.blocks[block].entry(index))
    }

    /// The first entry that starts after `address`.
    pub fn above(&self, address: usize) -> Option<Entry> {
        let (block, index) = match self.floor_position(address) {
            Some((block, index)) if index + 1 < self.blocks[block].starts.len() => {
                (block, index + 1)
            }
            Some((block, _)) => (block + 1, 0),
            None => (0, 0),
        };
        Some(self.blocks.get(block)?.entry(index))
    }

    /// How the non-empty range from `start` to `end` lies in the map.
    pub fn find(&self, start: usize, end: usize) -> Found {
        if let Some(entry) = self.floor(start)
            && entry.end > start
        {
            return if end <= entry.end {
                Found::Inside(entry)
            } else {
                Found::Partial(entry)
            };
        }
        match self.above(start) {
            Some(entry) if entry.start < end => Found::Partial(entry),
            Some(_) | None => Found::Absent,
        }
    }

    /// Adds an entry; the caller has made sure with [`Ranges::find`] that nothing overlaps it.
    pub fn insert(&mut self, entry: Entry) {
        self.len += 1;
        let block = self
            .firsts
            .partition_point(|&first| first <= entry.start)
            .saturating_sub(1);
        if self.blocks.is_empty() {
            self.blocks.push(Block::new(Vec::new(), Vec::new()));
            self.firsts.push(entry.start);
        }
        let target = &mut self.blocks[block];
        let index = target.starts.partition_point(|&start| start < entry.start);
        target.starts.insert(index, entry.start);
        target
            .rest
            .insert(index, (entry.end, entry.id, entry.generation));
        self.firsts[block] = target.starts[0];
        if target.starts.len() > BLOCK {
            let (starts, rest) = (
                target.starts.split_off(BLOCK / 2),
                target.rest.split_off(BLOCK / 2),
            );
            target.sample();
            let upper = Block::new(starts, rest);
            self.firsts.insert(block + 1, upper.starts[0]);
            self.blocks.insert(block + 1, upper);
        } else {
            target.sample();
        }
    }

    /// Removes the entry that starts at `start`.
    pub fn remove(&mut self, start: usize) -> Option<Entry> {
        let (block, index) = self.floor_position(start)?;
        let entry = self.blocks[block].entry(index);
        if entry.start != start {
            return None;
        }
        let target = &mut self.blocks[block];
        target.starts.remove(index);
        target.rest.remove(index);
        target.sample();
        self.len -= 1;
        match target.starts.first() {
            Some(&first) => self.firsts[block] = first,
            None => {
                self.blocks.remove(block);
                self.firsts.remove(block);
            }
        }
        Some(entry)
    }

    /// All entries in order of their addresses.
    pub fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        self.blocks
            .iter()
            .flat_map(|block| (0..block.starts.len()).map(|index| block.entry(index)))
    }
}
