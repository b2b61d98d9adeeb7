// Products of 4096 pairs of polynomials of 1024 coefficients modulo 998244353 by number-theoretic transforms of 2048
// points: a gang a pair, both transforms and the way back in arrays of the gang.
#include "../kernels.h"
#include <stdint.h>

enum { PAIRS = 4096, TERMS = 1024, POINTS = 2 * TERMS, PRIME = 998244353 };

#if SPELLING == 1
static void multiply(int n, const unsigned *restrict a, const unsigned *restrict b, const unsigned *restrict root,
                     const unsigned *restrict inverse, unsigned scale, unsigned *restrict c)
{
#pragma acc parallel loop gang vector_length(256) present(a[0:n * TERMS], b[0:n * TERMS], c[0:n * POINTS]) \
    present(root[0:TERMS], inverse[0:TERMS])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        unsigned x[POINTS], y[POINTS];
#pragma acc loop vector
        for (int k = 0; k < TERMS; k++) {
            x[k] = a[s * TERMS + k];
            y[k] = b[s * TERMS + k];
            x[k + TERMS] = y[k + TERMS] = 0;
        }
        for (int half = TERMS; half >= 1; half /= 2) {
#pragma acc loop vector
            for (int k = 0; k < TERMS; k++) {
                int j = k % half, i = 2 * (k - j) + j;
                unsigned long long w = root[j * (TERMS / half)];
                unsigned p = x[i], q = x[i + half];
                x[i] = (p + q) % PRIME;
                x[i + half] = (p + PRIME - q) * w % PRIME;
                p = y[i];
                q = y[i + half];
                y[i] = (p + q) % PRIME;
                y[i + half] = (p + PRIME - q) * w % PRIME;
            }
        }
#pragma acc loop vector
        for (int k = 0; k < POINTS; k++)
            x[k] = (unsigned long long)x[k] * y[k] % PRIME;
        for (int half = 1; half <= TERMS; half *= 2) {
#pragma acc loop vector
            for (int k = 0; k < TERMS; k++) {
                int j = k % half, i = 2 * (k - j) + j;
                unsigned p = x[i], q = (unsigned long long)x[i + half] * inverse[j * (TERMS / half)] % PRIME;
                x[i] = (p + q) % PRIME;
                x[i + half] = (p + PRIME - q) % PRIME;
            }
        }
#pragma acc loop vector
        for (int k = 0; k < POINTS; k++)
            c[s * POINTS + k] = (unsigned long long)x[k] * scale % PRIME;
    }
}
#else
typedef uint32_t word;

static inline word add(word a, word b)
{
    word s = a + b;
    return s >= PRIME ? s - PRIME : s;
}

static inline word sub(word a, word b) { return a >= b ? a - b : a + PRIME - b; }

static inline word mul(word a, word b) { return (word)((uint64_t)a * b % PRIME); }

static inline void decimate(word *at, size_t half, word w)
{
    word p = at[0], q = at[half];
    at[0] = add(p, q);
    at[half] = mul(sub(p, q), w);
}

static void multiply(size_t n, word *a, word *b, word *root, word *inverse, word scale, word *c)
{
    word x[POINTS], y[POINTS];
#pragma acc parallel num_gangs(n) vector_length(256) private(x, y) present(a[0:n * TERMS], b[0:n * TERMS]) \
    present(c[0:n * POINTS], root[0:TERMS], inverse[0:TERMS])
    {
#pragma acc loop gang
#pragma omp parallel for private(x, y)
        for (size_t s = 0; s < n; ++s) {
            const word *f = a + s * TERMS, *g = b + s * TERMS;
            word *h = c + s * POINTS;
#pragma acc loop vector
            for (size_t k = 0; k < POINTS; ++k) {
                x[k] = k < TERMS ? f[k] : 0;
                y[k] = k < TERMS ? g[k] : 0;
            }
            size_t half = TERMS, stride = 1;
            while (half) {
#pragma acc loop vector
                for (size_t k = 0; k < TERMS; ++k) {
                    size_t j = k & (half - 1), i = ((k ^ j) << 1) | j;
                    decimate(x + i, half, root[j * stride]);
                    decimate(y + i, half, root[j * stride]);
                }
                half >>= 1;
                stride <<= 1;
            }
#pragma acc loop vector
            for (size_t k = 0; k < POINTS; ++k)
                x[k] = mul(x[k], y[k]);
            half = 1;
            stride = TERMS;
            while (half < POINTS) {
#pragma acc loop vector
                for (size_t k = 0; k < TERMS; ++k) {
                    size_t j = k & (half - 1);
                    word *at = x + (((k ^ j) << 1) | j), p = at[0], q = mul(at[half], inverse[j * stride]);
                    at[0] = add(p, q);
                    at[half] = sub(p, q);
                }
                half <<= 1;
                stride >>= 1;
            }
#pragma acc loop vector
            for (size_t k = 0; k < POINTS; ++k)
                h[k] = mul(x[k], scale);
        }
    }
}
#endif

static unsigned power(unsigned long long base, unsigned e)
{
    unsigned long long result = 1;
    for (; e; e /= 2, base = base * base % PRIME)
        if (e % 2)
            result = result * base % PRIME;
    return (unsigned)result;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PAIRS >> args.shift;
    unsigned *a = NEW(unsigned, n * TERMS), *b = NEW(unsigned, n * TERMS), *c = NEW(unsigned, n * POINTS);
    unsigned *root = NEW(unsigned, TERMS), *inverse = NEW(unsigned, TERMS);
    unsigned w = power(3, (PRIME - 1) / POINTS), scale = power(POINTS, PRIME - 2);
    double sum = 0;
    for (int k = 0; k < n * TERMS; k++) {
        a[k] = mix(2 * k) % PRIME;
        b[k] = mix(2 * k + 1) % PRIME;
    }
    for (int k = 0; k < TERMS; k++) {
        root[k] = power(w, k);
        inverse[k] = power(w, (POINTS - k) % POINTS);
    }
#pragma acc enter data copyin(a[0:n * TERMS], b[0:n * TERMS], root[0:TERMS], inverse[0:TERMS]) create(c[0:n * POINTS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        multiply(n, a, b, root, inverse, scale, c);
#pragma acc update self(c[0:n * POINTS])
    for (int k = 0; k < n * POINTS; k++)
        sum += (double)c[k] * (1 + k % 5);
    report("ntt", t.best, sum);
    return 0;
}
