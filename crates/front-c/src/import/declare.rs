//! The `declare` directive (OpenACC 3.4, section 2.13).
//!
//! ```text
//! double g[8];                              acc.global_ctor { v = acc.create @g; acc.declare_enter dataOperands(v) }
//! #pragma acc declare create(g)        →    acc.global_dtor { v = acc.getdeviceptr @g; acc.declare_exit; acc.delete v }
//!
//! int f(double *p) {
//!   double t[8];                            v = acc.create t;  token = acc.declare_enter dataOperands(v)
//! #pragma acc declare create(t)        →
//!   if (!p) return 1;                       core.if … { acc.declare_exit token; acc.delete v; core.return 1 }
//!   …  }                                    acc.declare_exit token; acc.delete v; core.return
//! ```
//!
//! A `return` has its value before the exit. A `goto` is opaque to the import; the variables of the scopes that it may leave are
//! among those that it may change. No jump may enter a scope behind its directive: nothing would have been entered.

use super::data_clauses::{Entry, Use};
use super::directive::View;
use super::functions::Module;
use super::state::{Result, Stop};
use super::types::Scalar;
use crate::ast::carrier::{Carrier, carrier};
use crate::ast::node::{Flags, Kind, NodeId};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::{self, DECLARE, DataClause, Declare};
use accrue_directives::{AnyDirective, ClauseKind, DirectiveKind, Var, omp};
use pliron::value::Value;
use std::collections::HashSet;
use std::rc::Rc;

/// A `declare` directive whose scope we are in.
pub struct Scope {
    token: Value,
    entries: Vec<Entry>,
    /// How many loops and other nests were around it.
    nests: usize,
}

/// Where a directive stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside of functions.
    Program,
    Function,
}

impl Module<'_> {
    /// A directive outside of functions.
    pub(super) fn declare_outside(&mut self, at: NodeId, carrier: Carrier) {
        let source = self.source;
        let (Some(scanned), Some(call)) = (
            source.unit.directives.get(carrier.ordinal),
            source.carriers.calls.get(carrier.ordinal),
        ) else {
            return;
        };
        let view = View::new(scanned, call, at, carrier);
        let declared = match &scanned.directive {
            AnyDirective::Acc(_) => self.declare_program_data(&view),
            AnyDirective::Omp(omp)
                if matches!(
                    omp.kind,
                    omp::DirectiveKind::Requires
                        | omp::DirectiveKind::DeclareMapper
                        | omp::DirectiveKind::DeclareReduction
                        | omp::DirectiveKind::DeclareVariant
                ) =>
            {
                Ok(())
            }
            AnyDirective::Omp(omp) => self.declare_target(&view, omp, false),
        };
        if let Err(stop) = declared {
            self.report(stop);
        }
    }

    fn declare_program_data(&mut self, view: &View<'_>) -> Result<()> {
        for (clause, declaration) in self.declared_variables(view, Place::Program)? {
            let variable = self.source.ast.canonical(declaration);
            self.declared.insert(variable, clause);
        }
        self.when_loaded(view, |this| this.declared_entries(view))
    }

    /// What is done when the program, or the library that the unit belongs to, is loaded and unloaded.
    pub(super) fn when_loaded(
        &mut self,
        view: &View<'_>,
        entries_of: impl FnOnce(&mut Self) -> Result<Vec<Entry>>,
    ) -> Result<()> {
        self.locate(view.at);
        let number = view.ordinal();
        let name = |what: &str| self.in_unit(&format!("accrue_{what}_{number}"));
        let (ctor, dtor) = (name("load"), name("unload"));
        let (ctor, begin) = acc::GlobalCtor::new(self.ctx, super::symbols::identifier(&ctor));
        self.emit(ctor);
        let (loaded, _) = self.in_block(begin, |this| {
            let entries = entries_of(this)?;
            let mut loaded = this.with_variables(view, entries);
            this.leave_to_others(&mut loaded);
            let implied = this.initial_pointers(view, &loaded)?;
            loaded.extend(implied);
            if !loaded.is_empty() {
                let entries: Vec<Entry> = loaded.iter().map(|(_, entry)| entry.clone()).collect();
                this.enter_declared(view, &entries);
            }
            let end = acc::Yield::new(this.ctx);
            this.terminate(end);
            Ok(loaded)
        })?;
        let (dtor, end) = acc::GlobalDtor::new(self.ctx, super::symbols::identifier(&dtor));
        self.emit(dtor);
        self.in_block(end, |this| {
            let elsewhere = this.found_again(&loaded)?;
            let values: Vec<_> = elsewhere.iter().map(|entry| entry.value).collect();
            if !values.is_empty() {
                let exit = acc::DeclareExit::new(this.ctx, None, values);
                this.emit(exit);
            }
            this.exits(elsewhere);
            let end = acc::Yield::new(this.ctx);
            this.terminate(end);
            Ok(())
        })?;
        Ok(())
    }

    /// A directive in a function.
    pub(super) fn declare_directive(&mut self, view: &View<'_>) -> Result<()> {
        self.declared_variables(view, Place::Function)?;
        let entries = self.declared_entries(view)?;
        let token = self.enter_declared(view, &entries);
        let nests = self.function.nest.len();
        self.function.scopes.push(Scope {
            token,
            entries,
            nests,
        });
        Ok(())
    }

    /// The entry operations.
    fn declared_entries(&mut self, view: &View<'_>) -> Result<Vec<Entry>> {
        let entries = self.data_entries(view, Use::Declare)?;
        self.note_declared(&entries);
        Ok(entries)
    }

    /// Lets the addresses say how their variables are declared.
    pub(super) fn note_declared(&mut self, entries: &[Entry]) {
        for entry in entries {
            let clause = entry.clause();
            if let Some(op) = entry.variable().defining_op() {
                DECLARE.set(self.ctx, op, Declare { clause });
            }
        }
    }

    /// `acc.declare_enter`; gives its token.
    fn enter_declared(&mut self, view: &View<'_>, entries: &[Entry]) -> Value {
        let op = acc::DeclareEnter::new(self.ctx, view.ordinal());
        self.add_entries(&op, entries);
        self.emit_value(op)
    }

    /// The entries with the declarations of their variables.
    fn with_variables(&self, view: &View<'_>, entries: Vec<Entry>) -> Vec<(NodeId, Entry)> {
        let variable = |entry: &Entry| {
            let origin = entry.origin()?;
            let owner = Owner::Clause(origin.clause as usize);
            let address = view.argument(owner, origin.item as usize, Role::Address)?;
            let base = self.source.ast.child(address, 0)?;
            self.named_variable(base)
                .map(|(declaration, _)| declaration)
        };
        let entries = entries.into_iter();
        entries
            .filter_map(|entry| Some((variable(&entry)?, entry)))
            .collect()
    }

    /// Drops variables that another unit defines and that no code here uses: a header may declare what the program does not have.
    fn leave_to_others(&mut self, entries: &mut Vec<(NodeId, Entry)>) {
        let ast = self.source.ast;
        let own = self.own_data();
        entries.retain(|(declaration, _)| own.contains(&ast.canonical(*declaration)));
    }

    /// The variables that the unit defines, or that functions of it use which were read.
    fn own_data(&mut self) -> Rc<HashSet<NodeId>> {
        let ast = self.source.ast;
        let find = || {
            let mut found = HashSet::new();
            for declaration in ast.children(ast.root()) {
                match ast.kind(declaration) {
                    Kind::VarDecl if !ast.node(declaration).has(Flags::EXTERN) => {
                        found.insert(ast.canonical(declaration));
                    }
                    Kind::FunctionDecl => ast.walk(declaration, &mut |id| {
                        let named = (ast.kind(id) == Kind::DeclRefExpr).then(|| ast.referenced(id));
                        found.extend(named.flatten().map(|named| ast.canonical(named)));
                        true
                    }),
                    _ => {}
                }
            }
            Rc::new(found)
        };
        Rc::clone(self.own_data.get_or_insert_with(find))
    }

    /// Ends the scopes of directives in a block, all but the first `outer`.
    pub(super) fn end_scopes(&mut self, outer: usize) {
        if !self.function.terminated {
            self.leave_scopes(|index, _| index >= outer);
        }
        self.function.scopes.truncate(outer);
    }

    /// The exits of a jump that leaves everything around it but `nests` loops and other nests; `None` for a `return`.
    pub(super) fn jump_out(&mut self, nests: Option<usize>) {
        self.leave_scopes(|_, scope| nests.is_none_or(|nests| scope.nests > nests));
    }

    /// The exits of some scopes, the innermost first.
    fn leave_scopes(&mut self, ends: impl Fn(usize, &Scope) -> bool) {
        let scopes = std::mem::take(&mut self.function.scopes);
        let ended = scopes.iter().enumerate().rev();
        for (_, scope) in ended.filter(|(index, scope)| ends(*index, scope)) {
            let values = scope.entries.iter().map(|entry| entry.value).collect();
            let exit = acc::DeclareExit::new(self.ctx, Some(scope.token), values);
            self.emit(exit);
            self.exits(scope.entries.clone());
        }
        self.function.scopes = scopes;
    }

    /// The variables that a jump to an unknown place may change by leaving scopes.
    pub(super) fn variables_of_scopes(&self) -> Vec<Value> {
        let scopes = self.function.scopes.iter();
        let entries = scopes.flat_map(|scope| &scope.entries);
        entries.map(Entry::variable).collect()
    }

    /// Whether a statement is a `declare` directive.
    pub(super) fn is_declare(&mut self, statement: NodeId) -> bool {
        let found = carrier(&mut self.types, statement);
        let directive = found.and_then(|found| self.source.unit.directives.get(found.ordinal));
        directive.is_some_and(|scanned| scanned.acc_kind() == Some(DirectiveKind::Declare))
    }

    /// Reports jumps from outside to labels in `rest`, the statements behind a directive in its block.
    pub(super) fn no_jump_past(&mut self, directive: NodeId, rest: &[NodeId]) {
        // Most functions have none, and a directive is in each of many blocks.
        if !self.function.has_labels {
            return;
        }
        let ast = self.source.ast;
        let (mut labels, mut inside) = (HashSet::new(), HashSet::new());
        for statement in rest {
            ast.walk(*statement, &mut |id| {
                inside.insert(id);
                if ast.kind(id) == Kind::LabelStmt {
                    labels.insert(ast.label(id));
                }
                true
            });
        }
        if labels.is_empty() {
            return;
        }
        let mut jumps = Vec::new();
        ast.walk(self.function.body, &mut |id| {
            let direct = ast.kind(id) == Kind::GotoStmt && !inside.contains(&id);
            let address = ast.kind(id) == Kind::AddrLabelExpr;
            if (direct || address) && labels.contains(&ast.label(id)) {
                jumps.push(id);
            }
            true
        });
        for jump in jumps {
            let stop = Stop::at(
                jump,
                "this leads behind a `declare` directive, past the entry of its data region",
            )
            .related(directive, "the directive")
            .help("put the directive in front of the jump, or the statements from the directive on into a block of their own")
            .section("2.13");
            self.report(stop);
        }
    }

    /// The variables of the directive's clauses, if all of them may be there.
    fn declared_variables(
        &mut self,
        view: &View<'_>,
        place: Place,
    ) -> Result<Vec<(DataClause, NodeId)>> {
        let mut found = Vec::new();
        for (index, clause) in view.clauses() {
            let Some(kind) = super::data_clauses::data_clause(clause.kind) else {
                continue;
            };
            for (item, var) in clause.vars().iter().enumerate() {
                let Some(address) = view.argument(Owner::Clause(index), item, Role::Address) else {
                    return Err(Stop::at(view.at, "this variable is not known"));
                };
                let base = self.child(address, 0)?;
                let declaration = self.declared_variable(view, base, (clause.kind, var), place)?;
                found.push((kind, declaration));
            }
        }
        Ok(found)
    }

    fn declared_variable(
        &mut self,
        view: &View<'_>,
        base: NodeId,
        (clause, var): (ClauseKind, &Var),
        place: Place,
    ) -> Result<NodeId> {
        let ast = self.source.ast;
        let stop = |text: String| Stop::at(base, text).section("2.13");
        let named = self.named_variable(base);
        let named = named.map(|(declaration, local)| (declaration, local.is_some()));
        let is_variable = |id: NodeId| matches!(ast.kind(id), Kind::VarDecl | Kind::ParmVarDecl);
        let Some((declaration, is_local)) = named.filter(|(id, _)| is_variable(*id)) else {
            return Err(
                stop("`declare` takes names of variables and arrays".to_string())
                    .help("map parts of variables with `enter data` or a `data` construct"),
            );
        };
        let name = ast.name(declaration);
        if place == Place::Program
            && let Some(way_out) = instead_outside(clause)
        {
            let clause = clause.name();
            return Err(stop(format!(
                "`{clause}` cannot be on a `declare` directive outside of functions"
            ))
            .label("the region of this directive ends with the program")
            .help(way_out));
        }
        if ast.node(declaration).has(Flags::THREAD) {
            return Err(stop(format!(
                "`{name}` is thread-local, which a device cannot reach"
            ))
            .help("copy it to a variable that is not"));
        }
        if clause == ClauseKind::Link && is_local {
            return Err(stop(format!(
                "`link` takes variables that the whole program has, and `{name}` is local"
            ))
            .help("declare it outside of functions, or write `create`"));
        }
        let ty = self.type_of(declaration)?;
        let pointer = self.scalar(ty) == Some(Scalar::Pointer);
        if place == Place::Program && pointer && !var.subscripts.is_empty() {
            return Err(stop(format!(
                "what `{name}` points to cannot be mapped when the program is loaded"
            ))
            .help("declare the pointer alone, and map the section with `enter data` where it has its value"));
        }
        let function = (place == Place::Function).then_some(self.function.body);
        let key = (function, ast.canonical(declaration));
        let earlier = self.declared_at.get(&key).copied();
        if let Some((ordinal, at)) = earlier
            && ordinal != view.ordinal()
        {
            return Err(stop(format!("`{name}` is declared twice"))
                .related(at, "the first time")
                .help("keep one of them"));
        }
        self.declared_at.insert(key, (view.ordinal(), base));
        Ok(declaration)
    }

    /// In the place where the program's data goes: the entries again, as what is on the device already.
    fn found_again(&mut self, loaded: &[(NodeId, Entry)]) -> Result<Vec<Entry>> {
        let mut found = Vec::new();
        for (variable, entry) in loaded {
            let var = self.global_address(*variable, *variable)?;
            found.push(self.elsewhere(entry, var));
        }
        Ok(found)
    }
}

/// What to write for a clause that needs the end of the region, or what was before it: outside of functions nothing leaves the
/// region, and nothing is present yet.
fn instead_outside(clause: ClauseKind) -> Option<&'static str> {
    match clause {
        ClauseKind::Copy => {
            Some("write `copyin`, and `update self` where the host needs the values")
        }
        ClauseKind::CopyOut => {
            Some("write `create`, and `update self` where the host needs the values")
        }
        ClauseKind::Present => {
            Some("leave it out, or write `link` if functions on the device use the variable")
        }
        _ => None,
    }
}
