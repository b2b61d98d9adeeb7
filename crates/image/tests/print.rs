//! The companion's tables, compiled by a C compiler together with a host program that reads them back.

use accrue_abi::ABI_VERSION;
use accrue_hostcall::{
    Action, Apart, Call, ClauseSize, CpuForm, Disjoint, Form, GangTrip, Kernel, OpenClForm,
    SimtForm, Site, SiteDim, SiteKind, SiteVar, Step, VarFlags, WordSource,
};
use accrue_image::print::{
    CodeForm, Companion, CompanionCode, CompanionSite, companion, site_symbol,
};
use std::{fs, path::PathBuf, process::Command};

fn site(directive: u32, kind: SiteKind) -> Site {
    Site {
        directive,
        kind,
        function: "main".to_string(),
        line: 12,
        column: 5,
        finalize: false,
        if_present: false,
        default_present: false,
        openmp: false,
        call: Call::default(),
        vars: vec![],
        kernels: vec![],
        rounds: vec![],
    }
}

fn compute_site() -> Site {
    let var = |name: &str, action, dims| SiteVar {
        limited: None,
        reach: None,
        pointers: vec![],
        name: name.to_string(),
        action,
        flags: VarFlags {
            implicit: true,
            attach: true,
            ..VarFlags::default()
        },
        value: None,
        elem_size: 8,
        dims,
        stepped: vec![],
        source: WordSource::Variable {
            name: name.to_string(),
        },
        line: 12,
        column: 30,
    };
    let dims = vec![SiteDim::Pointer, SiteDim::Array, SiteDim::Pointer];
    let cpu = CpuForm {
        entry: "accrue_k7_0".to_string(),
        finish: Some("accrue_k7_0_finish".to_string()),
        slot_bytes: 24,
    };
    let ptx = SimtForm {
        entry: "entry".to_string(),
        worker_partitioned: false,
        vector_partitioned: true,
        gang_dims: [true, false, false],
        gang_loop: false,
        needs_scratch: true,
        doubles: false,
        halving: false,
        waits_in_branches: false,
        args_words: 3,
        max_workers: 15,
        max_vector: 1024,
        exact_lanes: None,
        open_lanes: false,
        shared_worker_bytes: 32,
        scratch_gang_bytes: 64,
        scratch_worker_bytes: 128,
        apart: Some(Apart {
            read_words: 1,
            written_words: 2,
        }),
        disjoint: Some(Disjoint {
            entry: "entry_disjoint".to_string(),
            read_words: 1,
            written_words: 1 << 63,
            aligned_words: 5,
            written_once: false,
        }),
        inner: None,
        each: None,
        grid: None,
        nest: None,
    };
    Site {
        default_present: true,
        openmp: false,
        call: Call {
            async_given: true,
            ..Call::default()
        },
        vars: vec![
            var("s.p", Action::Copyin, dims),
            var("x", Action::Value, vec![]),
        ],
        kernels: vec![Kernel {
            function: "accrue_k7_0".to_string(),
            line: 12,
            gang_loop: true,
            gang_dims: [false, true, true],
            single_gang: false,
            uneven: false,
            pointers: false,
            num_gangs: ClauseSize::Absent,
            num_workers: ClauseSize::Absent,
            vector_length: ClauseSize::Constant(64),
            trip: Some(GangTrip {
                program: vec![Step::Argument32(1), Step::NotNegative, Step::End],
                workers: false,
                vector: true,
                several: true,
                gang_cost: false,
                only_loops: false,
            }),
            inner: None,
            each: None,
            grid: None,
            nest: None,
            forms: vec![
                Form::Cpu(cpu),
                Form::Ptx(ptx),
                Form::OpenCl(OpenClForm {
                    kernel: Box::default(),
                    form: SimtForm {
                        entry: "of_opencl".to_string(),
                        ..SimtForm::default()
                    },
                }),
            ],
        }],
        ..site(7, SiteKind::Parallel)
    }
}

const KERNELS: &str = "
static void accrue_k7_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    launch->slots[position] = 1;
}
static void accrue_k7_0_finish(const struct accrue_cpu_launch *launch)
{
    launch->slots[0] += launch->slots[1];
}
";

/// A host that sees the image only through registration and the site only by its symbol.
const HOST: &str = r#"
#include <stdio.h>
#include <string.h>
extern struct accrue_site accrue_site_0a_7, accrue_site_0a_9;
static struct accrue_image *image;
void __accrue_register_image(struct accrue_image *i) { image = i; }
void __accrue_unregister_image(struct accrue_image *i) { printf("unregistered %d\n", i == image); }
int main(void)
{
    struct accrue_site *s = &accrue_site_0a_7;
    printf("%u %u %s %d\n", image->abi, image->nsites, image->source, image->sites[0] == s);
    printf("%u %u %s %s [%s] %u:%u %u %u %u %u\n", s->abi, s->kind, s->file, s->function, s->text, s->line, s->column,
           s->flags, s->device_type, s->nvars, s->nkernels);
    for (unsigned i = 0; i < s->nvars; i++) {
        const struct accrue_var *v = &s->vars[i];
        printf("%s %u %u %llu %u %u %u:%u\n", v->name, v->action, v->flags, v->elem_size, v->ndims, v->pointer_dims,
               v->line, v->column);
    }
    const struct accrue_kernel *k = s->kernels;
    char slots[2] = { 0, 0 };
    struct accrue_cpu_launch l = { 0, { 2, 1, 1 }, 1, 1, slots, 1 };
    const struct accrue_cpu_kernel *f = k->forms[0].code;
    f->gang(&l, 0); f->gang(&l, 1); f->finish(&l);
    printf("%u %u %u\n", k->nforms, k->forms[0].kind, k->forms[1].kind);
    printf("%s %u %u %llu %d\n", k->name, k->line, k->flags, f->slot_bytes, slots[0]);
    const struct accrue_simt_kernel *p = k->forms[1].code;
    printf("%s %u %u %u %u %llu %llu %llu %u %u\n", p->entry, p->flags, p->args_words, p->max_workers, p->max_vector,
           p->shared_worker_bytes, p->scratch_gang_bytes, p->scratch_worker_bytes, p->workers, p->vector);
    const struct accrue_simt_disjoint *d = p->disjoint;
    printf("%s %llx %llx %llx\n", d->entry, d->read_words, d->written_words, d->aligned_words);
    for (const long long *t = p->trip; ; t += 2) {
        printf("%lld %lld;", t[0], t[1]);
        if (!*t) break;
    }
    for (unsigned i = 0; i < p->module->ncodes; i++) {
        const struct accrue_code *c = &p->module->codes[i];
        if (c->kind == 0) {
            printf(" %u %u %d [%.12s]\n", c->sm, c->ptx, strlen(c->text) == c->bytes, c->text);
            continue;
        }
        unsigned sum = 0;
        for (unsigned long long b = 0; b < c->bytes; b++)
            sum = sum * 31 + (unsigned char)c->text[b];
        printf(" machine code %u %u %llu bytes %u\n", c->sm, c->ptx, c->bytes, sum);
    }
    p = k->forms[2].code;
    const struct accrue_code *c = p->module->codes;
    printf("%u %s %u: %u %u %u %d [%s]\n", k->forms[2].kind, p->entry, p->module->ncodes, c->kind, c->sm, c->ptx,
           strlen(c->text) == c->bytes, c->text);
    s = &accrue_site_0a_9;
    printf("%u %u %u %d %d\n", s->kind, s->flags, s->device_type, s->vars == 0, s->kernels == 0);
    return 0;
}
"#;

const OUTPUT: &str = "\
VERSION 2 dir/a \"b\".c 1
VERSION 1 dir/a \"b\".c main [#pragma acc parallel loop \\
  copyin(s.p) // why??/ é] 12:5 12 0 2 1
s.p 2 65 8 3 4 12:30
x 15 65 8 0 0 12:30
3 1 2
accrue_k7_0 12 25 24 2
entry 374 3 15 1024 32 64 128 0 64
entry_disjoint 1 8000000000000000 5
8 1;7 0;0 0; 60 70 1 [.version 7.0]
 90 78 1 [\"a\\
?]
 machine code 90 0 1024 bytes SUM
3 of_opencl 1: 2 0 12 1 [__kernel \"?\\]
7 1 6 1 1
unregistered 1
";

#[test]
fn a_host_program_reads_the_tables() {
    let compute = compute_site();
    let standalone = Site {
        finalize: true,
        call: Call {
            device_types: 6,
            ..Call::default()
        },
        ..site(9, SiteKind::ExitData)
    };
    let sites = [
        CompanionSite {
            site: &compute,
            file: "dir/a \"b\".c",
            text: "#pragma acc parallel loop \\\n  copyin(s.p) // why??/ é",
        },
        CompanionSite {
            site: &standalone,
            file: "a.c",
            text: "#pragma acc exit data finalize",
        },
    ];
    let prefix = "accrue_site_0a";
    assert_eq!(site_symbol(prefix, 7), "accrue_site_0a_7");
    let long = format!(".version 7.0\n{}", "// a line of code\n".repeat(10_000));
    let codes = [(60, 70, long.as_str()), (90, 78, "\"a\\\n?")];
    let codes = codes.map(|(sm, version, text)| {
        let form = CodeForm::Ptx { version, text };
        CompanionCode { sm, form }
    });
    // Every byte before a digit, and before another that is none.
    let image: Vec<u8> = (0..=255u8)
        .flat_map(|byte| [byte, b'7', byte, b'x'])
        .collect();
    let machine = CompanionCode {
        sm: 90,
        form: CodeForm::Machine(&image),
    };
    let codes = [&codes[..], &[machine]].concat();
    let sum = image.iter().fold(0u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(*byte))
    });
    let text = companion(&Companion {
        prefix,
        source: "dir/a \"b\".c",
        kernels: KERNELS,
        codes: &codes,
        opencl: Some("__kernel \"?\\"),
        opencl_cores: None,
        sites: &sites,
    });
    assert!(
        text.contains("visibility(\"hidden\"))) struct accrue_site accrue_site_0a_7 ="),
        "{text}"
    );

    let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("image");
    fs::create_dir_all(&scratch).expect("scratch");
    let declarations = text.split("\nstatic void").next().expect("declarations");
    // Line markers are for preprocessed text.
    let declarations = declarations
        .split_inclusive('\n')
        .filter(|line| !line.starts_with('#'));
    let declarations: String = declarations.collect();
    let (tables, host, program) = (
        scratch.join("tables.c"),
        scratch.join("host.c"),
        scratch.join("program"),
    );
    fs::write(&tables, &text).expect("tables");
    fs::write(&host, format!("{declarations}{HOST}")).expect("host");
    for cc in ["gcc", "clang"] {
        let built = Command::new(cc)
            .args([
                "-Wall",
                "-Wextra",
                "-pedantic",
                "-Wno-long-long",
                "-Werror",
                "-o",
            ])
            .arg(&program)
            .args(["-x", "cpp-output"])
            .arg(&tables)
            .args(["-x", "none"])
            .arg(&host)
            .output()
            .expect("a C compiler");
        assert!(
            built.status.success(),
            "{cc}: {}",
            String::from_utf8_lossy(&built.stderr)
        );
        let run = Command::new(&program).output().expect("the program");
        let expected = OUTPUT
            .replace("SUM", &sum.to_string())
            .replace("VERSION", &ABI_VERSION.to_string());
        assert_eq!(String::from_utf8_lossy(&run.stdout), expected, "{cc}");
    }
}

#[test]
fn an_image_without_sites_is_valid_c() {
    let text = companion(&Companion {
        prefix: "p",
        source: "a.c",
        kernels: "",
        codes: &[],
        opencl: None,
        opencl_cores: None,
        sites: &[],
    });
    let table = format!("accrue_image = {{ {ABI_VERSION}, 0, 0, \"a.c\", 0 }};");
    assert!(text.contains(&table), "{text}");
    assert!(!text.contains("accrue_sites"), "{text}");
}
