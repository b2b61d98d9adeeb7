//! Which units' routines a unit's regions need, directly or not.
//!
//! A routine is looked for as linkers look for functions: in the objects that the command line names, then in its archives from left
//! to right. Two objects that have it, or two members of one archive, are an error.
//!
//! Cost: linear in the number of routines in the link.

use accrue_diag::{Diagnostic, Place, Position};
use std::collections::{HashMap, HashSet, VecDeque};

use super::record::{Problem, Routine, SavedPlace, Sealed, Wanted};

/// A record, and the object that has it.
pub struct Found {
    /// The object, as messages name it: `b.o`, `libb.a(b.o)`.
    pub object: String,
    /// The archive that it is in, by its place on the command line; `None` if the command line names the object.
    pub archive: Option<usize>,
    pub sealed: Sealed,
}

/// The routines of a link, by name.
pub struct Routines<'a> {
    found: &'a [Found],
    by_name: HashMap<&'a str, Vec<(usize, &'a Routine)>>,
}

impl<'a> Routines<'a> {
    pub fn of(found: &'a [Found]) -> Routines<'a> {
        let mut by_name: HashMap<&str, Vec<(usize, &Routine)>> = HashMap::new();
        for (number, one) in found.iter().enumerate() {
            for routine in &one.sealed.record.routines {
                let all = by_name.entry(&routine.name).or_default();
                all.push((number, routine));
            }
        }
        Routines { found, by_name }
    }

    /// The records, by number, whose routines the regions of record `unit` need.
    pub fn needed(&self, unit: usize) -> Result<Vec<usize>, Vec<Diagnostic>> {
        let record = &self.found[unit].sealed.record;
        let regions = record.regions.iter();
        let mut pending: VecDeque<&Wanted> = regions.flat_map(|it| &it.wanted).collect();
        let (mut needed, mut seen, mut errors) = (vec![], HashSet::new(), vec![]);
        while let Some(wanted) = pending.pop_front() {
            if !seen.insert(&wanted.name) {
                continue;
            }
            match self.definition(wanted) {
                Ok(number) if needed.contains(&number) => {}
                Ok(number) => {
                    needed.push(number);
                    pending.extend(&self.found[number].sealed.record.wanted);
                }
                Err(error) => errors.push(error),
            }
        }
        match errors.is_empty() {
            true => Ok(needed),
            false => Err(errors),
        }
    }

    /// The record that has a routine.
    fn definition(&self, wanted: &Wanted) -> Result<usize, Diagnostic> {
        let name = &wanted.name;
        let all = self
            .by_name
            .get(name.as_str())
            .map_or(&[][..], Vec::as_slice);
        let first = all
            .iter()
            .map(|(number, _)| self.found[*number].archive)
            .min();
        let mut nearest = all
            .iter()
            .filter(|(number, _)| Some(self.found[*number].archive) == first);
        let Some((number, routine)) = nearest.next() else {
            let message = format!("no object of the link has the body of the routine `{name}`");
            let error = Diagnostic::error(message)
                .help(format!(
                    "write a `routine` directive in front of the definition of `{name}`, compile its file with accrue, and \
                     name the object in the link"
                ))
                .section("2.15.1");
            return Err(at(error, wanted.place.as_ref()));
        };
        // The same archive may be named twice, and the same source may be in two of them.
        let unit = |number: usize| &self.found[number].sealed.record.number;
        if let Some((other, again)) = nearest.find(|(other, _)| unit(*other) != unit(*number)) {
            let message = format!(
                "the routine `{name}` is defined twice: in {} and in {}",
                self.found[*number].object, self.found[*other].object
            );
            let error = Diagnostic::error(message)
                .related(place_of(&again.place), "the other definition")
                .help("make one of them static, or give it another name");
            return Err(at(error, Some(&routine.place)));
        }
        match &routine.problem {
            None => Ok(*number),
            Some(problem) => Err(self.refused(wanted, *number, problem)),
        }
    }

    fn refused(&self, wanted: &Wanted, number: usize, problem: &Problem) -> Diagnostic {
        let message = format!(
            "the routine `{}` in {} cannot be called by other files: {}",
            wanted.name, self.found[number].object, problem.message
        );
        let mut error = Diagnostic::error(message).section("2.15.1");
        if let Some(place) = &wanted.place {
            error = error.related(place_of(place), "it is declared here");
        }
        if let Some(help) = &problem.help {
            error = error.help(help.clone());
        }
        at(error, problem.place.as_ref())
    }
}

fn at(error: Diagnostic, place: Option<&SavedPlace>) -> Diagnostic {
    match place {
        Some(place) => error.place(place_of(place)),
        None => error,
    }
}

fn place_of(place: &SavedPlace) -> Place {
    Place {
        position: Position {
            file: place.file.as_str().into(),
            line: place.line,
            column: place.column,
        },
        length: 0,
    }
}
