//! How fast the simulator is: lane instructions per second on one core, without and with the checkers.

use accrue_ptx_sim::{Checks, Gpu, Launch, Options};
use std::time::Instant;

/// A loop as compilers make it: address arithmetic, two loads, arithmetic, a store, a branch.
const TEXT: &str = "
.version 7.0
.target sm_70
.address_size 64
.visible .entry triad(.param .u64 a, .param .u64 b, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .f64 %d<5>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    mov.u32 %r6, %nctaid.x;
    mul.lo.u32 %r7, %r6, %r3;
loop:
    mul.wide.s32 %rd3, %r5, 8;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.f64 %d1, [%rd4];
    ld.global.f64 %d2, [%rd5];
    fma.rn.f64 %d3, %d1, 0d3FE0000000000000, %d2;
    add.f64 %d4, %d3, 0d3FF0000000000000;
    st.global.f64 [%rd5], %d4;
    add.s32 %r5, %r5, %r7;
    setp.lt.s32 %p1, %r5, %r1;
    @%p1 bra loop;
    ret;
}
.visible .entry arithmetic(.param .u64 a, .param .u64 b, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .f32 %f<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [a];
    ld.param.u32 %r1, [n];
    mov.u32 %r8, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r4, %r8, %r3, %r4;
    shr.u32 %r1, %r1, 6;
    mov.u32 %r2, 0;
    cvt.rn.f32.u32 %f1, %r4;
loop:
    add.s32 %r2, %r2, 1;
    mul.lo.s32 %r5, %r2, %r4;
    xor.b32 %r6, %r5, %r2;
    shl.b32 %r7, %r6, 3;
    add.f32 %f2, %f1, 0f3F800000;
    mul.f32 %f3, %f2, 0f3F000000;
    add.f32 %f1, %f3, %f2;
    setp.lt.u32 %p1, %r2, %r1;
    @%p1 bra loop;
    mul.wide.u32 %rd2, %r4, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.f32 [%rd3], %f1;
    ret;
}
";

fn main() {
    let n = 1 << 20;
    for (title, checks) in [("no checkers", Checks::NONE), ("all checkers", Checks::ALL)] {
        let gpu = Gpu::new(Options {
            cores: 1,
            checks,
            ..Options::default()
        });
        let Ok(module) = gpu.load(TEXT) else { return };
        let (Some(a), Some(b)) = (gpu.alloc(8 * n), gpu.alloc(8 * n)) else {
            return;
        };
        let _ = (gpu.fill(a, 0, 8 * n), gpu.fill(b, 0, 8 * n));
        let mut params = Vec::new();
        params.extend(a.to_le_bytes());
        params.extend(b.to_le_bytes());
        params.extend((n as u32).to_le_bytes());
        for name in module.kernels() {
            let Some(kernel) = module.kernel(&name) else {
                continue;
            };
            let start = Instant::now();
            let mut lanes = 0;
            for _ in 0..4 {
                let launch = Launch {
                    kernel: &kernel,
                    grid: [64, 1, 1],
                    block: [128, 1, 1],
                    dynamic_shared: 0,
                    params: &params,
                };
                match gpu.launch(&launch) {
                    Ok(stats) => lanes += stats.lane_instructions,
                    Err(fault) => println!("{fault}"),
                }
            }
            let rate = lanes as f64 / start.elapsed().as_secs_f64() / 1e6;
            println!("{title:12} {name:12} {rate:7.0} million lane instructions per second");
        }
    }
}
