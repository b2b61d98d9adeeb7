//! Reading the word array of a call: header, wait arguments, variables.

use crate::abi::{ABSENT, Action, Dim, HEADER_WORDS, SYNC, Var};
use crate::section::Operand;

/// A slice of a C array that may be null when it is empty.
///
/// # Safety
/// `first` points to `len` valid items that live as long as the program, or `len` is 0.
pub unsafe fn array<T>(first: *const T, len: u32) -> &'static [T] {
    if len == 0 || first.is_null() {
        return &[];
    }
    // SAFETY: by the contract.
    unsafe { std::slice::from_raw_parts(first, len as usize) }
}

/// Which queues a `wait` clause or directive names.
#[derive(Clone, Copy, Debug)]
pub enum WaitList<'a> {
    All,
    Some(&'a [u64]),
}

/// The header words.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    pub if_condition: bool,
    pub self_condition: bool,
    /// The `async` clause's value; none when absent.
    pub async_value: Option<i64>,
    pub gangs: [u64; 3],
    pub workers: u64,
    pub vector: u64,
    pub device_num: Option<i64>,
    pub waits: WaitList<'a>,
}

/// The words of one call.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    next: *const u64,
    lifetime: std::marker::PhantomData<&'a [u64]>,
}

impl<'a> Words<'a> {
    /// Splits the header off.
    ///
    /// # Safety
    /// `words` points to a header, its wait arguments and the words of all variables of the site
    /// that this is used with, valid for `'a`.
    pub unsafe fn new(words: *const u64) -> (Header<'a>, Words<'a>) {
        // SAFETY: the header is there by the contract.
        let h = unsafe { std::slice::from_raw_parts(words, HEADER_WORDS) };
        let count = if h[9] == ABSENT { 0 } else { h[9] as usize };
        // SAFETY: the wait arguments and the variables follow by the contract.
        let (waits, next) = unsafe {
            (
                std::slice::from_raw_parts(words.add(HEADER_WORDS), count),
                words.add(HEADER_WORDS + count),
            )
        };
        let header = Header {
            if_condition: h[0] != 0,
            self_condition: h[1] != 0,
            async_value: (h[2] != SYNC).then_some(h[2] as i64),
            gangs: [h[3], h[4], h[5]],
            workers: h[6],
            vector: h[7],
            device_num: (h[8] != ABSENT).then_some(h[8] as i64),
            waits: if h[9] == ABSENT {
                WaitList::All
            } else {
                WaitList::Some(waits)
            },
        };
        let words = Words {
            next,
            lifetime: std::marker::PhantomData,
        };
        (header, words)
    }

    fn take(&mut self, count: usize) -> &'a [u64] {
        let first = self.next;
        self.next = first.wrapping_add(count);
        // SAFETY: `new`'s contract covers the words of all variables, read in order.
        unsafe { std::slice::from_raw_parts(first, count) }
    }

    /// The words of a by-value variable.
    pub fn value(&mut self, var: &Var) -> &'a [u64] {
        self.take((var.elem_size as usize).div_ceil(8))
    }

    /// The word of a `POINTER` or `DEVICEPTR` variable.
    pub fn pointer(&mut self) -> usize {
        self.take(1)[0] as usize
    }

    /// The words of a variable with an address and dimensions.
    pub fn operand(&mut self, var: &'a Var, action: Action) -> Operand<'a> {
        let head = self.take(2);
        let (base, pointer) = (head[0] as usize, head[1] as usize);
        let words = self.take(3 * var.ndims as usize);
        // SAFETY: `Dim` is three words without padding, so these words are `ndims` of them.
        let dims =
            unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<Dim>(), var.ndims as usize) };
        Operand {
            var,
            action,
            base,
            pointer,
            dims,
        }
    }
}
