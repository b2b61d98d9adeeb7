//! What the `map` clauses of a directive mean to the present table (OpenMP 5.2, section 5.8.3).
//!
//! ```text
//! map(to:)      copyin       map(alloc:)    create
//! map(from:)    copyout      map(release:)  delete
//! map(tofrom:)  copy         map(delete:)   delete, whatever the counters say
//! ```
//! One list item may stand in several clauses: what each of them says is done, once.
//!
//! ```text
//! map(alloc: x) map(to: x)                copyin(x)
//! map(present, to: x) map(from: x)        copy(x), which must be present
//! map(always, to: x) map(from: x)         copy(alwaysin: x)
//! ```

use crate::import::directive::View;
use accrue_dialects::acc::{DataClause, Presence};
use accrue_directives::omp::{ClauseArgs, Directive, MapKind, MapModifier};
use accrue_directives::{ModifierKind, Var};

/// A list item of `map` clauses.
pub(super) struct Mapped<'a> {
    /// The clause that names it first, and the item in the clause.
    pub place: (usize, usize),
    pub var: &'a Var,
    said: Vec<Said>,
}

/// What one clause says of an item.
struct Said {
    kind: MapKind,
    always: bool,
    present: bool,
    around: bool,
}

/// The list items of the directive's `map` clauses.
pub(super) fn mapped<'a>(view: &View<'_>, omp: &'a Directive) -> Vec<Mapped<'a>> {
    let mut all: Vec<(String, Mapped<'a>)> = Vec::new();
    for (index, clause) in omp.clauses.iter().enumerate() {
        let ClauseArgs::Map {
            kind,
            modifiers,
            vars,
            ..
        } = &clause.args
        else {
            continue;
        };
        for (item, var) in vars.iter().enumerate() {
            let mut text = view.scanned.text_of(var.span).to_string();
            text.retain(|c| !c.is_whitespace());
            let said = Said {
                kind: *kind,
                always: modifiers.contains(&MapModifier::Always),
                present: modifiers.contains(&MapModifier::Present),
                around: modifiers.contains(&MapModifier::Around),
            };
            let same = all.iter_mut().find(|(other, mapped)| {
                let fits = mapped
                    .said
                    .iter()
                    .all(|other| go_together(other.kind, *kind));
                *other == text && fits
            });
            match same {
                Some((_, mapped)) => mapped.said.push(said),
                None => all.push((
                    text,
                    Mapped {
                        place: (index, item),
                        var,
                        said: vec![said],
                    },
                )),
            }
        }
    }
    all.into_iter().map(|(_, mapped)| mapped).collect()
}

/// Whether clauses of both types may name one item.
fn go_together(one: MapKind, other: MapKind) -> bool {
    (one == MapKind::Delete) == (other == MapKind::Delete)
}

impl Mapped<'_> {
    pub(super) fn clause(&self) -> DataClause {
        let ends = |said: &Said| matches!(said.kind, MapKind::Release | MapKind::Delete);
        match (self.any(brings), self.any(takes)) {
            (true, true) => DataClause::Copy,
            (true, false) => DataClause::Copyin,
            (false, true) => DataClause::Copyout,
            (false, false) if self.said.iter().all(ends) => DataClause::Delete,
            (false, false) => DataClause::Create,
        }
    }

    pub(super) fn modifiers(&self) -> Vec<ModifierKind> {
        let always = |fits: fn(MapKind) -> bool| {
            let mut said = self.said.iter();
            said.any(|said| said.always && fits(said.kind))
        };
        let inwards = always(brings).then_some(ModifierKind::AlwaysIn);
        // Whatever the counters say.
        let deleted = self.any(|kind| kind == MapKind::Delete);
        let outwards = (always(takes) || deleted).then_some(ModifierKind::AlwaysOut);
        inwards.into_iter().chain(outwards).collect()
    }

    pub(super) fn presence(&self) -> Option<Presence> {
        let present = self.said.iter().any(|said| said.present);
        let around = self.said.iter().all(|said| said.around);
        let around = around.then_some(Presence::Around);
        present.then_some(Presence::Required).or(around)
    }

    fn any(&self, fits: fn(MapKind) -> bool) -> bool {
        self.said.iter().any(|said| fits(said.kind))
    }
}

/// Whether the type copies to the device.
fn brings(kind: MapKind) -> bool {
    match kind {
        MapKind::To | MapKind::ToFrom => true,
        MapKind::From | MapKind::Alloc | MapKind::Release | MapKind::Delete => false,
    }
}

/// Whether the type copies to the host.
fn takes(kind: MapKind) -> bool {
    match kind {
        MapKind::From | MapKind::ToFrom => true,
        MapKind::To | MapKind::Alloc | MapKind::Release | MapKind::Delete => false,
    }
}
