//! What stands in the parentheses of each clause; of those with variables, see [`super::data_args`].

use super::Parser;
use crate::Diagnostic;
use crate::Span;
use crate::ast::{
    ClauseArgs, ClauseKind, DefaultValue, DeviceType, DeviceTypeKind, DirectiveKind, Modifier,
    SizeExpr, WaitArgs,
};
use crate::scan::is_word_byte;
use crate::suggest::{list, nearest};

/// The form of a clause's argument.
enum Form {
    None,
    OptionalExpr,
    Expr,
    Exprs,
    Vars,
    Reduction,
    OptionalWait,
    Devices,
    Default,
    Collapse,
    OptionalGang,
    OptionalLevel,
    Tile,
    Bind,
}

fn form(kind: ClauseKind) -> Form {
    match kind {
        ClauseKind::Finalize
        | ClauseKind::IfPresent
        | ClauseKind::Seq
        | ClauseKind::Independent
        | ClauseKind::Auto
        | ClauseKind::NoHost => Form::None,
        ClauseKind::SelfCondition | ClauseKind::Async => Form::OptionalExpr,
        ClauseKind::If
        | ClauseKind::NumWorkers
        | ClauseKind::VectorLength
        | ClauseKind::DeviceNum
        | ClauseKind::DefaultAsync => Form::Expr,
        ClauseKind::NumGangs => Form::Exprs,
        ClauseKind::Private
        | ClauseKind::FirstPrivate
        | ClauseKind::Copy
        | ClauseKind::CopyIn
        | ClauseKind::CopyOut
        | ClauseKind::Create
        | ClauseKind::NoCreate
        | ClauseKind::Present
        | ClauseKind::DevicePtr
        | ClauseKind::Attach
        | ClauseKind::Detach
        | ClauseKind::Delete
        | ClauseKind::UseDevice
        | ClauseKind::DeviceResident
        | ClauseKind::Link
        | ClauseKind::UpdateSelf
        | ClauseKind::UpdateDevice => Form::Vars,
        ClauseKind::Reduction => Form::Reduction,
        ClauseKind::Wait => Form::OptionalWait,
        ClauseKind::DeviceType => Form::Devices,
        ClauseKind::Default => Form::Default,
        ClauseKind::Collapse => Form::Collapse,
        ClauseKind::Gang => Form::OptionalGang,
        ClauseKind::Worker | ClauseKind::Vector => Form::OptionalLevel,
        ClauseKind::Tile => Form::Tile,
        ClauseKind::Bind => Form::Bind,
    }
}

impl Parser<'_> {
    /// The modifiers and the argument of a clause; nothing, with a report, if there is a mistake in them.
    pub(super) fn clause_args(
        &mut self,
        directive: DirectiveKind,
        kind: ClauseKind,
        name: Span,
        group: Option<Span>,
    ) -> Option<(Vec<Modifier>, ClauseArgs)> {
        let form = form(kind);
        let Some(group) = group else {
            return match form {
                Form::None
                | Form::OptionalExpr
                | Form::OptionalWait
                | Form::OptionalGang
                | Form::OptionalLevel => Some((Vec::new(), ClauseArgs::None)),
                Form::Expr
                | Form::Exprs
                | Form::Vars
                | Form::Reduction
                | Form::Devices
                | Form::Default
                | Form::Collapse
                | Form::Tile
                | Form::Bind => {
                    let word = self.text.of(name);
                    self.fail(
                        Diagnostic::error(
                            name,
                            format!("`{word}` needs an argument in parentheses"),
                        )
                        .section(kind.section()),
                    )
                }
            };
        };
        let inside = self.text.inside(group);
        let args = match form {
            Form::None => {
                let word = self.text.of(name);
                return self.fail(
                    Diagnostic::error(group, format!("`{word}` takes no argument"))
                        .help("remove the parentheses")
                        .section(kind.section()),
                );
            }
            Form::OptionalExpr | Form::Expr => {
                let expr = if inside.is_empty() { group } else { inside };
                ClauseArgs::Expr(self.only_expr(kind, expr, group)?)
            }
            Form::Exprs => {
                ClauseArgs::Exprs(self.exprs(inside, group, kind.name(), kind.section())?)
            }
            Form::Vars => return self.data_args(directive, kind, name, group),
            Form::Reduction => self.reduction_args(inside, group)?,
            Form::OptionalWait => ClauseArgs::Wait(self.wait_args(group)?),
            Form::Devices => self.device_args(inside, group)?,
            Form::Default => self.default_args(inside, group)?,
            Form::Collapse => self.collapse_args(inside, group)?,
            Form::OptionalGang => self.gang_args(inside, group)?,
            Form::OptionalLevel => self.level_args(kind, inside, group)?,
            Form::Tile => {
                let sizes = self.exprs(inside, group, "tile", "2.9.8")?;
                ClauseArgs::Tile(sizes.into_iter().map(|size| self.size_expr(size)).collect())
            }
            Form::Bind => self.bind_args(inside, group)?,
        };
        Some((Vec::new(), args))
    }

    /// One expression.
    fn only_expr(&mut self, kind: ClauseKind, inside: Span, group: Span) -> Option<Span> {
        let exprs = self.exprs(inside, group, kind.name(), kind.section())?;
        match exprs.as_slice() {
            [only] => Some(*only),
            [..] => self.fail(
                Diagnostic::error(
                    inside,
                    format!(
                        "`{}` takes one expression, not {}",
                        kind.name(),
                        exprs.len()
                    ),
                )
                .section(kind.section()),
            ),
        }
    }

    /// A comma-separated list of at least one expression.
    pub(crate) fn exprs(
        &mut self,
        inside: Span,
        group: Span,
        of: &str,
        section: &'static str,
    ) -> Option<Vec<Span>> {
        let missing = |span| {
            Diagnostic::error(span, format!("an expression is missing in `{of}`")).section(section)
        };
        if inside.is_empty() || inside == group {
            return self.fail(missing(group));
        }
        let exprs = self.text.split_commas(inside);
        if exprs.iter().any(|expr| expr.is_empty()) {
            return self.fail(missing(group));
        }
        Some(exprs)
    }

    fn size_expr(&self, span: Span) -> SizeExpr {
        if self.text.of(span) == "*" {
            SizeExpr::Any(span)
        } else {
            SizeExpr::Expr(span)
        }
    }

    /// `[devnum: n:] [queues:] queue, …`
    pub(super) fn wait_args(&mut self, group: Span) -> Option<WaitArgs> {
        let is = |parser: &Self, word: Span, keyword: &str| {
            parser
                .text
                .language
                .is_keyword(parser.text.of(word), keyword)
        };
        let mut rest = self.text.inside(group);
        let mut devnum = None;
        if let Some((word, after)) = self
            .text
            .keyword_colon(rest)
            .filter(|(word, _)| is(self, *word, "devnum"))
        {
            let Some(colon) = self.text.colons(after).first().copied() else {
                return self.fail(
                    Diagnostic::error(
                        Span::new(word.start, after.end),
                        "`devnum` needs a colon and queues after its number",
                    )
                    .help("write `devnum: number: queues: queue, …`")
                    .section("2.16"),
                );
            };
            let number = self.text.trim(Span::new(after.start, colon));
            if number.is_empty() {
                return self.fail(
                    Diagnostic::error(word, "a device number is missing after `devnum`")
                        .section("2.16"),
                );
            }
            devnum = Some(number);
            rest = self.text.trim(Span::new(colon + 1, after.end));
        }
        if let Some((word, after)) = self.text.keyword_colon(rest) {
            if !is(self, word, "queues") {
                let known = if devnum.is_some() {
                    "`queues`"
                } else {
                    "`devnum` and `queues`"
                };
                return self.fail(
                    Diagnostic::error(
                        word,
                        format!("`{}` is not a keyword of `wait`", self.text.of(word)),
                    )
                    .help(format!("its keywords are {known}"))
                    .section("2.16"),
                );
            }
            rest = after;
        }
        let queues = self.exprs(rest, group, "wait", "2.16")?;
        Some(WaitArgs { devnum, queues })
    }

    /// `*` or `name, …`
    fn device_args(&mut self, inside: Span, group: Span) -> Option<ClauseArgs> {
        let words = self.exprs(inside, group, "device_type", "2.4")?;
        let alone = words.len() == 1;
        let mut types = Vec::new();
        for span in words {
            let word = self.text.of(span);
            let kind = match word {
                "*" if alone => DeviceTypeKind::Any,
                "*" => {
                    return self.fail(
                        Diagnostic::error(span, "`*` stands alone in `device_type`")
                            .help("it means every type that no other `device_type` clause names")
                            .section("2.4"),
                    );
                }
                _ if word.bytes().all(is_word_byte) => DeviceTypeKind::from_name(word),
                _ => {
                    return self.fail(
                        Diagnostic::error(span, "a device type is a name or `*`").section("2.4"),
                    );
                }
            };
            if kind == DeviceTypeKind::Unknown {
                let names: Vec<&str> = DeviceTypeKind::NAMED
                    .iter()
                    .map(|kind| kind.name())
                    .collect();
                let warning = Diagnostic::warning(span, format!("no device has the type `{word}`"))
                    .note("the clauses for it have no effect")
                    .section("2.4");
                let warning = match nearest(word, names.iter().copied()) {
                    Some(name) => warning.help(format!("did you mean `{name}`?")),
                    None => warning.help(format!("the types are {}", list(names, "and"))),
                };
                self.report(warning);
            }
            types.push(DeviceType { kind, span });
        }
        Some(ClauseArgs::Devices(types))
    }

    fn default_args(&mut self, inside: Span, group: Span) -> Option<ClauseArgs> {
        let word = self.text.of(inside);
        let value = DefaultValue::ALL
            .into_iter()
            .find(|value| self.text.language.is_keyword(word, value.name()));
        match value {
            Some(value) => Some(ClauseArgs::Default {
                value,
                span: inside,
            }),
            None => self.fail(
                Diagnostic::error(
                    if inside.is_empty() { group } else { inside },
                    "`default` takes `none` or `present`",
                )
                .section("2.5.16"),
            ),
        }
    }

    /// `[force:] n`
    fn collapse_args(&mut self, inside: Span, group: Span) -> Option<ClauseArgs> {
        let (force, count) = match self.text.keyword_colon(inside) {
            Some((word, count)) if self.text.language.is_keyword(self.text.of(word), "force") => {
                (Some(word), count)
            }
            Some((word, _)) => return self.unknown_keyword(word, "collapse", &["force"], "2.9.1"),
            None => (None, inside),
        };
        let count = self.only_expr(ClauseKind::Collapse, count, group)?;
        Some(ClauseArgs::Collapse { force, count })
    }

    fn unknown_keyword<T>(
        &mut self,
        word: Span,
        of: &str,
        known: &[&str],
        section: &'static str,
    ) -> Option<T> {
        self.fail(
            Diagnostic::error(
                word,
                format!("`{}` is not a keyword of `{of}`", self.text.of(word)),
            )
            .help(format!("it has {}", list(known.iter().copied(), "and")))
            .section(section),
        )
    }

    /// `[num:] n`, `dim: n`, `static: size`, each at most once
    fn gang_args(&mut self, inside: Span, group: Span) -> Option<ClauseArgs> {
        let section = ClauseKind::Gang.section();
        let parts = self.exprs(inside, group, "gang", section)?;
        let (mut num, mut dim, mut static_size) = (None, None, None);
        for part in parts {
            let (keyword, value) = match self.text.keyword_colon(part) {
                Some((keyword, value)) => (Some(keyword), value),
                None => (None, part),
            };
            let word = keyword.map_or("num", |keyword| self.text.of(keyword));
            if value.is_empty() {
                return self.fail(
                    Diagnostic::error(part, format!("an expression is missing after `{word}`"))
                        .section(section),
                );
            }
            let is = |name| self.text.language.is_keyword(word, name);
            let repeated = if is("num") {
                num.replace(value).is_some()
            } else if is("dim") {
                dim.replace(value).is_some()
            } else if is("static") {
                static_size.replace(self.size_expr(value)).is_some()
            } else {
                return self.unknown_keyword(
                    keyword.unwrap_or(part),
                    "gang",
                    &["num", "dim", "static"],
                    section,
                );
            };
            if repeated {
                return self.fail(
                    Diagnostic::error(part, format!("`gang` has more than one `{word}` argument"))
                        .section(section),
                );
            }
        }
        Some(ClauseArgs::Gang {
            num,
            dim,
            static_size,
        })
    }

    /// `[num:] n` of `worker`, `[length:] n` of `vector`
    fn level_args(&mut self, kind: ClauseKind, inside: Span, group: Span) -> Option<ClauseArgs> {
        let is_worker = kind == ClauseKind::Worker;
        let keyword = if is_worker { "num" } else { "length" };
        let value = match self.text.keyword_colon(inside) {
            Some((word, value)) if self.text.language.is_keyword(self.text.of(word), keyword) => {
                value
            }
            Some((word, _)) => {
                return self.unknown_keyword(word, kind.name(), &[keyword], kind.section());
            }
            None => inside,
        };
        let expr = self.only_expr(kind, value, group)?;
        Some(if is_worker {
            ClauseArgs::Worker(expr)
        } else {
            ClauseArgs::Vector(expr)
        })
    }

    /// `name` or `"name"`
    fn bind_args(&mut self, inside: Span, group: Span) -> Option<ClauseArgs> {
        let text = self.text.of(inside);
        let quoted = ['"', '\'']
            .into_iter()
            .any(|quote| text.len() > 2 && text.starts_with(quote) && text.ends_with(quote));
        if quoted {
            let name = Span::new(inside.start + 1, inside.end - 1);
            return Some(ClauseArgs::Bind { name, string: true });
        }
        if !inside.is_empty() && self.is_qualified_name(inside) {
            return Some(ClauseArgs::Bind {
                name: inside,
                string: false,
            });
        }
        let place = if inside.is_empty() { group } else { inside };
        self.fail(Diagnostic::error(place, "`bind` takes a name or a string").section("2.15.1"))
    }
}
