//! What the tests share: a corpus of directives, a sample of each clause, and a short text form of a directive.
#![allow(dead_code, reason = "each test program uses a part of it")]

use accrue_diag::{Place, Position, SourceFiles};
use accrue_directives::{
    ClauseArgs, ClauseKind, DeviceScope, Diagnostic, Directive, DirectiveArgs, DirectiveKind,
    Language, SizeExpr, Span, Subscript, Var, VarKind, WaitArgs, table,
};

/// The directives of the data files, which are all kinds of legal and illegal.
pub fn corpus() -> Vec<(Language, String)> {
    let data = [
        include_str!("../data/legal.txt"),
        include_str!("../data/fortran.txt"),
        include_str!("../data/warnings.txt"),
        include_str!("../data/errors.txt"),
    ];
    let prefixes = [
        ("> c: ", Language::C),
        ("> c++: ", Language::Cxx),
        ("> fortran: ", Language::Fortran),
    ];
    data.iter()
        .flat_map(|file| file.lines())
        .filter_map(|line| {
            prefixes.iter().find_map(|(prefix, language)| {
                line.strip_prefix(prefix)
                    .map(|text| (*language, text.to_string()))
            })
        })
        .collect()
}

/// A clause as a user would write it.
pub fn sample(clause: ClauseKind) -> &'static str {
    match clause {
        ClauseKind::If => "if(c)",
        ClauseKind::SelfCondition => "self",
        ClauseKind::Async => "async(1)",
        ClauseKind::Wait => "wait(1)",
        ClauseKind::NumGangs => "num_gangs(8)",
        ClauseKind::NumWorkers => "num_workers(4)",
        ClauseKind::VectorLength => "vector_length(32)",
        ClauseKind::Private => "private(x)",
        ClauseKind::FirstPrivate => "firstprivate(x)",
        ClauseKind::Reduction => "reduction(+: x)",
        ClauseKind::Default => "default(none)",
        ClauseKind::Copy => "copy(x)",
        ClauseKind::CopyIn => "copyin(x)",
        ClauseKind::CopyOut => "copyout(x)",
        ClauseKind::Create => "create(x)",
        ClauseKind::NoCreate => "no_create(x)",
        ClauseKind::Present => "present(x)",
        ClauseKind::DevicePtr => "deviceptr(x)",
        ClauseKind::Attach => "attach(x)",
        ClauseKind::Detach => "detach(x)",
        ClauseKind::Delete => "delete(x)",
        ClauseKind::Finalize => "finalize",
        ClauseKind::UseDevice => "use_device(x)",
        ClauseKind::IfPresent => "if_present",
        ClauseKind::Collapse => "collapse(2)",
        ClauseKind::Gang => "gang",
        ClauseKind::Worker => "worker",
        ClauseKind::Vector => "vector",
        ClauseKind::Seq => "seq",
        ClauseKind::Independent => "independent",
        ClauseKind::Auto => "auto",
        ClauseKind::Tile => "tile(4)",
        ClauseKind::DeviceType => "device_type(nvidia)",
        ClauseKind::Bind => "bind(g)",
        ClauseKind::NoHost => "nohost",
        ClauseKind::DeviceResident => "device_resident(x)",
        ClauseKind::Link => "link(x)",
        ClauseKind::DeviceNum => "device_num(0)",
        ClauseKind::DefaultAsync => "default_async(1)",
        ClauseKind::UpdateSelf => "host(x)",
        ClauseKind::UpdateDevice => "device(x)",
    }
}

/// The directive with its argument and, unless `clause` is one of them, a clause that it cannot do without.
pub fn directive_before(directive: DirectiveKind, clause: ClauseKind) -> String {
    let mut text = directive.name().to_string();
    if directive == DirectiveKind::Cache {
        text += "(a[i])";
    }
    if directive == DirectiveKind::Routine && clause == ClauseKind::NoHost {
        text += " seq";
    }
    if let Some(required) = table::required(directive)
        && !required.one_of.contains(&clause)
    {
        // Another name than that of the samples, since `declare` takes each name once.
        text += &format!(" {}", sample(required.one_of[0]).replace('x', "y"));
    }
    text
}

/// The directive, one line for its name and argument and one for each clause, without any blanks or comments of the
/// source outside of expressions.
pub fn describe(directive: &Directive, text: &str) -> String {
    let mut lines = vec![format!(
        "{}{}",
        directive.kind.name(),
        describe_directive_args(&directive.args, text)
    )];
    for clause in &directive.clauses {
        let mut line = format!("  {:?} `{}`", clause.kind, clause.name_span.of(text));
        for modifier in &clause.modifiers {
            line += &format!(" {}", modifier.kind.name());
        }
        line += &describe_args(&clause.args, text);
        if let DeviceScope::Listed(types) = &clause.devices {
            let names: Vec<String> = types
                .iter()
                .map(|device| format!("{:?}", device.kind))
                .collect();
            line += &format!(" for {}", names.join(", "));
        }
        lines.push(line);
    }
    lines.join("\n")
}

fn describe_directive_args(args: &DirectiveArgs, text: &str) -> String {
    match args {
        DirectiveArgs::None => String::new(),
        DirectiveArgs::Wait(wait) => describe_wait(wait, text),
        DirectiveArgs::Cache { readonly, vars } => {
            let readonly = if readonly.is_some() { " readonly" } else { "" };
            format!("{readonly}{}", describe_vars(vars, text))
        }
        DirectiveArgs::Atomic { kind, span } => {
            format!(
                " {}{}",
                kind.name(),
                if span.is_some() { "" } else { " by default" }
            )
        }
        DirectiveArgs::Routine { name } => format!(" {}", name.of(text)),
    }
}

fn describe_args(args: &ClauseArgs, text: &str) -> String {
    let expr = |span: &Span| format!("<{}>", span.of(text));
    let optional = |name: &str, span: &Option<Span>| {
        span.map_or(String::new(), |span| format!(" {name}=<{}>", span.of(text)))
    };
    match args {
        ClauseArgs::None => String::new(),
        ClauseArgs::Expr(span) | ClauseArgs::Worker(span) | ClauseArgs::Vector(span) => {
            format!(" {}", expr(span))
        }
        ClauseArgs::Exprs(spans) => spans
            .iter()
            .map(|span| format!(" {}", expr(span)))
            .collect(),
        ClauseArgs::Vars(vars) => describe_vars(vars, text),
        ClauseArgs::Reduction {
            operator,
            operator_span,
            vars,
        } => {
            format!(
                " {operator:?} `{}`{}",
                operator_span.of(text),
                describe_vars(vars, text)
            )
        }
        ClauseArgs::Wait(wait) => describe_wait(wait, text),
        ClauseArgs::Devices(types) => types
            .iter()
            .map(|device| format!(" {:?} `{}`", device.kind, device.span.of(text)))
            .collect(),
        ClauseArgs::Default { value, .. } => format!(" {}", value.name()),
        ClauseArgs::Collapse { force, count } => {
            format!(
                "{} {}",
                if force.is_some() { " force" } else { "" },
                expr(count)
            )
        }
        ClauseArgs::Gang {
            num,
            dim,
            static_size,
        } => {
            let size = static_size.map_or(String::new(), |size| {
                format!(" static={}", describe_size(&size, text))
            });
            format!("{}{}{size}", optional("num", num), optional("dim", dim))
        }
        ClauseArgs::Tile(sizes) => sizes
            .iter()
            .map(|size| format!(" {}", describe_size(size, text)))
            .collect(),
        ClauseArgs::Bind { name, string } => {
            format!(" {}{}", if *string { "string " } else { "" }, name.of(text))
        }
    }
}

fn describe_size(size: &SizeExpr, text: &str) -> String {
    match size {
        SizeExpr::Any(_) => "*".to_string(),
        SizeExpr::Expr(span) => format!("<{}>", span.of(text)),
    }
}

fn describe_wait(wait: &WaitArgs, text: &str) -> String {
    let devnum = wait
        .devnum
        .map_or(String::new(), |span| format!(" devnum=<{}>", span.of(text)));
    let queues: String = wait
        .queues
        .iter()
        .map(|span| format!(" <{}>", span.of(text)))
        .collect();
    devnum + &queues
}

fn describe_vars(vars: &[Var], text: &str) -> String {
    vars.iter()
        .map(|var| format!(" {}", describe_var(var, text)))
        .collect::<Vec<_>>()
        .join(",")
}

fn describe_var(var: &Var, text: &str) -> String {
    let part = |span: &Option<Span>| span.map_or("", |span| span.of(text)).to_string();
    let mut line = match var.kind {
        VarKind::Object => format!("<{}>", var.base.of(text)),
        VarKind::CommonBlock => format!("common <{}>", var.base.of(text)),
    };
    for subscript in &var.subscripts {
        line += &match subscript {
            Subscript::Index(span) => format!("[{}]", span.of(text)),
            Subscript::Section {
                lower,
                length,
                stride: None,
                ..
            } => {
                format!("[{} length {}]", part(lower), part(length))
            }
            Subscript::Section {
                lower,
                length,
                stride,
                ..
            } => format!(
                "[{} length {} by {}]",
                part(lower),
                part(length),
                part(stride)
            ),
            Subscript::Triplet {
                lower,
                upper,
                stride,
                ..
            } => {
                format!("[{} to {} by {}]", part(lower), part(upper), part(stride))
            }
        };
    }
    line
}

/// The diagnostic as the user sees it, if the directive stands in `file` behind `indentation`.
pub fn shown(
    diagnostic: &Diagnostic,
    indentation: &str,
    text: &str,
    language: Language,
    color: bool,
) -> String {
    let source = format!("{indentation}{} {text}", language.sentinel());
    let offset = source.len() - text.len();
    let place = |span: Span| {
        let start = (span.start + offset).min(source.len());
        let before = &source.as_bytes()[..start];
        let line_start = before.iter().rposition(|&byte| byte == b'\n');
        let line_start = line_start.map_or(0, |end| end + 1);
        Place {
            position: Position {
                file: "file".into(),
                line: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
                column: start - line_start + 1,
            },
            length: span.end.saturating_sub(span.start),
        }
    };
    let files = SourceFiles::default();
    files.insert("file", source.as_bytes());
    accrue_diag::render(&[diagnostic.clone().map_places(place)], &files, color)
}
