//! PTX as instructions: what [`select`](crate::select) makes, passes change, and [`text`] prints.
//!
//! ```text
//! Instruction { opcode: "ld.global.f64", results: ["%fd1"], operands: ["[%rd3+8]"], access: Some(…) }
//! Label("L1")
//! Instruction { guard: Some(if %p1), opcode: "bra", operands: ["L1"] }
//! ```
//! | pass | what it does |
//! | --- | --- |
//! | [`widen`] | adjacent accesses become one instruction |
//!
//! [`pressure`] tells how many registers they need.

pub mod pressure;
pub mod text;
pub mod widen;

use crate::{residue::Residue, select::types::Class};

/// Collects the lines of a function, and hands out registers and labels.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub lines: Vec<Line>,
    registers: [u32; Class::ALL.len()],
    labels: u32,
    /// Where the next instruction comes from.
    place: Option<String>,
}

/// A line of a function.
#[derive(Clone, Debug)]
pub enum Line {
    Instruction(Instruction),
    Label(String),
    /// `.param` of a call, `.pragma`.
    Directive(String),
    /// Start or end of a scope of names.
    Brace(String),
    /// Where the following instructions come from: a comment, or a `.loc`.
    Place(String),
    /// For readers.
    Comment(String),
    /// For the simulator, about the instructions from here on: nothing moves across it.
    Note(String),
}

/// One instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Instruction {
    pub guard: Option<Guard>,
    /// `add.s32`
    pub opcode: String,
    /// The registers that are written.
    pub results: Vec<String>,
    pub operands: Vec<String>,
    /// What is known of a load or store that may become part of a wider one.
    pub access: Option<Box<Access>>,
}

/// The predicate under which an instruction is executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    pub predicate: String,
    pub negated: bool,
}

/// A load or store of one register at a known distance from another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// `ld.global.nc` or `st.global`.
    pub kind: String,
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

/// What a line does that matters to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    Load,
    Store,
    /// Nothing may move across it.
    Wall,
}

/// The first words of instructions that only compute.
const ARITHMETIC: &[&str] = &[
    "abs", "add", "addc", "and", "bfe", "bfi", "bfind", "brev", "clz", "cnot", "copysign", "cos",
    "cvt", "cvta", "div", "ex2", "fma", "lg2", "lop3", "mad", "madc", "max", "min", "mov", "mul",
    "mul24", "neg", "not", "or", "popc", "prmt", "rcp", "rem", "rsqrt", "sad", "selp", "set",
    "setp", "shf", "shl", "shr", "sin", "slct", "sqrt", "sub", "subc", "testp", "tanh", "xor",
];

impl Line {
    pub fn effect(&self) -> Effect {
        match self {
            Line::Instruction(instruction) => instruction.effect(),
            Line::Label(_) | Line::Brace(_) | Line::Note(_) => Effect::Wall,
            Line::Directive(_) | Line::Place(_) | Line::Comment(_) => Effect::None,
        }
    }

    /// The registers that the line writes.
    pub fn written(&self) -> &[String] {
        match self {
            Line::Instruction(instruction) => &instruction.results,
            Line::Label(_)
            | Line::Directive(_)
            | Line::Brace(_)
            | Line::Place(_)
            | Line::Comment(_)
            | Line::Note(_) => &[],
        }
    }
}

impl Instruction {
    /// `opcode results, operands`
    pub fn new(opcode: &str, results: &[&str], operands: &[&str]) -> Self {
        let owned = |words: &[&str]| words.iter().map(|w| w.to_string()).collect();
        Instruction {
            guard: None,
            opcode: opcode.to_string(),
            results: owned(results),
            operands: owned(operands),
            access: None,
        }
    }

    /// An instruction of the device library, which comes as text.
    pub fn parse(text: &str) -> Self {
        let (guard, text) = match text.strip_prefix('@').and_then(|t| t.split_once(' ')) {
            Some((predicate, rest)) => {
                let guard = Guard {
                    predicate: predicate.trim_start_matches('!').to_string(),
                    negated: predicate.starts_with('!'),
                };
                (Some(guard), rest)
            }
            None => (None, text),
        };
        let (opcode, operands) = text.split_once(' ').unwrap_or((text, ""));
        let mut operands = split(operands);
        let mut instruction = Instruction {
            guard,
            opcode: opcode.to_string(),
            ..Instruction::default()
        };
        if !operands.is_empty() && instruction.has_result() {
            let first = operands.remove(0);
            instruction.results = match first.strip_prefix('{') {
                Some(list) => split(list.trim_end_matches('}')),
                None => vec![first],
            };
        }
        instruction.operands = operands;
        instruction
    }

    /// Whether the first operand in the text of an instruction with this opcode is a result.
    fn has_result(&self) -> bool {
        match self.family() {
            "st" | "red" | "bra" | "ret" | "bar" | "membar" | "fence" | "trap" | "call"
            | "exit" => false,
            family => !family.starts_with('.'),
        }
    }

    /// The first word of the opcode.
    fn family(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    pub fn effect(&self) -> Effect {
        let is_volatile = || self.opcode.contains("volatile");
        match self.family() {
            _ if self.guard.is_some() => Effect::Wall,
            "ld" if self.opcode.starts_with("ld.param") => Effect::None,
            "ld" | "st" if is_volatile() => Effect::Wall,
            "ld" => Effect::Load,
            "st" => Effect::Store,
            family if ARITHMETIC.contains(&family) => Effect::None,
            _ => Effect::Wall,
        }
    }
}

/// The parts of a list, whose own lists in braces, brackets and parentheses stay together.
fn split(list: &str) -> Vec<String> {
    let (mut parts, mut depth, mut part) = (vec![], 0, String::new());
    for c in list.chars() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else if !(part.is_empty() && c == ' ') {
            part.push(c);
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

impl Code {
    pub fn push(&mut self, instruction: Instruction) {
        self.lines.extend(self.place.take().map(Line::Place));
        self.lines.push(Line::Instruction(instruction));
    }

    /// An instruction without result.
    pub fn emit(&mut self, opcode: &str, operands: &[&str]) {
        self.push(Instruction::new(opcode, &[], operands));
    }

    /// An instruction that writes these registers.
    pub fn write(&mut self, results: &[&str], opcode: &str, operands: &[&str]) {
        self.push(Instruction::new(opcode, results, operands));
    }

    pub fn branch(&mut self, label: &str) {
        self.emit("bra", &[label]);
    }

    /// A branch that is taken if the predicate is not `negated`.
    pub fn branch_on(&mut self, predicate: &str, negated: bool, label: &str) {
        let predicate = predicate.to_string();
        self.push(Instruction {
            guard: Some(Guard { predicate, negated }),
            ..Instruction::new("bra", &[], &[label])
        });
    }

    pub fn branch_if(&mut self, predicate: &str, label: &str) {
        self.branch_on(predicate, false, label);
    }

    pub fn branch_unless(&mut self, predicate: &str, label: &str) {
        self.branch_on(predicate, true, label);
    }

    /// A directive among the instructions, without the semicolon.
    pub fn directive(&mut self, directive: impl Into<String>) {
        self.lines.extend(self.place.take().map(Line::Place));
        self.lines.push(Line::Directive(directive.into()));
    }

    pub fn brace(&mut self, brace: &str) {
        self.lines.push(Line::Brace(brace.to_string()));
    }

    /// Says that the last instruction is an access that may become part of a wider one.
    pub fn may_join(&mut self, access: Access) {
        if let Some(Line::Instruction(last)) = self.lines.last_mut() {
            last.access = Some(Box::new(access));
        }
    }

    /// A line to print before the next instruction.
    pub fn before_next(&mut self, place: String) {
        self.place = Some(place);
    }

    pub fn label(&mut self, label: &str) {
        self.lines.push(Line::Label(label.to_string()));
    }

    pub fn comment(&mut self, comment: &str) {
        self.lines.push(Line::Comment(comment.to_string()));
    }

    pub fn note(&mut self, note: impl Into<String>) {
        self.lines.push(Line::Note(note.into()));
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_of_the_library_are_read() {
        let same = [
            "mov.b64 {%r1, %r2}, %rd1",
            "mov.b64 %rd1, {%r1, %r2}",
            "@!%p1 bra L4",
            "ld.const.v2.f64 {%fd1, %fd2}, [table+16]",
            "call (r), sin, (a0, a1)",
            "setp.lt.f64 %p1|%p2, %fd1, 0d0000000000000000",
            "ret",
        ];
        for text in same {
            assert_eq!(Instruction::parse(text).to_string(), text);
        }
        let results = |text| Instruction::parse(text).results;
        assert_eq!(results(same[0]), ["%r1", "%r2"]);
        assert_eq!(results(same[1]), ["%rd1"]);
        assert!(results(same[2]).is_empty() && results(same[4]).is_empty());
    }
}
