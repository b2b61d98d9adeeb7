//! Whether the bound and the step of a loop without directive stay what they are while it runs.
//!
//! ```text
//! for (j = 0; j < m; j++) if (x[j] == y) m = j;                 `m` is changed
//! for (k = row[i]; k < row[i + 1]; k++) s += a[k];              only `s` is written, and nothing leads there
//! for (k = 0; k < *n; k++) p[k] = 0;                            fixed if `p` leads to doubles; `p[k]` may be `*n` if both are ints
//! ```
//! C evaluates them before each iteration, a loop operation once. Where a change is possible, the loop stays a plain one.
//!
//! Steps: what the expressions read is collected, as variables and as memory with the types that it is read as; then what the body writes is compared. Memory of
//! two types that are not those of characters or records does not overlap (C17, 6.5p7), and what a `restrict` pointer leads to is written through
//! that, and what is based on it, only (6.7.3.1). A variable whose address is taken, or of the whole program, is memory as well.
//!
//! Cost: linear in the loop; the variables whose addresses are taken are found once for each function.

use super::{functions::Module, library, types::Scalar};
use crate::ast::node::{Flags, Kind, NodeId, Operator};
use std::{collections::HashSet, rc::Rc};

/// An access of memory.
struct Access {
    /// None for what may be anything.
    scalar: Option<Scalar>,
    /// The variable that it is in, if no pointer leads there, …
    object: Option<NodeId>,
    /// … or the pointer variable that does.
    pointer: Option<NodeId>,
}

/// What an expression writes.
enum Written {
    Nothing,
    Place(NodeId),
    Anything,
}

/// What expressions read.
#[derive(Default)]
struct Reads {
    variables: HashSet<NodeId>,
    memory: Vec<Access>,
}

impl Module<'_> {
    /// Whether nothing in `body` changes what the expressions read.
    pub(super) fn are_fixed(&mut self, expressions: &[NodeId], body: NodeId) -> bool {
        let mut reads = Reads::default();
        let nodes = expressions.iter().flat_map(|it| self.nodes(*it));
        for node in nodes.collect::<Vec<_>>() {
            if !self.note_read(node, &mut reads) {
                return false;
            }
        }
        let nodes = self.nodes(body);
        nodes.into_iter().all(|node| self.leaves(node, &reads))
    }

    fn nodes(&self, at: NodeId) -> Vec<NodeId> {
        let mut all = vec![];
        self.source.ast.walk(at, &mut |id| {
            all.push(id);
            true
        });
        all
    }

    /// Notes what an expression reads itself; false if it does more than reading.
    fn note_read(&mut self, node: NodeId, reads: &mut Reads) -> bool {
        let ast = self.source.ast;
        match ast.kind(node) {
            Kind::DeclRefExpr => {
                let Some(variable) = self.variable(node) else {
                    return true;
                };
                reads.variables.insert(variable);
                // Arrays and records are read where an element or a member is.
                if self.scalar_at(node).is_some() && self.is_memory(variable) {
                    let access = self.access(node);
                    reads.memory.push(access);
                }
                true
            }
            Kind::ArraySubscriptExpr | Kind::MemberExpr => {
                let access = self.access(node);
                if self.is_in_memory(&access) {
                    reads.memory.push(access);
                }
                true
            }
            Kind::UnaryOperator => match ast.node(node).op {
                Some(Operator::Mul) => {
                    let access = self.access(node);
                    reads.memory.push(access);
                    true
                }
                Some(Operator::Inc | Operator::Dec) => false,
                Some(_) | None => true,
            },
            Kind::BinaryOperator => ast.node(node).op != Some(Operator::Assign),
            Kind::CallExpr => {
                self.note_read_by_called(node, reads);
                self.writes_nothing(node)
            }
            Kind::CompoundAssignOperator | Kind::StmtExpr | Kind::AtomicExpr => false,
            _ => true,
        }
    }

    /// Notes what a function reads that is not its own.
    fn note_read_by_called(&mut self, call: NodeId, reads: &mut Reads) {
        let ast = self.source.ast;
        let Some(body) = self.body_of_called(call) else {
            return;
        };
        let own = self.variables_in(body);
        for node in self.nodes(body) {
            let is_place = match ast.kind(node) {
                Kind::DeclRefExpr => true,
                Kind::ArraySubscriptExpr | Kind::MemberExpr => true,
                Kind::UnaryOperator => ast.node(node).op == Some(Operator::Mul),
                _ => false,
            };
            if !is_place {
                continue;
            }
            let Access { scalar, object, .. } = self.access(node);
            if object.is_some_and(|it| own.contains(&it) || ast.kind(it) == Kind::ParmVarDecl) {
                continue;
            }
            let named = self.variable(node);
            // Not the name of a function; and of an array, elements are read.
            let array = self.type_of(node).is_ok_and(|ty| self.is_array(ty));
            if array || ast.kind(node) == Kind::DeclRefExpr && named.is_none() {
                continue;
            }
            reads.variables.extend(named);
            // Whatever leads there is not the loop's `restrict` pointer of that name.
            let pointer = None;
            reads.memory.push(Access {
                scalar,
                object,
                pointer,
            });
        }
    }

    /// Whether what an expression of the body does itself leaves what is read as it is.
    fn leaves(&mut self, node: NodeId, reads: &Reads) -> bool {
        let place = match self.written_by(node) {
            Written::Nothing => return true,
            Written::Place(place) => place,
            Written::Anything => {
                let is_call = self.source.ast.kind(node) == Kind::CallExpr;
                return is_call && self.writes_nothing(node) || !self.are_reachable(reads);
            }
        };
        let access = self.access(place);
        let named = access
            .object
            .is_some_and(|it| reads.variables.contains(&it));
        let mut memory = reads.memory.iter();
        !named && (!self.is_in_memory(&access) || memory.all(|read| self.are_apart(read, &access)))
    }

    /// The variable that an expression names.
    pub(super) fn variable(&self, node: NodeId) -> Option<NodeId> {
        let ast = self.source.ast;
        let named = ast.canonical(ast.referenced(node)?);
        matches!(ast.kind(named), Kind::VarDecl | Kind::ParmVarDecl).then_some(named)
    }

    /// What an expression that means an object accesses.
    fn access(&mut self, node: NodeId) -> Access {
        let ast = self.source.ast;
        let scalar = self.scalar_at(node);
        let mut at = ast.strip_implicit(node);
        let (mut object, mut pointer) = (None, None);
        loop {
            let base = ast.child(at, 0).map(|child| ast.strip_implicit(child));
            let part = matches!(ast.kind(at), Kind::MemberExpr | Kind::ArraySubscriptExpr);
            match base {
                Some(base) if part && !self.is_pointer(base) => at = base,
                Some(base) => {
                    pointer = self.variable(base);
                    break;
                }
                None => {
                    object = self.variable(at);
                    break;
                }
            }
        }
        Access {
            scalar,
            object,
            pointer,
        }
    }

    /// Whether something else may lead to the same place.
    fn is_in_memory(&mut self, access: &Access) -> bool {
        access.object.is_none_or(|object| self.is_memory(object))
    }

    fn are_apart(&mut self, one: &Access, other: &Access) -> bool {
        let apart = |one: &Option<Scalar>, other: &Option<Scalar>| match (one, other) {
            (Some(Scalar::Int { bits: 8, .. }) | None, _) => false,
            (_, Some(Scalar::Int { bits: 8, .. }) | None) => false,
            (Some(Scalar::Int { bits: one, .. }), Some(Scalar::Int { bits: other, .. })) => {
                one != other
            }
            (Some(one), Some(other)) => one != other,
        };
        let by_pointer = match (one.pointer, other.pointer) {
            (Some(first), Some(second)) => {
                first != second
                    && (self.is_restrict(first) && self.is_of_its_own(second)
                        || self.is_restrict(second) && self.is_of_its_own(first))
            }
            // What is no variable may be the pointer, moved on or cast.
            (Some(only), None) => other.object.is_some() && self.is_restrict(only),
            (None, Some(only)) => one.object.is_some() && self.is_restrict(only),
            (None, None) => false,
        };
        let by_name = one.object.is_some() && other.object.is_some() && one.object != other.object;
        by_name || by_pointer || apart(&one.scalar, &other.scalar)
    }

    /// Whether a pointer is no other one's value: it comes from a caller and is not changed, or is promised to be its own. What is based on
    /// a `restrict` pointer may lead to the same place (6.7.3.1).
    fn is_of_its_own(&mut self, variable: NodeId) -> bool {
        self.is_restrict(variable)
            || self.source.ast.kind(variable) == Kind::ParmVarDecl
                && !self.changed_variables().contains(&variable)
    }

    fn is_restrict(&mut self, variable: NodeId) -> bool {
        self.types.of(variable).is_ok_and(|ty| ty.is_restrict)
    }

    fn scalar_at(&mut self, node: NodeId) -> Option<Scalar> {
        let ty = self.type_of(node).ok()?;
        self.scalar(ty)
    }

    /// Whether pointers may lead to the variable: it is the program's, or its address is taken; that of an array always is.
    fn is_memory(&mut self, variable: NodeId) -> bool {
        self.is_reachable(variable) && !self.is_passed_by_value(variable)
    }

    /// Whether a function that is called may write what is read.
    fn are_reachable(&mut self, reads: &Reads) -> bool {
        let mut variables = reads.variables.iter();
        !reads.memory.is_empty() || variables.any(|it| self.is_reachable(*it))
    }

    /// Whether it is the program's or an array, or its address is taken.
    fn is_reachable(&mut self, variable: NodeId) -> bool {
        let reachable = match self.function.reachable.take() {
            Some(reachable) => reachable,
            None => self.reachable(),
        };
        let found = self.scalar_at(variable).is_none() || reachable.contains(&variable);
        self.function.reachable = Some(reachable);
        found
    }

    /// Whether it is a scalar of the program of which a construct that only reads it has a copy that nothing else leads to: no directive asks for its data, and the
    /// file does not take its address.
    fn is_passed_by_value(&mut self, variable: NodeId) -> bool {
        let here = self.function.construct != 0 && !self.function.openmp;
        let data = self.declared.contains_key(&variable)
            || self.function.in_data_clauses.contains(&variable);
        here && !data
            && self.scalar_at(variable).is_some()
            && !self.addressed_in_file().contains(&variable)
    }

    fn addressed_in_file(&mut self) -> Rc<HashSet<NodeId>> {
        if let Some(known) = &self.addressed {
            return known.clone();
        }
        let mut found = HashSet::new();
        for node in self.nodes(self.source.ast.root()) {
            if self.takes_address(node) {
                found.extend(self.addressed(node));
            }
        }
        self.addressed.insert(Rc::new(found)).clone()
    }

    fn takes_address(&self, node: NodeId) -> bool {
        let ast = self.source.ast;
        ast.kind(node) == Kind::UnaryOperator && ast.node(node).op == Some(Operator::And)
    }

    /// The variables whose addresses `&` takes here: that of `v` is taken in `&v.x[i]`, and none in `&p->x[i]`, whatever `i` is.
    fn addressed(&mut self, operator: NodeId) -> Vec<NodeId> {
        let ast = self.source.ast;
        let Some(mut at) = ast
            .child(operator, 0)
            .map(|place| ast.strip_implicit(place))
        else {
            return vec![];
        };
        loop {
            let base = ast.child(at, 0).map(|child| ast.strip_implicit(child));
            // Not the index of `1[v]`.
            let base =
                base.filter(|base| !matches!(self.scalar_at(*base), Some(Scalar::Int { .. })));
            match (ast.kind(at), base) {
                (Kind::DeclRefExpr, _) => return self.variable(at).into_iter().collect(),
                (Kind::MemberExpr | Kind::ArraySubscriptExpr, Some(base)) => {
                    match self.is_pointer(base) {
                        true => return vec![],
                        false => at = base,
                    }
                }
                (Kind::UnaryOperator, _) if ast.node(at).op == Some(Operator::Mul) => return vec![],
                _ => {
                    let named = self.nodes(at).into_iter();
                    return named.filter_map(|node| self.variable(node)).collect();
                }
            }
        }
    }

    /// The variables in the function that are the program's, and those whose addresses it takes.
    fn reachable(&mut self) -> HashSet<NodeId> {
        let ast = self.source.ast;
        let (mut own, mut found) = (HashSet::new(), HashSet::new());
        for node in self.nodes(self.function.body) {
            match ast.kind(node) {
                Kind::VarDecl => {
                    own.insert(ast.canonical(node));
                }
                Kind::DeclRefExpr => {
                    let variable = self.variable(node);
                    found.extend(
                        variable
                            .filter(|it| ast.kind(*it) != Kind::ParmVarDecl && !own.contains(it)),
                    );
                }
                Kind::UnaryOperator if self.takes_address(node) => {
                    found.extend(self.addressed(node));
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a call writes no memory: it is known, or the function has a body that sets variables of its own only.
    fn writes_nothing(&mut self, call: NodeId) -> bool {
        let ast = self.source.ast;
        if self.is_known_call(call) {
            return true;
        }
        let Some(body) = self.body_of_called(call) else {
            return false;
        };
        let own = self.variables_in(body);
        self.nodes(body)
            .into_iter()
            .all(|node| match self.written_by(node) {
                Written::Nothing => true,
                Written::Anything => match ast.kind(node) {
                    Kind::CallExpr => self.is_known_call(node),
                    _ => false,
                },
                Written::Place(place) => {
                    let object = self.access(place).object;
                    object.is_some_and(|it| own.contains(&it) || ast.kind(it) == Kind::ParmVarDecl)
                }
            })
    }

    /// The body of the function that is called by its name.
    fn body_of_called(&self, call: NodeId) -> Option<NodeId> {
        let ast = self.source.ast;
        let callee = ast
            .child(call, 0)
            .map(|callee| ast.strip_implicit(callee))?;
        ast.body(ast.referenced(callee)?)
    }

    /// The variables that are declared in it for each time that it runs.
    fn variables_in(&self, body: NodeId) -> HashSet<NodeId> {
        let ast = self.source.ast;
        let declared = self.nodes(body).into_iter();
        let declared = declared
            .filter(|node| ast.kind(*node) == Kind::VarDecl && !ast.node(*node).has(Flags::STATIC));
        declared.map(|node| ast.canonical(node)).collect()
    }

    fn is_known_call(&self, call: NodeId) -> bool {
        let ast = self.source.ast;
        let callee = ast.child(call, 0).map(|callee| ast.strip_implicit(callee));
        let named = callee.and_then(|callee| ast.referenced(callee));
        named.is_some_and(|named| library::is_pure(ast.name(named)))
    }

    /// What an expression writes itself.
    fn written_by(&self, node: NodeId) -> Written {
        let ast = self.source.ast;
        let op = ast.node(node).op;
        let sets = match ast.kind(node) {
            Kind::CompoundAssignOperator => true,
            Kind::BinaryOperator => op == Some(Operator::Assign),
            Kind::UnaryOperator => matches!(op, Some(Operator::Inc | Operator::Dec)),
            Kind::CallExpr | Kind::AtomicExpr | Kind::GCCAsmStmt => return Written::Anything,
            _ => false,
        };
        match ast.child(node, 0).filter(|_| sets) {
            Some(place) => Written::Place(place),
            None => Written::Nothing,
        }
    }
}
