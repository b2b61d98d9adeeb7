//! A directive of either language, for code that only wants its words.

use crate::ast::{Clause, Directive, Var};
use crate::{Diagnostic, Span, omp};

/// A directive.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyDirective {
    /// `#pragma acc …`
    Acc(Directive),
    /// `#pragma omp …`
    Omp(omp::Directive),
}

impl AnyDirective {
    /// The OpenACC directive, if it is one.
    pub fn acc(&self) -> Option<&Directive> {
        match self {
            AnyDirective::Acc(directive) => Some(directive),
            AnyDirective::Omp(_) => None,
        }
    }

    /// The OpenMP directive, if it is one.
    pub fn omp(&self) -> Option<&omp::Directive> {
        match self {
            AnyDirective::Acc(_) => None,
            AnyDirective::Omp(directive) => Some(directive),
        }
    }

    /// What introduces it in C.
    pub fn sentinel(&self) -> &'static str {
        match self {
            AnyDirective::Acc(_) => "#pragma acc",
            AnyDirective::Omp(_) => "#pragma omp",
        }
    }

    /// Its name.
    pub fn kind_span(&self) -> Span {
        match self {
            AnyDirective::Acc(directive) => directive.kind_span,
            AnyDirective::Omp(directive) => directive.kind_span,
        }
    }

    /// All of it.
    pub fn span(&self) -> Span {
        match self {
            AnyDirective::Acc(directive) => directive.span,
            AnyDirective::Omp(directive) => directive.span,
        }
    }

    /// What is legal but deserves a remark.
    pub fn warnings(&self) -> &[Diagnostic] {
        match self {
            AnyDirective::Acc(directive) => &directive.warnings,
            AnyDirective::Omp(directive) => &directive.warnings,
        }
    }

    /// Item `item` of clause `clause`, or of the directive's own argument, if it is an expression.
    pub fn expression(&self, clause: Option<u32>, item: u32) -> Option<Span> {
        match self {
            AnyDirective::Acc(directive) => directive.expression(clause, item),
            AnyDirective::Omp(directive) => directive.expression(clause? as usize, item as usize),
        }
    }

    /// The variables that clause `clause` names.
    pub fn vars(&self, clause: usize) -> &[Var] {
        match self {
            AnyDirective::Acc(directive) => directive.clauses.get(clause).map_or(&[], Clause::vars),
            AnyDirective::Omp(directive) => directive.vars(clause),
        }
    }

    /// Whether its region is a device's.
    pub fn is_compute(&self) -> bool {
        match self {
            AnyDirective::Acc(directive) => directive.kind.is_compute(),
            AnyDirective::Omp(directive) => directive.kind.is_target(),
        }
    }
}
