//! The arguments of a carrier: every expression that a directive's clauses contain, with what it is.

use super::carriers::{Argument, Owner, Role};
use super::scan::ScannedDirective;
use accrue_directives::{
    AnyDirective, Clause, ClauseArgs, ClauseKind, DirectiveArgs, SizeExpr, Span, Subscript, Var,
    WaitArgs, omp,
};

/// The arguments of a directive's call with the text of each.
pub(super) fn arguments(directive: &ScannedDirective) -> Vec<(Argument, Span)> {
    let mut list = List {
        owner: Owner::Directive,
        arguments: Vec::new(),
    };
    match &directive.directive {
        AnyDirective::Acc(acc) => {
            match &acc.args {
                DirectiveArgs::None | DirectiveArgs::Atomic { .. } => {}
                DirectiveArgs::Wait(wait) => list.wait(wait),
                DirectiveArgs::Cache { vars, .. } => list.vars(vars),
                DirectiveArgs::Routine { name } => list.add(0, Role::Function, *name),
            }
            for (index, clause) in acc.clauses.iter().enumerate() {
                list.owner = Owner::Clause(index);
                list.clause(clause);
            }
        }
        AnyDirective::Omp(omp) => {
            for (index, clause) in omp.clauses.iter().enumerate() {
                list.owner = Owner::Clause(index);
                list.omp_clause(clause);
            }
        }
    }
    list.arguments
}

struct List {
    owner: Owner,
    arguments: Vec<(Argument, Span)>,
}

impl List {
    fn add(&mut self, item: usize, role: Role, span: Span) {
        self.arguments.push((
            Argument {
                owner: self.owner,
                item,
                role,
            },
            span,
        ));
    }

    fn clause(&mut self, clause: &Clause) {
        match &clause.args {
            ClauseArgs::None
            | ClauseArgs::Devices(_)
            | ClauseArgs::Default { .. }
            | ClauseArgs::Bind { .. } => {}
            ClauseArgs::Expr(span) => {
                let condition = matches!(clause.kind, ClauseKind::If | ClauseKind::SelfCondition);
                self.add(
                    0,
                    if condition {
                        Role::Condition
                    } else {
                        Role::Value
                    },
                    *span,
                );
            }
            ClauseArgs::Exprs(spans) => {
                for (item, span) in spans.iter().enumerate() {
                    self.add(item, Role::Value, *span);
                }
            }
            ClauseArgs::Vars(vars) | ClauseArgs::Reduction { vars, .. } => self.vars(vars),
            ClauseArgs::Wait(wait) => self.wait(wait),
            ClauseArgs::Collapse { count, .. } => self.add(0, Role::Value, *count),
            ClauseArgs::Gang {
                num,
                dim,
                static_size,
            } => {
                self.add_some(0, Role::GangNum, *num);
                self.add_some(0, Role::GangDim, *dim);
                self.add_some(0, Role::GangStatic, static_size.as_ref().and_then(size));
            }
            ClauseArgs::Worker(span) | ClauseArgs::Vector(span) => self.add(0, Role::Value, *span),
            ClauseArgs::Tile(sizes) => {
                for (item, written) in sizes.iter().enumerate() {
                    self.add_some(item, Role::Value, size(written));
                }
            }
        }
    }

    fn omp_clause(&mut self, clause: &omp::Clause) {
        let role = match clause.kind {
            omp::ClauseKind::If => Role::Condition,
            _ => Role::Value,
        };
        for (item, span) in clause.expressions().into_iter().enumerate() {
            self.add(item, role, span);
        }
        // What is shared is as it is outside.
        if clause.kind != omp::ClauseKind::Shared {
            self.vars(clause.vars());
        }
    }

    fn add_some(&mut self, item: usize, role: Role, span: Option<Span>) {
        if let Some(span) = span {
            self.add(item, role, span);
        }
    }

    fn wait(&mut self, wait: &WaitArgs) {
        self.add_some(0, Role::Devnum, wait.devnum);
        for (item, queue) in wait.queues.iter().enumerate() {
            self.add(item, Role::Queue, *queue);
        }
    }

    fn vars(&mut self, vars: &[Var]) {
        for (item, var) in vars.iter().enumerate() {
            self.add(item, Role::Address, var.base);
            for (dimension, subscript) in var.subscripts.iter().enumerate() {
                match subscript {
                    Subscript::Index(span) => self.add(item, Role::Index(dimension), *span),
                    Subscript::Section {
                        lower,
                        length,
                        stride,
                        ..
                    } => {
                        self.add_some(item, Role::Lower(dimension), *lower);
                        self.add_some(item, Role::Length(dimension), *length);
                        self.add_some(item, Role::Stride(dimension), *stride);
                    }
                    // Fortran's; the C grammar has none.
                    Subscript::Triplet { .. } => {}
                }
            }
        }
    }
}

/// The expression of a size that is not `*`.
fn size(size: &SizeExpr) -> Option<Span> {
    match size {
        SizeExpr::Any(_) => None,
        SizeExpr::Expr(span) => Some(*span),
    }
}
