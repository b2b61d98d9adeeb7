//! An ordered map from non-overlapping address ranges to numbers, built for lookups.
//!
//! Two levels: a sorted list of blocks, each a sorted array of at most `BLOCK` ranges. A
//! lookup is a binary search over the first addresses of all blocks (for a million ranges these
//! fit the second-level cache) and one inside a block; an insertion moves at most one block.

/// Most ranges per block.
const BLOCK: usize = 256;

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

#[derive(Default)]
struct Block {
    starts: Vec<usize>,
    /// End, number and generation.
    rest: Vec<(usize, u32, u32)>,
}

impl Block {
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
        let index = self.blocks[block]
            .starts
            .partition_point(|&start| start <= address)
            .checked_sub(1)?;
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
            self.blocks.push(Block::default());
            self.firsts.push(entry.start);
        }
        let target = &mut self.blocks[block];
        let index = target.starts.partition_point(|&start| start < entry.start);
        target.starts.insert(index, entry.start);
        target.rest
            .insert(index, (entry.end, entry.id, entry.generation));
        self.firsts[block] = target.starts[0];
        if target.starts.len() > BLOCK {
            let upper = Block {
                starts: target.starts.split_off(BLOCK / 2),
                rest: target.rest.split_off(BLOCK / 2),
            };
            self.firsts.insert(block + 1, upper.starts[0]);
            self.blocks.insert(block + 1, upper);
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
