// Checks of 2^15 signatures of 512 bits as RSA has them: each to the power of 65537 modulo its own number by
// Montgomery's products, on 16 words of 32 bits, double words for the products and what they carry.
#include "../kernels.h"

enum { COUNT = 1 << 15, LIMBS = 16, EXPONENT = 65537 };

#if SPELLING == 1
// r = a b / 2^512 modulo m; all less than m.
static inline void product(const unsigned *a, const unsigned *b, const unsigned *m, unsigned inverse, unsigned *r)
{
    unsigned t[LIMBS + 2] = {0};
    for (int i = 0; i < LIMBS; i++) {
        unsigned long long carry = 0;
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
    for (int j = 0; j < LIMBS; j++) {
        unsigned long long d = (unsigned long long)t[j] - m[j] - borrow;
        less[j] = (unsigned)d;
        borrow = d >> 63;
    }
    for (int j = 0; j < LIMBS; j++)
        r[j] = t[LIMBS] >= borrow ? less[j] : t[j];
}

static void powers(int n, const unsigned *restrict base, const unsigned *restrict modulus,
                   const unsigned *restrict square, unsigned *restrict result)
{
#pragma acc parallel loop gang vector vector_length(128) \
    present(base[0:n * LIMBS], modulus[0:n * LIMBS], square[0:n * LIMBS], result[0:n * LIMBS])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned m[LIMBS], a[LIMBS], x[LIMBS], one[LIMBS] = {1};
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
        for (int j = 0; j < LIMBS; j++)
            x[j] = a[j];
        for (int bit = 15; bit >= 0; bit--) {
            product(x, x, m, inverse, x);
            if (EXPONENT >> bit & 1)
                product(x, a, m, inverse, x);
        }
        product(x, one, m, inverse, x);
        for (int j = 0; j < LIMBS; j++)
            result[j * n + i] = x[j];
    }
}
#else
typedef struct { unsigned limb[LIMBS]; } big;
#define LOW(x) ((x) & 0xffffffffu)

// First the product of twice as many words, then its reduction.
#pragma acc routine seq
static big product(big a, big b, const big *m, unsigned inverse)
{
    unsigned t[2 * LIMBS + 1];
    unsigned long carry;
    for (size_t k = 0; k <= 2 * LIMBS; ++k)
        t[k] = 0;
    for (size_t i = 0; i < LIMBS; ++i) {
        carry = 0;
        for (size_t j = 0; j < LIMBS; ++j) {
            unsigned long x = (unsigned long)a.limb[i] * b.limb[j] + t[i + j] + carry;
            t[i + j] = LOW(x);
            carry = x >> 32;
        }
        t[i + LIMBS] = carry;
    }
    for (size_t i = 0; i < LIMBS; ++i) {
        const unsigned q = t[i] * inverse;
        carry = 0;
        for (size_t j = 0; j < LIMBS; ++j) {
            unsigned long x = (unsigned long)q * m->limb[j] + t[i + j] + carry;
            t[i + j] = LOW(x);
            carry = x >> 32;
        }
        for (size_t k = i + LIMBS; carry && k <= 2 * LIMBS; ++k) {
            carry += t[k];
            t[k] = LOW(carry);
            carry >>= 32;
        }
    }
    int larger = t[2 * LIMBS] != 0, equal = !larger;
    for (int j = LIMBS - 1; equal && j >= 0; --j)
        if (t[LIMBS + j] != m->limb[j]) {
            equal = 0;
            larger = t[LIMBS + j] > m->limb[j];
        }
    big r;
    long borrow = 0;
    for (size_t j = 0; j < LIMBS; ++j) {
        long d = (long)t[LIMBS + j] + borrow - (larger || equal ? (long)m->limb[j] : 0);
        r.limb[j] = LOW(d);
        borrow = d >> 32;
    }
    return r;
}

static void powers(unsigned n, const big *base, const big *modulus, const big *square, big *result)
{
#pragma acc kernels present(base[0:n], modulus[0:n], square[0:n], result[0:n])
#pragma acc loop independent
#pragma omp parallel for
    for (unsigned i = 0; i < n; ++i) {
        const big m = modulus[i];
        big one = {{1}}, a, x;
        unsigned inverse = m.limb[0], e = EXPONENT;
        while (inverse * m.limb[0] != 1)
            inverse *= 2 - m.limb[0] * inverse;
        inverse = 0u - inverse;
        a = product(base[i], square[i], &m, inverse);
        x = product(one, square[i], &m, inverse);
        for (; e; e >>= 1) {
            if (e & 1)
                x = product(x, a, &m, inverse);
            if (e > 1)
                a = product(a, a, &m, inverse);
        }
        result[i] = product(x, one, &m, inverse);
    }
}
#endif

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
    int n = COUNT >> args.shift, all = n * LIMBS;
    unsigned *base = NEW(unsigned, all), *modulus = NEW(unsigned, all), *square = NEW(unsigned, all),
             *result = NEW(unsigned, all);
    double sum = 0;
#if SPELLING == 1
#define WORD(i, j) ((j) * n + (i))
#else
#define WORD(i, j) ((i) * LIMBS + (j))
#endif
    for (int i = 0; i < n; i++) {
        unsigned m[LIMBS], s[LIMBS];
        for (int j = 0; j < LIMBS; j++)
            m[j] = mix(i * LIMBS + j) | (j == 0) | (j == LIMBS - 1 ? 0x80000000u : 0);
        prepare(m, s);
        for (int j = 0; j < LIMBS; j++) {
            base[WORD(i, j)] = j == LIMBS - 1 ? mix(i + 5) >> 1 : mix(i * LIMBS + j + 777);
            modulus[WORD(i, j)] = m[j];
            square[WORD(i, j)] = s[j];
        }
    }
#pragma acc enter data copyin(base[0:all], modulus[0:all], square[0:all]) create(result[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        powers(n, base, modulus, square, result);
#else
        powers(n, (big *)base, (big *)modulus, (big *)square, (big *)result);
#endif
    }
#pragma acc update self(result[0:all])
    for (int k = 0; k < all; k++)
        sum += result[k] >> 8;
    report("modexp", t.best, sum);
    return 0;
}
