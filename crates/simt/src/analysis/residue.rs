//! What a number is modulo a power of two: the lowest bits of indices and addresses.
//!
//! ```text
//! 4 * i + 1        1 modulo 4
//! 16 * (4 * i)     0 modulo 64
//! ```

/// Larger powers of two are of no use.
pub const MOST: u64 = 64;

/// A number of which the lowest bits are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residue {
    /// A power of two, at most [`MOST`].
    pub modulus: u64,
    /// What the number is modulo that.
    pub rest: u64,
}

impl Residue {
    /// Nothing is known.
    pub const ANY: Residue = Residue {
        modulus: 1,
        rest: 0,
    };

    /// `rest` modulo `modulus`, a power of two.
    pub fn new(modulus: u64, rest: u64) -> Residue {
        let modulus = modulus.min(MOST);
        Residue {
            modulus,
            rest: rest % modulus,
        }
    }

    /// A known number.
    pub fn of_number(number: i128) -> Residue {
        Residue::new(MOST, number.rem_euclid(i128::from(MOST)) as u64)
    }

    /// The greatest power of two that is known to divide the number.
    pub fn factor(self) -> u64 {
        match self.rest {
            0 => self.modulus,
            rest => 1 << rest.trailing_zeros(),
        }
    }

    /// The same modulo no more than this.
    pub fn within(self, modulus: u64) -> Residue {
        Residue::new(self.modulus.min(modulus), self.rest)
    }

    /// Only that it is a multiple of this.
    pub fn multiple(factor: u64) -> Residue {
        Residue::new(factor, 0)
    }

    /// What is known of a number that may be either.
    pub fn or(self, other: Residue) -> Residue {
        let mut modulus = self.modulus.min(other.modulus);
        while self.rest % modulus != other.rest % modulus {
            modulus /= 2;
        }
        Residue::new(modulus, self.rest)
    }

    /// The number plus a known one.
    pub fn plus_number(self, number: u64) -> Residue {
        self.plus(Residue::new(MOST, number))
    }

    /// The sum.
    pub fn plus(self, other: Residue) -> Residue {
        Residue::new(self.modulus.min(other.modulus), self.rest + other.rest)
    }

    /// The difference.
    pub fn minus(self, other: Residue) -> Residue {
        let modulus = self.modulus.min(other.modulus);
        Residue::new(modulus, self.rest + modulus - other.rest % modulus)
    }

    /// The product: `(a·m + r)(b·n + s) = ab·mn + a·ms + b·nr + rs`
    pub fn times(self, other: Residue) -> Residue {
        let lowest = |rest: u64| 1 << rest.trailing_zeros().min(MOST.trailing_zeros());
        let modulus = (self.modulus * other.modulus)
            .min(self.modulus * lowest(other.rest))
            .min(other.modulus * lowest(self.rest));
        Residue::new(modulus, self.rest * other.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers of a residue class that fit into a byte.
    fn numbers(r: Residue) -> impl Iterator<Item = u64> {
        (0..256).filter(move |n| n % r.modulus == r.rest)
    }

    #[test]
    fn arithmetic_of_residues_holds_for_all_numbers() {
        let moduli = [1, 2, 4, 16, 64];
        let all = moduli.map(|m| (0..m).map(move |rest| Residue::new(m, rest)));
        let all: Vec<_> = all.into_iter().flatten().collect();
        let is = |n: u64, r: Residue| n % r.modulus == r.rest;
        for a in all.iter().copied() {
            for b in all.iter().copied().filter(|b| b.rest < 5) {
                for (x, y) in numbers(a).zip(numbers(b).skip(1)) {
                    assert!(is(x + y, a.plus(b)), "{x} + {y}");
                    assert!(is(256 + x - y, a.minus(b)), "{x} - {y}");
                    assert!(is(x * y, a.times(b)), "{x} * {y}");
                    assert!(is(x, a.or(b)) && is(y, a.or(b)), "{x} or {y}");
                    assert!(x % a.factor() == 0);
                }
            }
        }
        assert_eq!(Residue::of_number(-1), Residue::new(64, 63));
        assert_eq!(
            Residue::multiple(16).times(Residue::multiple(4)).modulus,
            64
        );
    }
}
