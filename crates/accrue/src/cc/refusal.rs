//! Options that directives cannot be compiled with: they give the host's code another meaning than regions can have.

use super::arguments::Item;
use super::commands::Commands;
use super::options::Role;
use accrue_front_c::text::preprocess::Family;
use std::ffi::{OsStr, OsString};

impl Commands<'_> {
    /// Why directives cannot be compiled with one of the options.
    pub fn refusal(&self) -> Option<String> {
        let items = self.named.iter().chain([self.invocation]);
        let refused = items.flat_map(|invocation| &invocation.items);
        let refused = refused.filter_map(|item| match item {
            Item::Option {
                words,
                role: Role::Refused(what, way_out),
            } => Some((words.join(OsStr::new(" ")), *what, *way_out)),
            Item::Option { .. } | Item::Input(_) => None,
        });
        let (option, what, way_out) = refused
            .into_iter()
            .next()
            .or_else(|| self.wide_arithmetic())
            .or_else(|| self.narrow_alignment())?;
        Some(format!(
            "directives cannot be compiled with `{}`: {what}, but not in regions; {way_out}",
            option.to_string_lossy()
        ))
    }

    /// The processor's old floating-point unit, where the standard says that its precision shows.
    fn wide_arithmetic(&self) -> Option<(OsString, &'static str, &'static str)> {
        let options = self.all_options(Role::concerns_code);
        let last = |prefix: &str| {
            let found = options
                .iter()
                .rev()
                .find(|word| word.as_encoded_bytes().starts_with(prefix.as_bytes()))?;
            found.to_str()
        };
        let unit =
            last("-mfpmath=").filter(|word| word.contains("387") || word.contains("both"))?;
        let shows = match last("-fexcess-precision=") {
            Some(precision) => precision.ends_with("=standard"),
            None => self.is_iso(),
        };
        shows.then_some((
            unit.into(),
            "intermediate results have the precision of `long double`",
            "use -mfpmath=sse, or -fexcess-precision=fast, which leaves the precision open",
        ))
    }

    /// What gcc does not do on 64-bit machines, and clang does.
    fn narrow_alignment(&self) -> Option<(OsString, &'static str, &'static str)> {
        let options = self.all_options(Role::concerns_code);
        let given = options.iter().any(|word| word == "-malign-double");
        (given && self.host.family() == Family::Clang).then_some((
            "-malign-double".into(),
            "clang aligns `long double` to 8 bytes with it",
            "leave it out: `double` is aligned to 8 bytes anyway",
        ))
    }
}
