//! OpenMP's data directives, and what its map types mean to the present table (OpenMP 5.2, sections 5.8.3, 13.5 to 13.9).
//!
//! ```text
//! map(to:)      copyin       map(alloc:)    create        to of target update     update device
//! map(from:)    copyout      map(release:)  delete        from                    update self
//! map(tofrom:)  copy         map(delete:)   delete, whatever the counters say
//! ```
//!
//! A mapping has one counter in OpenMP, two in OpenACC; the directives say that they are OpenMP's, and both count as one. What is not present is no mistake
//! here: `exit data` and `update` do nothing, `use_device_ptr` leaves the pointer as it is.

use crate::import::data_clauses::{Entry, Named, Use};
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use accrue_dialects::acc::{self, DataClause, DefaultMap, DirectiveOp, Group};
use accrue_directives::ModifierKind;
use accrue_directives::omp::{
    ClauseArgs, ClauseKind, Directive, MapBehavior, MapKind, MapModifier, VariableCategory,
};

impl Module<'_> {
    /// `target data`.
    pub(super) fn target_data(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let mut entries = self.data_clauses_of(view, omp, Use::Data)?;
        // A variable is mapped before its address is asked for.
        entries.sort_by_key(|entry| entry.clause() == DataClause::UseDevice);
        let uses = entries.last().map(Entry::clause) == Some(DataClause::UseDevice);
        let block = match uses {
            true => {
                let (op, block) = acc::HostData::new(self.ctx, view.ordinal());
                op.set_if_present(self.ctx);
                self.host_operands(view, omp, &op)?;
                self.add_entries(&op, &entries);
                self.emit(op);
                block
            }
            false => {
                let (op, block) = acc::Data::new(self.ctx, view.ordinal());
                self.host_operands(view, omp, &op)?;
                self.add_entries(&op, &entries);
                self.emit(op);
                block
            }
        };
        self.host_region(view, block)?;
        self.exits(entries);
        Ok(())
    }

    /// `target enter data`.
    pub(super) fn target_enter_data(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let entries = self.data_clauses_of(view, omp, Use::Enter)?;
        let op = acc::EnterData::new(self.ctx, view.ordinal());
        self.host_operands(view, omp, &op)?;
        self.add_entries(&op, &entries);
        self.emit(op);
        Ok(())
    }

    /// `target exit data`.
    pub(super) fn target_exit_data(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let entries = self.data_clauses_of(view, omp, Use::Exit)?;
        let op = acc::ExitData::new(self.ctx, view.ordinal());
        self.host_operands(view, omp, &op)?;
        self.add_entries(&op, &entries);
        self.emit(op);
        self.exits(entries);
        Ok(())
    }

    /// `target update`.
    pub(super) fn target_update(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let entries = self.data_clauses_of(view, omp, Use::Update)?;
        let op = acc::Update::new(self.ctx, view.ordinal());
        let moved = omp.clauses.iter().filter(|it| !it.vars().is_empty());
        let present: Vec<bool> = moved
            .map(|it| matches!(it.args, ClauseArgs::Present(_)))
            .collect();
        if !present.contains(&true) {
            op.set_if_present(self.ctx);
        } else if present.contains(&false) {
            return Err(Stop::at(
                view.at,
                "`present` in only one of the clauses is not supported yet",
            )
            .help("write two `target update` directives")
            .openmp("5.9"));
        }
        self.host_operands(view, omp, &op)?;
        self.add_entries(&op, &entries);
        self.emit(op);
        self.exits(entries);
        Ok(())
    }

    /// What is evaluated on the host for a data directive: the condition and the device.
    fn host_operands<T: DirectiveOp + Copy>(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        op: &T,
    ) -> Result<()> {
        op.set_openmp(self.ctx);
        self.clause_operands(view, omp, op, |kind| match kind {
            ClauseKind::If => Some(Group::If),
            ClauseKind::Device => Some(Group::Devnum),
            _ => None,
        })
    }

    fn data_clauses_of(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        purpose: Use,
    ) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for (index, clause) in omp.clauses.iter().enumerate() {
            let (kind, modifiers) = match (&clause.args, clause.kind) {
                (
                    ClauseArgs::Map {
                        kind, modifiers, ..
                    },
                    _,
                ) => self.mapping(view, *kind, modifiers)?,
                (_, ClauseKind::UseDevicePtr | ClauseKind::UseDeviceAddr) => {
                    (DataClause::UseDevice, vec![])
                }
                (_, ClauseKind::To) => (DataClause::UpdateDevice, vec![]),
                (_, ClauseKind::From) => (DataClause::UpdateSelf, vec![]),
                _ => continue,
            };
            for (item, var) in clause.vars().iter().enumerate() {
                let named = Named {
                    place: (index, item),
                    var,
                    kind,
                    modifiers: modifiers.clone(),
                    operator: None,
                };
                let entry = self.data_entry(view, named, purpose)?;
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// What a map type means to the present table.
    pub(super) fn mapping(
        &self,
        view: &View<'_>,
        kind: MapKind,
        modifiers: &[MapModifier],
    ) -> Result<(DataClause, Vec<ModifierKind>)> {
        let always = modifiers.contains(&MapModifier::Always);
        let present = modifiers.contains(&MapModifier::Present);
        if present && always {
            return Err(
                Stop::at(view.at, "`always` with `present` is not supported yet")
                    .help("write `present`, and a `target update` beside the region")
                    .openmp("5.8.3"),
            );
        }
        let clause = match kind {
            MapKind::To | MapKind::From | MapKind::ToFrom | MapKind::Alloc if present => {
                DataClause::Present
            }
            MapKind::To => DataClause::Copyin,
            MapKind::From => DataClause::Copyout,
            MapKind::ToFrom => DataClause::Copy,
            MapKind::Alloc => DataClause::Create,
            MapKind::Release | MapKind::Delete => DataClause::Delete,
        };
        let modifiers = match kind {
            MapKind::To | MapKind::From | MapKind::ToFrom if always => vec![ModifierKind::Always],
            // Whatever the counters say.
            MapKind::Delete => vec![ModifierKind::AlwaysOut],
            MapKind::To | MapKind::From | MapKind::ToFrom | MapKind::Alloc | MapKind::Release => {
                vec![]
            }
        };
        Ok((clause, modifiers))
    }
}

/// What the `defaultmap` clauses say.
pub(super) fn defaultmap(omp: &Directive) -> DefaultMap {
    let mut said = DefaultMap::default();
    for (_, clause) in omp.clauses_of(ClauseKind::Defaultmap) {
        let ClauseArgs::Defaultmap { behavior, category } = clause.args else {
            continue;
        };
        let behavior = match behavior {
            MapBehavior::Default => acc::MapBehavior::Default,
            MapBehavior::Alloc => acc::MapBehavior::Alloc,
            MapBehavior::To => acc::MapBehavior::To,
            MapBehavior::From => acc::MapBehavior::From,
            MapBehavior::ToFrom => acc::MapBehavior::ToFrom,
            MapBehavior::Firstprivate => acc::MapBehavior::Firstprivate,
            MapBehavior::Present => acc::MapBehavior::Present,
            MapBehavior::None => acc::MapBehavior::None,
        };
        let all = category.is_none();
        if all || category == Some(VariableCategory::Scalar) {
            said.scalar = behavior;
        }
        if all || category == Some(VariableCategory::Aggregate) {
            said.aggregate = behavior;
        }
        if all || category == Some(VariableCategory::Pointer) {
            said.pointer = behavior;
        }
    }
    said
}
