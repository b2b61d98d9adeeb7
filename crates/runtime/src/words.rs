//! Reading the word array of a call: header, wait arguments, sizes of kernels, variables.

use crate::abi::{
    self, ABSENT, Action, Dim, HEADER_WORDS, Passed, SITE_SIZES, SIZE_WORDS, SYNC, Site, Var,
    value_words,
};
use crate::launch::unknown_action;
use crate::section::Operand;
use crate::site::SiteState;
use std::ffi::{CStr, c_char};

/// Reads a possibly null C string; bytes that are not UTF-8 are replaced.
///
/// # Safety
/// `text` is null or points to a NUL-terminated string.
pub unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: not null, so a NUL-terminated string by the contract.
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

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
    /// Those of each kernel; empty where those above hold for all.
    pub sizes: &'a [[u64; SIZE_WORDS]],
}

/// The words of one call.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    next: *const u64,
    /// How many variables have their words there; those of the others are at `globals`.
    in_call: u32,
    globals: *const u64,
    lifetime: std::marker::PhantomData<&'a [u64]>,
}

impl<'a> Words<'a> {
    /// Splits the header off.
    ///
    /// # Safety
    /// `words` points to a header, its wait arguments, the sizes of kernels and the words of all variables of
    /// `site`, valid for `'a`.
    pub unsafe fn new(site: &Site, words: *const u64) -> (Header<'a>, Words<'a>) {
        // SAFETY: the header is there by the contract.
        let header = abi::Header::from_words(unsafe { *words.cast::<[u64; HEADER_WORDS]>() });
        let count = match header.wait_count {
            ABSENT => 0,
            count => count as usize,
        };
        let kernels = match site.flags & SITE_SIZES {
            0 => 0,
            _ => site.nkernels as usize,
        };
        // SAFETY: the wait arguments, the sizes and the variables follow by the contract.
        let (waits, sizes, next) = unsafe {
            let sizes = words.add(HEADER_WORDS + count);
            (
                std::slice::from_raw_parts(words.add(HEADER_WORDS), count),
                std::slice::from_raw_parts(sizes.cast(), kernels),
                sizes.add(SIZE_WORDS * kernels),
            )
        };
        let header = Header {
            if_condition: header.if_condition != 0,
            self_condition: header.self_condition != 0,
            async_value: (header.queue != SYNC).then_some(header.queue as i64),
            gangs: header.gangs,
            workers: header.workers,
            vector: header.vector,
            device_num: (header.device != ABSENT).then_some(header.device as i64),
            waits: match header.wait_count {
                ABSENT => WaitList::All,
                _ => WaitList::Some(waits),
            },
            sizes,
        };
        let words = Words {
            next,
            in_call: site.nvars.saturating_sub(site.nglobals),
            globals: site.globals,
            lifetime: std::marker::PhantomData,
        };
        (header, words)
    }

    /// Goes on to the words of the next variable.
    fn begin(&mut self) {
        if self.in_call == 0 {
            self.next = self.globals;
            self.in_call = u32::MAX;
        }
        self.in_call -= 1;
    }

    fn take(&mut self, count: usize) -> &'a [u64] {
        let first = self.next;
        self.next = first.wrapping_add(count);
        // SAFETY: `new`'s contract covers the words of all variables, read in order; those of globals are in the site.
        unsafe { std::slice::from_raw_parts(first, count) }
    }

    /// Visits the variables of a directive that have an address and dimensions.
    pub fn for_each_operand(
        mut self,
        site: &'static Site,
        state: &'static SiteState,
        visit: &mut dyn FnMut(usize, Operand<'a>),
    ) {
        // SAFETY: a valid site has `nvars` variables.
        let vars = unsafe { array(site.vars, site.nvars) };
        for (index, var) in vars.iter().enumerate() {
            let Some(action) = Action::from_raw(var.action) else {
                unknown_action(state, index, var.action);
            };
            match action.passed() {
                Passed::Value => {
                    self.value(var);
                }
                Passed::Pointer => {
                    self.pointer();
                }
                Passed::Object => visit(index, self.operand(var, action)),
            }
        }
    }

    /// The words of a by-value variable.
    pub fn value(&mut self, var: &Var) -> &'a [u64] {
        self.begin();
        self.take(value_words(var.elem_size) as usize)
    }

    /// The word of a `POINTER` or `DEVICEPTR` variable.
    pub fn pointer(&mut self) -> usize {
        self.begin();
        self.take(1)[0] as usize
    }

    /// The words of a variable with an address and dimensions.
    pub fn operand(&mut self, var: &'a Var, action: Action) -> Operand<'a> {
        self.begin();
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
