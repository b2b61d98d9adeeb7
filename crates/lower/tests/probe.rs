use pliron::{context::Context, irfmt::parsers::spaced, operation::Operation, parsable::parse_from_str, printable::Printable};
use accrue_lower as _;
#[test]
fn normalise() {
    for e in std::fs::read_dir("/tmp/lowt/cases").unwrap() {
        let p = e.unwrap().path();
        if p.extension().is_none_or(|e| e != "ir") { continue; }
        let name = p.file_name().unwrap().to_str().unwrap().replace(".c.ir", "");
        let keep = ["dependence", "levels", "errors", "reduction_errors"].contains(&name.as_str());
        let text = std::fs::read_to_string(&p).unwrap();
        let ctx = &mut Context::new();
        let op = match parse_from_str(spaced(Operation::top_level_parser()), ctx, &text) { Ok(o) => o, Err(e) => { println!("{name}: {}", e.disp(ctx)); continue } };
        pliron::builtin::given_names::erase_given_names(ctx, op);
        if !keep { pliron::location::erase_locations(ctx, op); }
        let (passes, show) = match name.as_str() {
            "scale" => ("implicit-data outline partition drop-host", "ir"),
            "implicit" => ("implicit-data", "ir remarks"),
            "privatize" => ("privatize", "ir"),
            "levels" | "dependence" => ("assign-levels", "remarks"),
            "phases" => ("outline", "ir remarks"),
            "outline" => ("outline", "ir"),
            "partition" => ("partition", "ir"),
            "reductions" => ("drop-host", "ir"),
            "sites" => ("sites", "sites"),
            _ => ("drop-host", "ir"),
        };
        std::fs::write(format!("/work/main/crates/lower/tests/cases/{name}.ir"), format!("// passes: {passes}\n// show: {show}\n{}", op.disp(ctx))).unwrap();
    }
}
