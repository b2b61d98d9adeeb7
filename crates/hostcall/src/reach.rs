//! What a region accesses of a variable, as programs for the library: it runs them at launches that find several parts of the variable
//! present.
//!
//! ```text
//! for (i = h; i < n; i++) … p[i] …      lower h: Argument 1      length n - h where there is any: Argument 2, Constant -1, Argument 1, …
//! ```
//! Words of the call would cost every launch what next to none needs.

use crate::section::{Arithmetic, InferredSection, Operator};
use crate::site::{SiteVar, ValueKind, WordSource};
use accrue_abi::trip::{Step, leave_one};

/// Longer programs are not worth their room.
const MOST_STEPS: usize = 320;

/// What a region accesses of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Bytes of an element.
    pub element: u64,
    pub section: InferredSection,
}

impl Reach {
    /// The first element, and how many: programs over the arguments of kernels with these variables. None if a variable is not among
    /// them, or a program would be too long.
    pub fn programs(&self, vars: &[SiteVar]) -> Option<[Vec<Step>; 2]> {
        let program = |arithmetic: &Arithmetic| {
            let mut steps = vec![];
            push(arithmetic, vars, &mut steps)?;
            let complete = steps.len() < MOST_STEPS && leave_one(&steps);
            steps.push(Step::End);
            complete.then_some(steps)
        };
        Some([
            program(&self.section.lower)?,
            program(&self.section.length)?,
        ])
    }
}

fn push(arithmetic: &Arithmetic, vars: &[SiteVar], steps: &mut Vec<Step>) -> Option<()> {
    // What is written out twice may grow with each level.
    (steps.len() < MOST_STEPS).then_some(())?;
    match arithmetic {
        Arithmetic::Constant(number) => steps.push(Step::Constant(*number)),
        Arithmetic::Variable(name) => steps.push(Step::Argument(word_of(name, vars)?)),
        Arithmetic::Binary(operator, a, b) => match operator {
            Operator::Add | Operator::Multiply => {
                push(a, vars, steps)?;
                push(b, vars, steps)?;
                steps.push(match operator {
                    Operator::Multiply => Step::Mul,
                    _ => Step::Add,
                });
            }
            Operator::Divide => {
                // Of numbers that are not negative: one of `a` and `-a` is 0 then.
                push(a, vars, steps)?;
                steps.push(Step::NotNegative);
                push(b, vars, steps)?;
                steps.push(Step::Divide);
                push(a, vars, steps)?;
                steps.extend([Step::Constant(-1), Step::Mul, Step::NotNegative]);
                push(b, vars, steps)?;
                steps.extend([Step::Divide, Step::Sub]);
            }
            Operator::Least => {
                // a - max(a - b, 0)
                push(a, vars, steps)?;
                steps.push(Step::Again(0));
                push(b, vars, steps)?;
                steps.extend([Step::Sub, Step::NotNegative, Step::Sub]);
            }
            Operator::Most => {
                // a + max(-(a - b), 0)
                push(a, vars, steps)?;
                steps.push(Step::Again(0));
                push(b, vars, steps)?;
                let negative = [Step::Sub, Step::Constant(-1), Step::Mul];
                steps.extend(negative);
                steps.extend([Step::NotNegative, Step::Add]);
            }
        },
        Arithmetic::When(condition, yes, no) => {
            // yes * (-1 < condition) + no * (condition < 0)
            push(yes, vars, steps)?;
            steps.push(Step::Constant(-1));
            push(condition, vars, steps)?;
            steps.extend([Step::Less, Step::Mul]);
            if **no != Arithmetic::Constant(0) {
                push(no, vars, steps)?;
                push(condition, vars, steps)?;
                steps.extend([Step::Constant(0), Step::Less, Step::Mul, Step::Add]);
            }
        }
    }
    Some(())
}

/// The argument word that has the value of a variable.
fn word_of(name: &str, vars: &[SiteVar]) -> Option<u32> {
    let mut word = 0;
    for var in vars {
        let whole = match var.source {
            WordSource::Clause { .. } | WordSource::Variable { .. } => true,
            WordSource::Extent { .. }
            | WordSource::Member { .. }
            | WordSource::Global { .. }
            | WordSource::FileScope { .. }
            | WordSource::Section { .. }
            | WordSource::Own => false,
        };
        if whole && var.name == name && var.value == Some(ValueKind::Integer) {
            return u32::try_from(word).ok();
        }
        word += var.argument_words();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{Action, VarFlags};

    fn var(name: &str, value: Option<ValueKind>, action: Action) -> SiteVar {
        SiteVar {
            name: name.to_string(),
            action,
            flags: VarFlags::default(),
            value,
            elem_size: 8,
            dims: vec![],
            stepped: vec![],
            source: WordSource::Variable {
                name: name.to_string(),
            },
            limited: None,
            reach: None,
            pointers: vec![],
            line: 1,
            column: 1,
        }
    }

    #[test]
    fn variables_are_argument_words() {
        let vars = [
            var("p", None, Action::Pointer),
            var("z", Some(ValueKind::Complex64), Action::Value),
            var("h", Some(ValueKind::Integer), Action::Value),
        ];
        let section = |lower: &str, length: &str| Reach {
            element: 8,
            section: InferredSection {
                lower: Arithmetic::read(lower).unwrap(),
                length: Arithmetic::read(length).unwrap(),
            },
        };
        let [lower, length] = section("h", "(+ h 1)").programs(&vars).unwrap();
        let complex_words = vars[1].argument_words() as u32;
        let h = Step::Argument(1 + complex_words);
        assert_eq!(lower, [h, Step::End]);
        assert_eq!(length, [h, Step::Constant(1), Step::Add, Step::End]);
        assert_eq!(section("k", "1").programs(&vars), None);
    }
}
