// Largest errors of mathematical functions on the device, in units in the last place.
//
//     errors [STRIDE] [DOUBLES] [FUNCTION]
//
// Float functions of one argument: every STRIDE-th of all 2^32 floats (1: all), compared on the device with the double function,
// whose error is below 2^-28 of a float's last place. Double functions and those of two arguments: DOUBLES random arguments (10^7),
// compared on the host with long double (double for float). A row of the table is: function, largest error, the argument it has
// it at, results that are wrong altogether (an infinity, a NaN or the sign of a zero).
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef unsigned long long word;

enum { CHUNK = 1 << 22, MOST_THREADS = 64 };

#pragma acc routine seq
static float float_of(unsigned bits)
{
    union {
        unsigned u;
        float f;
    } v;
    v.u = bits;
    return v.f;
}

#pragma acc routine seq
static double double_of(word bits)
{
    union {
        word u;
        double d;
    } v;
    v.u = bits;
    return v.d;
}

// Errors that are no matter of the last place.
#define WRONG 1e6

// How far `got` is from `exact`, in units of the last place of the rounded result.
#pragma acc routine seq
static double float_units(float got, double exact)
{
    float rounded = (float)exact;
    if (rounded != rounded || got != got)
        return rounded != rounded && got != got ? 0 : WRONG;
    if (isinf(rounded) || isinf(got)) {
        // Next to where overflow begins, one more or less is an infinity.
        if (rounded == got)
            return 0;
        return fabs(exact) > 0x1.fffffcp127 && fabsf(got) > 0x1.fffffcp127f && (exact > 0) == (got > 0) ? 1 : WRONG;
    }
    if (rounded == 0 && got == 0)
        return signbit(rounded) == signbit(got) ? 0 : WRONG;
    int exponent = rounded == 0 ? -126 : ilogb((double)rounded);
    return fabs(got - exact) * scalbn(1.0, 23 - (exponent < -126 ? -126 : exponent));
}

static double double_units(double got, long double exact)
{
    double rounded = (double)exact;
    if (rounded != rounded || got != got)
        return rounded != rounded && got != got ? 0 : WRONG;
    if (isinf(rounded) || isinf(got)) {
        if (rounded == got)
            return 0;
        return fabsl(exact) > 0x1.fffffffffffffp1023L && fabs(got) > 0x1.ffffffffffff0p1023 ? 1 : WRONG;
    }
    if (rounded == 0 && got == 0)
        return signbit(rounded) == signbit(got) ? 0 : WRONG;
    int exponent = rounded == 0 ? -1022 : ilogb(rounded);
    return (double)(fabsl(got - exact) * ldexpl(1, 52 - (exponent < -1022 ? -1022 : exponent)));
}

static long stride = 1, doubles = 10000000;

static void row(const char *name, double worst, const char *at, long wrong)
{
    printf("| `%s` | %.3f | %s | %ld |\n", name, worst, at, wrong);
    fflush(stdout);
}

#pragma acc routine seq
static double reference_rsqrt(double x) { return 1 / sqrt(x); }
#pragma acc routine seq
static float written_rsqrtf(float x) { return 1 / sqrtf(x); }
#pragma acc routine seq
static float quotientf(float x) { return 1 / x; }
#pragma acc routine seq
static double quotient(double x) { return 1 / x; }

#define FLOATS(F) \
    F(expf, exp) F(exp2f, exp2) F(exp10f, exp10) F(expm1f, expm1) F(logf, log) F(log2f, log2) F(log10f, log10) F(log1pf, log1p) \
    F(sinf, sin) F(cosf, cos) F(tanf, tan) F(asinf, asin) F(acosf, acos) F(atanf, atan) F(sinhf, sinh) F(coshf, cosh) \
    F(tanhf, tanh) F(asinhf, asinh) F(acoshf, acosh) F(atanhf, atanh) F(erff, erf) F(erfcf, erfc) F(cbrtf, cbrt) \
    F(sqrtf, sqrt) F(quotientf, quotient) F(written_rsqrtf, reference_rsqrt)

#define OF_FLOATS(NAME, REFERENCE) \
    static void floats_##NAME(void) \
    { \
        double worst = 0; \
        long wrong = 0, at = 1l << 32, count = ((1l << 32) + stride - 1) / stride; \
        _Pragma("acc parallel loop reduction(max:worst) reduction(+:wrong)") \
        for (long k = 0; k < count; k++) { \
            float x = float_of((unsigned)(k * stride)); \
            double units = float_units(NAME(x), REFERENCE((double)x)); \
            if (units == WRONG) \
                wrong++; \
            else \
                worst = fmax(worst, units); \
        } \
        _Pragma("acc parallel loop reduction(min:at)") \
        for (long k = 0; k < count; k++) { \
            float x = float_of((unsigned)(k * stride)); \
            double units = float_units(NAME(x), REFERENCE((double)x)); \
            if (wrong ? units == WRONG : units == worst) \
                at = at < k * stride ? at : k * stride; \
        } \
        char where[64]; \
        snprintf(where, sizeof where, "%a", (double)float_of((unsigned)at)); \
        row(strcmp(#NAME, "written_rsqrtf") ? strcmp(#NAME, "quotientf") ? #NAME : "1 / x, float" : "1 / sqrtf(x)", worst, where, wrong); \
    }
FLOATS(OF_FLOATS)

// Random arguments for doubles, by number: half of them any bits, half of them near 1 in size, some near 0. Device and host make
// them where they need them.
#pragma acc routine seq
static double argument(word number)
{
    word bits = number * 0x9e3779b97f4a7c15ull + 88172645463325252ull;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
    bits ^= bits >> 31;
    switch (bits >> 61) {
    case 0:
    case 1:
        return double_of(bits * 0x9e3779b97f4a7c15ull);
    case 2:
        return ((long long)(bits << 3) >> 3) * 0x1p-50;
    case 3:
        return (double)(bits & 0xfffffffffffffffull) * 0x1p-60;
    default:
        return ((long long)(bits << 3)) * 0x1p-59;
    }
}

#pragma acc routine seq
static double x_of(long k, int is_float)
{
    double x = argument(2 * (word)k);
    return is_float ? (float)x : x;
}

#pragma acc routine seq
static double y_of(long k, int is_float)
{
    double y = argument(2 * (word)k + 1);
    return is_float ? (float)y : y;
}

// A slice of what the device computed, and what a thread finds out about it.
struct slice {
    const double *got; // of argument `first`, and those behind it
    long double (*exact)(double x, double y);
    int is_float;
    long first, end, wrong, at;
    double worst;
};

static void *compare(void *argument)
{
    struct slice *s = argument;
    for (long k = s->first; k < s->end; k++) {
        long double exact = s->exact(x_of(k, s->is_float), y_of(k, s->is_float));
        double got = s->got[k - s->first];
        double units = s->is_float ? float_units((float)got, (double)exact) : double_units(got, exact);
        if (units == WRONG)
            s->at = s->wrong++ ? s->at : k;
        else if (units > s->worst) {
            s->worst = units;
            s->at = s->wrong ? s->at : k;
        }
    }
    return 0;
}

// Runs `compute` on random arguments and compares what it gives.
static void random_arguments(const char *name, void (*compute)(long, int, double *), long double (*exact)(double, double),
                             int is_float)
{
    double *got = malloc(sizeof(double[CHUNK])), worst = 0;
    long at = 0, wrong = 0, threads = sysconf(_SC_NPROCESSORS_ONLN);
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    for (long first = 0; first < doubles; first += CHUNK) {
        int n = doubles - first < CHUNK ? (int)(doubles - first) : CHUNK;
        compute(first, n, got);
        struct slice slices[MOST_THREADS];
        pthread_t started[MOST_THREADS];
        for (long t = 0; t < threads; t++) {
            long begin = n * t / threads, end = n * (t + 1) / threads;
            slices[t] = (struct slice){got + begin, exact, is_float, first + begin, first + end, 0, 0, 0};
            pthread_create(&started[t], 0, compare, &slices[t]);
        }
        for (long t = 0; t < threads; t++) {
            pthread_join(started[t], 0);
            struct slice *s = &slices[t];
            if (s->wrong ? !wrong : !wrong && s->worst > worst)
                at = s->at;
            worst = s->worst > worst ? s->worst : worst;
            wrong += s->wrong;
        }
    }
    char where[64];
    snprintf(where, sizeof where, "%a, %a", x_of(at, is_float), y_of(at, is_float));
    row(name, worst, where, wrong);
    free(got);
}

#define ONE(F) \
    F(exp, expl) F(exp2, exp2l) F(log, logl) F(log2, log2l) F(log10, log10l) F(log1p, log1pl) F(expm1, expm1l) F(sin, sinl) \
    F(cos, cosl) F(tan, tanl) F(asin, asinl) F(acos, acosl) F(atan, atanl) F(sinh, sinhl) F(cosh, coshl) F(tanh, tanhl) \
    F(erf, erfl) F(erfc, erfcl) F(cbrt, cbrtl) F(sqrt, sqrtl)

#define COMPUTED(NAME, EXPRESSION, EXACT, IS_FLOAT) \
    static void compute_##NAME(long first, int n, double *got) \
    { \
        _Pragma("acc parallel loop copyout(got[0:n])") \
        for (int k = 0; k < n; k++) { \
            double x = x_of(first + k, IS_FLOAT), y = y_of(first + k, IS_FLOAT); \
            (void)y; \
            got[k] = EXPRESSION; \
        } \
    } \
    static long double exact_##NAME(double x, double y) \
    { \
        (void)y; \
        return EXACT; \
    } \
    static void random_##NAME(const char *name) { random_arguments(name, compute_##NAME, exact_##NAME, IS_FLOAT); }

#define OF_ONE(NAME, REFERENCE) COMPUTED(NAME, NAME(x), REFERENCE(x), 0)
ONE(OF_ONE)
COMPUTED(pow, pow(x, y), powl(x, y), 0)
COMPUTED(atan2, atan2(x, y), atan2l(x, y), 0)
COMPUTED(hypot, hypot(x, y), hypotl(x, y), 0)
COMPUTED(rsqrt, 1 / sqrt(x), 1 / sqrtl(x), 0)
COMPUTED(divide, x / y, (long double)x / y, 0)
COMPUTED(cube, pow(x, 3), powl(x, 3), 0)
COMPUTED(root_cubed, pow(x, 1.5), powl(x, 1.5L), 0)
COMPUTED(powf, powf((float)x, (float)y), pow(x, y), 1)
COMPUTED(atan2f, atan2f((float)x, (float)y), atan2(x, y), 1)
COMPUTED(hypotf, hypotf((float)x, (float)y), hypot(x, y), 1)
COMPUTED(dividef, (float)x / (float)y, x / y, 1)
COMPUTED(fourthf, powf((float)x, 4), pow(x, 4), 1)

int main(int argc, char **argv)
{
    const char *only = argc > 3 ? argv[3] : "";
    stride = argc > 1 ? atol(argv[1]) : stride;
    doubles = argc > 2 ? atol(argv[2]) : doubles;
    if (stride < 1 || doubles < 0)
        return 2;
    printf("| function | largest error | at | wrong |\n| --- | --: | --- | --: |\n");
#define WANTED(NAME) (!*only || !strcmp(only, NAME))
#define RUN_FLOATS(NAME, REFERENCE) \
    if (WANTED(#NAME)) \
        floats_##NAME();
    FLOATS(RUN_FLOATS)
    if (!doubles)
        return 0;
#define RUN_RANDOM(NAME, TEXT) \
    if (WANTED(#NAME)) \
        random_##NAME(TEXT);
#define RUN_ONE(NAME, REFERENCE) RUN_RANDOM(NAME, #NAME)
    ONE(RUN_ONE)
    RUN_RANDOM(pow, "pow")
    RUN_RANDOM(atan2, "atan2")
    RUN_RANDOM(hypot, "hypot")
    RUN_RANDOM(rsqrt, "1 / sqrt(x)")
    RUN_RANDOM(divide, "x / y")
    RUN_RANDOM(cube, "pow(x, 3)")
    RUN_RANDOM(root_cubed, "pow(x, 1.5)")
    RUN_RANDOM(powf, "powf")
    RUN_RANDOM(atan2f, "atan2f")
    RUN_RANDOM(hypotf, "hypotf")
    RUN_RANDOM(dividef, "x / y, float")
    RUN_RANDOM(fourthf, "powf(x, 4)")
    return 0;
}
