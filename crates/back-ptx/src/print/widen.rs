//! Adjacent accesses become one instruction.
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
//! label, a call or a barrier; and no register may get another value in between. Stores to different parts of blocks of
//! 16 bytes pass each other, also where it is not known whether the blocks are different ones:
//!
//! ```text
//! st.global.f32 [%rd5], %f1;      st.global.f32 [%rd6], %f2;         (both registers multiples of 8)
//! st.global.f32 [%rd5+4], %f3;    st.global.f32 [%rd6+4], %f4;       become two stores, in this order
//! ```

use super::types::Class;
use crate::residue::Residue;
use std::collections::HashMap;

/// Bytes of the widest instruction.
const WIDEST: u64 = 16;

/// A load or store of one register that may become part of a wider one.
#[derive(Clone, Debug)]
pub struct Access {
    /// Its place among the lines.
    pub line: usize,
    /// `ld.global.nc` or `st.global`.
    pub opcode: String,
    /// `f32`
    pub ty: &'static str,
    pub bytes: u64,
    pub class: Class,
    /// The register with the address, and the distance from it.
    pub base: String,
    pub offset: i64,
    /// What the address is modulo a power of two.
    pub place: Residue,
    /// The register that is loaded or stored.
    pub register: String,
    /// Nobody writes what is loaded.
    pub constant: bool,
    /// The kernel's parameters that the address comes from.
    pub parameters: u64,
}

impl Access {
    fn is_store(&self) -> bool {
        self.opcode.starts_with("st")
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

    fn goes_with(&self, other: &Access) -> bool {
        self.opcode == other.opcode
            && self.ty == other.ty
            && self.class == other.class
            && self.base == other.base
    }
}

/// Joins accesses; gives the parameters that must be multiples of 16 for what was joined.
pub fn widen(lines: &mut [String], accesses: &[Access]) -> u64 {
    let by_line: HashMap<usize, &Access> = accesses.iter().map(|a| (a.line, a)).collect();
    let (mut loads, mut stores): (Vec<&Access>, Vec<&Access>) = (vec![], vec![]);
    let mut groups = vec![];
    for (number, line) in lines.iter().enumerate() {
        let access = by_line.get(&number).copied();
        let effect = effect(line);
        match effect {
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
        for register in written(line) {
            let (touched, others): (Vec<_>, Vec<_>) =
                loads.iter().partition(|a| a.base == register);
            groups.extend(grouped(&touched));
            loads = others;
            if stores
                .iter()
                .any(|a| a.base == register || a.register == register)
            {
                groups.extend(grouped(&stores));
                stores = vec![];
            }
        }
        match access {
            Some(access) if access.is_store() => stores.push(access),
            Some(access) => loads.push(access),
            None => {}
        }
    }
    groups.extend(grouped(&loads));
    groups.extend(grouped(&stores));
    for group in &groups {
        join(lines, group);
    }
    let parts = groups.iter().flat_map(|group| &group.parts);
    parts.fold(0, |all, access| all | access.parameters)
}

/// What matters of a line for its neighbours.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    None,
    Load,
    Store,
    Wall,
}

fn effect(line: &str) -> Effect {
    let Some(instruction) = line.strip_prefix('\t') else {
        // A label.
        return Effect::Wall;
    };
    let opcode = instruction.split([' ', ';']).next().unwrap_or_default();
    let name = opcode.split('.').next().unwrap_or_default();
    match name {
        "ld" if opcode.starts_with("ld.param") => Effect::None,
        "ld" if opcode.contains("volatile") => Effect::Wall,
        "ld" => Effect::Load,
        "st" if opcode.contains("volatile") => Effect::Wall,
        "st" => Effect::Store,
        "//" | "" => Effect::None,
        "abs" | "add" | "addc" | "and" | "bfe" | "bfi" | "bfind" | "brev" | "clz" | "cnot"
        | "copysign" | "cos" | "cvt" | "cvta" | "div" | "ex2" | "fma" | "lg2" | "lop3" | "mad"
        | "madc" | "max" | "min" | "mov" | "mul" | "mul24" | "neg" | "not" | "or" | "popc"
        | "prmt" | "rcp" | "rem" | "rsqrt" | "sad" | "selp" | "set" | "setp" | "shf" | "shl"
        | "shr" | "sin" | "slct" | "sqrt" | "sub" | "subc" | "testp" | "tanh" | "xor" => {
            Effect::None
        }
        _ if opcode.starts_with(".loc") => Effect::None,
        _ => Effect::Wall,
    }
}

/// The registers that an instruction writes: its first operand, or the names in braces there. A store's address counts as
/// well, which does no harm.
fn written(line: &str) -> Vec<&str> {
    let mut words = line.trim_start().splitn(2, ' ');
    let (opcode, operands) = (words.next().unwrap_or_default(), words.next());
    let operands = operands.filter(|_| !opcode.starts_with("st") && !opcode.starts_with("//"));
    let Some(operands) = operands else {
        return vec![];
    };
    let first = match operands.strip_prefix('{') {
        Some(list) => list.split('}').next(),
        None => operands.split(',').next(),
    };
    let names = first.unwrap_or_default().split([',', '|']);
    names.map(|name| name.trim_matches([' ', ';'])).collect()
}

/// Adjacent accesses, and loads of what one of them has loaded already.
struct Group<'a> {
    /// In order of addresses.
    parts: Vec<&'a Access>,
    /// A load that comes later, and the part that loads the same.
    again: Vec<(&'a Access, &'a Access)>,
}

/// The groups of adjacent accesses, widest first.
fn grouped<'a>(accesses: &[&'a Access]) -> Vec<Group<'a>> {
    let mut left: Vec<&Access> = accesses.to_vec();
    // Of two stores to the same place only the last counts; they are left as they are.
    let twice = |a: &Access| {
        let same = |b: &&&Access| a.goes_with(b) && a.offset == b.offset;
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
            let parts: Vec<&Access> = (0..count).map_while(part).collect();
            if parts.len() as u64 != count {
                continue;
            }
            left.retain(|a| parts.iter().all(|part| part.line != a.line));
            let same = |a: &&'a Access| {
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
fn keeps_order(accesses: &[&Access], groups: &[Group]) -> bool {
    let place = |access: &Access| {
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

/// Writes one instruction in the place of a group's.
fn join(lines: &mut [String], Group { parts, again }: &Group) {
    let Some(first) = parts.first() else {
        return;
    };
    for (load, part) in again {
        let class = load.class.name();
        lines[load.line] = format!("\tmov.{class} {}, {};", load.register, part.register);
    }
    let registers: Vec<&str> = parts.iter().map(|a| a.register.as_str()).collect();
    let registers = format!("{{{}}}", registers.join(", "));
    let address = match first.offset {
        0 => format!("[{}]", first.base),
        offset => format!("[{}+{offset}]", first.base),
    };
    let operands = match first.is_store() {
        true => format!("{address}, {registers}"),
        false => format!("{registers}, {address}"),
    };
    let places = parts.iter().map(|a| a.line);
    let place = match first.is_store() {
        true => places.max(),
        false => places.min(),
    };
    for access in parts {
        lines[access.line] = String::new();
    }
    if let Some(place) = place {
        let (opcode, count, ty) = (&first.opcode, parts.len(), first.ty);
        lines[place] = format!("\t{opcode}.v{count}.{ty} {operands};");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of `ld`/`st` of `f32` at known alignments, as the printer would hand them over.
    fn widened(text: &[&str], align: u64) -> Vec<String> {
        let mut lines: Vec<String> = text.iter().map(|l| format!("\t{l};")).collect();
        for line in &mut lines {
            if line.contains(':') {
                *line = line.trim_matches(['\t', ';']).to_string();
            }
        }
        let access = |(line, text): (usize, &&str)| {
            let (opcode, rest) = text.split_once(' ')?;
            let opcode = opcode.strip_suffix(".f32")?;
            let at = rest.split(['[', ']']).nth(1)?;
            let (base, offset) = at.split_once('+').unwrap_or((at, "0"));
            let register = rest.split(", ").find(|r| !r.starts_with('['))?;
            let offset: i64 = offset.parse().ok()?;
            Some(Access {
                line,
                opcode: opcode.to_string(),
                ty: "f32",
                bytes: 4,
                class: Class::F32,
                base: base.to_string(),
                offset,
                place: Residue::multiple(align).plus_number(offset as u64),
                register: register.to_string(),
                constant: opcode.contains("nc"),
                parameters: 1,
            })
        };
        let accesses: Vec<Access> = text.iter().enumerate().filter_map(access).collect();
        widen(&mut lines, &accesses);
        lines.retain(|l| !l.is_empty());
        lines
            .iter()
            .map(|l| l.trim_matches(['\t', ';']).to_string())
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
        assert_eq!(widened(&twice, 16), twice);
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
