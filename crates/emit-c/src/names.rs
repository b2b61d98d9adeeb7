//! Names in C: the user's where possible, made unique where not.

use std::collections::HashSet;

/// Names that no variable may have in any dialect: C's keywords and GNU's.
const RESERVED: &[&str] = &[
    "asm", "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "typeof", "union", "unsigned", "void", "volatile", "while",
];

/// The names in use in one scope.
#[derive(Clone, Debug)]
pub struct Names {
    used: HashSet<String>,
}

impl Names {
    /// With `taken` in use from the start.
    pub fn new<'a>(taken: impl IntoIterator<Item = &'a str>) -> Self {
        let used = RESERVED
            .iter()
            .copied()
            .chain(taken)
            .map(str::to_string)
            .collect();
        Names { used }
    }

    /// `base` made an identifier, with a number behind it if it is in use already.
    pub fn fresh(&mut self, base: &str) -> String {
        let base = identifier(base);
        let mut name = base.clone();
        let mut number = 2;
        while !self.used.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }

    /// `prefix` with the first number that makes it unique.
    pub fn numbered(&mut self, prefix: &str, counter: &mut u32) -> String {
        loop {
            *counter += 1;
            let name = format!("{prefix}{counter}");
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// `text` with everything that cannot stand in an identifier replaced by `_`.
pub fn identifier(text: &str) -> String {
    let mut name: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || name.starts_with("__") {
        name.insert(0, 'v');
    }
    name
}
