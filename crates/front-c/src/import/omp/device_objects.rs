//! The uses of variables of `use_device_addr`, which mean the device's objects (OpenMP 5.2, section 5.4.10).
//!
//! ```text
//! #pragma omp target data use_device_addr(x)
//! { f(&x, s.x); { int x; x = 1; } }             renamed: the first `x`
//! ```
//! The host's text is the user's: each place is remembered where the name is to be replaced
//! ([`shadows`](crate::text::shadows)). Statements of other `target` constructs are the device's, which knows the objects by their
//! addresses.

use crate::ast::carrier::carrier;
use crate::ast::node::{Kind, NodeId};
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use crate::text::shadows::{self, Renamed};
use accrue_directives::Var;

impl Module<'_> {
    /// Whether the item means an object, and not what a pointer leads to; then its uses in the statement are found.
    pub(super) fn is_device_object(
        &mut self,
        view: &View<'_>,
        (clause, item): (usize, usize),
        var: &Var,
    ) -> Result<bool> {
        let (base, is_pointer) = self.base_of_item(view, (clause, item))?;
        if is_pointer {
            return Ok(false);
        }
        let ast = self.source.ast;
        let name = view.scanned.text_of(var.base).trim().to_string();
        let declaration = ast.referenced(ast.strip_implicit(base));
        let Some(declaration) = declaration.filter(|it| ast.name(*it) == name) else {
            return Ok(false);
        };
        let statement = view.statement()?;
        self.refuse_host_directives(base, statement, &name)?;
        let mut found = Vec::new();
        self.object_uses(statement, ast.canonical(declaration), &mut found);
        let carriers = self.source.carriers;
        for node in found {
            let at = carriers.to_preprocessed(ast.node(node).begin as usize);
            let renamed = Renamed {
                at,
                length: name.len(),
                text: shadows::object_text(&name),
            };
            if !self.renamed.contains(&renamed) {
                self.renamed.push(renamed);
            }
        }
        Ok(true)
    }

    fn object_uses(&mut self, id: NodeId, declaration: NodeId, found: &mut Vec<NodeId>) {
        let ast = self.source.ast;
        if let Some(directive) = carrier(&mut self.types, id) {
            let scanned = self.source.unit.directives.get(directive.ordinal);
            for argument in directive.arguments {
                self.object_uses(argument, declaration, found);
            }
            let is_device = scanned.is_some_and(|it| it.directive.is_compute());
            if let Some(statement) = directive.statement.filter(|_| !is_device) {
                self.object_uses(statement, declaration, found);
            }
            return;
        }
        let is_use = ast.kind(id) == Kind::DeclRefExpr
            && ast.referenced(id).map(|it| ast.canonical(it)) == Some(declaration);
        if is_use && !found.contains(&id) {
            found.push(id);
        }
        let children: Vec<NodeId> = ast.children(id).collect();
        for child in children {
            self.object_uses(child, declaration, found);
        }
    }

    /// A directive of the host's compiler that names the variable would still mean the host's.
    fn refuse_host_directives(&self, base: NodeId, statement: NodeId, name: &str) -> Result<()> {
        let (ast, unit) = (self.source.ast, self.source.unit);
        let node = ast.node(statement);
        let place = |at: u32| self.source.carriers.to_preprocessed(at as usize);
        let (start, end) = (place(node.begin), place(node.end));
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let names = |text: &str| text.split(|c| !is_word(c)).any(|word| word == name);
        let inside = |at: usize| (start..=end).contains(&at);
        let mut all = unit.host_directives.iter();
        match all.find(|it| inside(it.span.start) && names(&it.text)) {
            None => Ok(()),
            Some(directive) => {
                let text = directive.text.split_whitespace().next().unwrap_or_default();
                let message = format!("`{name}` is named by a `{text}` in this statement");
                Err(Stop::at(base, message)
                    .help("assign the address of the object to a pointer in front of it")
                    .openmp("5.4.10"))
            }
        }
    }
}
