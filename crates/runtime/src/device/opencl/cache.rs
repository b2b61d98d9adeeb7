//! Programs as the driver has built them, kept on disk: building a text takes from tens of milliseconds to seconds.
//!
//! The folder is `ACCRUE_OPENCL_CACHE`, or else `accrue/opencl` in `XDG_CACHE_HOME` or `~/.cache`; `ACCRUE_OPENCL_CACHE=` (empty)
//! keeps nothing. An entry has the device, its driver and the text in full beside the binary, so that an entry that is another's,
//! cut off or damaged is seen; it is then built and written anew. Failures to read or write are no errors: the text is built.
//!
//! ```text
//! 1f0c…9a.bin:   ACCRUE1\0 | bytes of key, of binary | key: device, driver, options, text | binary | checksum of all before
//! ```

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"ACCRUE1\0";
const HEAD: usize = 24;

/// Where entries are kept.
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The user's cache; none where nothing is to be kept.
    pub fn of_user() -> Option<Cache> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let folder = match std::env::var_os("ACCRUE_OPENCL_CACHE") {
            Some(named) if named.is_empty() => return None,
            Some(named) => PathBuf::from(named),
            None => {
                let caches = variable("XDG_CACHE_HOME").map(PathBuf::from);
                let caches = caches.or_else(|| Some(Path::new(&variable("HOME")?).join(".cache")));
                caches?.join("accrue/opencl")
            }
        };
        Some(Cache { folder })
    }

    fn file(&self, key: &[u8]) -> PathBuf {
        self.folder.join(format!("{:016x}.bin", checksum(key)))
    }

    /// The binary for a key.
    pub fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        let entry = fs::read(self.file(key)).ok()?;
        let body = entry.len().checked_sub(8)?;
        let (content, sum) = entry.split_at(body);
        if sum != checksum(content).to_le_bytes() || content.get(..8)? != MAGIC {
            return None;
        }
        let length = |at: usize| {
            let bytes: [u8; 8] = content.get(at..at + 8)?.try_into().ok()?;
            usize::try_from(u64::from_le_bytes(bytes)).ok()
        };
        let (of_key, of_binary) = (length(8)?, length(16)?);
        let (its_key, binary) = content.get(HEAD..)?.split_at_checked(of_key)?;
        (its_key == key && binary.len() == of_binary).then(|| binary.to_vec())
    }

    /// Keeps a binary. Processes that do so at the same time do not see half an entry.
    pub fn put(&self, key: &[u8], binary: &[u8]) {
        let mut entry = MAGIC.to_vec();
        for length in [key.len(), binary.len()] {
            entry.extend((length as u64).to_le_bytes());
        }
        entry.extend(key);
        entry.extend(binary);
        entry.extend(checksum(&entry).to_le_bytes());
        let file = self.file(key);
        let new = file.with_extension(format!("{}.new", std::process::id()));
        let written = fs::create_dir_all(&self.folder)
            .and_then(|()| fs::File::create(&new))
            .and_then(|mut file| file.write_all(&entry))
            .and_then(|()| fs::rename(&new, &file));
        if written.is_err() {
            let _ = fs::remove_file(&new);
        }
    }
}

/// What an entry is found by: all that the binary depends on.
pub fn key(device: &str, driver: &str, options: &str, text: &str) -> Vec<u8> {
    [device, driver, options, text].join("\0").into_bytes()
}

/// FNV-1a: it names files, which must not change with the version of a library, and finds damage.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_entries_of_the_same_key_are_found() {
        let folder = std::env::temp_dir().join(format!("accrue-cache-{}", std::process::id()));
        let cache = Cache {
            folder: folder.clone(),
        };
        let (key, other) = (key("gpu", "1", "", "text"), key("gpu", "2", "", "text"));
        assert_eq!(cache.get(&key), None);
        cache.put(&key, b"binary");
        assert_eq!(cache.get(&key).as_deref(), Some(&b"binary"[..]));
        assert_eq!(cache.get(&other), None);
        // Another's entry under this name.
        fs::copy(cache.file(&key), cache.file(&other)).unwrap();
        assert_eq!(cache.get(&other), None);
        let whole = fs::read(cache.file(&key)).unwrap();
        for damaged in 0..whole.len() {
            let mut entry = whole.clone();
            entry[damaged] ^= 0x10;
            fs::write(cache.file(&key), &entry).unwrap();
            assert_eq!(cache.get(&key), None, "byte {damaged}");
            fs::write(cache.file(&key), &whole[..damaged]).unwrap();
            assert_eq!(cache.get(&key), None, "{damaged} bytes");
        }
        cache.put(&key, b"again");
        assert_eq!(cache.get(&key).as_deref(), Some(&b"again"[..]));
        fs::remove_dir_all(folder).unwrap();
    }
}
