//! Reductions whose iterations find what those before them have given (OpenMP 5.2, section 5.6). The loop runs in order, unless the device
//! has many threads, which need to know where its parts are.
//!
//! ```text
//! #pragma omp for reduction(inscan, +: s)          omp.loop_nest … [for] [in order] {
//! for (…) {                                          %own = 0
//!     s += a[i];                               →     %own += a[i]
//!     #pragma omp scan inclusive(s)                  omp.scan s, %own;  s += %own;  %own = s
//!     b[i] = s;                                      b[i] = %own }
//! }
//! ```
//! With `exclusive` the part in front of the directive finds the value, and the one behind it gives something. Of an array each element is
//! such a variable; what is not in a section of it gets nothing, and stays.

use crate::ast::node::NodeId;
use crate::ast::types::TypeId;
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::reduced::reduction_operator;
use crate::import::state::{Result, Stop};
use crate::import::types::Scalar;
use crate::text::carriers::{Owner, Role};
use accrue_dialects::core::{Decay, array_parts, emit::Emitter};
use accrue_dialects::omp as dialect;
use accrue_dialects::par::{Level, ReductionId, ReductionInfo, operators};
use accrue_directives::omp::{ClauseArgs, ClauseKind, Directive, DirectiveKind, Inside};
use accrue_ir::diagnostic::Diagnostic;
use pliron::op::Op;
use pliron::operation::Operation;
use pliron::r#type::TypeHandle;
use pliron::value::Value;

/// A variable of such a reduction.
#[derive(Clone, Copy)]
pub struct Scanned {
    declaration: NodeId,
    ty: TypeId,
    info: ReductionInfo,
    /// Where it is added up.
    outer: Value,
    /// The iteration's.
    own: Option<Value>,
}

/// The reductions of a loop that are scans.
#[derive(Clone, Default)]
pub struct Scan {
    vars: Vec<Scanned>,
    exclusive: bool,
}

impl Module<'_> {
    /// The variables of `inscan` reductions.
    pub(super) fn scan_of(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        statement: NodeId,
    ) -> Result<Scan> {
        let mut scan = Scan::default();
        for (index, clause) in omp.clauses.iter().enumerate() {
            let ClauseArgs::Reduction {
                operator,
                inscan: true,
                vars,
                ..
            } = &clause.args
            else {
                continue;
            };
            let Some(operator) = operator else {
                let message = "an `inscan` reduction with a declared operator is not supported yet";
                return Err(Stop::at(view.at, message)
                    .help("write the loop without directives: one thread would run it")
                    .openmp("5.5.8"));
            };
            for item in 0..vars.len() {
                let address = view.argument(Owner::Clause(index), item, Role::Address);
                let base = self.child(address.unwrap_or(view.at), 0)?;
                let ty = self.type_of(base)?;
                let known = self
                    .named_variable(base)
                    .map(|(declaration, _)| declaration);
                let element = self.innermost(ty);
                let is_number = match self.scalar(element) {
                    Some(Scalar::Pointer) | None => false,
                    Some(_) => true,
                };
                let Some(declaration) = known.filter(|_| is_number) else {
                    let message = "an `inscan` reduction takes numbers and arrays of them so far";
                    return Err(Stop::at(base, message)
                        .help("use a variable, or an array of known length")
                        .openmp("5.5.8"));
                };
                let signed = self.reduced_type(base, *operator, false)?;
                let outer = self.address(base)?;
                scan.vars.push(Scanned {
                    declaration,
                    ty,
                    info: ReductionInfo {
                        level: Level::Vector,
                        operator: reduction_operator(*operator),
                        signed,
                        id: ReductionId {
                            loop_id: 0,
                            reduction_id: 0,
                        },
                    },
                    outer,
                    own: None,
                });
            }
        }
        if scan.vars.is_empty() {
            return Ok(scan);
        }
        let found = self.directives_in(statement, &DirectiveKind::Inside(Inside::Scan));
        let [only] = found.as_slice() else {
            return Err(Stop::at(
                view.at,
                "a loop with an `inscan` reduction has one `scan` directive",
            )
            .openmp("5.6"));
        };
        let directive = self.source.unit.directives.get(*only);
        let directive = directive.and_then(|it| it.directive.omp());
        scan.exclusive = directive.is_some_and(|omp| omp.has(ClauseKind::Exclusive));
        Ok(scan)
    }

    /// Begins an iteration.
    pub(super) fn begin_scan(&mut self, scan: &Scan) -> Result<Scan> {
        let mut scan = scan.clone();
        for it in &mut scan.vars {
            let own = self.own_variable(it.declaration, it.ty)?;
            it.own = Some(own);
            match scan.exclusive {
                true => self.copy_object(own, it.outer, it.ty),
                false => self.give_nothing(*it)?,
            }
        }
        Ok(scan)
    }

    /// The directive between the parts of an iteration.
    pub(super) fn scan_directive(&mut self, view: &View<'_>) -> Result<()> {
        let Some(scan) = self.function.scans.last().cloned() else {
            return Err(
                Stop::at(view.at, "`scan` is in no loop with an `inscan` reduction")
                    .help("write `reduction(inscan, …)` on the loop around it")
                    .openmp("5.6"),
            );
        };
        for it in &scan.vars {
            if let Some(own) = it.own {
                let op = dialect::Scan::new(self.ctx, it.outer, own, it.info);
                if scan.exclusive {
                    op.set_exclusive(self.ctx);
                }
                self.emit(op);
            }
        }
        for it in &scan.vars {
            match scan.exclusive {
                true => self.give_nothing(*it)?,
                false => {
                    self.give(*it)?;
                    if let Some(own) = it.own {
                        self.copy_object(own, it.outer, it.ty);
                    }
                }
            }
        }
        Ok(())
    }

    /// Ends an iteration.
    pub(super) fn end_scan(&mut self) -> Result<()> {
        let Some(scan) = self.function.scans.last().cloned() else {
            return Ok(());
        };
        if scan.exclusive {
            for it in &scan.vars {
                self.give(*it)?;
            }
        }
        Ok(())
    }

    fn give_nothing(&mut self, it: Scanned) -> Result<()> {
        self.each(it, &|e, (_, own), ty| {
            let value = operators::identity(e, it.info, ty)?;
            e.store(value, own);
            Ok(())
        })
    }

    fn give(&mut self, it: Scanned) -> Result<()> {
        self.each(it, &|e, (outer, own), _| {
            let (all, own) = (e.load(outer), e.load(own));
            let value = operators::combine(e, it.info, all, own)?;
            e.store(value, outer);
            Ok(())
        })
    }

    /// Does something with each number: where it is added up, and the iteration's own.
    fn each(&mut self, it: Scanned, work: &Work<'_>) -> Result<()> {
        let Some(own) = it.own else { return Ok(()) };
        let ty = self.ir_type(it.ty, it.declaration)?;
        let block = self.function.block;
        let model = accrue_dialects::omp::Barrier::new(self.ctx);
        let model = self.emit(model).get_operation();
        let mut e = Emitter::at_end_of(self.ctx, block, model);
        let made = each_of(&mut e, (it.outer, own), ty, work);
        Operation::erase(model, self.ctx);
        made.map_err(|_| {
            Stop::at(
                it.declaration,
                "this reduction is not defined for the variable",
            )
            .openmp("5.5.8")
        })
    }
}

/// What is done with the addresses of two numbers of a type.
type Work<'a> = dyn Fn(&mut Emitter<'_>, (Value, Value), TypeHandle) -> std::result::Result<(), Diagnostic>
    + 'a;

fn each_of(
    e: &mut Emitter<'_>,
    (outer, own): (Value, Value),
    ty: TypeHandle,
    work: &Work<'_>,
) -> std::result::Result<(), Diagnostic> {
    let Some((length, of)) = array_parts(e.ctx, ty) else {
        return work(e, (outer, own), ty);
    };
    let [outer, own] = [outer, own].map(|array| {
        let decayed = Decay::new(e.ctx, array);
        decayed.map_or(array, |decayed| e.value(decayed))
    });
    let (zero, one, length) = (e.i64(0), e.i64(1), e.i64(i128::from(length)));
    e.counted(zero, length, one, |e, index| {
        let [outer, own] = [outer, own].map(|first| e.ptr_add(first, index));
        each_of(e, (outer, own), of, work)
    })?;
    Ok(())
}
