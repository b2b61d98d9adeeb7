//! Programs for the number of iterations that gangs share, computed by the library when it launches a kernel.
//!
//! The library starts no more gangs than there is work for. How much that is depends on the kernel's arguments, so that the
//! compiler gives a program for a stack of 64-bit signed numbers, two words per step:
//!
//! ```text
//! for (int i = 1; i < n; i++)      n is word 2      →      ARG32 2, CONST 1, SUB, MAX0, END
//! ```
//! The result is the number of iterations of the gang-partitioned loop; of several loops, the largest.

/// Longer programs are not worth their run.
pub const MOST_STEPS: usize = 64;
/// Most numbers on the stack.
pub const STACK: usize = 32;

macro_rules! steps {
    ($($(#[$of_step:meta])* $step:ident $(($operand:ident: $type:ty))? = $code:literal,)*) => {
        /// One step of a program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

/// The words of a program.
pub fn encode(steps: &[Step]) -> Vec<i64> {
    steps.iter().flat_map(|step| step.encode()).collect()
}
