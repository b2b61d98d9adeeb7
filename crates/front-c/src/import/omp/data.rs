//! OpenMP's data directives (OpenMP 5.2, sections 13.5 to 13.9).
//!
//! ```text
//! target update to(a[0:8:2]) from(present: b)      update device(a[0:8:2]) self(b) if_present, where b must be present
//! target data map(to: a) use_device_ptr(a)         host_data copyin(a) use_device(a) if_present
//! ```
//!
//! A mapping has one counter in OpenMP, two in OpenACC; the directives say that they are OpenMP's, and both count as one. What is not present is no mistake
//! here: `exit data` and `update` do nothing, `use_device_ptr` leaves the pointer as it is.

use crate::import::data_clauses::{Entry, Named, Use};
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::omp::maps::mapped;
use crate::import::state::Result;
use accrue_dialects::acc::{self, DataClause, DefaultMap, DirectiveOp, Group, Presence};
use accrue_directives::omp::{ClauseArgs, ClauseKind, Directive, MapBehavior, VariableCategory};

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
        op.set_if_present(self.ctx);
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
        let mut entries = self.map_entries(view, omp, purpose)?;
        for (index, clause) in omp.clauses.iter().enumerate() {
            let kind = match clause.kind {
                ClauseKind::UseDevicePtr | ClauseKind::UseDeviceAddr => DataClause::UseDevice,
                ClauseKind::To => DataClause::UpdateDevice,
                ClauseKind::From => DataClause::UpdateSelf,
                _ => continue,
            };
            let is_present = matches!(clause.args, ClauseArgs::Present(_));
            for (item, var) in clause.vars().iter().enumerate() {
                let place = (index, item);
                let is_object = clause.kind == ClauseKind::UseDeviceAddr
                    && self.is_device_object(view, place, var)?;
                let named = Named {
                    place,
                    var,
                    kind,
                    modifiers: vec![],
                    operator: None,
                    declared: &[],
                    presence: match is_object {
                        true => Some(Presence::OnDevice),
                        false => is_present.then_some(Presence::Required),
                    },
                };
                let entry = self.data_entry(view, named, purpose)?;
                entries.push(entry);
            }
        }
        Ok(entries)
    }

    /// The entry operations of the `map` clauses.
    pub(super) fn map_entries(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        purpose: Use,
    ) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for item in mapped(view, omp) {
            let named = Named {
                place: item.place,
                var: item.var,
                kind: item.clause(),
                modifiers: item.modifiers(),
                operator: None,
                declared: &[],
                presence: item.presence(),
            };
            let entry = self.data_entry(view, named, purpose)?;
            entries.push(entry);
        }
        Ok(entries)
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
