//! The words of a call: a header, the queues to wait for, the sizes of each kernel where loops give some, the words of each variable.

/// Header word `queue` when the directive has no `async` clause.
pub const SYNC: u64 = 1 << 63;

/// Header words that say "absent" (device number) or "all queues" (number of wait arguments).
pub const ABSENT: u64 = u64::MAX;

/// A number of gangs, workers or lanes that is 0, which itself says that there is no clause.
pub const ZERO_SIZE: u64 = 1 << 63;

/// `async` without an argument (OpenACC 3.4, 2.16).
pub const ASYNC_NOVAL: i64 = -1;
/// The synchronous queue.
pub const ASYNC_SYNC: i64 = -2;
/// The initial value of the default queue.
pub const ASYNC_DEFAULT: i64 = -3;

/// Number of header words before the wait arguments.
pub const HEADER_WORDS: usize = 10;

/// Words of each kernel's own sizes, of a site with [`SITE_SIZES`](crate::SITE_SIZES): gangs, workers, lanes; 0 where those of the
/// header hold. Loops in `kernels` give them (OpenACC 3.4, sections 2.9.2 to 2.9.4).
pub const SIZE_WORDS: usize = 3;

/// The names and values of what C programs may want to write.
pub(crate) const CONSTANTS: &[(&str, u64)] = &[
    ("SYNC", SYNC),
    ("ABSENT", ABSENT),
    ("ZERO_SIZE", ZERO_SIZE),
    ("HEADER_WORDS", HEADER_WORDS as u64),
    ("SIZE_WORDS", SIZE_WORDS as u64),
];

/// The header: for the compiler of expressions in C, for the library of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header<Word> {
    /// The `if` condition; 1 when absent.
    pub if_condition: Word,
    /// The `self` condition; 0 when absent.
    pub self_condition: Word,
    /// The queue; [`SYNC`] when absent. Of `set`: the default queue.
    pub queue: Word,
    /// `num_gangs` for dimensions 1 to 3; 0 when absent.
    pub gangs: [Word; 3],
    /// `num_workers`; 0 when absent.
    pub workers: Word,
    /// `vector_length`; 0 when absent.
    pub vector: Word,
    /// `device_num` or `devnum`; [`ABSENT`] when absent.
    pub device: Word,
    /// The number of queues to wait for; [`ABSENT`] for all queues.
    pub wait_count: Word,
}

impl<Word> Header<Word> {
    pub fn from_words(words: [Word; HEADER_WORDS]) -> Self {
        let [
            if_condition,
            self_condition,
            queue,
            x,
            y,
            z,
            workers,
            vector,
            device,
            wait_count,
        ] = words;
        Header {
            if_condition,
            self_condition,
            queue,
            gangs: [x, y, z],
            workers,
            vector,
            device,
            wait_count,
        }
    }

    pub fn words(&self) -> [&Word; HEADER_WORDS] {
        let Header {
            if_condition,
            self_condition,
            queue,
            gangs: [x, y, z],
            workers,
            vector,
            device,
            wait_count,
        } = self;
        [
            if_condition,
            self_condition,
            queue,
            x,
            y,
            z,
            workers,
            vector,
            device,
            wait_count,
        ]
    }
}

impl Header<u64> {
    /// Of a directive without clauses.
    pub const PLAIN: Header<u64> = Header {
        if_condition: 1,
        self_condition: 0,
        queue: SYNC,
        gangs: [0; 3],
        workers: 0,
        vector: 0,
        device: ABSENT,
        wait_count: 0,
    };
}

/// One dimension of a section, as a member of `dim` in Fortran's `CFI_cdesc_t` has it (Fortran 2018, 18.5.3).
///
/// ```text
/// double a[4][5]       a[1:2][0:3]                   { 1, 2, 40 }, { 0, 3, 0 }
/// real(8) a(5, 4)      a(5:1:-2, 2:3), outermost first, base a(5, 2)
///                                                    { 0, 2, 40 }, { 0, 3, -16 }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Dim {
    /// The subscript of the first element, counted from that of the variable's address.
    pub lower: u64,
    /// The number of elements.
    pub length: u64,
    /// Bytes from an element to the next; 0: the size of an element, which is behind it.
    pub stride: i64,
}

/// The words of a value of this many bytes.
pub fn value_words(bytes: u64) -> u64 {
    bytes.div_ceil(8).max(1)
}
