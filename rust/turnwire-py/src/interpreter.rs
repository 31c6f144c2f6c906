//! Refuses an import in a subinterpreter, before anything of turnwire is made there.
//!
//! What lives as long as the process (interned keys, exceptions, classes) would outlive the subinterpreter. `PyInit` is
//! too early for the question: from 3.13 on, Python calls it in the main interpreter, whoever imports. PyO3's own slot is
//! too late: it makes the classes. So a slot of ours runs before it. Python runs slots in the interpreter that imports.

use core::{
    cell::UnsafeCell,
    ffi::{c_int, c_void},
    ptr,
};
use std::sync::Once;

use pyo3::ffi;

/// The most slots that PyO3 has (name, docs, ABI, GIL, execution), the zero behind them, and ours.
const MOST: usize = 8;
const NONE: ffi::PyModuleDef_Slot = ffi::PyModuleDef_Slot { slot: 0, value: ptr::null_mut() };

struct Slots(UnsafeCell<[ffi::PyModuleDef_Slot; MOST]>);

// SAFETY: they are written once, by `guard`, before Python reads them.
unsafe impl Sync for Slots {}

static SLOTS: Slots = Slots(UnsafeCell::new([NONE; MOST]));

/// Puts our slot before those of `definition`: once, however often the module is imported.
///
/// # Safety
/// `definition` is null or a definition that lives as long as the process, and the thread is attached.
pub(crate) unsafe fn guard(definition: *mut ffi::PyModuleDef) {
    static ONCE: Once = Once::new();
    if definition.is_null() {
        return;
    }
    ONCE.call_once(|| {
        // SAFETY: Python reads a definition's slots after `PyInit`, and `Once` lets one thread in.
        let (slots, given) = unsafe { (&mut *SLOTS.0.get(), &mut (*definition).m_slots) };
        slots[0] = ffi::PyModuleDef_Slot { slot: ffi::Py_mod_exec, value: main_interpreter_only as *mut c_void };
        for (at, slot) in slots[1..].iter_mut().enumerate() {
            // SAFETY: nothing behind the slot with the number 0 is read.
            *slot = unsafe { *given.add(at) };
            if slot.slot == NONE.slot {
                *given = slots.as_mut_ptr();
                return;
            }
        }
        unreachable!("PyO3 has more than {} slots", MOST - 2);
    });
}

/// The slot. It uses no PyO3, whose references could outlive a refused interpreter.
unsafe extern "C" fn main_interpreter_only(_module: *mut ffi::PyObject) -> c_int {
    // SAFETY: Python calls this with an attached thread, which has an interpreter.
    unsafe {
        if ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) == 0 {
            return 0;
        }
        let why = c"turnwire works in the main interpreter only, not in a subinterpreter";
        ffi::PyErr_SetString(ffi::PyExc_ImportError, why.as_ptr());
    }
    -1
}
