//! Programs for the number of iterations that gangs share, computed by the library when it launches a kernel.
//!
//! The library starts no more gangs than there is work for. How much that is depends on the kernel's arguments, so that the
//! compiler gives a program for a stack of 64-bit signed numbers, two words per step:
//!
//! ```text
//! for (int i = 1; i < n; i++)      n is word 2      →      ARG32 2, CONST 1, SUB, MAX0, END
//! ```
//! The result is the number of iterations of the gang-partitioned loop; of several loops, the largest.

use std::fmt;

/// Longer programs are not worth their run.
pub const MOST_STEPS: usize = 160;
/// Most numbers on the stack.
pub const STACK: usize = 32;

macro_rules! steps {
    ($($(#[$of_step:meta])* $step:ident $(($operand:ident: $type:ty))? = $code:literal,)*) => {
        /// One step of a program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Step {
            $($(#[$of_step])* $step $(($type))?,)*
        }

        impl Step {
            /// Its two words.
            pub fn encode(self) -> [i64; 2] {
                match self {
                    $(Step::$step $(($operand))? => [$code, 0 $(+ i64::from($operand))?],)*
                }
            }

            /// The step with these words.
            pub fn decode(words: [i64; 2]) -> Option<Step> {
                match words {
                    $([$code, _operand] => Some(Step::$step $(({
                        let $operand: $type = _operand.try_into().ok()?;
                        $operand
                    }))?),)*
                    _ => None,
                }
            }
        }

        /// The name of each step, its number, and whether it has an operand.
        const NAMES: &[(&str, i64, bool)] = &[
            $((stringify!($step), $code, !concat!("", $(stringify!($operand))?).is_empty()),)*
        ];

        /// The names and numbers of the operations.
        pub(crate) const CONSTANTS: &[(&str, u64)] = &[
            $((concat!("STEP_", stringify!($step)), $code),)*
        ];
    };
}

steps! {
    /// The result is on top.
    End = 0,
    Constant(value: i64) = 1,
    /// The argument word of this number.
    Argument(word: u32) = 2,
    Add = 3,
    Sub = 4,
    Mul = 5,
    /// Quotient of positive numbers, rounded up.
    DivideUp = 6,
    /// The top, or 0 if it is negative.
    NotNegative = 7,
    /// The low 32 bits of an argument word, sign-extended.
    Argument32(word: u32) = 8,
    /// The low 32 bits of an argument word, zero-extended.
    ArgumentU32(word: u32) = 9,
    /// Quotient of numbers that are not negative, rounded down.
    Divide = 10,
    /// The top's low 32 bits, sign-extended.
    Signed32 = 11,
    /// The top's low 32 bits, zero-extended.
    Unsigned32 = 12,
    /// 1 if the number below the top is less than the top, otherwise 0.
    Less = 13,
    /// The same for unsigned numbers.
    LessUnsigned = 14,
    /// The number that so many others on the stack are above, once more.
    Again(above: u32) = 15,
    And = 16,
    Or = 17,
    Xor = 18,
    /// The number below the top, shifted by the top, which is from 0 to 63; what leaves 64 bits is lost.
    ShiftLeft = 19,
    /// The same to the right; the sign comes in.
    ShiftRight = 20,
    /// The same to the right; zeros come in.
    ShiftRightUnsigned = 21,
    /// What the quotient of numbers that are not negative leaves.
    Remainder = 22,
}

/// As [`Step::read`] reads it: `Argument32 2`, `Add`.
impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [code, operand] = self.encode();
        match NAMES.iter().find(|(_, number, _)| *number == code) {
            Some((name, _, true)) => write!(out, "{name} {operand}"),
            Some((name, _, false)) => out.write_str(name),
            None => Ok(()),
        }
    }
}

impl Step {
    /// The step that is written so.
    pub fn read(text: &str) -> Option<Step> {
        let (name, operand) = match text.split_once(' ') {
            Some((name, operand)) => (name, Some(operand)),
            None => (text, None),
        };
        let (_, code, has_operand) = NAMES.iter().find(|(known, _, _)| *known == name)?;
        match (has_operand, operand) {
            (true, Some(operand)) => Step::decode([*code, operand.parse().ok()?]),
            (false, None) => Step::decode([*code, 0]),
            (true, None) | (false, Some(_)) => None,
        }
    }

    /// How many numbers it takes from the stack; it puts one there.
    fn takes(self) -> usize {
        match self {
            Step::Constant(_)
            | Step::Argument(_)
            | Step::Argument32(_)
            | Step::ArgumentU32(_)
            | Step::Again(_) => 0,
            Step::End | Step::NotNegative | Step::Signed32 | Step::Unsigned32 => 1,
            Step::Add
            | Step::Sub
            | Step::Mul
            | Step::DivideUp
            | Step::Divide
            | Step::Less
            | Step::LessUnsigned
            | Step::And
            | Step::Or
            | Step::Xor
            | Step::ShiftLeft
            | Step::ShiftRight
            | Step::ShiftRightUnsigned
            | Step::Remainder => 2,
        }
    }
}

/// Whether the steps, to be followed by [`Step::End`], leave one number, and find theirs on the way.
pub fn leave_one(steps: &[Step]) -> bool {
    let depth = steps.iter().try_fold(0_usize, |depth, step| match step {
        Step::End => None,
        Step::Again(above) if depth <= *above as usize => None,
        _ => Some(depth.checked_sub(step.takes())? + 1).filter(|depth| *depth <= STACK),
    });
    depth == Some(1)
}

/// The words of a program.
pub fn encode(steps: &[Step]) -> Vec<i64> {
    steps.iter().flat_map(|step| step.encode()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_as_they_are_written() {
        for (_, code, has_operand) in NAMES {
            let step = Step::decode([*code, i64::from(*has_operand)]).expect("a step");
            assert_eq!(Step::read(&step.to_string()), Some(step));
        }
        for wrong in ["", "Argument", "Add 1", "Argument -1", "Constant x", "Fork"] {
            assert_eq!(Step::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn programs_leave_one_number() {
        let one = Step::Constant(1);
        assert!(leave_one(&[one, one, Step::Add, Step::NotNegative]));
        assert!(!leave_one(&[]));
        assert!(!leave_one(&[one, one]));
        assert!(!leave_one(&[one, Step::Add]));
        assert!(!leave_one(&[one, Step::End]));
        assert!(leave_one(&[one, one, Step::Again(1), Step::Mul, Step::Add]));
        assert!(!leave_one(&[one, Step::Again(1), Step::Mul]));
    }
}
