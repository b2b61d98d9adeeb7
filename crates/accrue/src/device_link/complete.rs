//! The companion that is missing in an object: the kernels of a unit whose regions call other units' routines, made at the link.
//!
//! ```text
//! text of a.c's regions + texts of the routines they reach ──link──▶ module ──the other passes──▶ kernels ──▶ companion
//! ```

use accrue_diag::{Diagnostic, has_errors};
use accrue_opt::Target;
use accrue_pipeline::linked::{LINK, link};
use pliron::context::Context;
use std::path::Path;

use super::record::{Texts, Unreadable};
use super::resolve::{Found, Routines};
use super::unit::digest_of_calls;
use crate::companion;
use crate::gpu::Settings;
use crate::kernels::{Modules, make};
use crate::process::Runner;
use crate::unit::machine_code;
use crate::warnings::Policy;

/// How a unit was compiled.
pub struct Asked<'a> {
    pub gpu: Option<Settings>,
    pub places: bool,
    pub warnings: Policy,
    pub runner: Runner<'a>,
}

/// The companion's text, and what there is to say about the kernels.
pub struct Completed {
    pub text: String,
    pub messages: Vec<Diagnostic>,
}

/// Makes the companion of record `number` of those `found`. Machine code is made in `folder`.
pub fn complete(
    found: &[Found],
    routines: &Routines,
    number: usize,
    asked: &Asked,
    folder: &Path,
) -> Result<Completed, Vec<Diagnostic>> {
    let own = &found[number];
    let record = &own.sealed.record;
    let Some(regions) = &record.regions else {
        return Err(damaged(own));
    };
    let mut texts = vec![texts_of(own)?];
    for needed in routines.needed(number)? {
        texts.push(texts_of(&found[needed])?);
    }
    let of = |ctx: &mut Context, target: Target| {
        let (first, others) = texts.split_first().ok_or_else(|| damaged(own))?;
        let text = first.regions.get(target.name);
        let mut all = vec![text.ok_or_else(|| damaged(own))?.as_str()];
        let others = others.iter().map(|it| it.routines.get(target.name));
        all.extend(others.flatten().map(String::as_str));
        link(ctx, &all)
    };
    let mut ctx = Context::new();
    let module = of(&mut ctx, Target::CPU)?;
    let modules = Modules {
        of: &of,
        after: Some(LINK),
    };
    let mut made = make(
        &mut ctx,
        module,
        &modules,
        &record.source,
        asked.places,
        asked.gpu.as_ref(),
    )?;
    if digest_of_calls(&made.sites) != regions.calls {
        let message = format!(
            "the kernels of {} need other data than its host code passes to them",
            record.source
        );
        let help = "this is a mistake in accrue; please report it with the source files";
        return Err(vec![Diagnostic::error(message).help(help)]);
    }
    let named = asked.warnings.named(made.warnings.clone());
    if has_errors(&named) {
        return Err(named);
    }
    if let Some(settings) = &asked.gpu {
        made.code.machine = machine_code(settings, &made.code, folder, asked.runner)?;
    }
    let unnamed = asked.warnings.unnamed(made.code.warnings.clone());
    Ok(Completed {
        text: companion::companion(&regions.prefix, &record.source, &regions.sites, &made),
        messages: [unnamed, named].concat(),
    })
}

fn texts_of(found: &Found) -> Result<Texts, Vec<Diagnostic>> {
    found.sealed.texts().map_err(|_| damaged(found))
}

fn damaged(found: &Found) -> Vec<Diagnostic> {
    vec![
        Diagnostic::error(described(&found.object, &Unreadable::Damaged))
            .help("compile its source again"),
    ]
}

/// Why a record cannot be used.
pub fn described(object: &str, why: &Unreadable) -> String {
    match why {
        Unreadable::Damaged => {
            format!("{object}: what it has of its unit's device code is damaged")
        }
        Unreadable::Version { accrue, source, .. } => format!(
            "{object}: {source} was compiled by accrue {accrue}, and its device code can only be linked by that version; this \
             is accrue {}",
            super::record::version()
        ),
    }
}
