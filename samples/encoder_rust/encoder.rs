//! An encoder in Rust without any crate: words, hashed to signed places. Built by one command:
//!
//!     rustc -O --edition 2021 --crate-type cdylib -o hashed_words.so samples/encoder_rust/encoder.rs
//!     senteval run --encoder ./hashed_words.so --set dimension=1024 --tasks STS12 --data DIR

mod senteval;

use senteval::*;
use std::ffi::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};

struct HashedWords {
    dimension: usize,
}

impl HashedWords {
    fn new(dimension: i64) -> Result<Self, String> {
        match dimension {
            1..=1_048_576 => Ok(HashedWords { dimension: dimension as usize }),
            _ => Err(format!("parameter 'dimension' must be 1 to 1048576, not {dimension}")),
        }
    }

    fn encode(&self, sentence: &[u8], row: &mut [f32]) {
        row.fill(0.0);
        for word in sentence.split(|byte| *byte == b' ').filter(|word| !word.is_empty()) {
            let hash = word.iter().fold(0xcbf29ce484222325_u64, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x100000001b3)
            });
            row[(hash >> 1) as usize % self.dimension] += if hash & 1 == 0 { 1.0 } else { -1.0 };
        }
    }
}

/// Runs the body of a function of the table. No panic may leave the library: it fails the call.
fn guarded(call: *const Call, body: impl FnOnce() -> Result<(), (u32, String)>) -> u32 {
    let outcome = catch_unwind(AssertUnwindSafe(body));
    let (status, message) = match outcome {
        Ok(Ok(())) => return OK,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let what = panic.downcast_ref::<&str>().map(|text| text.to_string());
            let what = what.or_else(|| panic.downcast_ref::<String>().cloned());
            (INTERNAL, format!("it panicked: {}", what.unwrap_or_default()))
        }
    };
    unsafe { ((*call).fail)(call, Text { data: message.as_ptr(), size: message.len() }) };
    status
}

unsafe fn bytes<'a>(text: &Text) -> &'a [u8] {
    if text.size == 0 {
        return &[];
    }
    std::slice::from_raw_parts(text.data, text.size)
}

unsafe extern "C" fn create(
    call: *const Call,
    _host: *const c_void,
    params: *const Param,
    param_count: usize,
    out: *mut *mut c_void,
) -> u32 {
    guarded(call, || {
        let mut dimension = 512;
        for i in 0..param_count {
            dimension = (*params.add(i)).value.integer; // the host has checked key and type
        }
        let encoder = HashedWords::new(dimension).map_err(|why| (INVALID_ARGUMENT, why))?;
        *out = Box::into_raw(Box::new(encoder)).cast();
        Ok(())
    })
}

unsafe extern "C" fn destroy(instance: *mut c_void) {
    drop(Box::from_raw(instance.cast::<HashedWords>()));
}

unsafe extern "C" fn dimension(_call: *const Call, instance: *const c_void, out: *mut usize) -> u32 {
    *out = (*instance.cast::<HashedWords>()).dimension;
    OK
}

unsafe extern "C" fn batcher(
    call: *const Call,
    instance: *mut c_void,
    batch: *const Batch,
    out: *mut Matrix,
) -> u32 {
    guarded(call, || {
        let encoder = &*instance.cast::<HashedWords>();
        for i in 0..(*batch).count {
            if ((*call).is_cancelled)(call) != 0 {
                return Err((CANCELLED, "cancelled".to_string()));
            }
            let sentence = bytes(&*(*batch).sentences.add(i));
            let row = (*out).data.add(i * (*out).row_stride);
            encoder.encode(sentence, std::slice::from_raw_parts_mut(row, (*out).cols));
        }
        Ok(())
    })
}

static DIMENSION: ParamSpec = ParamSpec {
    struct_size: std::mem::size_of::<ParamSpec>() as u32,
    flags: 0,
    key: "dimension\0".as_ptr().cast(),
    help: "Length of the vectors, 1 to 1048576.\0".as_ptr().cast(),
    default_value: Value { kind: TYPE_INTEGER, reserved: 0, integer: 512, rest: 0 },
};

struct Pointers<T: 'static>([&'static T; 1]);

static PARAMS: Pointers<ParamSpec> = Pointers([&DIMENSION]);

static ENCODER: Encoder = Encoder {
    struct_size: std::mem::size_of::<Encoder>() as u32,
    capabilities: CONCURRENT_BATCHER | BATCH_INVARIANT | DETERMINISTIC,
    id: "org.example.hashed-words\0".as_ptr().cast(),
    name: "Hashed words\0".as_ptr().cast(),
    version: "1.0\0".as_ptr().cast(),
    description: "Words, hashed to signed places; nothing is learned.\0".as_ptr().cast(),
    license: "MIT\0".as_ptr().cast(),
    params: &PARAMS.0 as *const _ as *const *const ParamSpec,
    param_count: 1,
    create,
    destroy,
    prepare: None,
    dimension,
    batcher,
    get_extension: None,
};

static ENCODERS: Pointers<Encoder> = Pointers([&ENCODER]);

static PLUGIN: Plugin = Plugin {
    struct_size: std::mem::size_of::<Plugin>() as u32,
    abi_version: ABI_VERSION,
    encoders: &ENCODERS.0 as *const _ as *const *const Encoder,
    encoder_count: 1,
};

#[no_mangle]
pub extern "C" fn senteval_plugin_entry(host_abi_version: u32) -> *const Plugin {
    if host_abi_version >> 16 == ABI_VERSION >> 16 {
        &PLUGIN
    } else {
        std::ptr::null()
    }
}
