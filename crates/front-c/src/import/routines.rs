//! The `routine` directive (OpenACC 3.4, section 2.15.1).
//!
//! ```text
//! #pragma acc routine vector              the function declared or defined next
//! #pragma acc routine(f) seq              the function of that name
//! #pragma acc routine gang bind(g)        device code that calls the function calls `g`
//! ```
//!
//! A function that `bind` names may be another unit's: its type and its levels are those of the function that is bound to it.
//!
//! Several directives may be about one function; what they say is put together. `nohost` needs nothing: the host's
//! version is the user's own text.

use super::directive::devices;
use super::functions::Module;
use super::state::Stop;
use crate::ast::carrier::{Carrier, carrier};
use crate::ast::constant;
use crate::ast::node::{Kind, NodeId};
use crate::text::allocation;
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::{self, DeviceType};
use accrue_directives::{ClauseArgs, ClauseKind, DirectiveKind};

/// What is known about a function by its `routine` directives.
#[derive(Clone, Debug, Default)]
pub struct RoutineInfo {
    /// The levels.
    pub levels: acc::Routine,
    /// The function that device code calls in its place.
    pub bind: Option<String>,
    /// The function is only for devices.
    pub nohost: bool,
}

impl Module<'_> {
    /// Reads the directives of the file that stand outside of functions: `routine` and `declare`.
    pub(super) fn read_routines(&mut self) {
        let ast = self.source.ast;
        let mut following: Vec<(NodeId, RoutineInfo)> = Vec::new();
        for declaration in ast.children(ast.root()) {
            match ast.kind(declaration) {
                Kind::FunctionDecl => {
                    for (_, info) in std::mem::take(&mut following) {
                        self.add_routine(ast.name(declaration), info);
                    }
                }
                Kind::StaticAssertDecl => {
                    let info = self.file_directive(declaration);
                    following.extend(info.map(|info| (declaration, info)));
                }
                // Structures and enumerations may be part of the function's declaration.
                Kind::VarDecl | Kind::TypedefDecl => {
                    self.report_stray(std::mem::take(&mut following))
                }
                _ => {}
            }
        }
        self.report_stray(following);
    }

    /// A `routine` directive without a name is about the function behind it.
    fn report_stray(&mut self, stray: Vec<(NodeId, RoutineInfo)>) {
        for (at, _) in stray {
            let stop = Stop::at(at, "the `routine` directive must be followed by a function")
                .help("put it before the function's declaration, or name the function: `routine(name)`")
                .section("2.15.1");
            self.report(stop);
        }
    }

    /// A directive between functions. Returns a `routine` that the next declaration belongs to.
    fn file_directive(&mut self, declaration: NodeId) -> Option<RoutineInfo> {
        let found = carrier(&mut self.types, declaration)?;
        let directive = self.source.unit.directives.get(found.ordinal)?;
        let is_omp = directive.directive.omp().is_some();
        if is_omp || directive.acc_kind() == Some(DirectiveKind::Declare) {
            self.declare_outside(declaration, found);
            return None;
        }
        if directive.acc_kind() != Some(DirectiveKind::Routine) {
            let stop = self.unsupported_directive(declaration, found.ordinal);
            self.report(stop);
            return None;
        }
        let info = self.routine_info(declaration, &found);
        let call = self.source.carriers.calls.get(found.ordinal)?;
        let Some(index) = call.argument(Owner::Directive, 0, Role::Function) else {
            return Some(info);
        };
        let named = found
            .arguments
            .get(index)
            .map(|name| self.source.ast.strip_implicit(*name));
        match named.and_then(|name| self.source.ast.referenced(name)) {
            Some(function) if self.source.ast.kind(function) == Kind::FunctionDecl => {
                self.add_routine(self.source.ast.name(function), info);
            }
            Some(_) | None => {
                let stop = Stop::at(named.unwrap_or(declaration), "`routine` names a function")
                    .section("2.15.1");
                self.report(stop);
            }
        }
        None
    }

    /// What the clauses of a `routine` directive say.
    fn routine_info(&mut self, at: NodeId, found: &Carrier) -> RoutineInfo {
        let mut info = RoutineInfo::default();
        let source = self.source;
        let Some(directive) = source.unit.directives.get(found.ordinal) else {
            return info;
        };
        let clauses = directive
            .directive
            .acc()
            .map_or(&[][..], |acc| &acc.clauses);
        for (index, clause) in clauses.iter().enumerate() {
            let list = match clause.kind {
                ClauseKind::Gang => &mut info.levels.gang,
                ClauseKind::Worker => &mut info.levels.worker,
                ClauseKind::Vector => &mut info.levels.vector,
                ClauseKind::Seq => &mut info.levels.seq,
                _ => {
                    info.nohost |= clause.kind == ClauseKind::NoHost;
                    if let ClauseArgs::Bind { name, .. } = &clause.args {
                        info.bind = Some(directive.text_of(*name).trim().to_owned());
                    }
                    continue;
                }
            };
            list.0.extend(devices(clause));
            let call = source.carriers.calls.get(found.ordinal);
            let dimension = call
                .and_then(|call| call.argument(Owner::Clause(index), 0, Role::GangDim))
                .and_then(|argument| found.arguments.get(argument).copied());
            let Some(dimension) = dimension else {
                continue;
            };
            let list = match constant::integer(&mut self.types, dimension) {
                Some(1) => &mut info.levels.dim_one,
                Some(2) => &mut info.levels.dim_two,
                Some(3) => &mut info.levels.dim_three,
                Some(_) | None => {
                    let stop = Stop::at(at, "a gang dimension is the constant 1, 2 or 3")
                        .help("write a number after `dim:`")
                        .section("2.15.1");
                    self.report(stop);
                    continue;
                }
            };
            list.0.extend(devices(clause));
        }
        if info.levels == acc::Routine::default() {
            info.levels.seq.0.push(DeviceType::None);
        }
        info
    }

    fn add_routine(&mut self, name: &str, info: RoutineInfo) {
        let known = self.routines.entry(name.to_owned()).or_default();
        let lists = [
            (&mut known.levels.gang, info.levels.gang),
            (&mut known.levels.dim_one, info.levels.dim_one),
            (&mut known.levels.dim_two, info.levels.dim_two),
            (&mut known.levels.dim_three, info.levels.dim_three),
            (&mut known.levels.worker, info.levels.worker),
            (&mut known.levels.vector, info.levels.vector),
            (&mut known.levels.seq, info.levels.seq),
        ];
        for (list, more) in lists {
            let new: Vec<_> = more
                .0
                .into_iter()
                .filter(|device| !list.0.contains(device))
                .collect();
            list.0.extend(new);
        }
        known.nohost |= info.nohost;
        if info.bind.is_some() {
            known.bind = info.bind;
        }
    }

    /// The function that device code calls for `function`: the one that `bind` names, if it is in the unit.
    pub(super) fn bound_function(&self, function: NodeId) -> NodeId {
        let called = self.source.ast.name(function);
        let bind = self.routines.get(called).and_then(|info| info.bind.clone());
        let Some(name) = bind.or_else(|| allocation::on_devices(called)) else {
            return function;
        };
        let mut others = self
            .source
            .ast
            .children(self.source.ast.root())
            .filter(|declaration| {
                self.source.ast.kind(*declaration) == Kind::FunctionDecl
                    && self.source.ast.name(*declaration) == name.as_str()
            });
        others.next().unwrap_or(function)
    }

    /// The name of the function in another unit that device code calls for `function`: the one that `bind` names, if it has no body
    /// here.
    pub(super) fn bound_elsewhere(&self, function: NodeId) -> Option<String> {
        let ast = self.source.ast;
        let info = self.routines.get(ast.name(function))?;
        let name = info.bind.clone()?;
        let bound = self.bound_function(function);
        let is_here = ast.name(bound) == name
            && (self.definition(bound).is_some()
                || self.is_foreign(bound)
                || self.may_be_called(bound));
        (!is_here).then_some(name)
    }
}
