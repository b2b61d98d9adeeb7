//! Kernels that get by with few groups on a multiprocessor, so that their work items may have many registers.
//!
//! NVIDIA's driver gives work items as few registers as it can, and OpenCL C has no word for another wish: forces of n bodies took 1.6 times
//! as long as by the same PTX with one, a product of matrices 1.9 times. What the driver has made of a text is PTX, though, which it
//! takes back as a binary; so the wish that the text has in a comment is put there.
//!
//! ```text
//! //@enough_groups k0_0 4              .entry k0_0( … )                     .entry k0_0( … )
//! __kernel … void k0_0(…)     ──▶      .reqntid 128, 1, 1          ──▶      .reqntid 128, 1, 1
//!                                      { …                                  .minnctapersm 4
//!                                                                           { …
//! ```
//! A binary that does not look like that stays as it is. Cost: linear in the size of the text and the binary.

use crate::abi::launch::ENOUGH_GROUPS_MARK;

/// The binary with the wishes of the text; none where there is nothing to wish, or no place for it.
pub fn with_wishes(text: &str, binary: &[u8]) -> Option<Vec<u8>> {
    let mut changed = None;
    for (entry, groups) in wishes(text) {
        let whole = changed.as_deref().unwrap_or(binary);
        let Some(at) = end_of_group_size(whole, entry) else {
            continue;
        };
        let (before, after) = whole.split_at(at);
        let wish = format!(".minnctapersm {groups}\n");
        changed = Some([before, wish.as_bytes(), after].concat());
    }
    changed
}

/// The kernels of a text, and how many of their groups are enough.
fn wishes(text: &str) -> impl Iterator<Item = (&str, u32)> {
    let marked = text
        .lines()
        .filter_map(|line| line.strip_prefix(ENOUGH_GROUPS_MARK));
    marked.filter_map(|line| {
        let (entry, groups) = line.split_once(' ')?;
        Some((entry, groups.parse().ok()?))
    })
}

/// Behind the line with the size of the entry's groups, in front of its body.
fn end_of_group_size(ptx: &[u8], entry: &str) -> Option<usize> {
    let head = format!(".entry {entry}(");
    let start = find(ptx, head.as_bytes())? + head.len();
    let body = start + find(&ptx[start..], b"{")?;
    let size = start + find(&ptx[start..body], b".reqntid")?;
    Some(size + find(&ptx[size..body], b"\n")? + 1)
}

/// Where `part` is in `whole`.
fn find(whole: &[u8], part: &[u8]) -> Option<usize> {
    whole.windows(part.len()).position(|bytes| bytes == part)
}

#[cfg(test)]
mod tests {
    use super::with_wishes;

    const PTX: &[u8] = b".entry a(\n)\n.reqntid 64, 1, 1\n{\n}\n.entry ab(\n)\n{\n}\n\0rest";

    #[test]
    fn a_wish_comes_behind_the_size() {
        let with = with_wishes("//@enough_groups a 8\n__kernel void a()", PTX);
        let wanted =
            b".entry a(\n)\n.reqntid 64, 1, 1\n.minnctapersm 8\n{\n}\n.entry ab(\n)\n{\n}\n\0rest";
        assert_eq!(with.as_deref(), Some(&wanted[..]));
    }

    #[test]
    fn other_binaries_stay() {
        assert_eq!(with_wishes("__kernel void a()", PTX), None);
        // Its group size is open.
        assert_eq!(with_wishes("//@enough_groups ab 8\n", PTX), None);
        assert_eq!(with_wishes("//@enough_groups b 8\n", PTX), None);
        assert_eq!(with_wishes("//@enough_groups a 8\n", b"\x7fELF"), None);
    }
}
