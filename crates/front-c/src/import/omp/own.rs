//! Variables that a construct has as its own, by a clause or by a rule for those that no clause names (OpenMP 5.2, sections 5.1.1 and
//! 5.4.1), where the import can make them: an object at the beginning of the construct's statement.
//!
//! ```text
//! #pragma omp task              %own = core.alloca;  core.store (core.load %x), %own
//! x += 1;                  →    … %own …
//! ```
//! Without a clause a task has copies of its thread's variables, and shares those that the threads of the team share: what is declared
//! outside of a `parallel` region around it, and globals. Outside of such a region even what is mapped is the thread's, as for gcc.

use crate::ast::node::{Kind, NodeId};
use crate::ast::types::TypeId;
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::core;
use accrue_directives::omp::{ClauseArgs, ClauseKind, DefaultValue, Directive};
use pliron::value::Value;
use std::collections::HashSet;

/// What a variable is that no clause names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unnamed {
    /// The one outside.
    Shared,
    /// Undefined at first.
    Private,
    /// A copy.
    Firstprivate,
    /// A copy, if it is a thread's.
    OfThread,
}

/// A variable that the statement is to have as its own.
struct Own {
    declaration: NodeId,
    ty: TypeId,
    /// Where it starts with the value of.
    outer: Option<Value>,
}

impl Unnamed {
    /// What a `default` clause says, else `otherwise`.
    pub(super) fn of(omp: &Directive, otherwise: Unnamed) -> Self {
        let clause = omp.clauses_of(ClauseKind::Default).next();
        match clause.map(|(_, clause)| &clause.args) {
            Some(ClauseArgs::Default(DefaultValue::Private)) => Unnamed::Private,
            Some(ClauseArgs::Default(DefaultValue::Firstprivate)) => Unnamed::Firstprivate,
            // With `none` each has its clause.
            Some(ClauseArgs::Default(DefaultValue::Shared | DefaultValue::None)) => Unnamed::Shared,
            Some(_) | None => otherwise,
        }
    }
}

impl Module<'_> {
    /// The variables of the `private` and `firstprivate` clauses.
    pub(super) fn own_named(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        let mut own = Vec::new();
        for (kind, copied) in [
            (ClauseKind::Private, false),
            (ClauseKind::Firstprivate, true),
        ] {
            for (index, clause) in omp.clauses_of(kind) {
                for item in 0..clause.vars().len() {
                    let address = view.argument(Owner::Clause(index), item, Role::Address);
                    let base = self.child(address.unwrap_or(view.at), 0)?;
                    let Some((declaration, _)) = self.named_variable(base) else {
                        let message = format!("`{}` takes names of variables", kind.name());
                        return Err(Stop::at(base, message)
                            .help("name the whole variable, or use one of the statement's own")
                            .openmp(kind.section()));
                    };
                    let outer = self.address(base)?;
                    own.push(Own {
                        declaration,
                        ty: self.type_of(base)?,
                        outer: copied.then_some(outer),
                    });
                }
            }
        }
        self.make_own(own)
    }

    /// The variables that `statement` mentions and no clause names.
    pub(super) fn own_unnamed(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        statement: NodeId,
        unnamed: Unnamed,
    ) -> Result<()> {
        if unnamed == Unnamed::Shared {
            return Ok(());
        }
        let ast = self.source.ast;
        let vars = omp.clauses.iter().flat_map(|clause| clause.vars());
        let named: HashSet<&str> = vars.map(|var| view.scanned.text_of(var.base)).collect();
        let mut found: Vec<NodeId> = Vec::new();
        ast.walk(statement, &mut |id| {
            if ast.kind(id) == Kind::DeclRefExpr
                && let Some(variable) = ast.referenced(id)
                && !found.contains(&variable)
            {
                found.push(variable);
            }
            true
        });
        let mut own = Vec::new();
        for declaration in found {
            let Some(variable) = self.function.variables.get(&declaration) else {
                continue;
            };
            let address = variable.address;
            let is_global = address.defining_op().is_some_and(|op| {
                pliron::operation::Operation::is_op::<core::AddressOf>(op, self.ctx)
            });
            let shared = self.function.shared.contains(&declaration);
            if named.contains(ast.name(declaration))
                || is_global
                || unnamed == Unnamed::OfThread && shared
            {
                continue;
            }
            if !variable.dims.is_empty() {
                let text = format!(
                    "a copy of `{}`, whose length is variable, is not supported yet",
                    ast.name(declaration)
                );
                return Err(Stop::at(declaration, text)
                    .help("name it in a `shared` clause, and a pointer to its elements where it is to be read")
                    .openmp("5.1.1"));
            }
            own.push(Own {
                declaration,
                ty: variable.ty.ty,
                outer: (unnamed != Unnamed::Private).then_some(address),
            });
        }
        self.make_own(own)
    }

    fn make_own(&mut self, own: Vec<Own>) -> Result<()> {
        for Own {
            declaration,
            ty,
            outer,
        } in own
        {
            let address = self.own_variable(declaration, ty)?;
            self.function.shared.remove(&declaration);
            if let Some(outer) = outer {
                self.copy_object(address, outer, ty);
            }
        }
        Ok(())
    }

    /// The object at `to` becomes the one at `from`.
    pub(super) fn copy_object(&mut self, to: Value, from: Value, ty: TypeId) {
        match self.scalar(ty) {
            Some(_) => {
                let value = self.load(from, false);
                self.store(value, to, false);
            }
            None => {
                let op = core::Copy::new(self.ctx, to, from);
                self.emit(op);
            }
        }
    }

    /// Lets what is known here, but for `own`, be shared by the threads that start here; gives what was.
    pub(super) fn share_all_but(&mut self, own: &HashSet<&str>) -> HashSet<NodeId> {
        let ast = self.source.ast;
        let known = self.function.variables.declarations();
        let shared = known.filter(|id| !own.contains(ast.name(*id))).collect();
        std::mem::replace(&mut self.function.shared, shared)
    }
}

/// The variables that the directive's clauses make the thread's own.
pub(super) fn own_names<'a>(view: &'a View<'_>, omp: &'a Directive) -> HashSet<&'a str> {
    let kinds = [
        ClauseKind::Private,
        ClauseKind::Firstprivate,
        ClauseKind::Lastprivate,
        ClauseKind::Linear,
        ClauseKind::Reduction,
    ];
    let clauses = kinds.into_iter().flat_map(|kind| omp.clauses_of(kind));
    let vars = clauses.flat_map(|(_, clause)| clause.vars());
    vars.map(|var| view.scanned.text_of(var.base)).collect()
}
