// The state of 20 quantum bits, float complex: on each bit a gate of Hadamard and then a turn that the next bit controls.
#include "../kernels.h"

enum { QUBITS = 20 };

#if SPELLING == 1
typedef struct { float re, im; } amplitude;

static void circuit(int bits, amplitude *restrict state)
{
    long n = 1l << bits;
    for (int q = 0; q < bits; q++) {
        long stride = 1l << q;
#pragma acc parallel loop present(state[0:n])
#pragma omp parallel for
        for (long k = 0; k < n / 2; k++) {
            long low = (k / stride) * stride * 2 + k % stride, high = low + stride;
            amplitude a = state[low], b = state[high];
            state[low] = (amplitude){(a.re + b.re) * 0.70710678f, (a.im + b.im) * 0.70710678f};
            state[high] = (amplitude){(a.re - b.re) * 0.70710678f, (a.im - b.im) * 0.70710678f};
        }
        long control = 1l << (q + 1) % bits;
        float c = cosf(1.0f / (q + 1)), s = sinf(1.0f / (q + 1));
#pragma acc parallel loop present(state[0:n])
#pragma omp parallel for
        for (long k = 0; k < n; k++)
            if ((k & stride) && (k & control)) {
                amplitude a = state[k];
                state[k].re = a.re * c - a.im * s;
                state[k].im = a.re * s + a.im * c;
            }
    }
}
#else
#include <complex.h>
typedef float complex amplitude;

static inline unsigned without(unsigned k, int q) { return ((k >> q) << (q + 1)) | (k & ((1u << q) - 1)); }

static void gate(unsigned n, int q, amplitude *state, const amplitude m[2][2])
{
    amplitude m00 = m[0][0], m01 = m[0][1], m10 = m[1][0], m11 = m[1][1];
#pragma acc parallel loop gang vector present(state[0:n])
#pragma omp parallel for
    for (unsigned k = 0; k < n / 2; ++k) {
        unsigned at = without(k, q);
        amplitude zero = state[at], one = state[at | 1u << q];
        state[at] = m00 * zero + m01 * one;
        state[at | 1u << q] = m10 * zero + m11 * one;
    }
}

static void controlled(unsigned n, unsigned mask, amplitude *state, amplitude by)
{
#pragma acc parallel loop gang vector present(state[0:n])
#pragma omp parallel for
    for (unsigned k = 0; k < n; ++k) {
        if ((k & mask) != mask)
            continue;
        state[k] *= by;
    }
}

static void circuit(int bits, amplitude *state)
{
    const float h = 0.70710678f;
    const amplitude hadamard[2][2] = {{h, h}, {h, -h}};
    for (int q = 0; q < bits; ++q) {
        gate(1u << bits, q, state, hadamard);
        controlled(1u << bits, 1u << q | 1u << (q + 1) % bits, state, cosf(1.0f / (q + 1)) + sinf(1.0f / (q + 1)) * I);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int bits = QUBITS - args.shift;
    long n = 1l << bits;
    amplitude *state = NEW(amplitude, n);
    double sum = 0;
    for (long k = 0; k < 2 * n; k++)
        ((float *)state)[k] = number(k);
#pragma acc enter data copyin(state[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        circuit(bits, state);
#pragma acc update self(state[0:n])
    for (long k = 0; k < 2 * n; k++)
        sum += fabsf(((float *)state)[k]);
    report("qubits", t.best, sum);
    return 0;
}
