//! `goto` in code for a device.
//!
//! Problem: the IR has structured control flow only, and programs leave several loops at once, try again, or go to the end of a body by
//! `goto`.
//!
//! Step: a block some of whose own labels are led to becomes a loop around a `switch` over where to go on, so that each jump to one
//! of them, forwards or backwards, is a `continue` of that loop. A jump from loops or `switch`es inside the block says so in a flag,
//! leaves them one by one, and goes on behind each; a `break` or `continue` of the user's out of the block does the same.
//!
//! ```text
//!                                  next = 0; jumping = 0;
//!                                  for (;;) {
//!                                      switch (next) {
//! { a;                                 case 0: a;
//!   again: b;                          case 1: b;
//!   for (…)                                for (…)
//!       if (x) goto again;    →                if (x) { next = 1; jumping = 1; break; }
//!                                          if (jumping) { jumping = 0; continue; }
//!   c;                                     c;
//! }                                    }
//!                                      break;
//!                                  }
//! ```
//!
//! Any jump to a label of a block around it can be written so, irreducible loops among them. One into a block cannot, and is an
//! error; so is one out of a `loop` construct's loop or the region. Cost: a loop that compilers find harder to read than `if` and
//! `while`, and only where a label is led to.

use super::functions::Module;
use super::state::{Nest, Result, Stop};
use crate::ast::node::{Kind, NodeId};
use accrue_dialects::core::{self, Case, CaseValue, CmpKind};
use pliron::value::Value;

/// A block with labels that jumps lead to.
pub struct Labels {
    /// The labels of each part of the block but the first, by clang's numbers.
    parts: Vec<Vec<u64>>,
    /// The variable with the part to go on with.
    next: Value,
    /// The flag of a jump that is on its way to this block.
    jumping: Value,
    /// How the block is being left: [`BREAK`], [`CONTINUE`] or not.
    left: Value,
}

/// Where a jump leads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// A label of a block, by the block's index in [`super::state::Function::labels`].
    Label(usize),
    /// Behind the loop or `switch` around the block with labels.
    Break,
    /// The next iteration of the loop around it.
    Continue,
}

/// A jump that goes on behind a nest.
#[derive(Clone, Copy, PartialEq)]
pub struct Pending {
    /// Index of the nest that it leaves.
    depth: usize,
    aim: Aim,
    /// The variable that says so, with this value.
    flag: Value,
    value: i128,
    at: NodeId,
}

const BREAK: i128 = 1;
const CONTINUE: i128 = 2;

/// The statements of a block up to the next label.
struct Part {
    labels: Vec<u64>,
    statements: Vec<NodeId>,
}

impl Module<'_> {
    /// Imports a block of code for a device if jumps lead to labels of its own; tells whether it is one.
    pub(super) fn block_with_labels(&mut self, block: NodeId) -> Result<bool> {
        if !self.on_device() {
            return Ok(false);
        }
        let parts = self.parts(block)?;
        if parts.len() < 2 {
            return Ok(false);
        }
        let mut declared = true;
        for statement in parts.iter().flat_map(|part| &part.statements) {
            if self.source.ast.kind(*statement) == Kind::DeclStmt
                && let Err(stop) = self.declare_ahead(*statement)
            {
                self.report(stop);
                declared = false;
            }
        }
        if !declared {
            return Ok(true);
        }
        let int = self.int_type();
        let [next, jumping, left] = [0; 3].map(|_| {
            let address = self.temporary(int);
            self.set(address, 0);
            address
        });
        self.function.labels.push(Labels {
            parts: parts[1..].iter().map(|part| part.labels.clone()).collect(),
            next,
            jumping,
            left,
        });
        // A loop that is offered for analysis could not be left.
        let offered = std::mem::replace(&mut self.function.offers_loops, false);
        let imported = self.parts_in_loop(&parts, next);
        self.function.offers_loops = offered;
        self.function.labels.pop();
        imported?;
        self.arrive()?;
        Ok(true)
    }

    /// The loop around the `switch` over the parts of a block.
    fn parts_in_loop(&mut self, parts: &[Part], next: Value) -> Result<()> {
        let (op, blocks) = core::Loop::new(self.ctx, false);
        self.emit(op);
        self.in_block(blocks.cond, |this| {
            let value = this.constant(1, 1);
            this.yield_values(vec![value]);
            Ok(())
        })?;
        self.in_yielding_block(blocks.step, |_| Ok(()))?;
        self.function.nest.push(Nest::Labels);
        let imported = self.in_block(blocks.body, |this| {
            let value = this.load(next, false);
            let cases = (0..parts.len() as i64).map(|number| Case {
                values: vec![CaseValue {
                    first: number,
                    last: number,
                }],
                default: false,
            });
            let (op, regions) = core::Switch::new(this.ctx, value, cases.collect());
            this.emit(op);
            for (part, region) in parts.iter().zip(regions) {
                this.in_yielding_block(region, |this| {
                    for statement in &part.statements {
                        match this.source.ast.kind(*statement) {
                            Kind::DeclStmt => this.initialise_all(*statement),
                            _ => this.statement(*statement),
                        }
                    }
                    Ok(())
                })?;
            }
            let end = core::Break::new(this.ctx);
            this.terminate(end);
            Ok(())
        });
        self.function.nest.pop();
        imported.map(|_| ())
    }

    /// The parts of a block, cut at the labels that jumps in it lead to.
    fn parts(&mut self, block: NodeId) -> Result<Vec<Part>> {
        let ast = self.source.ast;
        let mut parts = vec![Part {
            labels: vec![],
            statements: vec![],
        }];
        if !ast
            .children(block)
            .any(|id| ast.kind(id) == Kind::LabelStmt)
        {
            return Ok(parts);
        }
        let jumps = self.jumps(block);
        for child in ast.children(block) {
            let (mut inner, mut labels) = (child, vec![]);
            while ast.kind(inner) == Kind::LabelStmt {
                labels.push(ast.label(inner));
                inner = self.child(inner, 0)?;
            }
            let mut used = jumps.iter().filter(|(_, label, _)| labels.contains(label));
            if let Some((jump, _, _)) = used.clone().find(|(_, _, in_expression)| *in_expression) {
                return Err(Stop::at(
                    *jump,
                    "a jump out of a statement expression is not supported",
                )
                .help("write the statements out"));
            }
            if used.next().is_some() {
                parts.push(Part {
                    labels,
                    statements: vec![],
                });
            }
            if let Some(part) = parts.last_mut() {
                part.statements.push(inner);
            }
        }
        Ok(parts)
    }

    /// All `goto`s in a block, with their labels, and whether each is in a statement expression of the block.
    fn jumps(&self, block: NodeId) -> Vec<(NodeId, u64, bool)> {
        let ast = self.source.ast;
        let mut found = vec![];
        let mut pending = vec![(block, false)];
        while let Some((id, in_expression)) = pending.pop() {
            let in_expression = in_expression || ast.kind(id) == Kind::StmtExpr;
            if ast.kind(id) == Kind::GotoStmt {
                found.push((id, ast.label(id), in_expression));
            }
            pending.extend(ast.children(id).map(|child| (child, in_expression)));
        }
        found
    }

    /// Creates the variables that all parts of a block see.
    fn declare_ahead(&mut self, statement: NodeId) -> Result<()> {
        let ast = self.source.ast;
        for declaration in ast.children(statement) {
            if ast.kind(declaration) == Kind::VarDecl {
                let ty = self.type_of(declaration)?;
                if self.types.is_variably_modified(ty) {
                    return Err(Stop::at(
                        declaration,
                        "an array of variable length next to a label is not supported in code for a device",
                    )
                    .help("put the array and what uses it into a block of its own"));
                }
            }
        }
        self.declare_all(statement)
    }

    /// `goto label;`
    pub(super) fn goto_statement(&mut self, statement: NodeId) -> Result<()> {
        let label = self.source.ast.label(statement);
        let found = self.function.labels.iter().enumerate().rev();
        let mut found = found.filter_map(|(index, labels)| {
            let part = labels.parts.iter().position(|part| part.contains(&label))?;
            Some((index, part, labels.next))
        });
        let Some((index, part, next)) = found.next() else {
            return Err(Stop::at(
                statement,
                "this `goto` leads into a block, or out of the region",
            )
            .help("put the label into a block around the `goto`, in the region; or use `if`, loops, `break` and `continue`")
            .section("2.5.4"));
        };
        self.set(next, part as i128 + 1);
        self.jump(Aim::Label(index), statement)
    }

    /// Leaves the innermost nest on the way to `aim`, or goes there.
    pub(super) fn jump(&mut self, aim: Aim, at: NodeId) -> Result<()> {
        let arrived = |index: usize| index + 1 == self.function.labels.len();
        let (flag, value) = match (aim, self.function.nest.last()) {
            (Aim::Label(index), Some(Nest::Labels)) if arrived(index) => {
                let jumping = self.function.labels[index].jumping;
                self.set(jumping, 0);
                let op = core::Continue::new(self.ctx);
                self.terminate(op);
                return Ok(());
            }
            (Aim::Label(_), Some(Nest::AccLoop)) => {
                return Err(
                    Stop::at(at, "`goto` cannot leave a loop of a `loop` construct")
                        .help("make the rest of the body conditional")
                        .section("2.9"),
                );
            }
            (Aim::Label(_), Some(Nest::Construct) | None) => {
                return Err(super::stmt::leaves_construct(at, "`goto`"));
            }
            (Aim::Label(index), Some(Nest::Loop | Nest::Switch | Nest::Labels)) => {
                (self.function.labels[index].jumping, 1)
            }
            (Aim::Break, Some(Nest::Labels)) => match self.function.labels.last() {
                Some(labels) => (labels.left, BREAK),
                None => return Err(self.unsupported(at)),
            },
            (
                Aim::Break,
                Some(Nest::Loop | Nest::Switch | Nest::AccLoop | Nest::Construct) | None,
            ) => return self.break_statement(at),
            (Aim::Continue, _) => match self.function.labels.last() {
                Some(labels) if self.continues_past_labels() => (labels.left, CONTINUE),
                Some(_) | None => return self.continue_statement(at),
            },
        };
        self.set(flag, value);
        self.function.pending.push(Pending {
            depth: self.function.nest.len() - 1,
            aim,
            flag,
            value,
            at,
        });
        let op = core::Break::new(self.ctx);
        self.terminate(op);
        Ok(())
    }

    /// Whether a `continue` here leaves a block with labels.
    pub(super) fn continues_past_labels(&self) -> bool {
        let mut around = self.function.nest.iter().rev();
        around.find(|nest| **nest != Nest::Switch) == Some(&Nest::Labels)
    }

    /// Behind a nest: the jumps that have left it go on.
    pub(super) fn arrive(&mut self) -> Result<()> {
        let depth = self.function.nest.len();
        let mut here: Vec<Pending> = vec![];
        self.function.pending.retain(|pending| {
            let ends = pending.depth == depth;
            let known = |other: &Pending| other.aim == pending.aim;
            if ends && !here.iter().any(known) {
                here.push(*pending);
            }
            !ends
        });
        for pending in here {
            let state = self.load(pending.flag, false);
            let wanted = self.constant(32, pending.value);
            let condition = self.compare(CmpKind::Eq, state, wanted);
            let (op, yes, no) = core::If::new(self.ctx, condition, vec![]);
            self.emit(op);
            self.in_yielding_block(yes, |this| this.jump(pending.aim, pending.at))?;
            self.in_yielding_block(no, |_| Ok(()))?;
        }
        Ok(())
    }

    fn int_type(&mut self) -> pliron::r#type::TypeHandle {
        core::int(self.ctx, 32)
    }

    fn set(&mut self, variable: Value, number: i128) {
        let value = self.constant(32, number);
        self.store(value, variable, false);
    }
}
