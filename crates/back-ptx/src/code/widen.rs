//! Adjacent accesses become one instruction: a pass over instructions.
//!
//! Cost: linear in the lines, but for accesses between two walls, which are compared with each other.
//!
//! ```text
//! ld.global.nc.f64 %fd1, [%rd3];           ld.global.nc.v2.f64 {%fd1, %fd2}, [%rd3];
//! ld.global.nc.f64 %fd2, [%rd3+8];    →
//! st.global.f32 [%rd5+4], %f2;             st.global.v2.f32 [%rd5], {%f1, %f2};
//! st.global.f32 [%rd5], %f1;
//! ```
//!
//! Up to 16 bytes from the same register go together where the first address is known to be a multiple of all their bytes.
//! A vector load stands where its first part was, a vector store where its last part was. So nothing in between may
//! write what is loaded (loads of what nobody writes may pass stores), read or write what is stored, or be a jump, a
//! label, a call or a barrier; and no register may get another value in between. A store whose bytes are stored to again before
//! any of this goes away. Stores to different parts of blocks of
//! 16 bytes pass each other, also where it is not known whether the blocks are different ones:
//!
//! ```text
//! st.global.f32 [%rd5], %f1;      st.global.f32 [%rd6], %f2;         (both registers multiples of 8)
//! st.global.f32 [%rd5+4], %f3;    st.global.f32 [%rd6+4], %f4;       become two stores, in this order
//! ```

use super::{Access, Effect, Instruction, Line};
use std::ops::Deref;

/// Bytes of the widest instruction.
const WIDEST: u64 = 16;

impl Access {
    fn is_store(&self) -> bool {
        self.kind.starts_with("st")
    }

    /// Whether it is known if two stores touch the same part of a block.
    fn may_meet(&self, other: &Access) -> bool {
        let known = |a: &Access| a.place.modulus >= WIDEST;
        self.goes_with(other) || known(self) && known(other)
    }

    /// Whether two stores may write the same byte.
    fn may_overlap(&self, other: &Access) -> bool {
        let apart = |a: u64, b: &Access, c: u64| a + b.bytes <= c;
        let (a, b) = match self.goes_with(other) {
            true => (
                self.offset.cast_unsigned() ^ 1 << 63,
                other.offset.cast_unsigned() ^ 1 << 63,
            ),
            false => (self.place.rest % WIDEST, other.place.rest % WIDEST),
        };
        !(apart(a, self, b) || apart(b, other, a))
    }

    /// Whether two accesses are to the same bytes.
    fn is_at(&self, other: &Access) -> bool {
        self.goes_with(other) && self.offset == other.offset && self.bytes == other.bytes
    }

    fn goes_with(&self, other: &Access) -> bool {
        self.kind == other.kind
            && self.ty == other.ty
            && self.class == other.class
            && self.base == other.base
    }
}

/// An access and its place among the lines.
#[derive(Clone, Debug)]
struct Placed {
    line: usize,
    access: Access,
}

impl Deref for Placed {
    type Target = Access;

    fn deref(&self) -> &Access {
        &self.access
    }
}

/// The access that a line is.
fn placed((line, instruction): (usize, &Line)) -> Option<Placed> {
    match instruction {
        Line::Instruction(instruction) => {
            let access = *instruction.access.clone()?;
            Some(Placed { line, access })
        }
        Line::Label(_)
        | Line::Directive(_)
        | Line::Brace(_)
        | Line::Place(_)
        | Line::Comment(_)
        | Line::Note(_) => None,
    }
}

/// Joins accesses; gives the parameters that must be multiples of 16 for what was joined.
pub fn widen(lines: &mut Vec<Line>) -> u64 {
    let all: Vec<Placed> = lines.iter().enumerate().filter_map(placed).collect();
    if all.is_empty() {
        return 0;
    }
    let mut next = all.iter().peekable();
    let (mut loads, mut stores): (Vec<&Placed>, Vec<&Placed>) = (vec![], vec![]);
    let mut groups = vec![];
    let mut dead = vec![];
    for (number, line) in lines.iter().enumerate() {
        let access = next.next_if(|a| a.line == number);
        match line.effect() {
            Effect::Wall => {
                groups.extend(grouped(&loads));
                groups.extend(grouped(&stores));
                (loads, stores) = (vec![], vec![]);
            }
            Effect::Load if access.is_some_and(|a| a.constant) => {}
            Effect::Load => {
                groups.extend(grouped(&stores));
                stores = vec![];
            }
            Effect::Store => {
                let (constant, others): (Vec<_>, Vec<_>) = loads.iter().partition(|a| a.constant);
                groups.extend(grouped(&others));
                loads = constant;
                if !stores.iter().all(|s| access.is_some_and(|a| a.may_meet(s))) {
                    groups.extend(grouped(&stores));
                    stores = vec![];
                }
            }
            Effect::None => {}
        }
        for register in line.written() {
            let (touched, others): (Vec<_>, Vec<_>) =
                loads.iter().partition(|a| a.base == *register);
            groups.extend(grouped(&touched));
            loads = others;
            if stores
                .iter()
                .any(|a| a.base == *register || a.register == *register)
            {
                groups.extend(grouped(&stores));
                stores = vec![];
            }
        }
        match access {
            Some(access) if access.is_store() => {
                // Nothing has read what is written again.
                let (covered, others) = stores.iter().partition(|s| s.is_at(access));
                dead.extend(Vec::<&Placed>::into_iter(covered).map(|s| s.line));
                stores = others;
                if stores
                    .iter()
                    .any(|s| s.goes_with(access) && s.may_overlap(access))
                {
                    groups.extend(grouped(&stores));
                    stores = vec![];
                }
                stores.push(access);
            }
            Some(access) => loads.push(access),
            None => {}
        }
    }
    groups.extend(grouped(&loads));
    groups.extend(grouped(&stores));
    let mut changed: Vec<Option<Line>> = lines.drain(..).map(Some).collect();
    for group in &groups {
        join(&mut changed, group);
    }
    for line in dead {
        changed[line] = None;
    }
    lines.extend(changed.into_iter().flatten());
    let parts = groups.iter().flat_map(|group| &group.parts);
    parts.fold(0, |all, access| all | access.parameters)
}

/// Adjacent accesses, and loads of what one of them has loaded already.
struct Group<'a> {
    /// In order of addresses.
    parts: Vec<&'a Placed>,
    /// A load that comes later, and the part that loads the same.
    again: Vec<(&'a Placed, &'a Placed)>,
}

/// The groups of adjacent accesses, widest first.
fn grouped<'a>(accesses: &[&'a Placed]) -> Vec<Group<'a>> {
    let mut left: Vec<&Placed> = accesses.to_vec();
    // Of two stores to the same place only the last counts; they are left as they are.
    let twice = |a: &Placed| {
        let same = |b: &&&Placed| a.goes_with(b) && a.offset == b.offset;
        accesses.iter().filter(same).count() > 1
    };
    left.retain(|a| !a.is_store() || !twice(a));
    let mut groups = vec![];
    for count in [4u64, 2] {
        let mut starts = left.clone();
        starts.sort_by_key(|a| (a.offset, a.line));
        for start in starts {
            let all = count * start.bytes;
            if all > WIDEST || start.place.factor() < all {
                continue;
            }
            let part = |n: u64| {
                let at = start.offset + (n * start.bytes) as i64;
                left.iter()
                    .copied()
                    .find(|a| a.offset == at && a.goes_with(start))
            };
            let parts: Vec<&Placed> = (0..count).map_while(part).collect();
            if parts.len() as u64 != count {
                continue;
            }
            left.retain(|a| parts.iter().all(|part| part.line != a.line));
            let same = |a: &&'a Placed| {
                let part = parts
                    .iter()
                    .find(|p| p.offset == a.offset && p.goes_with(a));
                part.map(|part| (*a, *part))
            };
            let again: Vec<_> = left.iter().filter_map(same).collect();
            left.retain(|a| again.iter().all(|(load, _)| load.line != a.line));
            groups.push(Group { parts, again });
        }
    }
    match keeps_order(accesses, &groups) {
        true => groups,
        false => vec![],
    }
}

/// Whether stores that may write the same byte do so in the same order as before, each at the place of its group's last.
fn keeps_order(accesses: &[&Placed], groups: &[Group]) -> bool {
    let place = |access: &Placed| {
        let mut groups = groups.iter().map(|group| &group.parts);
        let group = groups.find(|parts| parts.iter().any(|part| part.line == access.line));
        let last = group.and_then(|parts| parts.iter().map(|part| part.line).max());
        last.unwrap_or(access.line)
    };
    let stores: Vec<_> = accesses.iter().filter(|a| a.is_store()).collect();
    stores.iter().enumerate().all(|(number, first)| {
        let mut later = stores[number + 1..].iter();
        later.all(|second| !first.may_overlap(second) || place(first) < place(second))
    })
}

/// Puts one instruction in the place of a group's.
fn join(lines: &mut [Option<Line>], Group { parts, again }: &Group) {
    let Some(first) = parts.first() else {
        return;
    };
    for (load, part) in again {
        let opcode = format!("mov.{}", load.class.name());
        let copy = Instruction::new(&opcode, &[&load.register], &[&part.register]);
        lines[load.line] = Some(Line::Instruction(copy));
    }
    let address = match first.offset {
        0 => format!("[{}]", first.base),
        offset => format!("[{}+{offset}]", first.base),
    };
    let registers: Vec<&str> = parts.iter().map(|a| a.register.as_str()).collect();
    let opcode = format!("{}.v{}.{}", first.kind, parts.len(), first.ty);
    let places = parts.iter().map(|a| a.line);
    let (place, wide) = match first.is_store() {
        true => {
            let list = format!("{{{}}}", registers.join(", "));
            let store = Instruction::new(&opcode, &[], &[&address, &list]);
            (places.max(), store)
        }
        false => (
            places.min(),
            Instruction::new(&opcode, &registers, &[&address]),
        ),
    };
    for access in parts {
        lines[access.line] = None;
    }
    if let Some(place) = place {
        lines[place] = Some(Line::Instruction(wide));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{residue::Residue, select::types::Class};

    /// `ld`/`st` of `f32` at known alignments, as they are selected.
    fn widened(text: &[&str], align: u64) -> Vec<String> {
        let access = |text: &str| {
            let (kind, rest) = text.split_once(' ')?;
            let kind = kind.strip_suffix(".f32")?;
            let at = rest.split(['[', ']']).nth(1)?;
            let (base, offset) = at.split_once('+').unwrap_or((at, "0"));
            let register = rest.split(", ").find(|r| !r.starts_with('['))?;
            let offset: i64 = offset.parse().ok()?;
            Some(Access {
                kind: kind.to_string(),
                ty: "f32",
                bytes: 4,
                class: Class::F32,
                base: base.to_string(),
                offset,
                place: Residue::multiple(align).plus_number(offset as u64),
                register: register.to_string(),
                constant: kind.contains("nc"),
                parameters: 1,
            })
        };
        let line = |text: &&str| match text.strip_suffix(':') {
            Some(label) => Line::Label(label.to_string()),
            None => Line::Instruction(Instruction {
                access: access(text).map(Box::new),
                ..Instruction::parse(text)
            }),
        };
        let mut lines: Vec<Line> = text.iter().map(line).collect();
        widen(&mut lines);
        let text = lines.iter().map(|l| l.to_string());
        text.map(|l| l.trim_matches(['\t', ';']).to_string())
            .collect()
    }

    #[test]
    fn four_loads_are_one() {
        let lines = [
            "ld.global.nc.f32 %f1, [%rd1+4]",
            "add.f32 %f9, %f1, %f1",
            "ld.global.nc.f32 %f2, [%rd1]",
            "st.global.f32 [%rd2], %f9",
            "ld.global.nc.f32 %f3, [%rd1+12]",
            "ld.global.nc.f32 %f4, [%rd1+8]",
        ];
        let wanted = [
            "ld.global.nc.v4.f32 {%f2, %f1, %f4, %f3}, [%rd1]",
            "add.f32 %f9, %f1, %f1",
            "st.global.f32 [%rd2], %f9",
        ];
        assert_eq!(widened(&lines, 16), wanted);
        let wanted = [
            "ld.global.nc.v2.f32 {%f2, %f1}, [%rd1]",
            "add.f32 %f9, %f1, %f1",
            "st.global.f32 [%rd2], %f9",
            "ld.global.nc.v2.f32 {%f4, %f3}, [%rd1+8]",
        ];
        assert_eq!(widened(&lines, 8), wanted);
        assert_eq!(widened(&lines, 4), lines);
    }

    #[test]
    fn what_is_loaded_twice() {
        let lines = [
            "ld.global.nc.f32 %f1, [%rd1]",
            "ld.global.nc.f32 %f2, [%rd1+4]",
            "ld.global.nc.f32 %f3, [%rd1+4]",
            "ld.global.nc.f32 %f4, [%rd1+8]",
        ];
        let wanted = [
            "ld.global.nc.v2.f32 {%f1, %f2}, [%rd1]",
            "mov.f32 %f3, %f2",
            "ld.global.nc.f32 %f4, [%rd1+8]",
        ];
        assert_eq!(widened(&lines, 16), wanted);
        let twice = [
            "st.global.f32 [%rd1], %f1",
            "st.global.f32 [%rd1], %f2",
            "st.global.f32 [%rd1+4], %f3",
        ];
        // The first one is never read.
        assert_eq!(widened(&twice, 16), ["st.global.v2.f32 [%rd1], {%f2, %f3}"]);
    }

    #[test]
    fn what_may_not_be_passed() {
        let between = |first, second, line: &str| {
            let lines = [first, line, second];
            widened(&lines, 16).len() == 2
        };
        let constant = |line| {
            let load = "ld.global.nc.f32 %f1, [%rd1]";
            between(load, "ld.global.nc.f32 %f2, [%rd1+4]", line)
        };
        let load = |line| {
            between(
                "ld.global.f32 %f1, [%rd1]",
                "ld.global.f32 %f2, [%rd1+4]",
                line,
            )
        };
        let store = |line| {
            between(
                "st.global.f32 [%rd1], %f1",
                "st.global.f32 [%rd1+4], %f2",
                line,
            )
        };
        for (line, allowed) in [
            ("add.f32 %f5, %f6, %f7", (true, true, true)),
            // Another part of a block, and one that only the second store touches, which stays behind it.
            ("st.global.f32 [%rd2+8], %f7", (true, false, true)),
            ("st.global.f32 [%rd2+4], %f7", (true, false, true)),
            ("ld.global.f32 %f5, [%rd2]", (true, true, false)),
            ("ld.global.nc.f32 %f5, [%rd2]", (true, true, true)),
            (
                "atom.global.add.f32 %f5, [%rd2], %f7",
                (false, false, false),
            ),
            ("bar.sync 0", (false, false, false)),
            ("@%p1 bra L1", (false, false, false)),
            ("L1:", (false, false, false)),
            ("add.s64 %rd1, %rd1, 8", (false, false, false)),
            ("mov.f32 %f1, %f5", (true, true, false)),
            ("st.global.f32 [%rd1], %f7", (true, false, false)),
            ("st.global.f32 [%rd1+16], %f7", (true, false, true)),
        ] {
            assert_eq!((constant(line), load(line), store(line)), allowed, "{line}");
        }
    }
}
