//! "Did you mean …?": the known word that is nearest to what the user wrote.

/// The candidate that differs least from `word`, if it is near enough to be what was meant. Upper and lower case
/// count as equal, since that is the most common slip of those who also write Fortran.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let limit = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and swaps of neighbours that make `from` into `to`.
fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
    let width = to.len() + 1;
    let mut table = vec![0usize; (from.len() + 1) * width];
    let index = |row: usize, column: usize| row * width + column;
    for row in 0..=from.len() {
        for column in 0..=to.len() {
            table[index(row, column)] = if row == 0 || column == 0 {
                row + column
            } else {
                let differs = usize::from(from[row - 1] != to[column - 1]);
                let mut best = (table[index(row - 1, column)] + 1)
                    .min(table[index(row, column - 1)] + 1)
                    .min(table[index(row - 1, column - 1)] + differs);
                let swapped = row > 1
                    && column > 1
                    && from[row - 1] == to[column - 2]
                    && from[row - 2] == to[column - 1];
                if swapped {
                    best = best.min(table[index(row - 2, column - 2)] + 1);
                }
                best
            };
        }
    }
    table[index(from.len(), to.len())]
}

/// `a`, `b` or `c`, each in backquotes.
pub(crate) fn list<'a>(words: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("copyin", "copyin"), 0);
        assert_eq!(distance("copyni", "copyin"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn only_near_words_are_suggested() {
        assert_eq!(nearest("copying", ["copy", "copyin"]), Some("copyin"));
        assert_eq!(nearest("COPYIN", ["copy", "copyin"]), Some("copyin"));
        assert_eq!(nearest("banana", ["copy", "copyin"]), None);
    }
}
