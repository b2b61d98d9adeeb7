//! Sums of products of atoms with factors, modulo 2^64: the normal form of an index, whatever its spelling.
//!
//! ```text
//! (i + 1) * n - 4 * n + j      i·n - 3·n + j
//! ```
//! Equal sums are equal numbers. Cost of an operation: the number of terms, [`MOST_TERMS`] at most, of a product its square.

use std::collections::BTreeMap;

/// Longer sums are not made.
const MOST_TERMS: usize = 12;
/// Nor are products of more atoms.
const MOST_FACTORS: usize = 4;

/// The number of an atom in its [`super::Affine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub(super) u32);

/// Factors of products of atoms, which are in order. The constant is the factor of no atoms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sum(BTreeMap<Vec<AtomId>, i64>);

impl Sum {
    pub fn number(number: i64) -> Sum {
        Sum(BTreeMap::from([(vec![], number)])).without_zeros()
    }

    pub(super) fn atom(atom: AtomId) -> Sum {
        Sum(BTreeMap::from([(vec![atom], 1)]))
    }

    fn without_zeros(mut self) -> Sum {
        self.0.retain(|_, factor| *factor != 0);
        self
    }

    /// `self` and `times` times `other`.
    pub fn plus(mut self, other: &Sum, times: i64) -> Sum {
        for (atoms, factor) in &other.0 {
            let own = self.0.entry(atoms.clone()).or_insert(0);
            *own = own.wrapping_add(factor.wrapping_mul(times));
        }
        self.without_zeros()
    }

    /// `self - other`.
    pub fn minus(&self, other: &Sum) -> Sum {
        self.clone().plus(other, -1)
    }

    /// The product.
    pub fn times(&self, other: &Sum) -> Sum {
        let mut product = Sum::default();
        for (a, f) in &self.0 {
            for (b, g) in &other.0 {
                let mut atoms = [a.as_slice(), b.as_slice()].concat();
                atoms.sort_unstable();
                let own = product.0.entry(atoms).or_insert(0);
                *own = own.wrapping_add(f.wrapping_mul(*g));
            }
        }
        product.without_zeros()
    }

    /// The same modulo 2^width, with factors that are the nearest to zero.
    pub(super) fn within(mut self, width: u32) -> Sum {
        let unused = 64 - width.min(64);
        for factor in self.0.values_mut() {
            *factor = (*factor << unused) >> unused;
        }
        self.without_zeros()
    }

    pub(super) fn is_short(&self) -> bool {
        self.0.len() <= MOST_TERMS && self.0.keys().all(|atoms| atoms.len() <= MOST_FACTORS)
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The sum without its constant, and the constant.
    pub fn split(mut self) -> (Sum, i64) {
        let constant = self.0.remove(&vec![]).unwrap_or(0);
        (self, constant)
    }

    /// The number, if there are no atoms.
    pub fn as_number(&self) -> Option<i64> {
        let constant = self.0.get(&vec![]).copied().unwrap_or(0);
        let only = self.0.keys().all(|atoms| atoms.is_empty());
        only.then_some(constant)
    }

    /// The only term, if it is an atom with a factor.
    pub fn as_atom(&self) -> Option<(AtomId, i64)> {
        let mut terms = self.0.iter();
        match (terms.next(), terms.next()) {
            (Some((atoms, factor)), None) if atoms.len() == 1 => Some((atoms[0], *factor)),
            _ => None,
        }
    }

    /// Whether a product of atoms is in it.
    pub fn multiplies(&self) -> bool {
        self.0.keys().any(|atoms| atoms.len() > 1)
    }

    /// The terms, each as a sum.
    pub fn each_term(&self) -> Vec<Sum> {
        let terms = self.0.iter();
        terms
            .map(|(atoms, factor)| Sum(BTreeMap::from([(atoms.clone(), *factor)])))
            .collect()
    }

    /// How often `by` is in the sum, and what is left: `i·n + 2·i + j` is `i` times `n + 2`, and `j`. What is no product of the longest
    /// product of atoms in `by` and something is left, and of a number, by a number, what is not negative and less.
    pub fn divide(&self, by: &Sum) -> (Sum, Sum) {
        let (mut quotient, mut rest) = (Sum::default(), self.clone());
        let Some((lead, one)) = by.0.iter().max_by_key(|(atoms, _)| atoms.len()) else {
            return (quotient, rest);
        };
        for _ in 0..MOST_TERMS {
            let mut terms = rest.0.iter().filter(|(atoms, _)| !atoms.is_empty());
            let part = terms.find_map(|(atoms, factor)| {
                let others = without_all(atoms, lead).filter(|_| factor.wrapping_rem(*one) == 0)?;
                let times = factor.wrapping_div(*one);
                Some(Sum(BTreeMap::from([(others, times)])))
            });
            let Some(part) = part else {
                break;
            };
            rest = rest.minus(&part.times(by));
            quotient = quotient.plus(&part, 1);
        }
        if let (Some(number), Some(by)) = (rest.as_number(), by.as_number()) {
            let times = number.wrapping_div_euclid(by);
            return (
                quotient.plus(&Sum::number(times), 1),
                Sum::number(number.wrapping_sub(by.wrapping_mul(times))),
            );
        }
        (quotient, rest)
    }

    /// The terms: the atoms of each product, in order, and the factor.
    pub fn terms(&self) -> impl Iterator<Item = (&[AtomId], i64)> {
        self.0
            .iter()
            .map(|(atoms, factor)| (atoms.as_slice(), *factor))
    }

    /// The atoms in it, each as often as it stands there.
    pub fn atoms(&self) -> impl Iterator<Item = AtomId> + '_ {
        self.0.keys().flatten().copied()
    }

    /// By how much it grows when an atom grows by one: `n + 2` of `i·n + 2·i + j`. `None` if that depends on the atom itself.
    pub fn stride(&self, of: AtomId) -> Option<Sum> {
        let mut stride = Sum::default();
        for (atoms, factor) in &self.0 {
            let Some(at) = atoms.iter().position(|atom| *atom == of) else {
                continue;
            };
            let mut others = atoms.clone();
            others.remove(at);
            if others.contains(&of) {
                return None;
            }
            stride.0.insert(others, *factor);
        }
        Some(stride)
    }

    /// The terms without the atom.
    pub fn without(&self, atom: AtomId) -> Sum {
        let others = self.0.iter().filter(|(atoms, _)| !atoms.contains(&atom));
        Sum(others
            .map(|(atoms, factor)| (atoms.clone(), *factor))
            .collect())
    }
}

/// What is left of a product without the factors of another, if it has them all.
fn without_all(atoms: &[AtomId], factors: &[AtomId]) -> Option<Vec<AtomId>> {
    let mut left = atoms.to_vec();
    for factor in factors {
        let at = left.iter().position(|atom| atom == factor)?;
        left.remove(at);
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atoms() -> [Sum; 3] {
        [0, 1, 2].map(|number| Sum::atom(AtomId(number)))
    }

    #[test]
    fn spellings_of_one_sum_are_equal() {
        let [i, n, j] = atoms();
        let one = Sum::number(1);
        let row = i.clone().plus(&one, 1).times(&n).plus(&n, -4).plus(&j, 1);
        let other = i.times(&n).plus(&j, 1).plus(&n, -3);
        assert_eq!(row, other);
        assert_eq!(row.minus(&other).as_number(), Some(0));
        assert_eq!(row.clone().plus(&Sum::number(7), 1).split(), (row, 7));
    }

    #[test]
    fn strides_are_sums() {
        let [i, n, j] = atoms();
        let width = n.clone().plus(&Sum::number(2), 1);
        let place = i.times(&width).plus(&j, 1);
        assert_eq!(place.stride(AtomId(0)), Some(width));
        assert_eq!(place.stride(AtomId(2)), Some(Sum::number(1)));
        assert_eq!(place.without(AtomId(0)), j);
        assert_eq!(i.times(&i).stride(AtomId(0)), None);
        assert_eq!(i.times(&i).stride(AtomId(1)), Some(Sum::default()));
    }

    #[test]
    fn division_leaves_what_is_no_product() {
        let [i, n, j] = atoms();
        let width = n.clone().plus(&Sum::number(2), 1);
        let place = i.times(&width).plus(&width, -3).plus(&j, 5);
        let digit = i.clone().plus(&Sum::number(-3), 1);
        assert_eq!(place.divide(&width), (digit, j.times(&Sum::number(5))));
        let eight = Sum::number(8);
        let place = i.times(&Sum::number(16)).plus(&Sum::number(-1), 1);
        let digit = i.times(&Sum::number(2)).plus(&Sum::number(-1), 1);
        assert_eq!(place.divide(&eight), (digit, Sum::number(7)));
        assert_eq!(n.divide(&eight), (Sum::default(), n.clone()));
        assert_eq!(n.divide(&Sum::default()), (Sum::default(), n));
    }

    #[test]
    fn numbers_of_fewer_bits_wrap_there() {
        let [i, ..] = atoms();
        let sum = Sum::number(0x1_ffff_ffff).plus(&i, 1 << 32);
        assert_eq!(sum.within(32), Sum::number(-1));
    }
}
