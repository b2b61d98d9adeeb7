//! Which bytes of a mapping are copied, in how many calls of the device: rows at equal distances are one block, and attached
//! pointers are left out, because each side has its own.

use super::{Actions, POINTER};
use crate::device::Rows;
use crate::notify::{self, Event};
use crate::present::table::{Attachment, Mapping, MappingId};
use crate::section::Piece;
use crate::tools::{self, Pair};

impl Actions<'_> {
    /// Copies pieces of a mapping to the device, except attached pointers.
    pub fn copy_in(&mut self, id: MappingId, runs: &[Piece]) {
        let (device, queue) = (self.device, self.queue);
        self.transfer(id, runs, "in", &|mapping, first, rows| {
            if let Some(site) = self.site {
                site.profile.add_bytes_in(rows.width * rows.height);
            }
            let to = mapping.translate(first);
            let _upload = tools::transfer(Pair::Upload, &memory(mapping, first, rows));
            // SAFETY: the rows lie in the mapping; the user promises that the host range is
            // valid until the transfer is complete.
            unsafe {
                match rows.height {
                    1 => device.copy_in(to, first, rows.width, queue),
                    _ => device.copy_rows_in(to, first, rows, queue),
                }
            }
        });
    }

    /// Copies pieces of a mapping to the host, except attached pointers.
    pub fn copy_out(&mut self, id: MappingId, runs: &[Piece]) {
        let (device, queue) = (self.device, self.queue);
        self.transfer(id, runs, "out", &|mapping, first, rows| {
            if let Some(site) = self.site {
                site.profile.add_bytes_out(rows.width * rows.height);
            }
            let from = mapping.translate(first);
            let _download = tools::transfer(Pair::Download, &memory(mapping, first, rows));
            // SAFETY: as for `copy_in`.
            unsafe {
                match rows.height {
                    1 => device.copy_out(first, from, rows.width, queue),
                    _ => device.copy_rows_out(first, from, rows, queue),
                }
            }
        });
    }

    /// Calls `copy` with the host address of each contiguous piece, or block of equally spaced pieces.
    fn transfer(
        &self,
        id: MappingId,
        runs: &[Piece],
        direction: &str,
        copy: &dyn Fn(&Mapping, usize, Rows),
    ) {
        let Some(mapping) = self.table.get(id) else {
            return;
        };
        if mapping.is_shared() {
            return;
        }
        if mapping.attachments.is_empty() {
            for_each_block(runs, &mut |first, rows| {
                self.announce(direction, mapping, first, rows.width * rows.height);
                copy(mapping, first, rows);
            });
            return;
        }
        for &run in runs {
            for_each_gap(&mapping.attachments, mapping.host, run, &mut |piece| {
                self.announce(direction, mapping, piece.start, piece.bytes);
                copy(mapping, piece.start, Rows::single(piece.bytes));
            });
        }
    }

    fn announce(&self, direction: &str, mapping: &Mapping, host: usize, bytes: usize) {
        if notify::wants(Event::Copy) {
            notify::line(format_args!(
                "copy{direction} device={} queue={} bytes={bytes} host={host:#x} name={}",
                self.device.name(),
                self.queue,
                mapping.origin.name
            ));
        }
    }
}

/// What tools are told of a transfer.
fn memory(mapping: &Mapping, first: usize, rows: Rows) -> tools::Memory {
    tools::Memory {
        name: mapping.origin.name,
        bytes: rows.width * rows.height,
        host: first,
        device: mapping.translate(first),
    }
}

/// Visits the runs in groups of equal length and distance: `a[0:n][0:m]` of a wider array is one block of n rows. The
/// first address of a group comes with it.
fn for_each_block(runs: &[Piece], visit: &mut dyn FnMut(usize, Rows)) {
    let mut rest = runs;
    while let [first, others @ ..] = rest {
        let mut rows = Rows::single(first.bytes);
        if let [second, ..] = others
            && second.bytes == first.bytes
            && second.start >= first.start + first.bytes
        {
            rows.pitch = second.start - first.start;
            let belongs = |(index, run): (usize, &Piece)| {
                run.bytes == rows.width && run.start == first.start + (index + 1) * rows.pitch
            };
            rows.height += others
                .iter()
                .enumerate()
                .take_while(|&run| belongs(run))
                .count();
        }
        visit(first.start, rows);
        rest = &rest[rows.height..];
    }
}

/// Visits the parts of `run` between attached pointers; `attachments` are in order.
fn for_each_gap(attachments: &[Attachment], base: usize, run: Piece, visit: &mut dyn FnMut(Piece)) {
    let end = run.start + run.bytes;
    let mut start = run.start;
    for attachment in attachments {
        let pointer = base + attachment.offset;
        if pointer + POINTER <= start || pointer >= end {
            continue;
        }
        if pointer > start {
            visit(Piece {
                start,
                bytes: pointer - start,
            });
        }
        start = (pointer + POINTER).max(start);
    }
    if start < end {
        visit(Piece {
            start,
            bytes: end - start,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_at_equal_distances_are_one_block() {
        let blocks = |runs: &[(usize, usize)]| {
            let runs: Vec<Piece> = runs
                .iter()
                .map(|&(start, bytes)| Piece { start, bytes })
                .collect();
            let mut all = Vec::new();
            for_each_block(&runs, &mut |first, rows| {
                all.push((first, rows.width, rows.height, rows.pitch));
            });
            all
        };
        assert_eq!(blocks(&[]), []);
        assert_eq!(blocks(&[(100, 8)]), [(100, 8, 1, 8)]);
        assert_eq!(blocks(&[(100, 8), (120, 8), (140, 8)]), [(100, 8, 3, 20)]);
        // Two planes of two rows, then one of another length.
        assert_eq!(
            blocks(&[(0, 4), (10, 4), (100, 4), (110, 4), (130, 6)]),
            [(0, 4, 2, 10), (100, 4, 2, 10), (130, 6, 1, 6)]
        );
        // Rows that come in another order are not a block.
        assert_eq!(blocks(&[(50, 8), (20, 8)]), [(50, 8, 1, 8), (20, 8, 1, 8)]);
    }

    #[test]
    fn gaps_leave_attached_pointers_out() {
        let at = |offset| Attachment {
            offset,
            count: 1,
            target: 0,
            leads_to: 0,
        };
        let gaps = |attachments: &[Attachment], start, bytes| {
            let mut all = Vec::new();
            for_each_gap(attachments, 1000, Piece { start, bytes }, &mut |piece| {
                all.push((piece.start, piece.bytes));
            });
            all
        };
        assert_eq!(gaps(&[], 1000, 40), [(1000, 40)]);
        assert_eq!(
            gaps(&[at(8), at(24)], 1000, 40),
            [(1000, 8), (1016, 8), (1032, 8)]
        );
        assert_eq!(gaps(&[at(0)], 1000, 8), []);
        assert_eq!(gaps(&[at(0)], 1020, 8), [(1020, 8)]);
    }
}
