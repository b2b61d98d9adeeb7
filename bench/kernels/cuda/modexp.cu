// Checks of 2^15 signatures of 512 bits as RSA has them: a thread a signature, words of all together, products unrolled
// into registers.
#include "kernels.cuh"

constexpr int LIMBS = 16, THREADS = 128;

__device__ __forceinline__ void product(const unsigned (&a)[LIMBS], const unsigned (&b)[LIMBS],
                                        const unsigned (&m)[LIMBS], unsigned inverse, unsigned (&r)[LIMBS])
{
    unsigned t[LIMBS + 2] = {};
#pragma unroll
    for (int i = 0; i < LIMBS; i++) {
        unsigned long long carry = 0;
#pragma unroll
        for (int j = 0; j < LIMBS; j++) {
            carry += (unsigned long long)a[j] * b[i] + t[j];
            t[j] = (unsigned)carry;
            carry >>= 32;
        }
        carry += t[LIMBS];
        t[LIMBS] = (unsigned)carry;
        t[LIMBS + 1] = carry >> 32;
        unsigned q = t[0] * inverse;
        carry = ((unsigned long long)q * m[0] + t[0]) >> 32;
#pragma unroll
        for (int j = 1; j < LIMBS; j++) {
            carry += (unsigned long long)q * m[j] + t[j];
            t[j - 1] = (unsigned)carry;
            carry >>= 32;
        }
        carry += t[LIMBS];
        t[LIMBS - 1] = (unsigned)carry;
        t[LIMBS] = t[LIMBS + 1] + (unsigned)(carry >> 32);
    }
    unsigned borrow = 0, less[LIMBS];
#pragma unroll
    for (int j = 0; j < LIMBS; j++) {
        unsigned long long d = (unsigned long long)t[j] - m[j] - borrow;
        less[j] = (unsigned)d;
        borrow = d >> 63;
    }
#pragma unroll
    for (int j = 0; j < LIMBS; j++)
        r[j] = t[LIMBS] >= borrow ? less[j] : t[j];
}

__global__ void __launch_bounds__(THREADS)
    powers(int n, const unsigned *__restrict__ base, const unsigned *__restrict__ modulus,
           const unsigned *__restrict__ square, unsigned *__restrict__ result)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned m[LIMBS], a[LIMBS], x[LIMBS], one[LIMBS] = {1};
#pragma unroll
    for (int j = 0; j < LIMBS; j++) {
        m[j] = modulus[j * n + i];
        x[j] = square[j * n + i];
        a[j] = base[j * n + i];
    }
    unsigned inverse = 1;
    for (int k = 0; k < 5; k++)
        inverse *= 2 - m[0] * inverse;
    inverse = -inverse;
    product(a, x, m, inverse, a);
#pragma unroll
    for (int j = 0; j < LIMBS; j++)
        x[j] = a[j];
#pragma unroll 1
    for (int bit = 15; bit >= 0; bit--)
        product(x, x, m, inverse, x);
    product(x, a, m, inverse, x);
    product(x, one, m, inverse, x);
#pragma unroll
    for (int j = 0; j < LIMBS; j++)
        result[j * n + i] = x[j];
}

// 2^1024 modulo m by doubling.
static void prepare(const unsigned *m, unsigned *square)
{
    for (int j = 0; j < LIMBS; j++)
        square[j] = j == 0;
    for (int bit = 0; bit < 2 * 32 * LIMBS; bit++) {
        unsigned over = square[LIMBS - 1] >> 31, less[LIMBS], borrow = 0;
        for (int j = LIMBS - 1; j >= 0; j--)
            square[j] = square[j] << 1 | (j ? square[j - 1] >> 31 : 0);
        for (int j = 0; j < LIMBS; j++) {
            unsigned long long d = (unsigned long long)square[j] - m[j] - borrow;
            less[j] = d;
            borrow = d >> 63;
        }
        if (over >= borrow)
            for (int j = 0; j < LIMBS; j++)
                square[j] = less[j];
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 15) >> args.shift, all = n * LIMBS;
    unsigned *base = NEW(unsigned, all), *modulus = NEW(unsigned, all), *square = NEW(unsigned, all),
             *result = NEW(unsigned, all);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        unsigned m[LIMBS], s[LIMBS];
        for (int j = 0; j < LIMBS; j++)
            m[j] = mix(i * LIMBS + j) | (j == 0) | (j == LIMBS - 1 ? 0x80000000u : 0);
        prepare(m, s);
        for (int j = 0; j < LIMBS; j++) {
            base[j * n + i] = j == LIMBS - 1 ? mix(i + 5) >> 1 : mix(i * LIMBS + j + 777);
            modulus[j * n + i] = m[j];
            square[j * n + i] = s[j];
        }
    }
    unsigned *dbase = on_device(base, all), *dmodulus = on_device(modulus, all), *dsquare = on_device(square, all),
             *dresult = device<unsigned>(all);
    double best =
        fastest(args.repeats, [&] { powers<<<ceiling(n, THREADS), THREADS>>>(n, dbase, dmodulus, dsquare, dresult); });
    to_host(result, dresult, all);
    for (int k = 0; k < all; k++)
        sum += result[k] >> 8;
    report("modexp", best, sum);
    return 0;
}
