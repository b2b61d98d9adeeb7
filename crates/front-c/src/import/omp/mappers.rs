//! Whether objects whose type has a mapper are mapped by it (OpenMP 5.2, section 5.8.8). The clauses name mappers where the text shows of
//! which types their items are ([`crate::text::default_mappers`]); here the types are known, and what was not found is an error.
//!
//! ```text
//! #pragma omp declare mapper(struct part v) map(v, v.data[0:v.len])
//! #pragma omp target map(tofrom: whole->inner)      an error, if `inner` is a `struct part`
//! ```

use crate::ast::node::{Kind, NodeId};
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use crate::text::carriers::{Owner, Role};
use accrue_directives::omp::{ClauseKind, Directive};

impl Module<'_> {
    /// Looks at the items of a directive about data, and at the variables of its region.
    pub(super) fn mappers_are_applied(&mut self, view: &View<'_>, omp: &Directive) -> Result<()> {
        if self.source.unit.mapped.types.is_empty() {
            return Ok(());
        }
        let ast = self.source.ast;
        for (index, clause) in omp.clauses.iter().enumerate() {
            if !matches!(
                clause.kind,
                ClauseKind::Map | ClauseKind::To | ClauseKind::From
            ) {
                continue;
            }
            for (item, var) in clause.vars().iter().enumerate() {
                let Some(address) = view.argument(Owner::Clause(index), item, Role::Address) else {
                    continue;
                };
                let base = self.child(address, 0)?;
                let name = view.scanned.text_of(var.span);
                let of_member = name.contains('.') || name.contains("->");
                let spelled: String = name.split_whitespace().collect();
                let mut applied = self.source.unit.mapped.items.iter();
                // What a mapper maps has been mapped by the mappers of its parts.
                let is_applied = applied.any(|item| {
                    let rest = spelled.strip_prefix(item.as_str());
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '-']))
                });
                let known = view.scanned.source.is_rewritten && (!of_member || is_applied);
                let is_pointer = var.subscripts.is_empty() && self.is_pointer_to_object(base);
                if !known && !is_pointer && self.has_mapper(base) {
                    return Err(stop(base, name));
                }
            }
        }
        let Some(statement) = view.statement().ok().filter(|_| omp.kind.is_target()) else {
            return Ok(());
        };
        let vars = omp.clauses.iter().flat_map(|clause| clause.vars());
        let variable = |text: &'_ str| text.find(|c: char| !c.is_alphanumeric() && c != '_');
        let named: Vec<&str> = vars
            .map(|var| view.scanned.text_of(var.base))
            .map(|base| &base[..variable(base).unwrap_or(base.len())])
            .collect();
        let mut used: Vec<NodeId> = Vec::new();
        ast.walk(statement, &mut |id| {
            if ast.kind(id) == Kind::DeclRefExpr {
                used.push(id);
            }
            true
        });
        for used in used {
            let outside = ast
                .referenced(used)
                .is_some_and(|it| self.function.variables.get(&it).is_some());
            let name = ast.referenced(used).map_or("", |it| ast.name(it));
            let is_value = !self.is_pointer_to_object(used);
            if outside && is_value && !named.contains(&name) && self.has_mapper(used) {
                return Err(stop(used, name));
            }
        }
        Ok(())
    }

    /// Whether an expression's type, or that of its elements, is one with a mapper.
    fn has_mapper(&self, expression: NodeId) -> bool {
        let (ast, types) = (self.source.ast, &self.source.unit.mapped.types);
        let ty = ast.node(expression).ty;
        [ty.written, ty.desugared].into_iter().any(|text| {
            let mut words: Vec<&str> = ast.text(text).split([' ', '*', '[', '(']).collect();
            words.retain(|word| !word.is_empty() && !["const", "volatile"].contains(word));
            let name = match words[..] {
                [tag @ ("struct" | "union"), name, ..] => format!("{tag} {name}"),
                [name, ..] => name.to_string(),
                [] => return false,
            };
            types.contains(&name)
        })
    }

    fn is_pointer_to_object(&self, expression: NodeId) -> bool {
        let (ast, ty) = (self.source.ast, self.source.ast.node(expression).ty);
        ast.text(ty.written).trim_end().ends_with('*')
            || ast.text(ty.desugared).trim_end().ends_with('*')
    }
}

fn stop(at: NodeId, name: &str) -> Stop {
    let message = format!("the mapper of the type of `{name}` cannot be applied to it here yet");
    Stop::at(at, message)
        .help("name a variable, a member, an element `p[i]` or a section `p[0:n]` of its type in `map`; what a mapper names may be such objects, but no sections of them")
        .openmp("5.8.8")
}
