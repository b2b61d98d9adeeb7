//! `declare target` (OpenMP 5.2, section 7.8): data that a device keeps for the whole program.
//!
//! ```text
//! #pragma omp declare target enter(a) link(b)     a: acc.copyin when the program is loaded; b: known, and mapped by other directives
//! ```
//! What is copied is the value with which the program is loaded. The ends of pairs name what stands in them
//! ([`crate::text::declare_target`]). Of functions it says that regions of other files may call them, or that other files define them
//! ([`crate::import::foreign`]): a region may call any function of its own file.

use crate::ast::node::{Flags, Kind, NodeId};
use crate::import::data_clauses::{Entry, Named, Use};
use crate::import::directive::View;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use crate::text::carriers::{Owner, Role};
use accrue_dialects::acc::DataClause;
use accrue_directives::omp::{ClauseKind, Directive};

impl Module<'_> {
    /// The directive with its lists.
    pub(in crate::import) fn declare_target(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        in_function: bool,
    ) -> Result<()> {
        let mut loaded = Vec::new();
        for (index, clause) in omp.clauses.iter().enumerate() {
            let kind = match clause.kind {
                ClauseKind::Enter | ClauseKind::To => DataClause::Copyin,
                ClauseKind::Link => DataClause::Link,
                _ => continue,
            };
            for item in 0..clause.vars().len() {
                let Some(variable) = self.listed_variable(view, (index, item), in_function)? else {
                    continue;
                };
                match self.declared.insert(variable, kind) {
                    None if kind == DataClause::Copyin => loaded.push((index, item)),
                    None => {}
                    Some(before) if before == kind => {}
                    Some(_) => {
                        let name = self.source.ast.name(variable);
                        let text = format!("`{name}` is declared in two ways");
                        return Err(Stop::at(view.at, text)
                            .help("keep it in one kind of clause: `enter` or `link`")
                            .openmp("7.8"));
                    }
                }
            }
        }
        if loaded.is_empty() {
            return Ok(());
        }
        self.when_loaded(view, |this| this.loaded_entries(view, omp, &loaded))
    }

    /// The variable that a list names, if it is one that devices are to have.
    fn listed_variable(
        &mut self,
        view: &View<'_>,
        (clause, item): (usize, usize),
        in_function: bool,
    ) -> Result<Option<NodeId>> {
        let ast = self.source.ast;
        let Some(address) = view.argument(Owner::Clause(clause), item, Role::Address) else {
            return Err(Stop::at(view.at, "this variable is not known"));
        };
        let base = self.child(address, 0)?;
        let clauses = view.scanned.directive.omp();
        let device_type = clauses.and_then(|omp| omp.clauses_of(ClauseKind::DeviceType).next());
        let for_host = device_type.is_some_and(|(_, it)| {
            let text = view.scanned.text_of(it.span);
            text.trim_end_matches([' ', ')']).ends_with("host") && !text.contains("nohost")
        });
        let named = ast.referenced(ast.strip_parens(base));
        let Some(declaration) = named.filter(|id| ast.kind(*id) == Kind::VarDecl) else {
            let is_function = named.is_some_and(|id| ast.kind(id) == Kind::FunctionDecl);
            return match is_function {
                true => {
                    let name = named.map(|function| ast.name(function).to_owned());
                    self.targets.extend(name.filter(|_| !for_host));
                    Ok(None)
                }
                false => Err(Stop::at(
                    base,
                    "`declare target` takes names of variables and functions",
                )
                .help("map parts of variables with `target enter data`")
                .openmp("7.8")),
            };
        };
        if in_function {
            let name = ast.name(declaration);
            let text = format!("`{name}` in a `declare target` in a function is not supported yet");
            return Err(Stop::at(base, text)
                .help("declare the variable outside of functions, and the directive behind it")
                .openmp("7.8"));
        }
        if ast.node(declaration).has(Flags::THREAD) {
            // A region that uses it is told.
            return Ok(None);
        }
        Ok(Some(ast.canonical(declaration)))
    }

    fn loaded_entries(
        &mut self,
        view: &View<'_>,
        omp: &Directive,
        loaded: &[(usize, usize)],
    ) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for place in loaded {
            let Some(var) = omp.vars(place.0).get(place.1) else {
                continue;
            };
            let named = Named {
                place: *place,
                var,
                kind: DataClause::Copyin,
                modifiers: vec![],
                operator: None,
                declared: &[],
                presence: None,
            };
            entries.push(self.data_entry(view, named, Use::Declare)?);
        }
        self.note_declared(&entries);
        Ok(entries)
    }
}
