//! How many registers the values take that are live at once.
//!
//! ```text
//! ld.global.f64 %fd1, …        2
//! ld.global.f64 %fd2, …        4
//! add.f64 %fd3, %fd1, %fd2     6: the result is counted next to what it is made of
//! st.global.f64 […], %fd3      2
//! ```
//! A register is live from the first line that names it to the last one; through all of a loop, that is up to the jump back, if it is
//! named before and in it. The order is that of the lines, and NVIDIA's assembler chooses another one; so this is an estimate.
//!
//! Cost: linear in the number of lines, times the number of loops.

use super::{Code, Line};
use crate::select::types::Class;
use std::collections::HashMap;

/// Registers of 32 bits that are live at once.
pub fn pressure(code: &Code) -> u32 {
    let mut live: HashMap<&str, (usize, usize)> = HashMap::new();
    let mut labels: HashMap<&str, usize> = HashMap::new();
    let mut loops: Vec<(usize, usize)> = vec![];
    for (at, line) in code.lines.iter().enumerate() {
        match line {
            Line::Label(label) => {
                labels.insert(label, at);
            }
            Line::Instruction(instruction) => {
                let guard = instruction.guard.iter().map(|guard| &guard.predicate);
                let words = instruction.results.iter().chain(&instruction.operands);
                for name in guard.chain(words).flat_map(|word| registers(word)) {
                    let (_, last) = live.entry(name).or_insert((at, at));
                    *last = at;
                }
                let back = instruction
                    .operands
                    .iter()
                    .filter_map(|o| labels.get(o.as_str()));
                loops.extend(back.map(|start| (*start, at)));
            }
            Line::Directive(_)
            | Line::Brace(_)
            | Line::Place(_)
            | Line::Comment(_)
            | Line::Note(_) => {}
        }
    }
    // Inner loops come first: what they keep alive is kept by those around them, too.
    for (start, end) in loops {
        for (first, last) in live.values_mut() {
            if *first < start && (start..end).contains(last) {
                *last = end;
            }
        }
    }
    let mut changes = vec![0i64; code.lines.len() + 1];
    for (name, (first, last)) in live {
        changes[first] += words(name);
        changes[last + 1] -= words(name);
    }
    let sums = changes.iter().scan(0, |sum, change| {
        *sum += change;
        Some(*sum)
    });
    sums.max()
        .and_then(|most| u32::try_from(most).ok())
        .unwrap_or(0)
}

/// The names of registers in an operand: `[%rd3+8]`, `{%f1, %f2}`.
fn registers(operand: &str) -> impl Iterator<Item = &str> {
    let words = operand.split(|c: char| !(c.is_ascii_alphanumeric() || c == '%'));
    words.filter(|word| word.starts_with('%'))
}

/// Registers of 32 bits that a register takes.
fn words(name: &str) -> i64 {
    let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let class = Class::ALL
        .into_iter()
        .find(|class| class.prefix() == prefix);
    match class {
        Some(Class::B64 | Class::F64) => 2,
        Some(Class::B16 | Class::B32 | Class::F32) => 1,
        // Predicates have registers of their own, and those of the hardware (`%tid.x`) take none.
        Some(Class::Pred) | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Instruction;

    fn pressure_of(lines: &[&str]) -> u32 {
        let line = |text: &&str| match text.strip_suffix(':') {
            Some(label) => Line::Label(label.to_string()),
            None => Line::Instruction(Instruction::parse(text)),
        };
        let lines = lines.iter().map(line).collect();
        pressure(&Code {
            lines,
            ..Code::default()
        })
    }

    #[test]
    fn straight_code_counts_what_is_used_later() {
        let sum = [
            "ld.global.f64 %fd1, [%rd1]",
            "ld.global.f64 %fd2, [%rd1+8]",
            "add.f64 %fd3, %fd1, %fd2",
            "st.global.f64 [%rd1], %fd3",
        ];
        assert_eq!(pressure_of(&sum), 8);
        let apart = [
            "mov.u32 %r1, %tid.x",
            "st.shared.u32 [%r2], %r1",
            "mov.u32 %r3, 1",
            "st.shared.u32 [%r2], %r3",
        ];
        assert_eq!(pressure_of(&apart), 2);
    }

    #[test]
    fn what_a_loop_reads_again_lives_to_its_end() {
        let lp = [
            "mov.b32 %r1, 0",
            "mov.b32 %r2, 5",
            "L1:",
            "add.s32 %r1, %r1, %r2",
            "mov.b32 %r3, %r1",
            "add.s32 %r4, %r3, 1",
            "setp.lt.s32 %p1, %r4, 9",
            "@%p1 bra L1",
        ];
        // r1, r2, r3 and r4; without the loop, r2 would be free for r4.
        assert_eq!(pressure_of(&lp), 4);
        assert_eq!(pressure_of(&lp[..7]), 2);
    }
}
