/* A C function that takes three arguments and does nothing: what a call costs at least. bench_text.py compiles it. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *noop(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    (void)args;
    if (count != 3) {
        PyErr_SetString(PyExc_TypeError, "noop takes three arguments");
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {{"noop", (PyCFunction)(void (*)(void))noop, METH_FASTCALL, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "noop", .m_size = 0, .m_methods = methods};

PyMODINIT_FUNC PyInit_noop(void) { return PyModule_Create(&module); }
