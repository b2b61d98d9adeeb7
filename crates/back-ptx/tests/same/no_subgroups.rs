//! Code for devices whose threads exchange nothing but through memory, and of whose groups no part can wait: it must not
//! depend on sub-groups of any width, on lock-step or on named barriers. Such code runs on a GPU, too.
//!
//! The inputs of the SIMT level's tests (`crates/simt/tests/expand/*.ir`) are lowered for a GPU and for such a target, and
//! both run on the simulator, which checks barriers and races. They must leave the same in memory. Inputs that race already as
//! they are written count for nothing.

use super::support::{expanded, parse};
use accrue_back_ptx::{Options, Policy, select, target};
use accrue_dialects::{
    core::{float_width, int_width, pointee_of},
    par::kernel_of,
};
use accrue_hostcall::Site;
use accrue_ptx_sim::{Gpu, Launch};
use accrue_simt::{Target, target::Has};
use pliron::{
    builtin::ops::FuncOp,
    context::Context,
    r#type::{TypeHandle, Typed},
};
use std::{collections::BTreeMap, fs, path::Path};

/// Elements of each buffer, and every number that is passed.
const ELEMENTS: usize = 2048;
const NUMBER: i64 = 40;

/// What each kernel that the target can run leaves in its buffers, or what the simulator finds wrong.
type Results = BTreeMap<String, Result<Vec<u8>, String>>;

/// A buffer of small numbers, whose sums and products are exact in any order.
fn buffer(ctx: &Context, ty: TypeHandle) -> Vec<u8> {
    let number = |i: usize| if i % 61 == 7 { 2u8 } else { 1 };
    let element = |i| match (float_width(ctx, ty), int_width(ctx, ty)) {
        (Some(32), _) => f32::from(number(i)).to_le_bytes().to_vec(),
        (Some(_), _) => f64::from(number(i)).to_le_bytes().to_vec(),
        (None, Some(64)) => u64::from(number(i)).to_le_bytes().to_vec(),
        (None, Some(32)) => u32::from(number(i)).to_le_bytes().to_vec(),
        (None, Some(_)) => vec![1],
        (None, None) => vec![0; 8],
    };
    (0..ELEMENTS).flat_map(element).collect()
}

fn run(source: &str, target: &Target) -> (String, Results) {
    let ctx = &mut Context::new();
    let module = parse(ctx, source);
    let (_, sites) = expanded(ctx, module);
    let all = accrue_simt::expand(ctx, module, &sites, target, Policy::default());
    let Ok(all) = all else {
        return Default::default();
    };
    let options = Options {
        sm: 70,
        ptx: (7, 0),
        debug: true,
        contract: true,
        fast_math: false,
        plain_math: false,
        inline_math: true,
        reductions: Policy::default(),
    };
    let functions: BTreeMap<_, _> = all
        .kernels
        .iter()
        .map(|k| (k.name.clone(), k.function))
        .collect();
    let Ok(text) = select::unit(ctx, all, &sites, &options) else {
        return Default::default();
    };
    let mut results = Results::new();
    for (name, kernel) in &text.forms {
        let function = functions[name];
        let block = [
            kernel.exact_lanes.unwrap_or(kernel.max_vector),
            kernel.max_workers,
            1,
        ];
        let left = launch(ctx, &text.text, &kernel.entry, function, &sites, block);
        results.insert(kernel.entry.clone(), left);
    }
    (text.text, results)
}

fn launch(
    ctx: &Context,
    text: &str,
    entry: &str,
    function: FuncOp,
    sites: &[Site],
    block: [u32; 3],
) -> Result<Vec<u8>, String> {
    let gpu = Gpu::new(Default::default());
    let module = gpu.load(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let kernel = module.kernel(entry).expect("the kernel");
    let arguments = function.get_entry_block(ctx);
    let arguments: Vec<_> = arguments.deref(ctx).arguments().collect();
    assert!(sites.iter().any(|s| s.vars.len() == arguments.len()));
    let (mut params, mut buffers) = (vec![], vec![]);
    for argument in arguments {
        let ty = argument.get_type(ctx);
        let word = match pointee_of(ctx, ty) {
            Some(of) => {
                let bytes = buffer(ctx, of);
                let address = gpu.alloc(bytes.len() as u64).expect("memory");
                gpu.write(address, &bytes).expect("a buffer");
                buffers.push((address, bytes.len()));
                address
            }
            None if float_width(ctx, ty) == Some(64) => 2f64.to_bits(),
            None if float_width(ctx, ty).is_some() => u64::from(2f32.to_bits()),
            None => NUMBER.cast_unsigned(),
        };
        params.extend(word.to_le_bytes());
    }
    let scratch = vec![0; 1 << 20];
    let address = gpu.alloc(scratch.len() as u64).expect("memory");
    gpu.write(address, &scratch).expect("scratch memory");
    params.extend(address.to_le_bytes());
    let single = kernel_of(ctx, &function).is_some_and(|k| k.single_gang);
    let launch = Launch {
        kernel: &kernel,
        grid: [if single { 1 } else { 3 }, 1, 1],
        block,
        dynamic_shared: 0,
        params: &params,
    };
    gpu.launch(&launch).map_err(|e| e.to_string())?;
    let mut all = vec![];
    for (address, length) in buffers {
        let mut bytes = vec![0; length];
        gpu.read(address, &mut bytes).expect("a buffer");
        all.extend(bytes);
    }
    Ok(all)
}

#[test]
fn same_results() {
    let gpu = target(70);
    let alone = Target {
        devices: "devices without sub-groups",
        subgroup: 1,
        subgroup_reduce: Has::No,
        partial_barriers: false,
        ..gpu
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../simt/tests/expand");
    let mut inputs: Vec<_> = fs::read_dir(folder)
        .expect("inputs")
        .map(|e| e.expect("entry").path())
        .collect();
    inputs.retain(|p| p.extension().is_some_and(|e| e == "ir"));
    inputs.sort();
    let mut compared = vec![];
    for input in inputs {
        let source = fs::read_to_string(&input).expect("input");
        let name = input
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .to_string();
        // An operation that only that test knows; iterations that take numbers from a counter in any order.
        if source.contains("test.mystery") || name == "short_vectors" {
            continue;
        }
        eprintln!("{name}");
        let (_, with) = run(&source, &gpu);
        let (text, without) = run(&source, &alone);
        let of_warps = [
            "shfl.",
            "vote.",
            "redux.",
            "warp.sync",
            "%laneid",
            "lanemask",
        ];
        for word in of_warps {
            assert!(!text.contains(word), "{name}: `{word}` in\n{text}");
        }
        assert!(
            !text.contains("bar.sync %"),
            "{name}: a part of a block waits in\n{text}"
        );
        for (entry, left) in without {
            let Some(Ok(expected)) = with.get(&entry) else {
                continue;
            };
            let left = left.unwrap_or_else(|e| {
                panic!(
                    "{name}, {entry}: {e}
{text}"
                )
            });
            assert!(
                *expected == left,
                "{name}, {entry}: other results
{text}"
            );
            compared.push(format!("{name} {entry}"));
        }
    }
    eprintln!("{compared:?}");
    assert!(compared.len() > 20, "only {compared:?}");
}
