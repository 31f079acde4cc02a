//! The part of <senteval/encoder.h> that an encoder in Rust needs, member by member. The sizes at the end
//! are those that the header's own tests promise for 64-bit targets.

use std::ffi::{c_char, c_void};

pub const ABI_VERSION: u32 = 1 << 16;
pub const OK: u32 = 0;
pub const INVALID_ARGUMENT: u32 = 1;
pub const CANCELLED: u32 = 5;
pub const INTERNAL: u32 = 6;
pub const TYPE_INTEGER: u32 = 2;
pub const CONCURRENT_BATCHER: u32 = 1;
pub const BATCH_INVARIANT: u32 = 2;
pub const DETERMINISTIC: u32 = 4;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    pub data: *const u8,
    pub size: usize,
}

/// A value whose kind is integer; other kinds take 16 bytes, too.
#[repr(C)]
pub struct Value {
    pub kind: u32,
    pub reserved: u32,
    pub integer: i64,
    pub rest: u64,
}

#[repr(C)]
pub struct Param {
    pub key: Text,
    pub value: Value,
}

#[repr(C)]
pub struct ParamSpec {
    pub struct_size: u32,
    pub flags: u32,
    pub key: *const c_char,
    pub help: *const c_char,
    pub default_value: Value,
}

#[repr(C)]
pub struct Call {
    pub struct_size: u32,
    pub thread_budget: u32,
    pub ctx: *mut c_void,
    pub fail: unsafe extern "C" fn(*const Call, Text),
    pub progress: unsafe extern "C" fn(*const Call, u64, u64),
    pub is_cancelled: unsafe extern "C" fn(*const Call) -> u32,
}

#[repr(C)]
pub struct Batch {
    pub struct_size: u32,
    pub flags: u32,
    pub count: usize,
    pub sentences: *const Text,
}

#[repr(C)]
pub struct Matrix {
    pub struct_size: u32,
    pub reserved: u32,
    pub data: *mut f32,
    pub rows: usize,
    pub cols: usize,
    pub row_stride: usize,
}

pub type Create =
    unsafe extern "C" fn(*const Call, *const c_void, *const Param, usize, *mut *mut c_void) -> u32;

#[repr(C)]
pub struct Encoder {
    pub struct_size: u32,
    pub capabilities: u32,
    pub id: *const c_char,
    pub name: *const c_char,
    pub version: *const c_char,
    pub description: *const c_char,
    pub license: *const c_char,
    pub params: *const *const ParamSpec,
    pub param_count: usize,
    pub create: Create,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub prepare: Option<unsafe extern "C" fn(*const Call, *mut c_void, *const c_void, *const Batch) -> u32>,
    pub dimension: unsafe extern "C" fn(*const Call, *const c_void, *mut usize) -> u32,
    pub batcher: unsafe extern "C" fn(*const Call, *mut c_void, *const Batch, *mut Matrix) -> u32,
    pub get_extension: Option<unsafe extern "C" fn(*const Encoder, *const c_char) -> *const c_void>,
}

#[repr(C)]
pub struct Plugin {
    pub struct_size: u32,
    pub abi_version: u32,
    pub encoders: *const *const Encoder,
    pub encoder_count: usize,
}

// Tables of constants, which nobody writes to.
unsafe impl Sync for ParamSpec {}
unsafe impl Sync for Encoder {}
unsafe impl Sync for Plugin {}

const _: () = assert!(std::mem::size_of::<Text>() == 16);
const _: () = assert!(std::mem::size_of::<Call>() == 40);
const _: () = assert!(std::mem::size_of::<Batch>() == 24);
const _: () = assert!(std::mem::size_of::<Matrix>() == 40);
const _: () = assert!(std::mem::size_of::<Encoder>() == 112);
const _: () = assert!(std::mem::size_of::<Plugin>() == 24);
