//! Names of what only one unit has: kernels, `static` functions and variables, types.
//!
//! ```text
//! f of the unit 05ab…  →  f__u05abcdef05abcdef  →  f, for people
//! ```
//! A program has many units with a `static` function `f`. Where units meet, as in the IR that a link of device code would join, these
//! names tell them apart; messages show the name in the program. C reserves names with two underscores for such uses.
//!
//! The code of one unit for a device is a module of its own, which nothing is linked to, and has the names in the program: the number
//! changes with every character of the unit, and drivers keep what they have translated by the text.

/// Before the number of the unit.
const MARK: &str = "__u";

/// How many hexadecimal digits the number of a unit has.
pub const UNIT_DIGITS: usize = 16;

/// The symbol of `name` in a unit.
pub fn of_unit(name: &str, unit: &str) -> String {
    format!("{name}{MARK}{unit}")
}

/// The symbol as it is in the program: without numbers of units.
pub fn shown(symbol: &str) -> String {
    let mut rest = symbol;
    let mut name = String::new();
    while let Some(at) = rest.find(MARK) {
        let (before, mark) = rest.split_at(at);
        let behind = &mark[MARK.len()..];
        name.push_str(before);
        rest = match behind.get(..UNIT_DIGITS) {
            Some(digits) if is_number(digits) => &behind[UNIT_DIGITS..],
            Some(_) | None => {
                name.push_str(MARK);
                behind
            }
        };
    }
    name + rest
}

fn is_number(digits: &str) -> bool {
    let digit = |c: u8| c.is_ascii_digit() || (b'a'..=b'f').contains(&c);
    digits.bytes().all(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_see_the_names_in_the_program() {
        let unit = "0123456789abcdef";
        assert_eq!(shown(&of_unit("f", unit)), "f");
        assert_eq!(shown(&(of_unit("k", unit) + "_grid")), "k_grid");
        for name in [
            "",
            "f",
            "a__u",
            "a__user_0123456789abcdef",
            "__u012é456789abcdefg",
        ] {
            assert_eq!(shown(name), name);
            assert_eq!(shown(&of_unit(name, unit)), name);
        }
    }
}
