//! `declare variant` (OpenMP 5.2, section 7.5): which function a device calls where another is named.
//!
//! ```text
//! #pragma omp declare variant(fast) match(device={kind(gpu)})
//! double f(double x) { … }
//! #pragma omp target                      GPUs:   core.call @fast
//! y = f(x);                          →    cores:  core.call @f
//! ```
//! A unit is imported once for each kind of device, so that selectors are decided here. A function that devices run is in the context of
//! a `target`, and of the constructs for which it is chosen itself (7.1).

use crate::ast::carrier::carrier;
use crate::ast::node::{Kind, NodeId};
use crate::import::functions::Module;
use crate::import::state::{Result, Stop};
use accrue_directives::Language;
use accrue_directives::omp::selectors::{self, Construct, Place};
use accrue_directives::omp::variant::FunctionVariant;
use accrue_directives::omp::{Directive, DirectiveKind};

/// A variant of a function.
pub(in crate::import) struct Variant {
    base: String,
    name: String,
    /// Its directive.
    ordinal: usize,
}

impl Module<'_> {
    /// Reads the directives of the file.
    pub(in crate::import) fn read_variants(&mut self) {
        let ast = self.source.ast;
        let mut following: Vec<(NodeId, Variant)> = Vec::new();
        for declaration in ast.children(ast.root()) {
            match ast.kind(declaration) {
                Kind::FunctionDecl => {
                    let base = ast.name(declaration);
                    let named = std::mem::take(&mut following).into_iter();
                    self.variants.extend(named.map(|(_, variant)| Variant {
                        base: base.to_string(),
                        ..variant
                    }));
                }
                Kind::StaticAssertDecl => match self.variant_of_directive(declaration) {
                    Some(variant) if variant.base.is_empty() => {
                        following.push((declaration, variant));
                    }
                    Some(variant) => self.variants.push(variant),
                    None => {}
                },
                Kind::VarDecl => self.report_stray_variants(std::mem::take(&mut following)),
                _ => {}
            }
        }
        self.report_stray_variants(following);
    }

    fn report_stray_variants(&mut self, stray: Vec<(NodeId, Variant)>) {
        for (at, _) in stray {
            let message = "the `declare variant` directive must be followed by a function";
            let stop = Stop::at(at, message)
                .help("put it in front of the function's first declaration")
                .openmp("7.5");
            self.report(stop);
        }
    }

    /// What a directive between functions says; its function has no name yet if another follows.
    fn variant_of_directive(&mut self, declaration: NodeId) -> Option<Variant> {
        let ordinal = carrier(&mut self.types, declaration)?.ordinal;
        let scanned = self.source.unit.directives.get(ordinal)?;
        if scanned.directive.omp()?.kind != DirectiveKind::DeclareVariant {
            return None;
        }
        let read = FunctionVariant::read(&scanned.source.text, Language::C).ok()?;
        let spelled = |span| scanned.text_of(span).trim().to_string();
        Some(Variant {
            base: read.base.map(spelled).unwrap_or_default(),
            name: spelled(read.name),
            ordinal,
        })
    }

    /// The function that is called where code for a device names `function`, in these constructs.
    pub(in crate::import) fn variant_of(
        &mut self,
        function: NodeId,
        constructs: &[Construct],
        called_at: Option<NodeId>,
    ) -> Result<NodeId> {
        let ast = self.source.ast;
        let place = Place {
            device: Some(self.source.device),
            constructs: Some(constructs),
        };
        let own = |it: &&Variant| it.base == ast.name(function);
        let variants: Vec<&Variant> = self.variants.iter().filter(own).collect();
        let (mut matched, mut mistakes) = (Vec::new(), Vec::new());
        for variant in &variants {
            let scanned = self.source.unit.directives.get(variant.ordinal);
            let Some(source) = scanned.map(|scanned| &scanned.source) else {
                continue;
            };
            let found = FunctionVariant::read(&source.text, Language::C)
                .and_then(|read| read.matched(&source.text, Language::C, &place));
            matched.push(found.unwrap_or_else(|mistake| {
                mistakes.push(source.message(&mistake));
                None
            }));
        }
        let best = selectors::best(&matched).and_then(|index| variants.get(index));
        let name = best.map(|variant| variant.name.clone());
        if called_at.is_some() {
            for mistake in mistakes {
                if !self.messages.contains(&mistake) {
                    self.messages.push(mistake);
                }
            }
        }
        let Some(name) = name else {
            return Ok(function);
        };
        let mut functions = ast.children(ast.root());
        let chosen = functions
            .find(|id| ast.kind(*id) == Kind::FunctionDecl && ast.name(*id) == name.as_str());
        chosen.ok_or_else(|| {
            let message = format!("the variant `{name}` is not declared in this file");
            Stop::at(called_at.unwrap_or(function), message)
                .help("declare it in front of the directive, and define it in this file")
                .openmp("7.5")
        })
    }

    /// The constructs around the beginning of a function that a device runs.
    pub(in crate::import) fn constructs_of_function(&self, function: NodeId) -> Vec<Construct> {
        let name = self.source.ast.name(function);
        let mut own = self.variants.iter().filter(|it| it.name == name);
        let chosen_for = own.next().and_then(|variant| {
            let text = &self
                .source
                .unit
                .directives
                .get(variant.ordinal)?
                .source
                .text;
            let read = FunctionVariant::read(text, Language::C).ok()?;
            Some(read.constructs(text, Language::C))
        });
        let chosen_for = chosen_for.unwrap_or_default();
        let target = (!chosen_for.contains(&Construct::Target)).then_some(Construct::Target);
        target.into_iter().chain(chosen_for).collect()
    }
}

/// The constructs around the statement of a directive that stands in `outer`.
pub(in crate::import) fn constructs_in(outer: &[Construct], omp: &Directive) -> Vec<Construct> {
    let outer = match omp.kind.is_target() {
        true => &[],
        false => outer,
    };
    let leaves = omp.kind.leaves().iter();
    let own = leaves.filter_map(|leaf| Construct::named(leaf.name()));
    outer.iter().copied().chain(own).collect()
}
