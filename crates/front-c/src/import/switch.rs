//! `switch`: one region per group of labels, each falling through to the next.
//!
//! Only labels directly in the body are supported. Variables declared there belong to all cases, so
//! they are created before the `switch`.

use super::functions::Module;
use super::state::{Nest, Result, Stop};
use super::types::Scalar;
use crate::ast::constant;
use crate::ast::node::{Flags, Kind, NodeId};
use accrue_dialects::core::{self, Case, CaseValue};

/// The statements behind a group of labels.
struct Section {
    case: Case,
    statements: Vec<NodeId>,
}

impl Module<'_> {
    /// Imports a `switch`.
    pub fn switch_statement(&mut self, statement: NodeId) -> Result<()> {
        let selector = self.child(statement, 0)?;
        let (_, scalar) = self.scalar_of(selector)?;
        let (bits, signed) = match scalar {
            Scalar::Int { bits, signed } if bits <= 64 => (bits, signed),
            Scalar::Bool => (1, false),
            Scalar::Int { .. } | Scalar::Float(_) | Scalar::Complex(_) | Scalar::Pointer => {
                return Err(self.unsupported(selector));
            }
        };
        let sections = self.sections(statement, (bits, signed))?;
        let value = self.full_expression(selector, |this| this.value_or_opaque(selector))?;
        for section in &sections {
            for inner in &section.statements {
                if self.source.ast.kind(*inner) == Kind::DeclStmt {
                    self.declare_all(*inner)?;
                }
            }
        }
        let cases = sections
            .iter()
            .map(|section| section.case.clone())
            .collect();
        let (op, blocks) = core::Switch::new(self.ctx, value, cases);
        self.emit(op);
        self.function.nest.push(Nest::Switch);
        for (section, block) in sections.iter().zip(blocks) {
            let imported = self.in_yielding_arm(block, |this| {
                for inner in &section.statements {
                    match this.source.ast.kind(*inner) {
                        Kind::DeclStmt => this.initialise_all(*inner),
                        _ => this.statement(*inner),
                    }
                }
                Ok(())
            });
            if imported.is_err() {
                self.function.nest.pop();
                return imported;
            }
        }
        self.function.nest.pop();
        self.arrive()
    }

    fn sections(&mut self, statement: NodeId, of: (u32, bool)) -> Result<Vec<Section>> {
        let ast = self.source.ast;
        let body = self.child(statement, 1)?;
        let children: Vec<NodeId> = match ast.kind(body) {
            Kind::CompoundStmt => ast.children(body).collect(),
            _ => vec![body],
        };
        let mut sections: Vec<Section> = Vec::new();
        for child in children {
            if self.is_declare(child) {
                return Err(Stop::at(
                    child,
                    "`declare` directly in the body of a `switch` is not supported",
                )
                .help("put braces around the statements of the case")
                .section("2.13"));
            }
            if !is_label(ast.kind(child)) {
                self.no_label_inside(child)?;
                // Statements before the first label are never reached.
                match sections.last_mut() {
                    Some(section) => section.statements.push(child),
                    None if ast.kind(child) == Kind::DeclStmt => self.declare_all(child)?,
                    None => {}
                }
                continue;
            }
            let mut case = Case {
                values: Vec::new(),
                default: false,
            };
            let mut inner = child;
            while is_label(ast.kind(inner)) {
                let labels = if ast.kind(inner) == Kind::DefaultStmt {
                    case.default = true;
                    0
                } else {
                    let range = ast.node(inner).has(Flags::CASE_RANGE);
                    let first = self.case_value(inner, 0, of.0)?;
                    let last = if range {
                        self.case_value(inner, 1, of.0)?
                    } else {
                        first
                    };
                    case.values.extend(values(first, last, of));
                    if range { 2 } else { 1 }
                };
                inner = self.child(inner, labels)?;
            }
            self.no_label_inside(inner)?;
            sections.push(Section {
                case,
                statements: vec![inner],
            });
        }
        Ok(sections)
    }

    /// The value of a label, with the sign it has in a type of `bits`.
    fn case_value(&mut self, label: NodeId, index: usize, bits: u32) -> Result<i64> {
        let expression = self.child(label, index)?;
        let value = constant::integer(&mut self.types, expression);
        let value = value.ok_or_else(|| Stop::at(expression, "this label is not constant"))?;
        let unused = 128 - bits;
        i64::try_from(value << unused >> unused)
            .map_err(|_| Stop::at(expression, "this label does not fit into 64 bits"))
    }

    fn no_label_inside(&self, statement: NodeId) -> Result<()> {
        let ast = self.source.ast;
        let mut found = None;
        ast.walk(statement, &mut |id| {
            if is_label(ast.kind(id)) {
                found = Some(id);
            }
            ast.kind(id) != Kind::SwitchStmt
        });
        match found {
            None => Ok(()),
            Some(label) => Err(Stop::at(
                label,
                "a case label inside another statement of the `switch` is not supported",
            )
            .help("put the labels directly into the body of the `switch`")),
        }
    }
}

/// The values of a range, by their sign in a type of so many bits: one without a sign goes on from the largest one to the least.
fn values(first: i64, last: i64, (bits, signed): (u32, bool)) -> Vec<CaseValue> {
    let (least, most) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
    match !signed && first >= 0 && last < 0 {
        true => vec![
            CaseValue { first, last: most },
            CaseValue { first: least, last },
        ],
        false => vec![CaseValue { first, last }],
    }
}

fn is_label(kind: Kind) -> bool {
    matches!(kind, Kind::CaseStmt | Kind::DefaultStmt)
}
