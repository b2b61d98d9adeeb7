//! The order of a directive's clauses.
//!
//! They stand in the order of the user's as far as the operations know it: these note the numbers of clauses with variables and with
//! expressions, and clauses without either (`seq`, `finalize`) have the numbers that are left. First those for all devices, then those
//! of each `device_type` clause.
//!
//! ```text
//! 1: copyin(a)   3: async(q)   default(none)   nvidia: vector     ──▶   default(none) copyin(a) async(q) device_type(nvidia) vector
//! ```

use accrue_dialects::acc::DeviceType;

/// A clause to be written.
#[derive(Clone, PartialEq)]
pub struct Written {
    /// Its number in the directive, if that is known.
    pub number: Option<u32>,
    pub device: DeviceType,
    pub text: String,
}

/// The clauses in the order of their numbers, those without one in the gaps, behind the `device_type` clauses for which they are.
pub fn in_order(clauses: Vec<Written>, types: &[DeviceType]) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let place = |clauses: Vec<&Written>, words: &mut Vec<String>| {
        let (mut numbered, open): (Vec<_>, Vec<_>) =
            clauses.into_iter().partition(|it| it.number.is_some());
        numbered.sort_by_key(|it| it.number);
        let mut open = open.into_iter();
        for it in numbered {
            while it
                .number
                .is_some_and(|number| number as usize > words.len())
            {
                match open.next() {
                    Some(filler) => words.push(filler.text.clone()),
                    None => break,
                }
            }
            words.push(it.text.clone());
        }
        words.extend(open.map(|it| it.text.clone()));
    };
    let of = |device: DeviceType| clauses.iter().filter(move |it| it.device == device);
    place(of(DeviceType::None).collect(), &mut words);
    let texts = |device| {
        of(device)
            .map(|it| (&it.text, it.number))
            .collect::<Vec<_>>()
    };
    let mut rest = types;
    while let [first, others @ ..] = rest {
        // Types that one clause names have the same clauses.
        let same = others
            .iter()
            .take_while(|it| texts(**it) == texts(*first))
            .count();
        let named: Vec<_> = rest[..=same].iter().map(|it| spelling(*it)).collect();
        words.push(format!("device_type({})", named.join(", ")));
        place(of(*first).collect(), &mut words);
        rest = &others[same..];
    }
    words
}

/// As it is written in `device_type` clauses.
fn spelling(device: DeviceType) -> &'static str {
    match device {
        DeviceType::None => "none",
        DeviceType::Star => "*",
        DeviceType::Host => "host",
        DeviceType::Multicore => "multicore",
        DeviceType::Nvidia => "nvidia",
        DeviceType::Radeon => "radeon",
        DeviceType::Sim => "sim",
        DeviceType::OpenCl => "opencl",
        DeviceType::Default => "default",
    }
}
