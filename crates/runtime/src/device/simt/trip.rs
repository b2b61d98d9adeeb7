//! Programs for the number of iterations that gangs share.
//!
//! How many gangs are useful depends on values that only the launch knows. The compiler gives a small program over the
//! argument words:
//!
//! ```text
//! for (int i = 1; i < n; i++)      n is word 2      →      ARG32 2, CONST 1, SUB, MAX0, END
//! ```

use crate::abi::trip::{STACK, Step};

/// Runs the program for the number of iterations of a gang-partitioned loop: [`Step`]s on a stack of signed numbers.
///
/// None when there is no program, or one that makes no sense; then the count is unknown.
///
/// # Safety
/// `program` is null or ends with [`Step::End`].
pub unsafe fn trip_count(program: *const i64, args: &[u64]) -> Option<u64> {
    // SAFETY: passed on to the caller.
    u64::try_from(unsafe { evaluate(program, args) }?).ok()
}

/// The number that a program leaves, of any sign.
///
/// # Safety
/// `program` is null or ends with [`Step::End`].
pub unsafe fn evaluate(program: *const i64, args: &[u64]) -> Option<i64> {
    if program.is_null() {
        return None;
    }
    let mut stack = Stack {
        numbers: [0; STACK],
        depth: 0,
    };
    let mut next = program.cast::<[i64; 2]>();
    loop {
        // SAFETY: the program goes on until the step that ends it.
        let step = Step::decode(unsafe { *next })?;
        let argument = |word: u32| args.get(word as usize).copied();
        let pushed = match step {
            Step::End => return stack.pop(),
            Step::Constant(value) => value,
            Step::Argument(word) => argument(word)? as i64,
            Step::Argument32(word) => i64::from(argument(word)? as i32),
            Step::ArgumentU32(word) => i64::from(argument(word)? as u32),
            Step::Add => stack.both(i64::checked_add)?,
            Step::Sub => stack.both(i64::checked_sub)?,
            Step::Mul => stack.both(i64::checked_mul)?,
            Step::DivideUp => stack.both(|a, b| Some(dividend(a, b)?.div_ceil(b as u64) as i64))?,
            Step::Divide => stack.both(|a, b| Some((dividend(a, b)? / b as u64) as i64))?,
            Step::Less => stack.both(|a, b| Some(i64::from(a < b)))?,
            Step::LessUnsigned => stack.both(|a, b| Some(i64::from((a as u64) < b as u64)))?,
            Step::Again(above) => stack.below(above)?,
            Step::And => stack.both(|a, b| Some(a & b))?,
            Step::Or => stack.both(|a, b| Some(a | b))?,
            Step::Xor => stack.both(|a, b| Some(a ^ b))?,
            Step::ShiftLeft => stack.both(|a, b| a.checked_shl(b.try_into().ok()?))?,
            Step::ShiftRight => stack.both(|a, b| a.checked_shr(b.try_into().ok()?))?,
            Step::ShiftRightUnsigned => {
                stack.both(|a, b| Some((a as u64).checked_shr(b.try_into().ok()?)? as i64))?
            }
            Step::Remainder => stack.both(|a, b| Some((dividend(a, b)? % b as u64) as i64))?,
            Step::NotNegative => stack.pop()?.max(0),
            Step::Signed32 => i64::from(stack.pop()? as i32),
            Step::Unsigned32 => i64::from(stack.pop()? as u32),
        };
        stack.push(pushed)?;
        next = next.wrapping_add(1);
    }
}

/// The dividend, of numbers that have a quotient here.
fn dividend(a: i64, b: i64) -> Option<u64> {
    (a >= 0 && b > 0).then_some(a as u64)
}

/// The numbers of a program under way; `None` of its functions: the program makes no sense.
struct Stack {
    numbers: [i64; STACK],
    depth: usize,
}

impl Stack {
    fn push(&mut self, number: i64) -> Option<()> {
        *self.numbers.get_mut(self.depth)? = number;
        self.depth += 1;
        Some(())
    }

    fn pop(&mut self) -> Option<i64> {
        self.depth = self.depth.checked_sub(1)?;
        Some(self.numbers[self.depth])
    }

    /// The number that so many others are above.
    fn below(&self, above: u32) -> Option<i64> {
        let at = self.depth.checked_sub(1)?.checked_sub(above as usize)?;
        Some(self.numbers[at])
    }

    fn both(&mut self, compute: impl FnOnce(i64, i64) -> Option<i64>) -> Option<i64> {
        let (b, a) = (self.pop()?, self.pop()?);
        compute(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::trip::encode;

    fn trips(program: &[i64], args: &[u64]) -> Option<u64> {
        // SAFETY: all programs here end with operation 0.
        unsafe { trip_count(program.as_ptr(), args) }
    }

    #[test]
    fn programs_count_iterations() {
        use Step::*;
        let trips = |steps: &[Step], args: &[u64]| trips(&encode(steps), args);
        // max(n - 1, 0) / 3 rounded up, n in the low half of word 1
        let program = [
            Argument32(1),
            Constant(1),
            Sub,
            NotNegative,
            Constant(3),
            DivideUp,
            End,
        ];
        assert_eq!(trips(&program, &[0, 8]), Some(3));
        assert_eq!(trips(&program, &[0, 0xdead_0000_0008]), Some(3));
        assert_eq!(trips(&program, &[0, 0xffff_fff0]), Some(0));
        assert_eq!(
            trips(&[ArgumentU32(0), Argument(1), Mul, End], &[0xffff_ffff, 2]),
            Some(0x1_ffff_fffe)
        );
        assert_eq!(
            trips(&[Argument(0), Argument(1), Add, End], &[40, 2]),
            Some(42)
        );
        assert_eq!(
            trips(&[Constant(7), Constant(3), Divide, End], &[]),
            Some(2)
        );
        let again = [Constant(7), Constant(2), Again(1), Mul, Add, End];
        assert_eq!(trips(&again, &[]), Some(21));
        assert_eq!(trips(&[Constant(7), Again(1), End], &[]), None);
        let less = |step| trips(&[Constant(-1), Constant(0), step, End], &[]);
        assert_eq!((less(Less), less(LessUnsigned)), (Some(1), Some(0)));
    }

    #[test]
    fn bits_and_remainders_are_those_of_64_bits() {
        use Step::*;
        let of = |a, b, step| trips(&encode(&[Constant(a), Constant(b), step, End]), &[]);
        assert_eq!((of(6, 3, And), of(6, 3, Or)), (Some(2), Some(7)));
        assert_eq!((of(6, 3, Xor), of(-1, -8, Xor)), (Some(5), Some(7)));
        assert_eq!(
            (of(3, 4, ShiftLeft), of(3, 64, ShiftLeft)),
            (Some(48), None)
        );
        assert_eq!(
            (of(13, 2, ShiftRight), of(13, -1, ShiftRight)),
            (Some(3), None)
        );
        assert_eq!(
            (of(-8, 62, ShiftRightUnsigned), of(-8, 1, ShiftRight)),
            (Some(3), None)
        );
        assert_eq!(
            (of(17, 5, Remainder), of(-17, 5, Remainder)),
            (Some(2), None)
        );
        assert_eq!(of(17, 0, Remainder), None);
    }

    #[test]
    fn arithmetic_of_32_bits_wraps() {
        use Step::*;
        let trips = |steps: &[Step], args: &[u64]| trips(&encode(steps), args);
        // unsigned n - 2, and int n + n
        let below = [Argument32(0), Constant(2), Sub, Signed32, Unsigned32, End];
        assert_eq!(trips(&below, &[1]), Some(0xffff_ffff));
        let twice = [Argument32(0), Argument32(0), Add, Signed32, End];
        assert_eq!(trips(&twice, &[0x4000_0001]), None);
    }

    #[test]
    fn programs_that_make_no_sense_count_nothing() {
        assert_eq!(trips(&[0, 0], &[]), None);
        assert_eq!(trips(&[2, 5, 0, 0], &[1]), None);
        assert_eq!(trips(&[2, -1, 0, 0], &[1]), None);
        assert_eq!(trips(&[1, 5, 1, 0, 6, 0, 0, 0], &[]), None);
        assert_eq!(trips(&[1, i64::MAX, 1, 1, 3, 0, 0, 0], &[]), None);
        assert_eq!(trips(&[3, 0, 0, 0], &[]), None);
        assert_eq!(trips(&[77, 0, 0, 0], &[]), None);
        assert_eq!(trips(&[1, -4, 0, 0], &[]), None);
        let mut deep = [1i64, 1].repeat(STACK + 1);
        deep.extend([0, 0]);
        assert_eq!(trips(&deep, &[]), None);
        // SAFETY: null is allowed.
        assert_eq!(unsafe { trip_count(std::ptr::null(), &[]) }, None);
    }
}
