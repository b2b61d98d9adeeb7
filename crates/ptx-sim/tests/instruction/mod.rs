//! Runs one instruction on rows of operands.

use accrue_ptx_sim::{Gpu, Launch, Options};

/// Runs `instruction` (with `%d`, `%a`, `%b`, `%c`) on rows of operands.
pub fn run(instruction: &str, dest: &str, sources: &[&str], operands: &[[u64; 3]]) -> Vec<u64> {
    let bits = |ty: &str| {
        ty.trim_matches(|c: char| c.is_ascii_lowercase())
            .parse::<u32>()
            .unwrap()
    };
    let width = |ty: &str| format!("b{}", bits(ty).max(16));
    let mut text = String::from(
        ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n",
    );
    text += &format!("  .reg .{} %d;\n  .reg .pred %p, %q;\n", width(dest));
    for (name, ty) in ["%a", "%b", "%c"].iter().zip(sources) {
        text += &format!("  .reg .{} {name};\n", width(ty));
    }
    text += "  .reg .b32 %r<4>;\n  .reg .b64 %rd<4>;\n  ld.param.u64 %rd1, [in];\n  ld.param.u64 %rd2, [out];\n  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %ntid.x;\n  mov.u32 %r3, %tid.x;\n  mad.lo.u32 %r1, %r1, %r2, %r3;\n  mad.wide.u32 %rd1, %r1, 24, %rd1;\n  mad.wide.u32 %rd2, %r1, 8, %rd2;\n";
    for (n, (name, ty)) in ["%a", "%b", "%c"].iter().zip(sources).enumerate() {
        text += &format!("  ld.global.{} {name}, [%rd1+{}];\n", width(ty), 8 * n);
    }
    text += &format!(
        "  {instruction}\n  st.global.{} [%rd2], %d;\n  ret;\n}}\n",
        width(dest)
    );
    let gpu = Gpu::new(Options {
        cores: 1,
        ..Options::default()
    });
    let module = gpu
        .load(&text)
        .unwrap_or_else(|e| panic!("{instruction}: {e}"));
    let bytes: Vec<u8> = operands
        .iter()
        .flatten()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let (input, output) = (
        gpu.alloc(bytes.len() as u64).unwrap(),
        gpu.alloc(8 * operands.len() as u64).unwrap(),
    );
    gpu.write(input, &bytes).unwrap();
    gpu.fill(output, 0, 8 * operands.len() as u64).unwrap();
    let params: Vec<u8> = [input, output]
        .iter()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let kernel = module.kernel("k").unwrap();
    let block = operands.len().min(128) as u32;
    let grid = [operands.len() as u32 / block, 1, 1];
    let launch = Launch {
        kernel: &kernel,
        grid,
        block: [block, 1, 1],
        dynamic_shared: 0,
        params: &params,
    };
    gpu.launch(&launch)
        .unwrap_or_else(|e| panic!("{instruction}: {e}"));
    let mut out = vec![0; 8 * operands.len()];
    gpu.read(output, &mut out).unwrap();
    out.chunks(8)
        .map(|v| u64::from_le_bytes(v.try_into().unwrap()))
        .collect()
}
