//! The tree: an arena of nodes with their children, and the declarations by clang's number.

use std::collections::HashMap;

use accrue_ir::visits;

use super::names::{Interner, Sym};
use super::node::{Flags, Kind, Node, NodeId};

/// A translation unit.
#[derive(Debug, Default)]
pub struct Ast {
    nodes: Vec<Node>,
    children: Vec<Option<NodeId>>,
    by_clang_id: HashMap<u64, NodeId>,
    /// All names and type strings.
    pub names: Interner,
}

impl Ast {
    /// Appends a node whose children are known; declarations become findable by clang's number.
    pub(super) fn push(&mut self, mut node: Node, children: &[Option<NodeId>]) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        node.first_child = self.children.len() as u32;
        node.child_count = children.len() as u32;
        self.children.extend_from_slice(children);
        if node.end != 0 {
            for child in children.iter().flatten() {
                self.place(*child, node.begin);
            }
        }
        if is_declaration(node.kind) && node.clang_id != 0 {
            self.by_clang_id.insert(node.clang_id, id);
        }
        self.nodes.push(node);
        id
    }

    /// Gives what clang has filled in by itself, `{.b = 1}` as `{0, 1}`, the place of what it is in, where its type is visible.
    fn place(&mut self, id: NodeId, at: u32) {
        let node = &mut self.nodes[id.0 as usize];
        let filled_in = matches!(node.kind, Kind::ImplicitValueInitExpr | Kind::InitListExpr);
        if !filled_in || node.end != 0 {
            return;
        }
        (node.begin, node.at, node.end) = (at, at, at);
        for child in self.slots(id).to_vec().into_iter().flatten() {
            self.place(child, at);
        }
    }

    /// Appends the root.
    pub(super) fn finish(&mut self, root: Node, children: &[Option<NodeId>]) {
        self.push(root, children);
    }

    /// The translation unit: the last node, because children come before their parents.
    pub fn root(&self) -> NodeId {
        NodeId((self.nodes.len() as u32).saturating_sub(1))
    }

    /// The node `id`.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// What `id` is.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// The name of `id`; empty where it has none.
    pub fn name(&self, id: NodeId) -> &str {
        self.names.text(self.node(id).name)
    }

    /// The text of an interned string.
    pub fn text(&self, sym: Sym) -> &str {
        self.names.text(sym)
    }

    /// clang's name of the kind, for messages.
    pub fn kind_name(&self, id: NodeId) -> &str {
        self.kind(id).name(|name| self.text(name))
    }

    /// All children in order, absent ones included (the parts of a `for`).
    pub fn slots(&self, id: NodeId) -> &[Option<NodeId>] {
        let node = self.node(id);
        let first = node.first_child as usize;
        visits::note(node.child_count as usize);
        &self.children[first..first + node.child_count as usize]
    }

    /// The children that are there.
    pub fn children(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.slots(id).iter().filter_map(|slot| *slot)
    }

    /// The `index`-th child, if there.
    pub fn child(&self, id: NodeId, index: usize) -> Option<NodeId> {
        let node = self.node(id);
        let there = index < node.child_count as usize;
        visits::note(1);
        there.then(|| self.children[node.first_child as usize + index])?
    }

    /// The declaration that `id` mentions: of a name, a member, a record type, a label.
    pub fn referenced(&self, id: NodeId) -> Option<NodeId> {
        self.by_clang_id.get(&self.node(id).refers).copied()
    }

    /// The first declaration of the entity that the declaration `id` redeclares.
    pub fn canonical(&self, mut id: NodeId) -> NodeId {
        while let Some(previous) = self.by_clang_id.get(&self.node(id).previous) {
            id = *previous;
        }
        id
    }

    /// The number that identifies the label of a `goto`, `&&label` or label statement.
    pub fn label(&self, id: NodeId) -> u64 {
        self.node(id).refers
    }

    /// The body of a function definition.
    pub fn body(&self, function: NodeId) -> Option<NodeId> {
        self.children(function)
            .find(|child| self.kind(*child) == Kind::CompoundStmt)
    }

    /// The parameters of a function declaration.
    pub fn parameters(&self, function: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.children(function)
            .filter(|child| self.kind(*child) == Kind::ParmVarDecl)
    }

    /// The initialiser of a variable.
    pub fn initialiser(&self, variable: NodeId) -> Option<NodeId> {
        if !self.node(variable).has(Flags::INITIALISED) {
            return None;
        }
        self.children(variable)
            .find(|child| is_expression(self.kind(*child)))
    }

    /// `id` without the parentheses, `__extension__` and constant wrappers around it.
    pub fn strip_parens(&self, mut id: NodeId) -> NodeId {
        loop {
            let transparent = match self.kind(id) {
                Kind::ParenExpr | Kind::ConstantExpr => true,
                Kind::UnaryOperator => self.node(id).op == Some(super::node::Operator::Extension),
                _ => false,
            };
            match self.child(id, 0) {
                Some(inner) if transparent => id = inner,
                _ => return id,
            }
        }
    }

    /// `id` without parentheses and implicit casts.
    pub fn strip_implicit(&self, mut id: NodeId) -> NodeId {
        loop {
            id = self.strip_parens(id);
            match self.child(id, 0) {
                Some(inner) if self.kind(id) == Kind::ImplicitCastExpr => id = inner,
                _ => return id,
            }
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// True for a tree without nodes, which no dump reads as.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Walks `id` and everything below it, parents first; `enter` says whether to go deeper.
    pub fn walk(&self, id: NodeId, enter: &mut dyn FnMut(NodeId) -> bool) {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if enter(id) {
                pending.extend(self.children(id).rev());
            }
        }
    }
}

/// True for declarations.
pub fn is_declaration(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::FunctionDecl
            | Kind::ParmVarDecl
            | Kind::VarDecl
            | Kind::TypedefDecl
            | Kind::RecordDecl
            | Kind::FieldDecl
            | Kind::IndirectFieldDecl
            | Kind::EnumDecl
            | Kind::EnumConstantDecl
            | Kind::LabelDecl
    )
}

/// True for expressions.
pub fn is_expression(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::IntegerLiteral
            | Kind::FloatingLiteral
            | Kind::ImaginaryLiteral
            | Kind::CharacterLiteral
            | Kind::StringLiteral
            | Kind::DeclRefExpr
            | Kind::MemberExpr
            | Kind::ArraySubscriptExpr
            | Kind::CallExpr
            | Kind::ParenExpr
            | Kind::UnaryOperator
            | Kind::BinaryOperator
            | Kind::CompoundAssignOperator
            | Kind::ConditionalOperator
            | Kind::BinaryConditionalOperator
            | Kind::OpaqueValueExpr
            | Kind::ImplicitCastExpr
            | Kind::CStyleCastExpr
            | Kind::CompoundLiteralExpr
            | Kind::InitListExpr
            | Kind::ImplicitValueInitExpr
            | Kind::DesignatedInitExpr
            | Kind::UnaryExprOrTypeTraitExpr
            | Kind::OffsetOfExpr
            | Kind::StmtExpr
            | Kind::VAArgExpr
            | Kind::GenericSelectionExpr
            | Kind::ConstantExpr
            | Kind::ChooseExpr
            | Kind::AddrLabelExpr
            | Kind::PredefinedExpr
            | Kind::AtomicExpr
            | Kind::ShuffleVectorExpr
            | Kind::ConvertVectorExpr
            | Kind::ExtVectorElementExpr
            | Kind::RecoveryExpr
            | Kind::SourceLocExpr
    )
}
