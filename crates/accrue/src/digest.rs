//! SHA-256 (FIPS 180-4): names that are the same in every build of accrue, on every machine, and that nobody can make
//! collide.
//!
//! Rust's own hasher may change from release to release, and 64 bits can be made to collide. Parts are fed with their
//! length, so that `["ab", "c"]` and `["a", "bc"]` differ:
//!
//! ```text
//! ["ab", "c"]  →  02 00 00 00 00 00 00 00 'a' 'b'  01 00 00 00 00 00 00 00 'c'  →  256 bits  →  64 hexadecimal digits
//! ```

/// The digest of a list of byte strings, in hexadecimal.
pub fn of_parts<Part: AsRef<[u8]>>(parts: impl IntoIterator<Item = Part>) -> String {
    let mut bytes = Vec::new();
    for part in parts {
        let part = part.as_ref();
        bytes.extend((part.len() as u64).to_le_bytes());
        bytes.extend(part);
    }
    let words = sha256(&bytes);
    words.iter().map(|word| format!("{word:08x}")).collect()
}

/// Section 6.2: the eight words of the digest.
fn sha256(message: &[u8]) -> [u32; 8] {
    let mut state = INITIAL;
    let whole = message.len() - message.len() % 64;
    let (blocks, rest) = message.split_at(whole);
    for block in blocks.chunks_exact(64) {
        absorb(&mut state, block);
    }
    // Section 5.1.1: a one bit, zeroes, and the length in bits.
    let mut last = rest.to_vec();
    last.push(0x80);
    while last.len() % 64 != 56 {
        last.push(0);
    }
    last.extend((8 * message.len() as u64).to_be_bytes());
    for block in last.chunks_exact(64) {
        absorb(&mut state, block);
    }
    state
}

/// Section 6.2.2: one block of 64 bytes.
fn absorb(state: &mut [u32; 8], block: &[u8]) {
    let mut schedule = [0u32; 64];
    for (word, bytes) in schedule.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes
            .iter()
            .fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for t in 16..64 {
        let (a, b) = (schedule[t - 15], schedule[t - 2]);
        let small0 = a.rotate_right(7) ^ a.rotate_right(18) ^ a >> 3;
        let small1 = b.rotate_right(17) ^ b.rotate_right(19) ^ b >> 10;
        schedule[t] = small1
            .wrapping_add(schedule[t - 7])
            .wrapping_add(small0)
            .wrapping_add(schedule[t - 16]);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in schedule.iter().zip(CONSTANTS) {
        let big1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = e & f ^ !e & g;
        let first = h
            .wrapping_add(big1)
            .wrapping_add(choice)
            .wrapping_add(constant)
            .wrapping_add(*word);
        let big0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = a & b ^ a & c ^ b & c;
        let second = big0.wrapping_add(majority);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (word, add) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(add);
    }
}

/// Section 5.3.3.
const INITIAL: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// Section 4.2.2.
const CONSTANTS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn hexadecimal(message: &[u8]) -> String {
        sha256(message).iter().map(|w| format!("{w:08x}")).collect()
    }

    /// The examples of FIPS 180 and of NIST's test vectors (SHA256ShortMsg).
    #[test]
    fn published_digests() {
        for (message, digest) in [
            (
                &b""[..],
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ),
            (
                b"abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (
                &[b'a'; 1_000_000],
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
            ),
        ] {
            assert_eq!(hexadecimal(message), digest);
        }
    }

    #[test]
    fn borders_of_parts_count() {
        assert_ne!(of_parts(["ab", "c"]), of_parts(["a", "bc"]));
        assert_ne!(of_parts(["a", ""]), of_parts(["a"]));
    }
}
