//! From the words of a variable to pieces of host memory.
//!
//! A section of contiguous storage (`a[1:2][0:3]` of `double a[4][5]`) has a *hull*, the smallest
//! range that holds it, which is what gets mapped, and *runs*, the contiguous stretches of its
//! elements, which is what gets copied. A dynamic multi-dimensional array (`float **p`, section
//! `p[0:n][0:m]`) is a tree: the table of row pointers is one section, each row another, reached
//! through its slot in the table.
//!
//! ```text
//! p ──▶ [ p[0] | p[1] | … ]        group 0: n elements of 8 bytes
//!          │      └──▶ row 1       group 1: m elements of 4 bytes, attached at &p[1]
//!          └─────────▶ row 0
//! ```

use crate::abi::{Action, Dim, Var};

/// A mistake in a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionError {
    /// The length of this dimension (from 0) is negative.
    NegativeLength(usize),
    /// More bytes than the address space has.
    TooLarge,
}

impl std::fmt::Display for SectionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SectionError::NegativeLength(dim) => {
                write!(f, "the length of dimension {} is negative", dim + 1)
            }
            SectionError::TooLarge => f.write_str("the section is larger than memory"),
        }
    }
}

/// A section of contiguous storage.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// Address of the element whose subscripts are all 0.
    pub base: usize,
    /// Bytes of an element.
    pub element: usize,
    /// Outermost first; empty for a whole object.
    pub dims: &'a [Dim],
}

/// A contiguous piece of host memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub start: usize,
    pub bytes: usize,
}

impl Piece {
    /// One past the last address.
    pub fn end(&self) -> usize {
        self.start.saturating_add(self.bytes)
    }

    /// The smallest piece that holds both.
    pub fn with(&self, other: Piece) -> Piece {
        let start = self.start.min(other.start);
        Piece {
            start,
            bytes: self.end().max(other.end()) - start,
        }
    }
}

impl<'a> Section<'a> {
    /// What an operand maps first: all of it, or the table of row pointers.
    pub fn outermost(operand: &Operand<'a>) -> Section<'a> {
        let tables =
            (1..operand.dims.len()).find(|&k| k < 16 && operand.var.pointer_dims & (1 << k) != 0);
        let outer = tables.unwrap_or(operand.dims.len());
        Section {
            base: operand.base,
            element: match tables {
                Some(_) => size_of::<usize>(),
                None => operand.var.elem_size as usize,
            },
            dims: &operand.dims[..outer],
        }
    }
}

impl Section<'_> {
    /// Distance in bytes between neighbours in dimension `k`.
    fn stride(&self, k: usize) -> i64 {
        match self.dims[k].stride {
            0 => self.element as i64,
            stride => stride,
        }
    }

    /// The smallest range that holds the section; its length is 0 for an empty section.
    pub fn hull(&self) -> Result<Piece, SectionError> {
        let mut start = self.base;
        let mut span = self.element;
        for (k, dim) in self.dims.iter().enumerate() {
            if dim.length > i64::MAX as u64 {
                return Err(SectionError::NegativeLength(k));
            }
            let stride = self.stride(k);
            start = start.wrapping_add_signed(stride.wrapping_mul(dim.lower as i64) as isize);
            if dim.length == 0 {
                span = 0;
            }
            if span > 0 {
                let reach = (stride.unsigned_abs() as usize)
                    .checked_mul(dim.length as usize - 1)
                    .ok_or(SectionError::TooLarge)?;
                span = reach.checked_add(span).ok_or(SectionError::TooLarge)?;
                if stride < 0 {
                    start = start.wrapping_sub(reach);
                }
            }
        }
        Ok(Piece { start, bytes: span })
    }

    /// The dimensions outside of contiguous stretches, and the bytes of a stretch: inner dimensions that are covered
    /// completely merge into one.
    fn runs(&self) -> (usize, usize) {
        let (mut outer, mut run) = (self.dims.len(), self.element);
        while outer > 0 {
            let length = self.dims[outer - 1].length as usize;
            if length != 1 && self.stride(outer - 1) != run as i64 {
                break;
            }
            run *= length;
            outer -= 1;
        }
        (outer, run)
    }

    /// The only stretch of elements, if there is just one.
    pub fn only_run(&self) -> Option<Piece> {
        let hull = self.hull().ok().filter(|hull| hull.bytes > 0)?;
        (self.runs().0 == 0).then_some(hull)
    }

    /// Calls `visit` for each contiguous stretch of elements, by rising addresses in each dimension.
    pub fn for_each_run(&self, visit: &mut dyn FnMut(Piece)) -> Result<(), SectionError> {
        let hull = self.hull()?;
        if hull.bytes == 0 {
            return Ok(());
        }
        let (outer, run) = self.runs();
        self.runs_below(0, outer, hull.start, run, visit);
        Ok(())
    }

    fn runs_below(
        &self,
        k: usize,
        outer: usize,
        start: usize,
        run: usize,
        visit: &mut dyn FnMut(Piece),
    ) {
        if k == outer {
            visit(Piece { start, bytes: run });
            return;
        }
        let stride = self.stride(k).unsigned_abs() as usize;
        for i in 0..self.dims[k].length as usize {
            self.runs_below(k + 1, outer, start + i * stride, run, visit);
        }
    }
}

/// A variable of a directive together with its words.
#[derive(Clone, Copy)]
pub struct Operand<'a> {
    pub var: &'a Var,
    pub action: Action,
    /// Word 0: address of the data.
    pub base: usize,
    /// Word 1: address of the pointer variable, or 0.
    pub pointer: usize,
    pub dims: &'a [Dim],
}

/// One node of an operand's tree of sections.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    pub section: Section<'a>,
    pub hull: Piece,
    /// Address of the host pointer that leads to this section and is to be attached, or 0.
    pub pointer: usize,
    /// True for a table of row pointers.
    pub is_table: bool,
}

impl<'a> Operand<'a> {
    /// Visits the sections of the operand, tables before rows.
    ///
    /// # Safety
    /// For dynamic multi-dimensional arrays the row pointers are read from host memory.
    pub unsafe fn for_each_section(
        &self,
        attach: bool,
        visit: &mut dyn FnMut(Node<'a>),
    ) -> Result<(), SectionError> {
        let pointer = if attach { self.pointer } else { 0 };
        // SAFETY: passed on to the caller.
        unsafe { self.visit_group(0, self.base, pointer, visit) }
    }

    unsafe fn visit_group(
        &self,
        first: usize,
        base: usize,
        pointer: usize,
        visit: &mut dyn FnMut(Node<'a>),
    ) -> Result<(), SectionError> {
        let next_group =
            (first + 1..self.dims.len()).find(|&k| k < 16 && self.var.pointer_dims & (1 << k) != 0);
        let last = next_group.unwrap_or(self.dims.len());
        let section = Section {
            base,
            element: match next_group {
                Some(_) => size_of::<usize>(),
                None => self.var.elem_size as usize,
            },
            dims: &self.dims[first..last],
        };
        let hull = section.hull()?;
        visit(Node {
            section,
            hull,
            pointer,
            is_table: next_group.is_some(),
        });
        let Some(next) = next_group else {
            return Ok(());
        };
        let mut rows = Vec::new();
        section.for_each_run(&mut |piece| {
            rows.extend((0..piece.bytes / size_of::<usize>()).map(|i| piece.start + i * 8));
        })?;
        for slot in rows {
            // SAFETY: the user's section says that the table has a pointer here.
            let row = unsafe { (slot as *const usize).read_unaligned() };
            if row != 0 {
                // SAFETY: passed on to the caller.
                unsafe { self.visit_group(next, row, slot, visit)? };
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dim(lower: u64, length: u64, stride: i64) -> Dim {
        Dim {
            lower,
            length,
            stride,
        }
    }

    fn runs(section: Section) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        section
            .for_each_run(&mut |piece| all.push((piece.start, piece.bytes)))
            .unwrap();
        all
    }

    #[test]
    fn a_whole_object_is_one_run() {
        let section = Section {
            base: 1000,
            element: 40,
            dims: &[],
        };
        assert_eq!(runs(section), [(1000, 40)]);
    }

    #[test]
    fn the_hull_of_a_block_spans_its_rows_and_the_runs_do_not() {
        // double a[4][5]; a[1:2][1:3]
        let section = Section {
            base: 1000,
            element: 8,
            dims: &[dim(1, 2, 40), dim(1, 3, 0)],
        };
        let hull = section.hull().unwrap();
        assert_eq!((hull.start, hull.bytes), (1048, 64));
        assert_eq!(runs(section), [(1048, 24), (1088, 24)]);
    }

    #[test]
    fn complete_inner_dimensions_merge() {
        let section = Section {
            base: 0,
            element: 4,
            dims: &[dim(2, 3, 140), dim(0, 5, 28), dim(0, 7, 0)],
        };
        assert_eq!(runs(section), [(2 * 35 * 4, 3 * 35 * 4)]);
    }

    #[test]
    fn the_only_run_is_that_of_a_contiguous_section() {
        fn section(dims: &[Dim]) -> Section<'_> {
            Section {
                base: 1000,
                element: 4,
                dims,
            }
        }
        for dims in [
            &[][..],
            &[dim(3, 5, 0)],
            &[dim(1, 2, 84), dim(0, 7, 12), dim(0, 3, 4)],
            &[dim(3, 1, 400), dim(2, 6, 4)],
        ] {
            let only = section(dims).only_run().unwrap();
            assert_eq!(runs(section(dims)), [(only.start, only.bytes)]);
        }
        for dims in [
            &[dim(3, 0, 0)][..],
            &[dim(3, (-1i64) as u64, 0)],
            &[dim(0, 2, 28), dim(1, 6, 0)],
            &[dim(0, 2, 8)],
        ] {
            assert_eq!(section(dims).only_run(), None);
        }
    }

    #[test]
    fn strided_planes() {
        let section = Section {
            base: 0,
            element: 1,
            dims: &[dim(0, 2, 12), dim(1, 2, 3), dim(0, 3, 0)],
        };
        assert_eq!(runs(section), [(3, 6), (15, 6)]);
    }

    #[test]
    fn sections_of_array_descriptors() {
        // real(8) a(5, 4): a(5:1:-2, 2:3), whose first element is at 1000 + 9 * 8.
        let section = Section {
            base: 1072,
            element: 8,
            dims: &[dim(0, 2, 40), dim(0, 3, -16)],
        };
        let hull = section.hull().unwrap();
        assert_eq!((hull.start, hull.bytes), (1040, 80));
        let columns = [1040, 1056, 1072, 1080, 1096, 1112];
        assert_eq!(runs(section), columns.map(|start| (start, 8)));
        assert_eq!(section.only_run(), None);
        // A dimension the wrong way round, in an array whose columns have gaps: a(:, 4:1:-1).
        let section = Section {
            base: 2000,
            element: 4,
            dims: &[dim(1, 2, -100), dim(0, 5, 0)],
        };
        assert_eq!(runs(section), [(1800, 20), (1900, 20)]);
    }

    #[test]
    fn empty_and_negative_lengths() {
        let dims = [dim(3, 0, 0)];
        let empty = Section {
            base: 80,
            element: 8,
            dims: &dims,
        };
        assert_eq!(empty.hull().unwrap().bytes, 0);
        assert!(runs(empty).is_empty());
        let negative = Section {
            base: 80,
            element: 8,
            dims: &[dim(0, (-1i64) as u64, 0)],
        };
        assert_eq!(
            negative.hull().unwrap_err(),
            SectionError::NegativeLength(0)
        );
    }
}
