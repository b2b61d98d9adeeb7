//! How records stand in objects: in a section that no program loads and that a linker drops from what it makes, unless that is an object.
//!
//! ```text
//! .section .accrue.ir,"e"     accrueIR  sizes  index, as JSON  texts of the IR, compressed      one record
//!                             accrueIR  sizes  …                                                another, in an object made of two
//! ```
//! The index says which version of accrue has written the record; another one reads no more than that.

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::companion::Description;

/// The name of the section.
pub const SECTION: &str = ".accrue.ir";

const MAGIC: &[u8; 8] = b"accrueIR";

/// Bytes in front of the index: the magic number, and the sizes of the index, of the compressed texts, and of the texts.
const HEADER: usize = MAGIC.len() + 3 * size_of::<u32>();

/// Rounds are dear and gain little.
const COMPRESSION: u8 = 6;

/// The version of what records contain.
pub fn version() -> String {
    format!(
        "{} (binary interface {})",
        env!("CARGO_PKG_VERSION"),
        accrue_abi::ABI_VERSION
    )
}

/// What an object says of a unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Who has written it.
    pub accrue: String,
    /// The source as the user named it.
    pub source: String,
    /// The unit's number.
    pub number: String,
    /// The routines that other units may call.
    pub routines: Vec<Routine>,
    /// What these call in other units.
    pub wanted: Vec<Wanted>,
    /// The regions, if they call other units' routines.
    pub regions: Option<Regions>,
    #[serde(skip)]
    pub texts: Texts,
}

/// A routine that other units may call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Routine {
    pub name: String,
    pub place: SavedPlace,
    /// Why they cannot.
    pub problem: Option<Problem>,
}

/// What is wrong with a routine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Problem {
    pub message: String,
    pub place: Option<SavedPlace>,
    pub help: Option<String>,
}

/// A function of another unit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wanted {
    pub name: String,
    /// Where it is declared.
    pub place: Option<SavedPlace>,
}

/// A place in a source.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedPlace {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

/// What the companion of a unit needs, beside its code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Regions {
    /// How the unit was compiled.
    pub invoked: Invoked,
    /// Start of the names of sites.
    pub prefix: String,
    pub sites: Vec<Description>,
    /// A digest of what the host's text passes to the library.
    pub calls: String,
    /// The functions of other units that regions call.
    pub wanted: Vec<Wanted>,
}

/// A command line of `accrue cc`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Invoked {
    /// The host's compiler.
    pub compiler: String,
    pub words: Vec<String>,
}

/// The texts of modules, half way down, by the name of the target.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Texts {
    pub routines: BTreeMap<String, String>,
    pub regions: BTreeMap<String, String>,
}

impl Record {
    /// As it stands in the section.
    pub fn encoded(&self) -> Vec<u8> {
        // Strings and lists of them always have a text.
        let index = serde_json::to_vec(self).unwrap_or_default();
        let texts = serde_json::to_vec(&self.texts).unwrap_or_default();
        let compressed = compress_to_vec_zlib(&texts, COMPRESSION);
        let mut bytes = MAGIC.to_vec();
        for size in [index.len(), compressed.len(), texts.len()] {
            bytes.extend(u32::try_from(size).unwrap_or(u32::MAX).to_le_bytes());
        }
        bytes.extend(index);
        bytes.extend(compressed);
        bytes
    }
}

/// A record that has not been read further than its index.
pub struct Sealed {
    pub record: Record,
    compressed: Vec<u8>,
    size: usize,
}

/// Why there is no record.
#[derive(Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Another version has written it.
    Version {
        accrue: String,
        source: String,
        /// Its companion is missing.
        incomplete: bool,
    },
    Damaged,
}

/// The records of a section.
pub fn sealed(section: &[u8]) -> Vec<Result<Sealed, Unreadable>> {
    let mut rest = section;
    let mut found = vec![];
    // Linkers may put zeros between what they join.
    while let Some(at) = rest.iter().position(|byte| *byte != 0) {
        rest = &rest[at..];
        let Some((one, behind)) = split(rest) else {
            found.push(Err(Unreadable::Damaged));
            break;
        };
        found.push(read(one));
        rest = behind;
    }
    found
}

/// The parts of a record.
struct Parts<'a> {
    index: &'a [u8],
    compressed: &'a [u8],
    size: usize,
}

/// The first record, and what is behind it.
fn split(bytes: &[u8]) -> Option<(Parts<'_>, &[u8])> {
    let header = bytes.get(..HEADER)?;
    let sizes = header.strip_prefix(MAGIC)?;
    let mut sizes = sizes.as_chunks::<4>().0.iter();
    let mut size = || Some(u32::from_le_bytes(*sizes.next()?) as usize);
    let (index, compressed, size) = (size()?, size()?, size()?);
    let (index, rest) = bytes[HEADER..].split_at_checked(index)?;
    let (compressed, rest) = rest.split_at_checked(compressed)?;
    let parts = Parts {
        index,
        compressed,
        size,
    };
    Some((parts, rest))
}

fn read(parts: Parts<'_>) -> Result<Sealed, Unreadable> {
    let index: serde_json::Value =
        serde_json::from_slice(parts.index).map_err(|_| Unreadable::Damaged)?;
    let text = |key: &str| index.get(key)?.as_str().map(str::to_string);
    let accrue = text("accrue").ok_or(Unreadable::Damaged)?;
    if accrue != version() {
        let source = text("source").unwrap_or_default();
        return Err(Unreadable::Version {
            accrue,
            source,
            incomplete: index.get("regions").is_some_and(|it| !it.is_null()),
        });
    }
    let record = serde_json::from_value(index).map_err(|_| Unreadable::Damaged)?;
    Ok(Sealed {
        record,
        compressed: parts.compressed.to_vec(),
        size: parts.size,
    })
}

impl Sealed {
    /// Its texts.
    pub fn texts(&self) -> Result<Texts, Unreadable> {
        let text = decompress_to_vec_zlib_with_limit(&self.compressed, self.size)
            .map_err(|_| Unreadable::Damaged)?;
        serde_json::from_slice(&text).map_err(|_| Unreadable::Damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(source: &str, accrue: String) -> Record {
        let text = |text: &str| BTreeMap::from([("cpu".to_string(), text.to_string())]);
        Record {
            accrue,
            source: source.to_string(),
            number: "0123456789abcdef".to_string(),
            routines: vec![],
            wanted: vec![],
            regions: None,
            texts: Texts {
                routines: text("routines"),
                regions: text("regions"),
            },
        }
    }

    #[test]
    fn joined_sections_hold_all_records() {
        let mut section = record("a.c", version()).encoded();
        section.extend([0; 5]);
        section.extend(record("b.c", version()).encoded());
        let found: Vec<Sealed> = sealed(&section).into_iter().map(Result::unwrap).collect();
        let sources: Vec<&str> = found.iter().map(|it| it.record.source.as_str()).collect();
        assert_eq!(sources, ["a.c", "b.c"]);
        assert_eq!(found[1].texts().unwrap().regions["cpu"], "regions");
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let whole = record("a.c", version()).encoded();
        for length in 1..whole.len() {
            let found = sealed(&whole[..length]);
            assert!(matches!(found.as_slice(), [Err(Unreadable::Damaged)]));
        }
        let other = record("a.c", "9.0".to_string()).encoded();
        let [Err(why)] = &sealed(&other)[..] else {
            panic!("a record of another version was read");
        };
        let (accrue, source) = ("9.0".to_string(), "a.c".to_string());
        let version = Unreadable::Version {
            accrue,
            source,
            incomplete: false,
        };
        assert_eq!(*why, version);
    }
}
