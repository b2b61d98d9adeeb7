//! Words that an option hands on to the preprocessor: `-Wp,WORD,…` and `-Xpreprocessor WORD`.
//!
//! Problem: among them may be options that change only what `-E` prints (`-P`, `-dM`). The driver reads its own `-E`: without
//! line markers it cannot tell the user's text from that of headers, and with `-dM` there are no directives in it.
//!
//! ```text
//! -Wp,-P,-DX=1   ->  -Wp,-DX=1
//! -Xpreprocessor -dM  ->  (nothing)
//! ```

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::options::{self, Role};

/// The words of a command line without options about the form of `-E`'s output that are handed on.
pub fn without_forms(words: Vec<OsString>) -> Vec<OsString> {
    let mut kept = Vec::with_capacity(words.len());
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "-Xpreprocessor" {
            let handed = words.next();
            if !handed
                .as_deref()
                .is_some_and(|handed| is_form(handed.as_bytes()))
            {
                kept.push(word);
                kept.extend(handed);
            }
        } else if let Some(list) = word.as_bytes().strip_prefix(b"-Wp,") {
            kept.extend(list_without_forms(list));
        } else {
            kept.push(word);
        }
    }
    kept
}

/// `-Wp,` with what is left of the list; nothing if nothing is.
fn list_without_forms(list: &[u8]) -> Option<OsString> {
    let left: Vec<&[u8]> = list
        .split(|&byte| byte == b',')
        .filter(|word| !is_form(word))
        .collect();
    let joined = [b"-Wp,", &left.join(&b',')[..]].concat();
    (!left.is_empty()).then(|| OsString::from_vec(joined))
}

fn is_form(word: &[u8]) -> bool {
    options::find(word).is_some_and(|rule| rule.role == Role::PreprocessForm)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn only_forms_are_left_out() {
        let of = |text: &str| {
            let words = text.split(' ').map(OsString::from).collect();
            let kept = without_forms(words);
            kept.join(OsStr::new(" ")).into_string().unwrap_or_default()
        };
        assert_eq!(of("-Wp,-P,-DX=1 -O2"), "-Wp,-DX=1 -O2");
        assert_eq!(of("-Wp,-P a"), "a");
        assert_eq!(of("-Wp,-MD,x.d"), "-Wp,-MD,x.d");
        assert_eq!(
            of("-Xpreprocessor -dM -Xpreprocessor -DX"),
            "-Xpreprocessor -DX"
        );
        assert_eq!(of("-Xpreprocessor"), "-Xpreprocessor");
    }
}
