//! Programs for the number of iterations that gangs share.
//!
//! How many gangs are useful depends on values that only the launch knows. The compiler gives a small program over the
//! argument words:
//!
//! ```text
//! for (int i = 1; i < n; i++)      n is word 2      →      ARG32 2, CONST 1, SUB, MAX0, END
//! ```

/// Most numbers on the stack of a trip-count program.
const STACK: usize = 32;

/// Runs the program for the number of iterations of a gang-partitioned loop: pairs of an operation and its operand, on
/// a stack of signed numbers.
///
/// | operation | meaning |
/// | --- | --- |
/// | 0 | end; the result is on top |
/// | 1 c | push c |
/// | 2 i, 8 i, 9 i | push argument word i: whole, its low half signed, its low half unsigned |
/// | 3, 4, 5 | add, subtract, multiply |
/// | 6 | divide and round up |
/// | 7 | the top, or 0 if it is negative |
///
/// None when there is no program, or one that makes no sense; then the count is unknown.
///
/// # Safety
/// `program` is null or ends with operation 0.
pub unsafe fn trip_count(program: *const i64, args: &[u64]) -> Option<u64> {
    if program.is_null() {
        return None;
    }
    let mut stack = [0i64; STACK];
    let mut depth = 0;
    let mut next = program;
    loop {
        // SAFETY: the program goes on until operation 0.
        let (operation, operand) = unsafe { (*next, *next.add(1)) };
        let argument = || args.get(usize::try_from(operand).ok()?).copied();
        let pushed = match operation {
            0 => {
                let top = stack[..depth].last()?;
                return u64::try_from(*top).ok();
            }
            1 => operand,
            2 => argument()? as i64,
            8 => i64::from(argument()? as i32),
            9 => i64::from(argument()? as u32),
            3..=6 => {
                let &[.., a, b] = &stack[..depth] else {
                    return None;
                };
                depth -= 2;
                match operation {
                    3 => a.checked_add(b)?,
                    4 => a.checked_sub(b)?,
                    5 => a.checked_mul(b)?,
                    _ if a < 0 || b <= 0 => return None,
                    _ => (a as u64).div_ceil(b as u64) as i64,
                }
            }
            7 => {
                let &top = stack[..depth].last()?;
                depth -= 1;
                top.max(0)
            }
            _ => return None,
        };
        *stack.get_mut(depth)? = pushed;
        depth += 1;
        next = next.wrapping_add(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trips(program: &[i64], args: &[u64]) -> Option<u64> {
        // SAFETY: all programs here end with operation 0.
        unsafe { trip_count(program.as_ptr(), args) }
    }

    #[test]
    fn programs_count_iterations() {
        // max(n - 1, 0) / 3 rounded up, n in the low half of word 1
        let program = [8, 1, 1, 1, 4, 0, 7, 0, 1, 3, 6, 0, 0, 0];
        assert_eq!(trips(&program, &[0, 8]), Some(3));
        assert_eq!(trips(&program, &[0, 0xdead_0000_0008]), Some(3));
        assert_eq!(trips(&program, &[0, 0xffff_fff0]), Some(0));
        assert_eq!(
            trips(&[9, 0, 2, 1, 5, 0, 0, 0], &[0xffff_ffff, 2]),
            Some(0x1_ffff_fffe)
        );
        assert_eq!(trips(&[2, 0, 2, 1, 3, 0, 0, 0], &[40, 2]), Some(42));
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
