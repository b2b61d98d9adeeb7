//! What functions contain, and which of them compute constructs reach by calls.

use super::functions::{Module, does_nothing_on_devices, is_executable};
use super::omp::variants::constructs_in;
use crate::ast::carrier::carrier;
use crate::ast::node::{Kind, NodeId};
use accrue_diag::Diagnostic;
use accrue_directives::omp::selectors::Construct;
use accrue_directives::{AnyDirective, DirectiveKind};
use pliron::builtin::ops::FuncOp;
use pliron::context::Ptr;
use pliron::operation::Operation;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What a function contains.
#[derive(Default)]
pub(super) struct Contents {
    /// Directives with an effect of their own.
    pub(super) executable: bool,
    /// Directives among them that do nothing on devices.
    pub(super) for_the_host: bool,
    /// Functions that its compute constructs call.
    pub(super) region_calls: Vec<NodeId>,
    /// Functions that it calls anywhere.
    pub(super) calls: Vec<NodeId>,
    /// Those that pointers may lead its compute constructs to.
    pub(super) region_pointer_calls: Vec<NodeId>,
    /// Those that pointers may lead to.
    pub(super) pointer_calls: Vec<NodeId>,
}

/// Which calls are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Calls {
    ByName,
    /// Those through pointers too.
    All,
}

impl Module<'_> {
    /// Looks a function body through for directives and calls.
    pub(super) fn contents(&mut self, function: NodeId) -> Contents {
        let ast = self.source.ast;
        let mut found = Contents::default();
        // What it calls outside of regions matters where a device runs it.
        let around = Rc::new(self.constructs_of_function(function));
        let body = ast.body(function).map(|body| (body, false, around));
        let mut pending: Vec<(NodeId, bool, Rc<Vec<Construct>>)> = body.into_iter().collect();
        while let Some((id, mut in_region, mut around)) = pending.pop() {
            if let Some(directive) = carrier(&mut self.types, id)
                && let Some(scanned) = self.source.unit.directives.get(directive.ordinal)
            {
                let kind = scanned.acc_kind();
                // The statement of an `atomic` construct is checked wherever it stands.
                found.executable |=
                    is_executable(&scanned.directive) || kind == Some(DirectiveKind::Atomic);
                found.for_the_host |= kind.is_some_and(does_nothing_on_devices);
                let is_inside = in_region;
                in_region |= scanned.directive.is_compute();
                for name in scanned.functions_of_reductions() {
                    found.region_calls.extend(self.definition_named(&name));
                }
                around = match &scanned.directive {
                    AnyDirective::Omp(omp) => Rc::new(constructs_in(&around, omp)),
                    AnyDirective::Acc(_) if scanned.directive.is_compute() => Rc::default(),
                    AnyDirective::Acc(_) => around,
                };
                // The clauses are the host's, but in a region; the statement is looked into.
                if is_inside {
                    let arguments = directive.arguments.into_iter();
                    pending.extend(arguments.map(|it| (it, true, around.clone())));
                }
                let statement = directive.statement;
                pending.extend(statement.map(|statement| (statement, in_region, around)));
                continue;
            }
            if ast.kind(id) == Kind::DeclRefExpr
                && let Some(callee) = ast.referenced(id)
                && ast.kind(callee) == Kind::FunctionDecl
                && self.bound_elsewhere(callee).is_none()
                && let Ok(called) = self.variant_of(self.bound_function(callee), &around, None)
                && let Some(definition) = self.definition(called)
            {
                found.calls.push(definition);
                if in_region {
                    found.region_calls.push(definition);
                }
            }
            if ast.kind(id) == Kind::CallExpr
                && self.source.carriers.is_whole()
                && self.is_pointer_call(id)
            {
                let targets = self.targets_of(id).into_iter();
                let targets = targets.filter_map(|target| {
                    if self.bound_elsewhere(target).is_some() {
                        return None;
                    }
                    let called = self.variant_of(self.bound_function(target), &around, None);
                    self.definition(called.ok()?)
                });
                found.add_targets(targets.collect(), in_region);
            }
            let children = ast.children(id);
            pending.extend(children.map(|child| (child, in_region, around.clone())));
        }
        found
    }

    /// Reports directives of OpenMP in a function that devices run: they stand in no region and were left to the host. A `simd` loop
    /// gives the same on one lane.
    pub(super) fn no_host_directives(&mut self, body: NodeId) {
        let node = self.source.ast.node(body);
        let range = self.preprocessed(node.begin as usize..node.end as usize);
        let unit = self.source.unit;
        for directive in &unit.host_directives {
            let mut words = directive.text.split(|c: char| !c.is_ascii_alphanumeric());
            let name = words.next().unwrap_or_default();
            if !range.contains(&directive.span.start) || name == "simd" {
                continue;
            }
            let message = format!(
                "`{name}` in a function that a region of `target` calls is not supported yet"
            );
            let message = Diagnostic::error(message)
                .help("put the directive and its statement into the region")
                .openmp("13.8");
            let message = unit.locate(message, directive.span.clone());
            if !self.messages.contains(&message) {
                self.messages.push(message);
            }
        }
    }

    /// Takes out a function that is not understood and that nothing depends on: the one behind `before`. Types that it has brought
    /// stay.
    pub(super) fn forget_behind(&mut self, before: Option<Ptr<Operation>>) {
        let all = accrue_ir::walk::ops_of_block(self.ctx, self.body);
        let behind = all.into_iter().rev().take_while(|op| Some(*op) != before);
        let functions = behind.filter(|op| Operation::is_op::<FuncOp>(*op, self.ctx));
        for function in functions.collect::<Vec<_>>() {
            Operation::erase(function, self.ctx);
        }
    }

    /// The functions that compute constructs call, directly or not.
    pub(super) fn reachable_from_regions(
        &self,
        functions: &[NodeId],
        contents: &HashMap<NodeId, Contents>,
        calls: Calls,
    ) -> HashSet<NodeId> {
        let functions = functions
            .iter()
            .filter_map(|function| contents.get(function));
        let mut regions: Vec<NodeId> = Vec::new();
        for found in functions {
            regions.extend(&found.region_calls);
            if calls == Calls::All {
                regions.extend(&found.region_pointer_calls);
            }
        }
        reachable(regions, contents, calls)
    }

    /// The functions of these names, and those that they call, directly or not.
    pub(super) fn reachable_from_routines(
        &self,
        names: &[String],
        functions: &[NodeId],
        contents: &HashMap<NodeId, Contents>,
        calls: Calls,
    ) -> HashSet<NodeId> {
        let ast = self.source.ast;
        let named = |function: &&NodeId| names.iter().any(|name| name == ast.name(**function));
        let named = functions.iter().filter(named).copied().collect();
        reachable(named, contents, calls)
    }
}

/// The functions without directives that call such with some, directly or not.
pub(super) fn callers_of_directives(contents: &HashMap<NodeId, Contents>) -> HashSet<NodeId> {
    let mut callers: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
    for (caller, found) in contents {
        for callee in &found.calls {
            callers.entry(*callee).or_default().push(*caller);
        }
    }
    let with_directives = contents.iter().filter(|(_, found)| found.executable);
    let mut pending: Vec<NodeId> = with_directives.map(|(function, _)| *function).collect();
    let mut reached = HashSet::new();
    while let Some(function) = pending.pop() {
        let new = callers.get(&function).into_iter().flatten();
        pending.extend(new.filter(|caller| reached.insert(**caller)));
    }
    reached
}

/// The functions in `pending`, and those that they call, directly or not.
fn reachable(
    mut pending: Vec<NodeId>,
    contents: &HashMap<NodeId, Contents>,
    calls: Calls,
) -> HashSet<NodeId> {
    let mut reached = HashSet::new();
    while let Some(function) = pending.pop() {
        if reached.insert(function)
            && let Some(found) = contents.get(&function)
        {
            pending.extend(&found.calls);
            if calls == Calls::All {
                pending.extend(&found.pointer_calls);
            }
        }
    }
    reached
}
