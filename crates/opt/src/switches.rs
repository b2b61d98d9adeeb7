//! What the user can switch off: `-gpu=noNAME` for every optimisation that a program may have to be looked at without.
//!
//! ```text
//! -gpu=nostaging,norows,rows      off: staging
//! ```
//! Results are the same bits with all of them and without any, but for the order of sums in [`Switch::EachGang`] and [`Switch::Interleave`]. The table of options in the README has a line for each.

/// An optimisation that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Switch {
    /// Versions of kernels for grids that cover a loop.
    Grid,
    /// Such versions of several dimensions for loops that find their places by divisions.
    Nests,
    /// Versions of kernels with a gang for each iteration of a loop, and its lanes for loops inside.
    EachGang,
    /// Several rows or columns for a thread of such a grid.
    Rows,
    /// What a gang reads is loaded once, into its memory.
    Staging,
    /// What the lanes of such a grid read is loaded by other warps, ahead.
    Columns,
    /// What each lane of such a grid reads and writes in a row of its own is moved by all of them.
    OwnRows,
    /// Warps of such grids that are no rows.
    Patches,
    /// Addresses start from each other.
    Addresses,
    /// What iterations move on is computed from the counter.
    Inductions,
    /// What the host sets to constants is constant.
    Elements,
    /// What sequential loops update in memory is kept in registers.
    Accumulators,
    /// What sequential loops load and have stored one iteration earlier, or loaded at an index they have chosen, is kept in registers.
    Recurrences,
    /// Rows that several vector loops go along stay in registers.
    KeptRows,
    /// Loops in order go into loops over lanes.
    Interchange,
    /// Vector loops work on several iterations at once.
    Interleave,
    /// Sequential loops run several iterations at a time.
    Unroll,
    /// Loads come before divisions and mathematical functions.
    Loads,
    /// Synchronous constructs in loops of the host are waited for behind the loop.
    Waits,
    /// Quotients with a divisor in common share its reciprocal.
    Divisors,
    /// Small arrays of a thread are registers, also where a variable index chooses an element.
    Choices,
}

impl Switch {
    pub const ALL: [Switch; 21] = [
        Switch::Grid,
        Switch::Nests,
        Switch::EachGang,
        Switch::Rows,
        Switch::Staging,
        Switch::Columns,
        Switch::OwnRows,
        Switch::Patches,
        Switch::Addresses,
        Switch::Inductions,
        Switch::Elements,
        Switch::Accumulators,
        Switch::Recurrences,
        Switch::KeptRows,
        Switch::Interchange,
        Switch::Interleave,
        Switch::Unroll,
        Switch::Loads,
        Switch::Waits,
        Switch::Divisors,
        Switch::Choices,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Switch::Grid => "grid",
            Switch::Nests => "nests",
            Switch::EachGang => "eachgang",
            Switch::Rows => "rows",
            Switch::Staging => "staging",
            Switch::Columns => "columns",
            Switch::OwnRows => "ownrows",
            Switch::Patches => "patches",
            Switch::Addresses => "addresses",
            Switch::Inductions => "inductions",
            Switch::Elements => "elements",
            Switch::Accumulators => "accumulators",
            Switch::Recurrences => "recurrences",
            Switch::KeptRows => "keptrows",
            Switch::Interchange => "interchange",
            Switch::Interleave => "interleave",
            Switch::Unroll => "unroll",
            Switch::Loads => "loads",
            Switch::Waits => "waits",
            Switch::Divisors => "divisors",
            Switch::Choices => "choices",
        }
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// Those that are off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches(u32);

impl Switches {
    pub fn is_off(self, switch: Switch) -> bool {
        self.0 & switch.bit() != 0
    }

    pub fn set(&mut self, switch: Switch, off: bool) {
        match off {
            true => self.0 |= switch.bit(),
            false => self.0 &= !switch.bit(),
        }
    }

    /// Takes over a word of the command line, `NAME` or `noNAME`; false if it is no such word.
    pub fn read(&mut self, word: &str) -> bool {
        let named = |name: &str| Switch::ALL.into_iter().find(|switch| switch.name() == name);
        let off = word.strip_prefix("no").and_then(named);
        match off.or_else(|| named(word)) {
            Some(switch) => self.set(switch, off.is_some()),
            None => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let mut switches = Switches::default();
        for word in ["nostaging", "norows", "rows"] {
            assert!(switches.read(word));
        }
        let off = Switch::ALL.into_iter().filter(|s| switches.is_off(*s));
        assert_eq!(off.collect::<Vec<_>>(), [Switch::Staging]);
        for word in ["no", "none", "nofma", "cc90", ""] {
            assert!(!switches.read(word), "{word}");
        }
    }

    #[test]
    fn every_switch_has_a_bit_and_a_name() {
        for (index, switch) in Switch::ALL.into_iter().enumerate() {
            assert_eq!(switch as usize, index);
            let mut one = Switches::default();
            assert!(one.read(&format!("no{}", switch.name())));
            assert!(
                Switch::ALL
                    .into_iter()
                    .all(|s| one.is_off(s) == (s == switch))
            );
        }
    }
}
