//! Expands macros in directive lines, for compilers that do not do it themselves.
//!
//! The input is the output of `-E -dD`, in which the definitions stand where they were made:
//!
//! ```text
//! #define N 10
//! #pragma acc parallel copy(a[0:N])      →      #pragma acc parallel copy(a[0:10])
//! ```
//!
//! The definitions leave empty lines behind. The expansion is that of C11 6.10.3 (with hide sets, after Dave Prosser's
//! algorithm) and GNU's `, ## __VA_ARGS__`. As with gcc, the first word of a directive is not expanded.

use super::lexer::{Lexer, TokenKind, is_word};
use super::sentinel::Sentinel;
use std::collections::{HashMap, HashSet, VecDeque};

/// Expands the directive lines of a `-E -dD` output and blanks its definitions.
pub fn expand_directives(text: &[u8]) -> Vec<u8> {
    let mut output = Vec::with_capacity(text.len());
    let mut macros = Macros::default();
    let mut at = 0;
    for token in Lexer::new(text).filter(|token| token.kind == TokenKind::Line) {
        let line = token.of(text);
        let replacement = if let Some((_, body)) = Sentinel::of_line(line) {
            [
                &line[..body],
                macros.expand_directive(&line[body..]).as_bytes(),
            ]
            .concat()
        } else if macros.note(line) {
            Vec::new()
        } else {
            continue;
        };
        output.extend_from_slice(&text[at..token.start]);
        output.extend_from_slice(&replacement);
        at = token.end;
    }
    output.extend_from_slice(&text[at..]);
    output
}

/// A token of a macro or directive.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    /// Whether a blank stood before it.
    spaced: bool,
    /// Whether it met its left neighbour only by expansion, so that a blank may be needed to keep them apart.
    edge: bool,
    /// The macros it came from, which must not expand again.
    hidden: HashSet<String>,
}

#[derive(Clone, Debug)]
struct Macro {
    /// `None` for an object-like macro.
    parameters: Option<Vec<String>>,
    /// Whether the last parameter takes all further arguments.
    variadic: bool,
    body: Vec<Word>,
}

#[derive(Default)]
struct Macros {
    defined: HashMap<String, Macro>,
}

impl Macros {
    /// Takes note of a `#define` or `#undef` line; returns whether it is one.
    fn note(&mut self, line: &[u8]) -> bool {
        let text = String::from_utf8_lossy(line);
        let rest = text.trim_start_matches('#').trim_start();
        if let Some(name) = rest.strip_prefix("undef") {
            self.defined.remove(name.trim());
            return true;
        }
        let Some(definition) = rest.strip_prefix("define") else {
            return false;
        };
        let definition = definition.trim_start();
        let end = definition
            .find(|c: char| !is_word_char(c))
            .unwrap_or(definition.len());
        let (name, rest) = definition.split_at(end);
        if let Some(parsed) = parse_macro(rest) {
            self.defined.insert(name.to_string(), parsed);
        }
        true
    }

    fn expand_directive(&self, body: &[u8]) -> String {
        let mut words = words(&String::from_utf8_lossy(body));
        let rest = words.split_off(words.len().min(1));
        words.extend(self.expand(rest));
        print(&words)
    }

    fn expand(&self, words: Vec<Word>) -> Vec<Word> {
        let mut input = VecDeque::from(words);
        let mut output = Vec::new();
        while let Some(word) = input.pop_front() {
            let found = self
                .defined
                .get(&word.text)
                .filter(|_| !word.hidden.contains(&word.text));
            let Some(found) = found else {
                output.push(word);
                continue;
            };
            let (arguments, mut hidden) = match &found.parameters {
                None => (Vec::new(), word.hidden.clone()),
                Some(parameters) => {
                    match take_arguments(&mut input, parameters.len(), found.variadic) {
                        Some((arguments, close)) => (arguments, &word.hidden & &close),
                        None => {
                            output.push(word);
                            continue;
                        }
                    }
                }
            };
            hidden.insert(word.text.clone());
            let mut expansion = self.substitute(found, &arguments);
            for new in &mut expansion {
                new.hidden.extend(hidden.iter().cloned());
            }
            if let Some(first) = expansion.first_mut() {
                (first.spaced, first.edge) = (word.spaced, true);
            }
            if let Some(next) = input.front_mut() {
                next.edge = true;
                next.spaced |= expansion.is_empty() && word.spaced;
            }
            for new in expansion.into_iter().rev() {
                input.push_front(new);
            }
        }
        output
    }

    /// The body of a macro with its parameters replaced.
    fn substitute(&self, found: &Macro, arguments: &[Vec<Word>]) -> Vec<Word> {
        let parameter = |word: &Word| {
            found
                .parameters
                .as_ref()?
                .iter()
                .position(|name| *name == word.text)
        };
        let body = &found.body;
        let mut output: Vec<Word> = Vec::new();
        let mut at = 0;
        while at < body.len() {
            let word = &body[at];
            let pastes_next = is_paste(body, at + 1);
            if is_paste(body, at) {
                // `left ## right`; the right side goes in unexpanded.
                let right = body.get(at + 2);
                let mut pasted = match right.and_then(parameter) {
                    Some(index) => arguments[index].clone(),
                    None => right.into_iter().cloned().collect(),
                };
                let comma = output.last().is_some_and(|left| left.text == ",");
                let last_parameter = found.parameters.as_ref().map_or(0, Vec::len).checked_sub(1);
                if comma && found.variadic && right.and_then(parameter) == last_parameter {
                    // GNU: `, ## __VA_ARGS__` drops the comma when there are no arguments.
                    if pasted.is_empty() {
                        output.pop();
                    }
                } else if let (Some(left), false) = (output.last_mut(), pasted.is_empty()) {
                    left.text.push_str(&pasted.remove(0).text);
                }
                output.append(&mut pasted);
                at += 3;
            } else if let ("#", Some(index)) =
                (word.text.as_str(), body.get(at + 1).and_then(parameter))
            {
                output.push(Word {
                    text: stringize(&arguments[index]),
                    ..word.clone()
                });
                at += 2;
            } else if let Some(index) = parameter(word) {
                let mut argument = arguments[index].clone();
                if !pastes_next {
                    argument = self.expand(argument);
                }
                if let Some(first) = argument.first_mut() {
                    (first.spaced, first.edge) = (word.spaced, true);
                }
                output.append(&mut argument);
                at += 1;
            } else {
                output.push(word.clone());
                at += 1;
            }
        }
        output
    }
}

/// Whether `##` stands at an index.
fn is_paste(body: &[Word], at: usize) -> bool {
    matches!(body.get(at..at + 2), Some([first, second]) if first.text == "#" && second.text == "#" && !second.spaced)
}

/// Parses what follows the name in a `#define` line.
fn parse_macro(rest: &str) -> Option<Macro> {
    let Some(list) = rest.strip_prefix('(') else {
        return Some(Macro {
            parameters: None,
            variadic: false,
            body: words(rest),
        });
    };
    let (list, body) = list.split_once(')')?;
    let mut parameters: Vec<String> = list
        .split(',')
        .map(|name| name.trim().to_string())
        .collect();
    parameters.retain(|name| !name.is_empty());
    let last = parameters.last_mut();
    let variadic = last.as_ref().is_some_and(|name| name.ends_with("..."));
    if let Some(name) = last.filter(|_| variadic) {
        let own = name.trim_end_matches('.').trim().to_string();
        *name = if own.is_empty() {
            "__VA_ARGS__".to_string()
        } else {
            own
        };
    }
    Some(Macro {
        parameters: Some(parameters),
        variadic,
        body: words(body),
    })
}

/// The arguments of a macro call and the hide set of its `)`; nothing is taken if no complete call follows.
fn take_arguments(
    input: &mut VecDeque<Word>,
    count: usize,
    variadic: bool,
) -> Option<(Vec<Vec<Word>>, HashSet<String>)> {
    if input.front()?.text != "(" {
        return None;
    }
    let mut depth = 0usize;
    let mut arguments = vec![Vec::new()];
    for (index, word) in input.iter().enumerate() {
        match word.text.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let hidden = word.hidden.clone();
            arguments.resize(count, Vec::new());
            input.drain(..=index);
            return Some((arguments, hidden));
        }
        let separates = word.text == "," && depth == 1 && !(variadic && arguments.len() == count);
        if separates {
            arguments.push(Vec::new());
        } else if index > 0 {
            arguments.last_mut()?.push(word.clone());
        }
    }
    None
}

fn words(text: &str) -> Vec<Word> {
    let mut end = 0;
    let words = Lexer::inside_line(text.as_bytes()).map(|token| {
        let spaced = token.start > end;
        end = token.end;
        Word {
            text: text[token.start..token.end].to_string(),
            spaced,
            edge: false,
            hidden: HashSet::new(),
        }
    });
    words.collect()
}

fn print(words: &[Word]) -> String {
    let mut text = String::new();
    for word in words {
        if word.spaced || (word.edge && would_merge(&text, &word.text)) {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    text
}

/// Whether two tokens next to each other would read as another one.
fn would_merge(left: &str, right: &str) -> bool {
    let (Some(left), Some(right)) = (left.chars().next_back(), right.chars().next()) else {
        return false;
    };
    let joins = |c: char| "+-*/%<>=!&|^:#.".contains(c);
    (is_word_char(left) && (is_word_char(right) || right == '.')) || (joins(left) && joins(right))
}

fn is_word_char(c: char) -> bool {
    !c.is_ascii() || is_word(c as u8)
}

fn stringize(argument: &[Word]) -> String {
    let text = print(argument);
    format!(
        "\"{}\"",
        text.trim().replace('\\', "\\\\").replace('"', "\\\"")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(definitions: &str, directive: &str) -> String {
        let text = format!("{definitions}\n#pragma acc {directive}\n");
        let output = String::from_utf8(expand_directives(text.as_bytes())).unwrap_or_default();
        output
            .trim_start()
            .strip_prefix("#pragma acc ")
            .unwrap_or(&output)
            .trim_end()
            .to_string()
    }

    #[test]
    fn macros_expand_as_in_c() {
        assert_eq!(
            expand("#define N 10\n#define M (N+1)", "wait(M) async(N)"),
            "wait((10+1)) async(10)"
        );
        assert_eq!(
            expand("#define COPY(x, n) copy(x[0:n])", "data COPY(a, 2*n)"),
            "data copy(a[0:2*n])"
        );
        assert_eq!(
            expand("#define CAT(a,b) a##b\n#define x1 7", "wait(CAT(x,1))"),
            "wait(7)"
        );
        assert_eq!(
            expand("#define BIND(s) bind(#s)", "routine BIND(a \"b\")"),
            r#"routine bind("a \"b\"")"#
        );
        assert_eq!(
            expand("#define V(...) copy(__VA_ARGS__)", "data V(a, b[0:n])"),
            "data copy(a, b[0:n])"
        );
        assert_eq!(
            expand("#define V(a, ...) copy(a, ## __VA_ARGS__)", "data V(x)"),
            "data copy(x)"
        );
    }

    #[test]
    fn recursion_ends() {
        assert_eq!(expand("#define a a+b\n#define b a", "wait(a)"), "wait(a+a)");
        assert_eq!(
            expand("#define f(x) f(x+1)", "wait(f(f(2)))"),
            "wait(f(f(2+1)+1))"
        );
    }

    #[test]
    fn tokens_do_not_merge() {
        assert_eq!(expand("#define M -1", "wait(2-M)"), "wait(2- -1)");
        assert_eq!(expand("#define E", "wait(x E y)"), "wait(x y)");
    }

    #[test]
    fn definitions_hold_where_they_stand() {
        let text =
            "#define N 1\n#pragma acc wait(N)\n#undef N\n#pragma acc wait(N)\n#pragma other x N\n";
        let expected = "\n#pragma acc wait(1)\n\n#pragma acc wait(N)\n#pragma other x N\n";
        assert_eq!(
            String::from_utf8_lossy(&expand_directives(text.as_bytes())),
            expected
        );
    }

    #[test]
    fn the_first_word_and_incomplete_calls_stay() {
        assert_eq!(
            expand(
                "#define parallel serial\n#define f(x) x",
                "parallel if(f) async(f"
            ),
            "parallel if(f) async(f"
        );
    }
}
