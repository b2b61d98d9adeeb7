//! Instructions as text. Nothing is decided here.

use super::{Code, Instruction, Line};
use crate::select::types::Class;
use std::fmt::{self, Display, Write};

impl Code {
    /// Declarations of the registers, then the lines.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for class in Class::ALL {
            let count = self.registers[class as usize];
            if count > 0 {
                let (name, prefix) = (class.name(), class.prefix());
                let _ = writeln!(text, "\t.reg .{name} {prefix}<{}>;", count + 1);
            }
        }
        for line in &self.lines {
            let _ = writeln!(text, "{line}");
        }
        text
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Line::Instruction(instruction) => write!(f, "\t{instruction};"),
            Line::Label(label) => write!(f, "{label}:"),
            Line::Directive(directive) => write!(f, "\t{directive};"),
            Line::Brace(brace) => write!(f, "\t{brace}"),
            Line::Place(place) => write!(f, "\t{place}"),
            Line::Comment(comment) => write!(f, "\t// {}", ascii(comment)),
            Line::Note(note) => write!(f, "\t//@ accrue {note}"),
        }
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(guard) = &self.guard {
            let not = if guard.negated { "!" } else { "" };
            write!(f, "@{not}{} ", guard.predicate)?;
        }
        f.write_str(&self.opcode)?;
        let results = match self.results.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            several => Some(format!("{{{}}}", several.join(", "))),
        };
        let operands = results.iter().chain(&self.operands);
        for (index, operand) in operands.enumerate() {
            f.write_str(if index == 0 { " " } else { ", " })?;
            f.write_str(operand)?;
        }
        Ok(())
    }
}

/// `text` with C's universal character names for what is not ASCII, which NVIDIA's assembler takes nowhere.
pub fn ascii(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        match c.is_ascii() {
            true => plain.push(c),
            false => _ = write!(plain, "\\u{:04x}", u32::from(c)),
        }
    }
    plain
}
