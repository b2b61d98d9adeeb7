//! Sums of products of counters of loops and numbers of the host, and what they are at least and at most while the counters go
//! through their loops.
//!
//! ```text
//! i·n + j,  0 <= i <= n - 1,  0 <= j <= i          at least 0, at most (n - 1)·n + n - 1, if n - 1 >= 0
//! ```
//! Counters are taken out one after the other, the innermost first: a sum that is linear in one is extreme where the counter is. What
//! remains are numbers of the host. All is exact: what is said to be the extreme is there in some iteration, or there is no answer.

use accrue_hostcall::{Arithmetic, Operator};
use std::collections::{BTreeMap, HashMap};

/// More are not compared.
const MOST_EXTREMES: usize = 8;

/// More that do not differ by numbers are not compared: the arithmetic would be too long for each launch.
const MOST_COMPARED: usize = 64;

/// What products are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// The counter of a loop.
    Counter(usize),
    /// A number of the host.
    Host(usize),
}

/// Factors of products. The constant is the factor of no symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polynomial(BTreeMap<Vec<Symbol>, i64>);

impl Polynomial {
    pub fn number(number: i64) -> Polynomial {
        Polynomial(BTreeMap::from([(vec![], number)])).without_zeros()
    }

    pub fn product(mut symbols: Vec<Symbol>, factor: i64) -> Polynomial {
        symbols.sort_unstable();
        Polynomial(BTreeMap::from([(symbols, factor)])).without_zeros()
    }

    fn without_zeros(mut self) -> Polynomial {
        self.0.retain(|_, factor| *factor != 0);
        self
    }

    /// `self + times · other`.
    pub fn plus(mut self, other: &Polynomial, times: i64) -> Polynomial {
        for (symbols, factor) in &other.0 {
            let own = self.0.entry(symbols.clone()).or_insert(0);
            *own = own.wrapping_add(factor.wrapping_mul(times));
        }
        self.without_zeros()
    }

    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        self.clone().plus(other, -1)
    }

    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (a, f) in &self.0 {
            for (b, g) in &other.0 {
                let symbols = [a.as_slice(), b.as_slice()].concat();
                product = product.plus(&Polynomial::product(symbols, f.wrapping_mul(*g)), 1);
            }
        }
        product
    }

    pub fn as_number(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&vec![]).copied(),
            _ => None,
        }
    }

    /// Whether it is one symbol, or a number that is not negative.
    pub fn is_plain(&self) -> bool {
        let number = self.as_number().is_some_and(|number| number >= 0);
        let mut terms = self.0.iter();
        let symbol = matches!(
            (terms.next(), terms.next()),
            (Some((symbols, 1)), None) if symbols.len() == 1
        );
        number || symbol
    }

    pub fn counters(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.keys().flatten().filter_map(|symbol| match symbol {
            Symbol::Counter(counter) => Some(*counter),
            Symbol::Host(_) => None,
        })
    }

    fn is_of_host(&self) -> bool {
        self.counters().next().is_none()
    }

    /// The factor of a counter, and what is left without it; `None` if it is not linear.
    fn split(&self, counter: usize) -> Option<(Polynomial, Polynomial)> {
        let (mut factor, mut rest) = (Polynomial::default(), Polynomial::default());
        for (symbols, number) in &self.0 {
            match symbols.iter().position(|s| *s == Symbol::Counter(counter)) {
                None => rest = rest.plus(&Polynomial::product(symbols.clone(), *number), 1),
                Some(at) => {
                    let mut others = symbols.clone();
                    others.remove(at);
                    factor = factor.plus(&Polynomial::product(others, *number), 1);
                }
            }
        }
        let linear = factor.counters().all(|other| other != counter);
        linear.then_some((factor, rest))
    }

    /// What the host computes; `None` if there are counters in it.
    pub fn of_host(&self, hosts: &[Arithmetic]) -> Option<Arithmetic> {
        let mut sum: Option<Arithmetic> = None;
        // The constant comes last.
        for (symbols, factor) in self.0.iter().rev() {
            let mut product = Arithmetic::Constant(*factor);
            for symbol in symbols {
                let Symbol::Host(number) = symbol else {
                    return None;
                };
                let host = hosts.get(*number)?.clone();
                product = Arithmetic::binary(Operator::Multiply, product, host);
            }
            sum = Some(match sum {
                None => product,
                Some(sum) => Arithmetic::binary(Operator::Add, sum, product),
            });
        }
        Some(sum.unwrap_or(Arithmetic::Constant(0)))
    }
}

/// What a counter goes through, if that is something.
#[derive(Clone, Debug)]
pub struct Range {
    pub counter: usize,
    pub low: Polynomial,
    pub high: Polynomial,
    /// It goes through all numbers between them.
    pub every: bool,
}

/// The extremes of a sum: the least of `least` and the most of `most`, where no condition is negative.
#[derive(Clone, Debug, Default)]
pub struct Extremes {
    pub least: Vec<Polynomial>,
    pub most: Vec<Polynomial>,
    pub conditions: Vec<Polynomial>,
}

/// The extremes of `sum` in loops, the outermost first, in which none of `conditions` is negative. `host` makes a symbol of what the
/// host computes.
pub fn extremes(
    sum: Polynomial,
    loops: &[Range],
    mut conditions: Vec<Polynomial>,
    hosts: &mut Hosts,
) -> Option<Extremes> {
    let (mut least, mut most) = (vec![sum.clone()], vec![sum]);
    for range in loops.iter().rev() {
        let counter = range.counter;
        let (mut lows, mut highs) = (vec![range.low.clone()], vec![range.high.clone()]);
        let (about, others) = conditions
            .into_iter()
            .partition(|c: &Polynomial| c.counters().any(|of| of == counter));
        conditions = others;
        for condition in about {
            let (factor, rest) = condition.split(counter)?;
            match factor.as_number()? {
                1 => lows.push(Polynomial::default().minus(&rest)),
                -1 => highs.push(rest),
                _ => return None,
            }
        }
        let guarded = lows.len() + highs.len() > 2;
        if guarded && !range.every {
            return None;
        }
        let low = hosts.one(lows, Operator::Most)?;
        let high = hosts.one(highs, Operator::Least)?;
        if guarded {
            conditions.push(high.minus(&low));
        }
        let is_positive = |factor: &Polynomial| {
            let known = conditions.iter().map(|known| factor.minus(known));
            known
                .filter_map(|more| more.as_number())
                .any(|more| more >= 0)
        };
        least = ends(&least, counter, (&low, &high), is_positive)?;
        most = ends(&most, counter, (&high, &low), is_positive)?;
    }
    conditions.retain(|condition| condition.as_number().is_none_or(|number| number < 0));
    let known = conditions.iter().chain(&least).chain(&most);
    known
        .into_iter()
        .all(Polynomial::is_of_host)
        .then_some(Extremes {
            least,
            most,
            conditions,
        })
}

/// The sums where the counter is at the end that makes them extreme: the first if they grow with it. `is_positive`: the conditions say
/// so.
fn ends(
    sums: &[Polynomial],
    counter: usize,
    (first, second): (&Polynomial, &Polynomial),
    is_positive: impl Fn(&Polynomial) -> bool,
) -> Option<Vec<Polynomial>> {
    let mut found: Vec<Polynomial> = vec![];
    for sum in sums {
        let (factor, rest) = sum.split(counter)?;
        let ends = match factor.as_number() {
            Some(0) => vec![rest],
            Some(1..) => vec![rest.plus(&factor.times(first), 1)],
            Some(_) => vec![rest.plus(&factor.times(second), 1)],
            None if is_positive(&factor) && factor.is_of_host() => {
                vec![rest.plus(&factor.times(first), 1)]
            }
            None if factor.is_of_host() => {
                let at = |end| rest.clone().plus(&factor.times(end), 1);
                vec![at(first), at(second)]
            }
            None => return None,
        };
        found.extend(
            ends.into_iter()
                .filter(|end| !found.contains(end))
                .collect::<Vec<_>>(),
        );
    }
    (found.len() <= MOST_EXTREMES).then_some(found)
}

/// Numbers of the host, by the symbols that stand for them.
#[derive(Default)]
pub struct Hosts {
    numbers: Vec<Arithmetic>,
    symbols: HashMap<Arithmetic, usize>,
}

impl Hosts {
    pub fn symbol(&mut self, host: Arithmetic) -> Polynomial {
        let number = *self.symbols.entry(host).or_insert_with_key(|host| {
            self.numbers.push(host.clone());
            self.numbers.len() - 1
        });
        Polynomial::product(vec![Symbol::Host(number)], 1)
    }

    pub fn numbers(&self) -> &[Arithmetic] {
        &self.numbers
    }

    /// The least or the most of several. Of those that differ by a number one is compared with the others; what remains the host
    /// compares.
    pub fn one(&mut self, of: Vec<Polynomial>, operator: Operator) -> Option<Polynomial> {
        let mut apart: Vec<Polynomial> = vec![];
        for other in of {
            if apart.len() > MOST_COMPARED {
                return None;
            }
            let near = apart.iter_mut().find_map(|known| {
                let more = other.minus(known).as_number()?;
                Some((known, more))
            });
            match near {
                Some((known, more)) if (more > 0) == (operator == Operator::Most) => *known = other,
                Some(_) => {}
                None => apart.push(other),
            }
        }
        let mut all = apart.into_iter();
        let mut chosen = all.next()?;
        for other in all {
            let (a, b) = (
                chosen.of_host(&self.numbers)?,
                other.of_host(&self.numbers)?,
            );
            chosen = self.symbol(Arithmetic::binary(operator, a, b));
        }
        Some(chosen)
    }
}
