//! Programs for the number of iterations that gangs share, computed by the runtime when it launches a kernel.
//!
//! The runtime starts no more gangs than there is work for. How much that is depends on the kernel's arguments, so that
//! the compiler gives a program for a stack of 64-bit signed numbers, two words per step:
//!
//! ```text
//! for (int i = 0; i < n; i++)   n is argument word 2      →     ARG32 2,  MAX0 0,  END 0
//! ```
//! The result is the number of iterations of the gang-partitioned loop; of several loops, the largest.

/// One step of a program; the numbers are those of the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    End,
    Constant(i64),
    /// The argument word of this number.
    Argument(u32),
    Add,
    Sub,
    Mul,
    /// Quotient of positive numbers, rounded up.
    DivideUp,
    /// The top, or 0 if it is negative.
    NotNegative,
    /// The low 32 bits of an argument word, sign-extended.
    Argument32(u32),
    /// The low 32 bits of an argument word, zero-extended.
    ArgumentU32(u32),
}

/// The words of a program.
pub fn encode(steps: &[Step]) -> Vec<i64> {
    steps
        .iter()
        .flat_map(|step| match *step {
            Step::End => [0, 0],
            Step::Constant(value) => [1, value],
            Step::Argument(word) => [2, i64::from(word)],
            Step::Add => [3, 0],
            Step::Sub => [4, 0],
            Step::Mul => [5, 0],
            Step::DivideUp => [6, 0],
            Step::NotNegative => [7, 0],
            Step::Argument32(word) => [8, i64::from(word)],
            Step::ArgumentU32(word) => [9, i64::from(word)],
        })
        .collect()
}
