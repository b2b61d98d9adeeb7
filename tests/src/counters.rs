//! Claims about the counters that the simulator prints with `ACCRUE_SIM_STATS=1`: `divergent == 0`.

/// A counter, a relation and a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    counter: String,
    relation: Relation,
    number: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    AtLeast,
    AtMost,
}

impl Relation {
    fn named(text: &str) -> Option<Relation> {
        match text {
            "==" => Some(Relation::Equal),
            ">=" => Some(Relation::AtLeast),
            "<=" => Some(Relation::AtMost),
            _ => None,
        }
    }

    fn holds(self, actual: f64, number: f64) -> bool {
        match self {
            Relation::Equal => actual == number,
            Relation::AtLeast => actual >= number,
            Relation::AtMost => actual <= number,
        }
    }
}

impl Claim {
    /// `load-eff >= 0.99`
    pub fn parse(text: &str) -> Result<Claim, String> {
        let wrong = || {
            format!(
                "`{}` is not COUNTER == NUMBER, COUNTER >= NUMBER or COUNTER <= NUMBER",
                text.trim()
            )
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let [counter, relation, number] = words[..] else {
            return Err(wrong());
        };
        Ok(Claim {
            counter: counter.to_owned(),
            relation: Relation::named(relation).ok_or_else(wrong)?,
            number: number.parse().map_err(|_| wrong())?,
        })
    }

    /// Whether it holds in each line of the table.
    fn check(&self, names: &[&str], rows: &[&str]) -> Result<(), String> {
        let column = names.iter().position(|name| *name == self.counter);
        let column = column.ok_or_else(|| format!("there is no counter `{}`", self.counter))?;
        for row in rows {
            let number = row.split_whitespace().nth(column);
            let actual: f64 = number
                .and_then(|number| number.parse().ok())
                .ok_or_else(|| format!("no number in column {column} of: {row}"))?;
            if !self.relation.holds(actual, self.number) {
                return Err(format!("{self:?} does not hold: it is {actual}"));
            }
        }
        Ok(())
    }
}

/// Checks the claims in the table that a program printed; there must be at least one kernel in it.
pub fn check(claims: &[Claim], printed: &str) -> Result<(), String> {
    let mut lines = printed
        .lines()
        .skip_while(|line| !line.starts_with("accrue: counters"))
        .skip(1);
    let names: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    let rows: Vec<&str> = lines.collect();
    if rows.is_empty() {
        return Err("no counters of any kernel".to_owned());
    }
    claims
        .iter()
        .try_for_each(|claim| claim.check(&names, &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_about_a_table() {
        let table = "accrue: counters of the simulated GPU\nlaunches divergent load-eff  kernel\n1 0 1.00 x.c:3 k\n2 0 0.50 x.c:9 l\n";
        let check = |text| check(&[Claim::parse(text).unwrap()], table);
        check("divergent == 0").unwrap();
        check("load-eff <= 1").unwrap();
        assert!(check("load-eff >= 0.9").is_err());
        assert!(check("convergent == 0").is_err());
        assert!(super::check(&[], "").is_err());
        assert!(Claim::parse("divergent = 0").is_err());
    }
}
