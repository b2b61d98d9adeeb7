//! The record of a unit that is being compiled: the code of the routines that other units may call, and that of its regions, if they
//! call other units' routines.
//!
//! Code is the text of the IR behind the last pass that needs nothing of other units, once per kind of devices. The routines' modules are
//! imported by themselves, so that what is wrong with one that nobody calls is no mistake of the unit: it is kept as the reason why
//! others cannot call it.

use accrue_abi::symbols::shown;
use accrue_diag::{Diagnostic, Place};
use accrue_dialects::acc::{DECLARE, DataClause};
use accrue_dialects::core::AddressOf;
use accrue_front_c::import::{self, Wanted as Imports};
use accrue_front_c::text::host::Exposed;
use accrue_hostcall::{Site, WordSource};
use accrue_ir::{diagnostic::place, text, walk};
use accrue_opt::Target;
use accrue_pipeline::linked::{LINK, foreign};
use accrue_pipeline::{Lowered, Options, lower};
use pliron::builtin::ops::{FuncOp, ModuleOp};
use pliron::context::Context;
use pliron::op::Op;
use std::collections::{BTreeMap, BTreeSet};

use super::record::{
    Invoked, Problem, Record, Regions, Routine, SavedPlace, Texts, Wanted, version,
};
use crate::companion::Description;
use crate::digest;
use crate::gpu::{Code, Settings, lowering};
use crate::kernels::{Kernels, put_off};
use crate::opencl;
use crate::program::Program;

/// The regions of a unit as far as the unit knows them.
pub struct HalfMade {
    /// Their code by the name of the target.
    pub texts: BTreeMap<String, String>,
    /// The functions of other units that they call.
    pub wanted: Vec<(String, Option<Place>)>,
}

/// Lowers a unit whose regions call other units' routines. `module` is the one for CPU cores.
pub fn half_make(
    ctx: &mut Context,
    module: ModuleOp,
    program: &Program,
    gpu: Option<&Settings>,
) -> Result<(Kernels, HalfMade), Vec<Diagnostic>> {
    let wanted = foreign(ctx, module);
    let mut texts = BTreeMap::new();
    let (text, mut lowered) = halves(ctx, module, &Options::default())?;
    texts.insert(Target::CPU.name.to_string(), text);
    if let Some(settings) = gpu {
        let targets = [Target::NVIDIA, Target::OPENCL, Target::OPENCL_CORES];
        for target in targets
            .into_iter()
            .filter(|target| *target == Target::NVIDIA || settings.opencl)
        {
            let mut ctx = Context::new();
            let module = program.import(&mut ctx, target)?.module;
            let (text, others) = halves(&mut ctx, module, &lowering(settings, target))?;
            texts.insert(target.name.to_string(), text);
            if target == Target::NVIDIA {
                // What the call contains must be the same for all devices; where it is not, the link says so.
                for (own, other) in lowered.sites.iter_mut().zip(&others.sites) {
                    own.join_groups(other);
                }
                let new = others.warnings.into_iter();
                let new: Vec<_> = new.filter(|it| !lowered.warnings.contains(it)).collect();
                lowered.warnings.extend(new);
            }
        }
    }
    let kernels = Kernels {
        sites: lowered.sites,
        remarks: lowered.remarks,
        warnings: lowered.warnings,
        cpu: accrue_back_cpu::CpuText::default(),
        code: Code::default(),
        opencl: opencl::Code::default(),
        stretches: put_off(gpu, lowered.stretches),
    };
    Ok((kernels, HalfMade { texts, wanted }))
}

/// The text half way down, and what the whole way gives. What the passes behind [`LINK`] warn of, the link warns of.
fn halves(
    ctx: &mut Context,
    module: ModuleOp,
    options: &Options,
) -> Result<(String, Lowered), Vec<Diagnostic>> {
    let (text, first) = half(ctx, module, options)?;
    let options = Options {
        start_after: Some(LINK),
        ..options.clone()
    };
    let second = lower(ctx, module, &options)?;
    let lowered = Lowered {
        remarks: [first.remarks, second.remarks].concat(),
        warnings: first.warnings,
        ..second
    };
    Ok((text, lowered))
}

fn half(
    ctx: &mut Context,
    module: ModuleOp,
    options: &Options,
) -> Result<(String, Lowered), Vec<Diagnostic>> {
    let options = Options {
        stop_after: Some(LINK.to_string()),
        ..options.clone()
    };
    let lowered = lower(ctx, module, &options)?;
    Ok((text::print(ctx, module.get_operation()), lowered))
}

/// What a digest says of the calls in the host's text: all that stands in it of the sites.
pub fn digest_of_calls(sites: &[Site]) -> String {
    digest::of_parts(sites.iter().map(|site| {
        let mut site = site.clone();
        site.kernels.clear();
        site.vars.retain(|var| !var.is_global());
        site.keep_results_on_device();
        // Whether a function of the region names it or the region, which the function has become part of meanwhile.
        for var in &mut site.vars {
            if let WordSource::FileScope { name } = &var.source {
                let name = name.clone();
                var.source = WordSource::Variable { name };
            }
        }
        format!("{site:?}")
    }))
}

/// The routines that other units may call.
pub struct Exported {
    source: String,
    number: String,
    routines: Vec<Routine>,
    of_all: Of,
}

/// What several routines have together.
#[derive(Default)]
struct Of {
    /// What they call in other units.
    wanted: Vec<Wanted>,
    /// The static variables that they use.
    exposed: Vec<Exposed>,
    /// Their code by the name of the target.
    texts: BTreeMap<String, String>,
}

/// What is recorded of regions.
pub struct RegionsOf<'a> {
    pub half: HalfMade,
    pub sites: &'a [Site],
    pub prefix: String,
    pub descriptions: Vec<Description>,
    pub invoked: Invoked,
}

impl Exported {
    /// The static variables that the routines use.
    pub fn exposed(&self) -> &[Exposed] {
        &self.of_all.exposed
    }

    /// The record; `None` if there is nothing that another unit may call and nothing that the link must add.
    pub fn record(self, regions: Option<RegionsOf<'_>>) -> Option<Record> {
        if self.routines.is_empty() && regions.is_none() {
            return None;
        }
        let mut texts = Texts {
            routines: self.of_all.texts,
            regions: BTreeMap::new(),
        };
        let regions = regions.map(|regions| {
            texts.regions = regions.half.texts;
            Regions {
                invoked: regions.invoked,
                prefix: regions.prefix,
                sites: regions.descriptions,
                calls: digest_of_calls(regions.sites),
                wanted: regions.half.wanted.iter().map(wanted_of).collect(),
            }
        });
        Some(Record {
            accrue: version(),
            source: self.source,
            number: self.number,
            routines: self.routines,
            wanted: self.of_all.wanted,
            regions,
            texts,
        })
    }
}

/// The code of `routines`, which other units may call.
pub fn exported(
    program: &Program,
    routines: &[import::Routine],
    gpu: Option<&Settings>,
) -> Exported {
    let importer = Importer { program, gpu };
    let (routines, of_all) = importer.code(routines);
    Exported {
        source: program.name().to_string(),
        number: program.number().to_string(),
        routines,
        of_all,
    }
}

/// Imports routines by themselves.
struct Importer<'a> {
    program: &'a Program<'a>,
    gpu: Option<&'a Settings>,
}

impl Importer<'_> {
    fn code(&self, routines: &[import::Routine]) -> (Vec<Routine>, Of) {
        let all: Vec<String> = routines.iter().map(|it| it.name.clone()).collect();
        if all.is_empty() {
            return Default::default();
        }
        // Most often nothing is wrong; otherwise one after the other tells which.
        let problems: Vec<Option<Problem>> = match self.module_of(&all, Target::CPU) {
            Ok(_) => all.iter().map(|_| None).collect(),
            Err(_) => all
                .iter()
                .map(|name| {
                    self.module_of(std::slice::from_ref(name), Target::CPU)
                        .err()
                })
                .collect(),
        };
        let names = all.iter().zip(&problems).filter(|(_, it)| it.is_none());
        let fine: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        let mut of_all = Of::default();
        for target in Target::ALL {
            // What only one kind of devices refuses, the link finds missing for it.
            if !fine.is_empty()
                && let Ok(module) = self.module_of(&fine, target)
            {
                of_all.texts.insert(target.name.to_string(), module.text);
                (of_all.wanted, of_all.exposed) = (module.wanted, module.exposed);
            }
        }
        let routines = routines.iter().zip(problems);
        let routine = |(routine, problem): (&import::Routine, Option<Problem>)| Routine {
            name: routine.name.clone(),
            place: saved(&routine.place),
            problem,
        };
        (routines.map(routine).collect(), of_all)
    }

    /// The module with these routines.
    fn module_of(&self, names: &[String], target: Target) -> Result<Half, Problem> {
        let mut ctx = Context::new();
        let first = |messages: Vec<Diagnostic>| problem_of(messages.first());
        let imported = self
            .program
            .import_only(&mut ctx, target, Imports::Routines(names))
            .map_err(first)?;
        let module = imported.module;
        let exposed = exposed(&ctx, module)?;
        let wanted = foreign(&ctx, module);
        let options = match self.gpu {
            Some(settings) => lowering(settings, target),
            None => Options {
                target,
                ..Options::default()
            },
        };
        let (text, _) = half(&mut ctx, module, &options).map_err(first)?;
        Ok(Half {
            text,
            wanted: wanted.iter().map(wanted_of).collect(),
            exposed,
        })
    }
}

/// A module half way down.
struct Half {
    text: String,
    wanted: Vec<Wanted>,
    exposed: Vec<Exposed>,
}

/// The static variables that functions of the module use. Others than declared ones are nowhere on a device.
fn exposed(ctx: &Context, module: ModuleOp) -> Result<Vec<Exposed>, Problem> {
    let mut found = BTreeSet::new();
    for address in walk::nested::<AddressOf>(ctx, module.get_operation()) {
        let op = address.get_operation();
        let (Some(variable), Some(_)) = (address.variable(ctx), walk::enclosing::<FuncOp>(ctx, op))
        else {
            continue;
        };
        let name = variable.name;
        match DECLARE.get(ctx, op).map(|said| said.clause) {
            None => {
                return Err(Problem {
                    message: format!(
                        "it uses `{name}`, a variable that no `declare` directive names"
                    ),
                    place: place(ctx, op).as_ref().map(saved),
                    help: Some(format!(
                        "write `#pragma acc declare create({name})` or `copyin({name})` behind its declaration outside of \
                         functions, or pass its address as an argument"
                    )),
                });
            }
            Some(DataClause::Deviceptr) => {
                return Err(Problem {
                    message: format!("it uses `{name}`, a `deviceptr` of this file"),
                    place: place(ctx, op).as_ref().map(saved),
                    help: Some("pass its value as an argument".to_string()),
                });
            }
            Some(_) => {}
        }
        let symbol = address.symbol(ctx);
        if shown(&symbol) != symbol {
            found.insert(Exposed { name, symbol });
        }
    }
    Ok(found.into_iter().collect())
}

fn problem_of(message: Option<&Diagnostic>) -> Problem {
    Problem {
        message: message.map_or_else(String::new, |it| it.message.clone()),
        place: message.and_then(|it| it.place.as_ref()).map(saved),
        help: message.and_then(|it| it.details.help.clone()),
    }
}

fn wanted_of((name, place): &(String, Option<Place>)) -> Wanted {
    Wanted {
        name: name.clone(),
        place: place.as_ref().map(saved),
    }
}

fn saved(place: &Place) -> SavedPlace {
    SavedPlace {
        file: place.position.file.to_string(),
        line: place.position.line,
        column: place.position.column,
    }
}
