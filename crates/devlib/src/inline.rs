//! Functions whose text may stand in the place of a call.
//!
//! A call passes its arguments through memory and ends every straight piece of code around it; NVIDIA's assembler inlines
//! only the shortest functions. What qualifies has no memory of its own, scalar parameters, and returns once, at its end:
//!
//! ```text
//! .func (.param .b32 result) __accrue_f(.param .b32 p0)
//! {
//!     ld.param.f32 %f1, [p0];              parameters: %f1
//!     mul.rn.f32 %f2, %f1, %f1;            lines
//!     st.param.f32 [result], %f2;          result: %f2
//!     ret; }
//! ```
//! Who inlines it gives the registers and labels new names. It may call other functions, such as those for arguments that
//! hardly occur. Cost: linear in the length of the text.

use std::collections::BTreeSet;

/// Lines of a function that may be inlined: more make code so long that its translation costs more than calls do.
const MOST: usize = 160;

/// A function taken apart. Registers are named as in the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// The register that holds each parameter, where one does.
    pub parameters: Vec<Option<&'static str>>,
    /// The parameters that the function changes, as bits.
    pub changed: u32,
    /// The register or literal that is the result.
    pub result: &'static str,
    pub lines: Vec<Line>,
    pub labels: BTreeSet<&'static str>,
    /// What it calls, and variables of the library.
    pub calls: Vec<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    Label(&'static str),
    /// Without semicolon.
    Instruction(&'static str),
    /// Begin or end of the scope of a call's parameters.
    Brace(&'static str),
}

impl Inline {
    /// Takes the text of a function apart; `None` if it cannot be inlined.
    pub fn of(text: &'static str) -> Option<Self> {
        let (head, body) = text.split_once('{')?;
        let parameters = head.rsplit_once('(')?.1.matches(".param").count();
        if head.matches(".param").count() != parameters + 1 || head.contains(".b8") {
            return None;
        }
        let mut inline = Inline {
            parameters: vec![None; parameters],
            changed: 0,
            result: "",
            lines: vec![],
            labels: BTreeSet::new(),
            calls: vec![],
        };
        let mut depth = 0;
        let mut lines = body
            .trim_end()
            .strip_suffix('}')?
            .lines()
            .map(str::trim)
            .peekable();
        while let Some(line) = lines.next() {
            let instruction = line.strip_suffix(';').unwrap_or(line);
            if line.is_empty() || line.starts_with("//") || line.starts_with(".reg") {
                continue;
            }
            if line.starts_with(".local") || inline.lines.len() >= MOST {
                return None;
            }
            if let Some(label) = line.strip_suffix(':') {
                inline.labels.insert(label);
                inline.lines.push(Line::Label(label));
            } else if matches!(line, "{" | "}") {
                depth += if line == "{" { 1 } else { -1 };
                inline.lines.push(Line::Brace(line));
            } else if let Some((index, register)) = parameter(instruction) {
                *inline.parameters.get_mut(index)? = Some(register);
            } else if let Some(result) = result(instruction) {
                // Only the end remains.
                inline.result = result;
                let rest: Vec<&str> = lines.by_ref().filter(|line| !line.is_empty()).collect();
                if rest != ["ret;"] {
                    return None;
                }
            } else if instruction == "ret"
                || instruction.contains("[result")
                || depth == 0 && instruction.contains(".param.")
            {
                return None;
            } else {
                match instruction.split_once("call ") {
                    Some((_, called)) => inline.calls.extend(callee(called)),
                    None => inline.calls.extend(variable(instruction)),
                }
                inline.lines.push(Line::Instruction(instruction));
            }
        }
        if inline.result.is_empty() {
            return None;
        }
        for line in &inline.lines {
            let Line::Instruction(instruction) = line else {
                continue;
            };
            for (index, register) in inline.parameters.iter().enumerate() {
                if register.is_some() && target(instruction) == *register {
                    inline.changed |= 1 << index;
                }
            }
        }
        Some(inline)
    }

    /// The text of a line with other names.
    pub fn renamed(line: &str, mut name: impl FnMut(&str) -> Option<String>) -> String {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '%' | '_' | '$');
        let mut text = String::new();
        let mut rest = line;
        while let Some(start) = rest.find(is_name) {
            let (before, from) = rest.split_at(start);
            let (word, behind) = from.split_at(from.find(|c| !is_name(c)).unwrap_or(from.len()));
            text.push_str(before);
            match name(word) {
                Some(new) => text.push_str(&new),
                None => text.push_str(word),
            }
            rest = behind;
        }
        text + rest
    }
}

/// The number and register of a parameter that is loaded whole.
fn parameter(instruction: &'static str) -> Option<(usize, &'static str)> {
    let (_, rest) = instruction.strip_prefix("ld.param.")?.split_once(' ')?;
    let (register, place) = rest.split_once(", [p")?;
    let index = place.strip_suffix(']')?.parse().ok()?;
    Some((index, register))
}

/// What is stored as the result.
fn result(instruction: &'static str) -> Option<&'static str> {
    let (_, value) = instruction
        .strip_prefix("st.param.")?
        .split_once("[result], ")?;
    Some(value)
}

/// The register that an instruction writes: its first operand.
fn target(instruction: &str) -> Option<&str> {
    let unguarded = match instruction.starts_with('@') {
        true => instruction.split_once(' ')?.1,
        false => instruction,
    };
    let (_, operands) = unguarded.split_once(' ')?;
    operands.split(',').next().map(str::trim)
}

/// The variable that an instruction accesses by its name.
fn variable(instruction: &'static str) -> Option<&'static str> {
    let name = instruction.split_once("[__")?.1.split(['+', ']']).next()?;
    let start = instruction.find("[__")? + 1;
    instruction.get(start..start + "__".len() + name.len())
}

/// The function in `(r), name, (a0)` or `name, (a0)`.
fn callee(call: &'static str) -> Option<&'static str> {
    let mut words = call.split(", ");
    let first = words.next()?;
    match first.starts_with('(') {
        true => words.next(),
        false => Some(first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
.func (.param .b32 result) __accrue_f(.param .b32 p0, .param .b32 p1)
{
\t.reg .f32 %f<4>;
\tld.param.f32 %f1, [p0];
\tld.param.f32 %f2, [p1];
\t@%p1 bra L1;
\tadd.rn.f32 %f2, %f2, %f1;
\t{
\t.param .b32 r;
\tcall (r), __accrue_g, (a0);
\tld.param.f32 %f3, [r];
\t}
L1:
\tst.param.f32 [result], %f2;
\tret;
}";

    #[test]
    fn a_function_taken_apart() {
        let inline = Inline::of(TEXT).expect("it can be inlined");
        assert_eq!(inline.parameters, [Some("%f1"), Some("%f2")]);
        assert_eq!((inline.changed, inline.result), (2, "%f2"));
        assert_eq!(inline.calls, ["__accrue_g"]);
        assert_eq!(inline.lines.len(), 8);
        let text = Inline::renamed("@%p1 bra L1", |word| {
            matches!(word, "%p1" | "L1").then(|| format!("{word}0"))
        });
        assert_eq!(text, "@%p10 bra L10");
    }

    #[test]
    fn functions_with_memory_or_early_returns_stay() {
        for (from, to) in [
            ("\t.reg .f32 %f<4>;", "\t.local .align 4 .b8 x[4];"),
            ("L1:", "L1:\n\t@%p2 ret;\n\tret;"),
            ("[p0]", "[p0+4]"),
            ("\tret;", "\tbra L1;"),
        ] {
            let text: &'static str = Box::leak(TEXT.replace(from, to).into_boxed_str());
            assert_eq!(Inline::of(text), None, "{to}");
        }
    }
}
