//! Data in `declare target` (OpenMP 5.2, 7.8), which a device would keep for the whole program: refused where a region uses it.
//!
//! ```text
//! #pragma omp declare target (a)         #pragma omp begin declare target
//!                                        int b;
//!                                        #pragma omp end declare target
//! ```
//! The directives are the host compiler's; functions in them need nothing, since a region may call any function of the file.

use crate::ast::node::NodeId;
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};

impl Module<'_> {
    /// Refuses the variable `declaration`, which a region uses at `at`, if it is in `declare target`.
    pub fn refuse_declared_target(&self, declaration: NodeId, at: NodeId) -> Result<()> {
        let ast = self.source.ast;
        let name = ast.name(declaration);
        let declarations = [declaration, ast.canonical(declaration)];
        if !declarations.iter().any(|it| self.is_declared_target(*it)) {
            return Ok(());
        }
        let text = format!(
            "`{name}` is in `declare target`; data that a device keeps for the whole program is not supported yet"
        );
        let help = format!(
            "leave `{name}` out of it, and map it with `target enter data map(to: {name})`"
        );
        Err(Stop::at(at, text).help(help).openmp("7.8"))
    }

    /// Whether a directive names the variable, or stands around its declaration.
    fn is_declared_target(&self, declaration: NodeId) -> bool {
        let ast = self.source.ast;
        let begin = ast.node(declaration).begin as usize;
        let place = self.preprocessed(begin..begin + 1).start;
        let mut around = 0;
        for directive in &self.source.unit.host_directives {
            let words = directive.text.split_whitespace();
            let text = words.collect::<Vec<_>>().join(" ");
            let before = i32::from(directive.span.start < place);
            if text.starts_with("end declare target") {
                around -= before;
            } else if let Some(rest) = text.strip_prefix("declare target") {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let mut listed = rest.split(|c| !is_word(c));
                match rest.contains('(') && !rest.trim_start().starts_with("device_type") {
                    true if listed.any(|word| word == ast.name(declaration)) => return true,
                    true => {}
                    false => around += before,
                }
            } else if text.starts_with("begin declare target") {
                around += before;
            }
        }
        around > 0
    }
}
