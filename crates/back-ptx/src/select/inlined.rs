//! Functions of the device library in the place of their calls, where [`accrue_devlib::inline`] says that they may be.
//!
//! ```text
//! core.call @expf(%x)        fma.rn.sat.f32 %f7, %f3, 0f3BBAF6D1, 0f3EFEFDFC;     … with registers of the caller
//! ```
//! Registers and labels get names of the caller's; a parameter that the function does not change is the argument itself.
//! With `-gpu=nomathinline` the functions are called. Cost: linear in the text of the function, per call.

use super::{
    function::Selector,
    operand::Part,
    types::{Class, classes},
};
use crate::{code::Instruction, diagnostic::Result};
use accrue_devlib::{Inline, Line};
use pliron::{r#type::Typed, value::Value};
use std::collections::HashMap;

impl Selector<'_> {
    /// Prints the library's function `name` instead of a call; tells whether it did.
    pub(super) fn inlined(
        &mut self,
        name: &str,
        arguments: &[Value],
        result: Option<Value>,
    ) -> Result<bool> {
        if !self.unit.options.inline_math {
            return Ok(false);
        }
        let (Some(result), Some(inline)) = (result, accrue_devlib::inline(name)) else {
            return Ok(false);
        };
        let [class] = classes(self.ctx, result.get_type(self.ctx))?[..] else {
            return Ok(false);
        };
        // Pointers would have to be generic ones, and a result an address: `calloc`.
        if arguments
            .iter()
            .chain([&result])
            .any(|value| self.is_pointer(*value))
        {
            return Ok(false);
        }
        let mut parts = vec![];
        for argument in arguments {
            parts.push(self.part(*argument)?);
        }
        let holds = |register: &str, class: Class| prefix(register) == class.prefix();
        let fits = parts.len() == inline.parameters.len()
            && parts
                .iter()
                .zip(&inline.parameters)
                .all(|(part, register)| {
                    register.is_none_or(|register| holds(register, part.class))
                })
            && (holds(inline.result, class) || !inline.result.starts_with('%'));
        if !fits {
            return Ok(false);
        }
        let mut names: HashMap<String, String> = HashMap::new();
        for (index, (part, register)) in parts.iter().zip(&inline.parameters).enumerate() {
            let Some(register) = register else {
                continue;
            };
            let own = self.settle(part);
            let own = match inline.changed >> index & 1 {
                1 => self.mov(part.class, &own),
                _ => own,
            };
            names.insert(register.to_string(), own);
        }
        for label in &inline.labels {
            names.insert(label.to_string(), self.code.new_label());
        }
        for line in &inline.lines {
            match line {
                Line::Label(label) => {
                    let label = self.renamed(label, &mut names);
                    self.code.label(&label);
                }
                Line::Brace(brace) => self.code.brace(brace),
                Line::Instruction(instruction) => {
                    let instruction = self.renamed(instruction, &mut names);
                    match instruction.starts_with('.') {
                        true => self.code.directive(instruction),
                        false => self.code.push(Instruction::parse(&instruction)),
                    }
                }
            }
        }
        for called in inline.calls {
            self.needs.library.insert(called.to_string());
        }
        let value = self.renamed(inline.result, &mut names);
        let value = self.settle(&Part::new(class, value));
        self.define(result, class, [value]);
        Ok(true)
    }

    /// The text of a line of the function with the caller's names, which may be new ones.
    fn renamed(&mut self, text: &str, names: &mut HashMap<String, String>) -> String {
        Inline::renamed(text, |word| {
            if let Some(name) = names.get(word) {
                return Some(name.clone());
            }
            let class = Class::ALL
                .into_iter()
                .find(|c| c.prefix() == prefix(word))?;
            let name = self.code.register(class);
            names.insert(word.to_string(), name.clone());
            Some(name)
        })
    }
}

/// The letters of a register's name.
fn prefix(register: &str) -> &str {
    register.trim_end_matches(|c: char| c.is_ascii_digit())
}
