//! Tables of options in the documentation, compared with those of the program.
//!
//! ```text
//! <!-- table: NAME -->
//! | option | … |
//! <!-- end -->
//! ```

/// Fails unless the document at `path` shows `table` under `name`; `ACCRUE_BLESS=1` writes it there.
pub fn check(path: &str, name: &str, table: &str) {
    let document = std::fs::read_to_string(path).unwrap();
    let mark = format!("<!-- table: {name} -->\n");
    let (before, rest) = document.split_once(&mark).unwrap();
    let (shown, after) = rest.split_once("<!-- end -->").unwrap();
    if shown == table {
        return;
    }
    assert!(
        std::env::var_os("ACCRUE_BLESS").is_some(),
        "{path} does not show the table of {name}; ACCRUE_BLESS=1 writes it"
    );
    std::fs::write(path, format!("{before}{mark}{table}<!-- end -->{after}")).unwrap();
}
