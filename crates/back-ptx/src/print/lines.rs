//! The lines of a function: instructions, labels and comments.

use super::types::Class;
use std::fmt::Write;

/// Collects lines and hands out registers and labels.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    text: String,
    registers: [u32; Class::ALL.len()],
    labels: u32,
    /// Where the next instruction comes from.
    place: Option<String>,
}

impl Lines {
    /// One instruction, without the semicolon.
    pub fn push(&mut self, instruction: impl AsRef<str>) {
        if let Some(place) = self.place.take() {
            let _ = writeln!(self.text, "\t{place}");
        }
        let _ = writeln!(self.text, "\t{};", instruction.as_ref());
    }

    /// A line to print before the next instruction.
    pub fn before_next(&mut self, place: String) {
        self.place = Some(place);
    }

    pub fn label(&mut self, label: &str) {
        let _ = writeln!(self.text, "{label}:");
    }

    pub fn comment(&mut self, comment: &str) {
        let _ = writeln!(self.text, "\t// {comment}");
    }

    /// A line as it is.
    pub fn raw(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
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
        text + &self.text
    }
}
