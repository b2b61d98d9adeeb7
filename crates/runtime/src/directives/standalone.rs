//! `enter data`, `exit data` and `update` (OpenACC 3.4, sections 2.6.6 and 2.14.4; OpenMP 5.2, sections 13.6, 13.7 and 13.9).
//!
//! What is absent is no mistake for some of them, unless OpenMP's `present` says that it is.

use super::map;
use crate::abi::{
    Action, SITE_FINALIZE, SITE_IF_PRESENT, SITE_OPENMP, Site, VAR_ALWAYS_OUT, VAR_AROUND,
    VAR_ATTACH, VAR_POINTER, VAR_REQUIRED,
};
use crate::data::{Actions, Counter, Exit};
use crate::fatal;
use crate::launch::misplaced_action;
use crate::present::table::{Mapping, MappingId, Presence};
use crate::region::{self, Region};
use crate::report;
use crate::section::{Node, Operand, Piece};
use crate::site::SiteState;
use crate::words::Words;

/// Executes it; the present table is locked.
pub(super) fn enter_data(
    site: &'static Site,
    state: &'static SiteState,
    words: Words<'_>,
    actions: &mut Actions<'_>,
) {
    let mut region = Region::default();
    region.enter(actions, site, state, words, |region, actions| {
        words.for_each_operand(site, state, &mut |index, operand| {
            map(region, actions, state, index, &operand, Counter::Dynamic);
        });
    });
    region.keep();
}

/// Executes it; the present table is locked.
pub(super) fn exit_data(
    site: &'static Site,
    state: &'static SiteState,
    words: Words<'_>,
    actions: &mut Actions<'_>,
) {
    let all_end = site.flags & SITE_FINALIZE != 0;
    // A deletion that is `always` one ends the mapping whatever the counters say: OpenMP's `delete` beside other types.
    let ends = |operand: &Operand<'_>| {
        let always = operand.var.flags & VAR_ALWAYS_OUT != 0;
        all_end || always && operand.action == Action::Delete
    };
    let counter = match site.flags & SITE_OPENMP {
        0 => Counter::Dynamic,
        _ => Counter::Both,
    };
    // Detach first: a table that is copied out must not carry device pointers.
    words.for_each_operand(site, state, &mut |index, operand| {
        let finalize = ends(&operand);
        if operand.action == Action::Detach {
            actions.detach(region::pointer_variable(&operand), finalize);
            return;
        }
        let attached = operand.var.flags & VAR_ATTACH != 0;
        if attached && operand.var.flags & VAR_POINTER != 0 && operand.base != 0 {
            actions.detach(operand.base, finalize);
            return;
        }
        for_each_section(state, index, &operand, attached, &mut |node| {
            if node.pointer != 0 {
                actions.detach(node.pointer, finalize);
            }
        });
    });
    let mut ended: Vec<(MappingId, Vec<Piece>, Exit)> = Vec::new();
    words.for_each_operand(site, state, &mut |index, operand| {
        let copy_out = match operand.action {
            Action::Detach => return,
            Action::Copyout => true,
            Action::Delete => false,
            action => misplaced_action(state, index, action),
        };
        let required = operand.var.flags & VAR_REQUIRED != 0;
        let around = operand.var.flags & VAR_AROUND != 0;
        let exit = Exit {
            counter,
            copy_out,
            always_out: copy_out && operand.var.flags & VAR_ALWAYS_OUT != 0,
            finalize: ends(&operand),
        };
        for_each_present(
            state,
            index,
            &operand,
            actions,
            &mut |actions, found, runs| {
                match found {
                    Ok(id) if around && !actions.table.get(id).is_some_and(|it| it.around) => {}
                    Ok(id) => {
                        actions.release(id, &runs, exit);
                        ended.push((id, runs, exit));
                    }
                    Err(absent) if required => refuse(actions, state, index, absent, "map"),
                    // No action (OpenACC 3.4, 2.7.7 and 2.7.11).
                    Err(_) => {}
                }
            },
        );
    });
    let all = ended.iter();
    region::end_all(
        actions,
        all.map(|(id, runs, exit)| (*id, runs.as_slice(), *exit)),
    );
}

/// Executes it; the present table is locked.
pub(super) fn update(
    site: &'static Site,
    state: &'static SiteState,
    words: Words<'_>,
    actions: &mut Actions<'_>,
) {
    let if_present = site.flags & SITE_IF_PRESENT != 0;
    words.for_each_operand(site, state, &mut |index, operand| {
        let to_host = match operand.action {
            Action::UpdateSelf => true,
            Action::UpdateDevice => false,
            action => misplaced_action(state, index, action),
        };
        for_each_present(
            state,
            index,
            &operand,
            actions,
            &mut |actions, found, runs| match found {
                Ok(id) if to_host => actions.copy_out(id, &runs),
                Ok(id) => actions.copy_in(id, &runs),
                Err(_) if if_present && operand.var.flags & VAR_REQUIRED == 0 => {}
                Err(absent) => refuse(actions, state, index, absent, update_clause(operand.action)),
            },
        );
    });
}

/// Says that a section is not present that must be.
fn refuse(
    actions: &Actions<'_>,
    state: &'static SiteState,
    index: usize,
    absent: Piece,
    clause: &str,
) -> ! {
    let (device, table) = (actions.device, &*actions.table);
    let message = report::not_present(device, table, absent, state.vars[index].name, clause);
    fatal::fatal_as(fatal::Error::NotPresent, state.var_place(index), message)
}

/// The name of a clause in messages.
fn update_clause(action: Action) -> &'static str {
    match action {
        Action::UpdateSelf => "update self",
        Action::UpdateDevice => "update device",
        action => action.name(),
    }
}

/// What [`for_each_present`] calls: with the mapping that holds a section, or the section if it is absent, and its runs.
type Visit<'v> = dyn FnMut(&mut Actions<'_>, Result<MappingId, Piece>, Vec<Piece>) + 'v;

/// Visits the sections of an operand of `exit data` or `update`. Those of which only a part is present are an error. A
/// pointer without a section means all of the mapping that it leads to, or of all mappings with sections of it, if there is one and
/// the pointer itself is not mapped alone.
fn for_each_present(
    state: &'static SiteState,
    index: usize,
    operand: &Operand<'_>,
    actions: &mut Actions<'_>,
    visit: &mut Visit<'_>,
) {
    let targets = region::targets(actions, operand);
    for id in &targets {
        if let Some(whole) = actions.table.get(*id).map(Mapping::piece) {
            visit(actions, Ok(*id), vec![whole]);
        }
    }
    if !targets.is_empty() {
        return;
    }
    let is_update = matches!(operand.action, Action::UpdateSelf | Action::UpdateDevice);
    for_each_section(state, index, operand, false, &mut |node| {
        // Row pointers of a dynamic array are not part of the data that is updated.
        if node.hull.bytes == 0 || is_update && node.is_table {
            return;
        }
        let found = match actions.table.find(node.hull.start, node.hull.bytes) {
            Presence::Present(id) => Ok(id),
            Presence::Absent => Err(node.hull),
            // Its members were mapped by themselves.
            Presence::Partial(_) if operand.var.flags & VAR_AROUND != 0 => return,
            Presence::Partial(other) => {
                let message = report::partially_present(
                    actions.device,
                    actions.table,
                    node.hull,
                    other,
                    state.vars[index].name,
                    update_clause(operand.action),
                );
                fatal::fatal_as(fatal::Error::PartlyPresent, state.var_place(index), message);
            }
        };
        visit(actions, found, runs(&node));
    });
}

/// Visits the sections of an operand that is not a null pointer.
fn for_each_section<'a>(
    state: &'static SiteState,
    index: usize,
    operand: &Operand<'a>,
    attach: bool,
    visit: &mut dyn FnMut(Node<'a>),
) {
    if operand.base == 0 {
        return;
    }
    // SAFETY: the user's section describes row tables in host memory.
    if let Err(error) = unsafe { operand.for_each_section(attach, visit) } {
        region::bad_section(state, index, error);
    }
}

fn runs(node: &Node<'_>) -> Vec<Piece> {
    let mut runs = Vec::new();
    // The node's hull was computed, so the section is sound.
    let _ = node.section.for_each_run(&mut |piece| runs.push(piece));
    runs
}
