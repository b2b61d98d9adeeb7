// Products of 4096 pairs of polynomials of 1024 coefficients modulo 998244353 by number-theoretic transforms of 2048
// points: a block a pair, in shared memory; products by Montgomery's method, whose factor the tables of roots contain.
#include "kernels.cuh"

typedef unsigned long long wide;

constexpr int PAIRS = 4096, TERMS = 1024, POINTS = 2 * TERMS, THREADS = 256;
constexpr unsigned PRIME = 998244353;

constexpr unsigned negative_inverse()
{
    unsigned x = 1;
    for (int k = 0; k < 5; k++)
        x *= 2 - PRIME * x;
    return 0u - x;
}

constexpr unsigned FACTOR = negative_inverse();

// a b / 2^32 modulo PRIME
__device__ unsigned montgomery(unsigned a, unsigned b)
{
    wide t = (wide)a * b;
    unsigned m = (unsigned)t * FACTOR;
    unsigned r = (unsigned)((t + (wide)m * PRIME) >> 32);
    return r >= PRIME ? r - PRIME : r;
}

__device__ unsigned add(unsigned a, unsigned b)
{
    unsigned s = a + b;
    return min(s, s - PRIME);
}

__device__ unsigned sub(unsigned a, unsigned b)
{
    unsigned d = a - b;
    return min(d, d + PRIME);
}

__global__ void __launch_bounds__(THREADS)
multiply(const unsigned *__restrict__ a, const unsigned *__restrict__ b, const unsigned *__restrict__ root,
         const unsigned *__restrict__ inverse, unsigned scale, unsigned *__restrict__ c)
{
    __shared__ unsigned x[POINTS], y[POINTS];
    a += blockIdx.x * TERMS;
    b += blockIdx.x * TERMS;
    c += blockIdx.x * POINTS;
    // the first step, whose second half is zero
    for (int k = threadIdx.x; k < TERMS; k += THREADS) {
        unsigned w = root[k];
        x[k] = a[k];
        y[k] = b[k];
        x[k + TERMS] = montgomery(a[k], w);
        y[k + TERMS] = montgomery(b[k], w);
    }
    for (int level = 9; level >= 0; level--) {
        int half = 1 << level;
        __syncthreads();
#pragma unroll
        for (int k = threadIdx.x; k < TERMS; k += THREADS) {
            int j = k & (half - 1), i = 2 * k - j;
            unsigned w = root[j << (10 - level)], p = x[i], q = x[i + half];
            x[i] = add(p, q);
            x[i + half] = montgomery(sub(p, q), w);
            p = y[i];
            q = y[i + half];
            y[i] = add(p, q);
            y[i + half] = montgomery(sub(p, q), w);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < POINTS; k += THREADS)
        x[k] = montgomery(x[k], y[k]);
    for (int level = 0; level <= 10; level++) {
        int half = 1 << level;
        __syncthreads();
#pragma unroll
        for (int k = threadIdx.x; k < TERMS; k += THREADS) {
            int j = k & (half - 1), i = 2 * k - j;
            unsigned p = x[i], q = montgomery(x[i + half], inverse[j << (10 - level)]);
            x[i] = add(p, q);
            x[i + half] = sub(p, q);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < POINTS; k += THREADS)
        c[k] = montgomery(x[k], scale);
}

static unsigned power(wide base, unsigned e)
{
    wide result = 1;
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
    wide w = power(3, (PRIME - 1) / POINTS), r = (1ull << 32) % PRIME;
    // the product of two values has lost a factor of 2^32, and that with the scale another
    unsigned scale = (unsigned)(power(POINTS, PRIME - 2) * r % PRIME * r % PRIME);
    double sum = 0;
    for (int k = 0; k < n * TERMS; k++) {
        a[k] = mix(2 * k) % PRIME;
        b[k] = mix(2 * k + 1) % PRIME;
    }
    for (int k = 0; k < TERMS; k++) {
        root[k] = (unsigned)(power(w, k) * r % PRIME);
        inverse[k] = (unsigned)(power(w, (POINTS - k) % POINTS) * r % PRIME);
    }
    unsigned *da = on_device(a, n * TERMS), *db = on_device(b, n * TERMS), *dc = device<unsigned>(n * POINTS);
    unsigned *droot = on_device(root, TERMS), *dinverse = on_device(inverse, TERMS);
    double best = fastest(args.repeats, [&] { multiply<<<n, THREADS>>>(da, db, droot, dinverse, scale, dc); });
    to_host(c, dc, n * POINTS);
    for (int k = 0; k < n * POINTS; k++)
        sum += (double)c[k] * (1 + k % 5);
    report("ntt", best, sum);
    return 0;
}
