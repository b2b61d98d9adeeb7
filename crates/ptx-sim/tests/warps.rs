//! Instructions between the lanes of a warp and between threads: shuffles, votes, matches, reductions, atomics, barriers.

use accrue_ptx_sim::{Checks, Gpu, Launch, Options};

/// Runs a kernel of one block of 32 threads; `%a` is the lane's input, `%d` its output.
fn lanes(body: &str, input: &[u32; 32]) -> [u32; 32] {
    let text = format!(
        ".version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{{
  .reg .b32 %a, %d, %t, %u;
  .reg .b32 %lane;
  .reg .pred %p, %q;
  .reg .b64 %rd<4>;
  .reg .b64 %x;
  mov.u32 %lane, %laneid;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mad.wide.u32 %rd1, %lane, 4, %rd1;
  mad.wide.u32 %rd2, %lane, 4, %rd2;
  ld.global.b32 %a, [%rd1];
  mov.u32 %d, 0;
  {body}
  st.global.b32 [%rd2], %d;
  ret;
}}
"
    );
    let checks = Checks {
        races: false,
        ..Checks::ALL
    };
    let gpu = Gpu::new(Options {
        cores: 1,
        checks,
        instruction_limit: Some(1 << 20),
        ..Options::default()
    });
    let module = gpu.load(&text).unwrap_or_else(|e| panic!("{body}: {e}"));
    let (a, out) = (gpu.alloc(128).unwrap(), gpu.alloc(128).unwrap());
    gpu.write(
        a,
        &input
            .iter()
            .flat_map(|v| v.to_le_bytes())
            .collect::<Vec<_>>(),
    )
    .unwrap();
    gpu.fill(out, 0xee, 128).unwrap();
    let params: Vec<u8> = [a, out].iter().flat_map(|v| v.to_le_bytes()).collect();
    let kernel = module.kernel("k").unwrap();
    let launch = Launch {
        kernel: &kernel,
        grid: [1; 3],
        block: [32, 1, 1],
        dynamic_shared: 0,
        params: &params,
    };
    gpu.launch(&launch)
        .unwrap_or_else(|e| panic!("{body}: {e}"));
    let mut bytes = [0; 128];
    gpu.read(out, &mut bytes).unwrap();
    std::array::from_fn(|i| u32::from_le_bytes(bytes[4 * i..4 * i + 4].try_into().unwrap()))
}

fn input() -> [u32; 32] {
    std::array::from_fn(|i| (i as u32).wrapping_mul(2654435761) >> 16)
}

#[test]
fn shuffles() {
    let x = input();
    // Mode, distance or source, segment mask and clamp; source lane by lane, `None`: the own value and a false predicate.
    type Source = fn(usize) -> Option<usize>;
    let cases: [(&str, u32, u32, Source); 8] = [
        ("down", 1, 0x1f, |l| (l + 1 < 32).then_some(l + 1)),
        ("down", 5, 0x1f, |l| (l + 5 < 32).then_some(l + 5)),
        ("down", 3, 0x181f, |l| (l % 8 + 3 < 8).then_some(l + 3)),
        ("up", 2, 0, |l| l.checked_sub(2)),
        ("up", 4, 0x1000, |l| (l % 16 >= 4).then(|| l - 4)),
        ("bfly", 16, 0x1f, |l| Some(l ^ 16)),
        ("idx", 7, 0x1f, |_| Some(7)),
        ("idx", 3, 0x1c1f, |l| Some(l / 4 * 4 + 3)),
    ];
    for (mode, distance, clamp, source) in cases {
        let value = lanes(
            &format!("shfl.sync.{mode}.b32 %d, %a, {distance}, {clamp}, -1;"),
            &x,
        );
        let inside = lanes(
            &format!(
                "shfl.sync.{mode}.b32 %t|%p, %a, {distance}, {clamp}, -1; selp.u32 %d, 1, 0, %p;"
            ),
            &x,
        );
        for lane in 0..32 {
            assert_eq!(
                value[lane],
                x[source(lane).unwrap_or(lane)],
                "{mode} {distance} {clamp:#x}, lane {lane}"
            );
            assert_eq!(
                inside[lane],
                u32::from(source(lane).is_some()),
                "{mode} {distance} {clamp:#x}, lane {lane}"
            );
        }
    }
}

/// Lanes that name different members at one instruction: exchanges of their own, together or at different times.
#[test]
fn groups_of_lanes() {
    let x = input();
    // %u: the lanes of this lane's group of eight.
    let members = "and.b32 %t, %lane, -8; mov.u32 %u, 255; shl.b32 %u, %u, %t;";
    let shuffle = "shfl.sync.bfly.b32 %d, %d, 4, 0x181f, %u;";
    let together = lanes(&format!("{members} mov.u32 %d, %a; {shuffle}"), &x);
    assert_eq!(together, std::array::from_fn(|l| x[l ^ 4]));
    let sums = lanes(&format!("{members} redux.sync.add.u32 %d, %a, %u;"), &x);
    let sum = |l: usize| {
        x[l & !7..][..8]
            .iter()
            .fold(0u32, |a, b| a.wrapping_add(*b))
    };
    assert_eq!(sums, std::array::from_fn(sum));
    // Group g makes g + 1 exchanges, and all lanes come together at the end.
    let uneven = lanes(
        &format!(
            "{members} mov.u32 %d, %a; shr.u32 %t, %lane, 3;
             $again: {shuffle} sub.u32 %t, %t, 1; setp.ge.s32 %p, %t, 0; @%p bra $again;
             bar.warp.sync -1;"
        ),
        &x,
    );
    let moved = |l: usize| if (l / 8).is_multiple_of(2) { l ^ 4 } else { l };
    assert_eq!(uneven, std::array::from_fn(|l| x[moved(l)]));
    // Lanes of one group that come in two parts: who is missing is waited for.
    let parts = lanes(
        &format!(
            "{members} mov.u32 %d, %a; and.b32 %t, %lane, 12; setp.eq.u32 %p, %t, 0; @%p bra $few;
             {shuffle} bra $end; $few: {shuffle} $end:"
        ),
        &x,
    );
    assert_eq!(parts, std::array::from_fn(|l| x[l ^ 4]));
}

#[test]
fn votes_matches_and_reductions() {
    let x = input();
    let odd = x.iter().enumerate().fold(0, |m, (i, v)| m | (v & 1) << i);
    let test = "and.b32 %t, %a, 1; setp.ne.u32 %p, %t, 0;";
    assert_eq!(
        lanes(&format!("{test} vote.sync.ballot.b32 %d, %p, -1;"), &x),
        [odd; 32]
    );
    assert_eq!(
        lanes(&format!("{test} vote.sync.ballot.b32 %d, !%p, -1;"), &x),
        [!odd; 32]
    );
    assert_eq!(
        lanes(
            &format!("{test} vote.sync.any.pred %q, %p, -1; selp.u32 %d, 1, 0, %q;"),
            &x
        ),
        [1; 32]
    );
    assert_eq!(
        lanes(
            &format!("{test} vote.sync.all.pred %q, %p, -1; selp.u32 %d, 1, 0, %q;"),
            &x
        ),
        [0; 32]
    );
    assert_eq!(
        lanes(
            "setp.ge.u32 %p, %a, 0; vote.sync.uni.pred %q, %p, -1; selp.u32 %d, 1, 0, %q;",
            &x
        ),
        [1; 32]
    );
    assert_eq!(
        lanes("and.b32 %t, %a, 3; match.any.sync.b32 %d, %t, -1;", &x),
        std::array::from_fn(|l| {
            (0..32)
                .filter(|m| x[*m] & 3 == x[l] & 3)
                .fold(0, |mask, m| mask | 1 << m)
        })
    );
    assert_eq!(
        lanes("mov.u64 %x, 5; match.all.sync.b64 %d|%p, %x, -1;", &x),
        [u32::MAX; 32]
    );
    assert_eq!(lanes("match.all.sync.b32 %d|%p, %a, -1;", &x), [0; 32]);
    assert_eq!(
        lanes("redux.sync.add.u32 %d, %a, -1;", &x),
        [x.iter().sum(); 32]
    );
    assert_eq!(
        lanes("redux.sync.max.s32 %d, %a, -1;", &x),
        [*x.iter().max().unwrap(); 32]
    );
    assert_eq!(
        lanes("redux.sync.xor.b32 %d, %a, -1;", &x),
        [x.iter().fold(0, |a, b| a ^ b); 32]
    );
    assert_eq!(
        lanes("elect.sync %d|%p, -1; selp.u32 %d, 100, %d, %p;", &x)[..2],
        [100, 0]
    );
    assert_eq!(
        lanes("mov.u32 %d, %lanemask_lt;", &x),
        std::array::from_fn(|l| (1u32 << l) - 1)
    );
    assert_eq!(
        lanes("mov.u32 %d, %lanemask_gt;", &x),
        std::array::from_fn(|l| !((2u64 << l) as u32).wrapping_sub(1))
    );
    let half = "setp.lt.u32 %p, %lane, 16; @%p bra low; activemask.b32 %d; low: bar.warp.sync -1;";
    assert_eq!(
        lanes(half, &x),
        std::array::from_fn(|l| if l < 16 { 0 } else { 0xffff_0000 })
    );
}

#[test]
fn lanes_on_both_sides_of_a_branch_exchange_values() {
    // The two shuffles are one exchange: they have the same mask.
    let body = "setp.lt.u32 %p, %lane, 16;
  @%p bra low;
  shfl.sync.bfly.b32 %d, %a, 16, 31, -1;
  bra.uni end;
low:
  shfl.sync.bfly.b32 %d, %a, 16, 31, -1;
end:";
    let x = input();
    assert_eq!(lanes(body, &x), std::array::from_fn(|l| x[l ^ 16]));
}

#[test]
fn lanes_wait_for_each_other_in_a_loop() {
    // Lane 0 waits for a flag that lane 1 sets after the loop that lane 0 is in.
    let body = ".shared .align 4 .u32 flag;
  mov.u32 %t, 0;
  setp.ne.u32 %p, %lane, 0;
  @%p bra out;
  st.volatile.shared.u32 [flag], 0;
wait:
  ld.volatile.shared.u32 %t, [flag];
  setp.eq.u32 %q, %t, 0;
  @%q bra wait;
out:
  setp.eq.u32 %q, %lane, 1;
  @%q st.volatile.shared.u32 [flag], 7;
  mov.u32 %d, %t;";
    assert_eq!(lanes(body, &input())[0], 7);
}

#[test]
fn atomics() {
    let x = input();
    // All lanes work on one word that lane 0 has set; the result is the word afterwards.
    let run = |start: u32, instruction: &str| {
        let body = format!(
            ".shared .align 8 .b32 word[2];
  setp.eq.u32 %p, %lane, 0;
  @%p st.shared.u32 [word], {start};
  @%p st.shared.u32 [word+4], 0;
  bar.warp.sync -1;
  {instruction}
  bar.warp.sync -1;
  ld.shared.u32 %d, [word];"
        );
        lanes(&body, &x)[0]
    };
    let sum: u32 = x.iter().sum();
    assert_eq!(run(5, "red.shared.add.u32 [word], %a;"), 5 + sum);
    assert_eq!(
        run(900, "atom.shared.min.u32 %t, [word], %a;"),
        *x.iter().min().unwrap().min(&900)
    );
    assert_eq!(
        run(900, "atom.shared.max.s32 %t, [word], %a;"),
        *x.iter().max().unwrap().max(&900)
    );
    assert_eq!(
        run(u32::MAX, "atom.shared.min.s32 %t, [word], %a;"),
        u32::MAX
    );
    assert_eq!(
        run(0xffff, "atom.shared.and.b32 %t, [word], %a;"),
        x.iter().fold(0xffff, |m, v| m & v)
    );
    assert_eq!(
        run(1, "atom.shared.or.b32 %t, [word], %a;"),
        x.iter().fold(1, |m, v| m | v)
    );
    assert_eq!(
        run(1, "atom.shared.xor.b32 %t, [word], %a;"),
        x.iter().fold(1, |m, v| m ^ v)
    );
    assert_eq!(run(3, "atom.shared.inc.u32 %t, [word], 9;"), (3 + 32) % 10);
    assert_eq!(
        run(3, "atom.shared.dec.u32 %t, [word], 9;"),
        (0..32).fold(3, |v, _| if v == 0 { 9 } else { v - 1 })
    );
    assert_eq!(run(0, "atom.shared.exch.b32 %t, [word], %a;"), x[31]);
    assert_eq!(run(17, "atom.shared.cas.b32 %t, [word], 17, %lane;"), 0);
    assert_eq!(
        run(0x3f80_0000, "atom.shared.add.f32 %t, [word], 0f3F000000;"),
        17f32.to_bits()
    );
    assert_eq!(
        run(
            0x3c00,
            "{ .reg .b16 %h, %g; mov.b16 %h, 0x3800; atom.shared.add.noftz.f16 %g, [word], %h; }"
        ),
        0x4c40
    );
    assert_eq!(
        run(0, "cvt.u64.u32 %x, %a; red.shared.add.u64 [word], %x;"),
        sum
    );
    // Lanes see different old values.
    let old = lanes(
        ".shared .align 4 .b32 word; setp.eq.u32 %p, %lane, 0; @%p st.shared.u32 [word], 0; bar.warp.sync -1;
  atom.shared.add.u32 %d, [word], 1;",
        &x,
    );
    let mut sorted = old;
    sorted.sort_unstable();
    assert_eq!(sorted, std::array::from_fn(|l| l as u32));
}

#[test]
fn barrier_reductions() {
    let x = input();
    let test = "and.b32 %t, %a, 1; setp.ne.u32 %p, %t, 0;";
    let odd = x.iter().filter(|v| *v & 1 != 0).count() as u32;
    assert_eq!(
        lanes(&format!("{test} bar.red.popc.u32 %d, 1, %p;"), &x),
        [odd; 32]
    );
    assert_eq!(
        lanes(
            &format!("{test} barrier.cta.red.or.pred %q, 2, 32, %p; selp.u32 %d, 1, 0, %q;"),
            &x
        ),
        [1; 32]
    );
    assert_eq!(
        lanes(
            &format!("{test} bar.red.and.pred %q, 0, %p; selp.u32 %d, 1, 0, %q;"),
            &x
        ),
        [0; 32]
    );
}
