//! What a launch counts, and what threads print.

use accrue_ptx_sim::{Checks, Gpu, Launch, Options, Stats, Traffic};
use std::sync::{Arc, Mutex};

fn one_kernel(
    text: &str,
    options: Options,
    block: u32,
    params: &dyn Fn(&Gpu) -> Vec<u64>,
) -> Stats {
    let text = format!(".version 7.8\n.target sm_90\n.address_size 64\n{text}");
    let gpu = Gpu::new(Options {
        cores: 1,
        ..options
    });
    let module = gpu.load(&text).unwrap_or_else(|e| panic!("{e}"));
    let kernel = module.kernel("k").unwrap();
    let params: Vec<u8> = params(&gpu).iter().flat_map(|v| v.to_le_bytes()).collect();
    let launch = Launch {
        kernel: &kernel,
        grid: [1; 3],
        block: [block, 1, 1],
        dynamic_shared: 0,
        params: &params,
    };
    gpu.launch(&launch).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn counters() {
    let strided = |stride: u32| {
        let text = format!(
            ".visible .entry k(.param .u64 a)
{{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  .reg .f32 %f;
  .shared .align 4 .b8 tile[8192];
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r1, %r1, {};
  cvt.u64.u32 %rd2, %r1;
  add.u64 %rd2, %rd1, %rd2;
  ld.global.f32 %f, [%rd2];
  mov.u32 %r2, tile;
  add.u32 %r2, %r2, %r1;
  st.shared.f32 [%r2], %f;
  ret;
}}",
            4 * stride
        );
        let options = Options {
            count_memory: true,
            checks: Checks::NONE,
            ..Options::default()
        };
        one_kernel(&text, options, 32, &|gpu| vec![gpu.alloc(8192).unwrap()])
    };
    let (dense, spread) = (strided(1), strided(32));
    assert_eq!(
        dense.global_loads,
        Traffic {
            requests: 1,
            sectors: 4,
            bytes: 128
        }
    );
    assert_eq!(
        spread.global_loads,
        Traffic {
            requests: 1,
            sectors: 32,
            bytes: 128
        }
    );
    assert_eq!(
        (
            dense.global_loads.efficiency(),
            spread.global_loads.efficiency()
        ),
        (1.0, 0.125)
    );
    assert_eq!(
        (
            dense.shared_requests,
            dense.bank_conflicts,
            spread.bank_conflicts
        ),
        (1, 0, 31)
    );
    assert_eq!(
        (dense.warp_instructions, dense.lane_instructions),
        (10, 320)
    );
}

#[test]
fn printf() {
    let printed = Arc::new(Mutex::new(Vec::new()));
    let sink = printed.clone();
    let print: accrue_ptx_sim::Printer =
        Arc::new(move |bytes: &[u8]| sink.lock().unwrap().extend_from_slice(bytes));
    // What the driver does not know is text, and takes no argument.
    let format: Vec<String> = b"%d|%6.2f|%-4s|%zu|%llx|%c%%|%.*e|%e|%hhd|%g\n\0"
        .iter()
        .map(u8::to_string)
        .collect();
    let text = format!(
        ".global .align 1 .b8 text[{}] = {{{}}};
.global .align 1 .b8 word[3] = {{104, 105, 0}};
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.visible .entry k()
{{
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  .local .align 8 .b8 args[64];
  mov.u32 %r1, %tid.x;
  mov.u64 %rd1, args;
  cvta.local.u64 %rd2, %rd1;
  st.local.u32 [args], %r1;
  st.local.f64 [args+8], 0d400921FB54442D18;
  mov.u64 %rd3, word;
  st.local.u64 [args+16], %rd3;
  st.local.u64 [args+24], 3735928559;
  st.local.u32 [args+32], 65;
  st.local.f64 [args+40], 0d40F86A0000000000;
  st.local.f64 [args+48], 0d3F1A36E2EB1C432D;
  mov.u64 %rd4, text;
  {{
  .param .b64 f; .param .b64 a; .param .b32 r;
  st.param.b64 [f], %rd4;
  st.param.b64 [a], %rd2;
  call.uni (r), vprintf, (f, a);
  ld.param.b32 %r2, [r];
  }}
  ret;
}}",
        format.len(),
        format.join(", ")
    );
    one_kernel(
        &text,
        Options {
            print,
            ..Options::default()
        },
        2,
        &|_| vec![],
    );
    let line = "|  3.14|hi  |%zu|deadbeef|A%|%.*e|1.000000e+05|%hhd|0.0001\n";
    let expected = format!("0{line}1{line}");
    assert_eq!(String::from_utf8_lossy(&printed.lock().unwrap()), expected);
}
