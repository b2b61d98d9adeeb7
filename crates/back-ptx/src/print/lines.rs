//! The lines of a function: instructions, labels and comments.

use super::{
    types::Class,
    widen::{Access, widen},
};
use std::fmt::Write;

/// Collects lines and hands out registers and labels.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    lines: Vec<String>,
    /// What may be joined to wider accesses.
    accesses: Vec<Access>,
    registers: [u32; Class::ALL.len()],
    labels: u32,
    /// Where the next instruction comes from.
    place: Option<String>,
}

impl Lines {
    /// One instruction, without the semicolon.
    pub fn push(&mut self, instruction: impl AsRef<str>) {
        if let Some(place) = self.place.take() {
            self.lines.push(format!("\t{place}"));
        }
        self.lines.push(format!("\t{};", instruction.as_ref()));
    }

    /// Says that the last line is an access that may become part of a wider one; its place is filled in here.
    pub fn may_join(&mut self, access: Access) {
        let line = self.lines.len() - 1;
        self.accesses.push(Access { line, ..access });
    }

    /// Joins adjacent accesses. Gives the parameters whose alignment that needs, as bits.
    pub fn join_accesses(&mut self) -> u64 {
        let parameters = widen(&mut self.lines, &self.accesses);
        self.lines.retain(|line| !line.is_empty());
        self.accesses.clear();
        parameters
    }

    /// A line to print before the next instruction.
    pub fn before_next(&mut self, place: String) {
        self.place = Some(place);
    }

    pub fn label(&mut self, label: &str) {
        self.lines.push(format!("{label}:"));
    }

    pub fn comment(&mut self, comment: &str) {
        self.lines.push(format!("\t// {}", ascii(comment)));
    }

    /// A line as it is.
    pub fn raw(&mut self, line: &str) {
        self.lines.push(line.to_string());
    }

    /// A register that nothing else uses.
    pub fn register(&mut self, class: Class) -> String {
        let count = &mut self.registers[class as usize];
        *count += 1;
        format!("{}{count}", class.prefix())
    }

    /// A label that nothing else uses; labels belong to their function.
    pub fn new_label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    /// Declarations of the registers, then the lines.
    pub fn finish(self) -> String {
        let mut text = String::new();
        for class in Class::ALL {
            let count = self.registers[class as usize];
            if count > 0 {
                let (name, prefix) = (class.name(), class.prefix());
                let _ = writeln!(text, "\t.reg .{name} {prefix}<{}>;", count + 1);
            }
        }
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text
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
