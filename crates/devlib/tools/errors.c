/* Largest errors of the float functions over all floats, or every STRIDE-th, with the C files compiled for the host.
 *
 *     cc -std=gnu11 -O2 -ffp-contract=off -mfma -Isrc/c tools/errors.c -lm -o errors && ./errors [STRIDE] [FUNCTION …]
 *
 * With -DACCRUE_SKEW=1 and -DACCRUE_SKEW=-1 every approximation of the GPU has the largest error that its documentation allows.
 * The references are the host's double functions, whose errors are below 2^-28 of a float's last place. A unit is that of the
 * rounded result, of subnormal ones 2^-149.
 */
#include "all.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double reference_rsqrt(double x) { return 1 / sqrt(x); }
static double reference_exp10(double x) { return exp2(x * 3.321928094887362347870319429489390175864831393); }

static const struct {
    const char *name;
    float (*function)(float);
    double (*reference)(double);
} functions[] = {
    {"expf", __accrue_expf, exp},       {"exp2f", __accrue_exp2f, exp2},    {"exp10f", __accrue_exp10f, reference_exp10},
    {"expm1f", __accrue_expm1f, expm1}, {"logf", __accrue_logf, log},       {"log2f", __accrue_log2f, log2},
    {"log10f", __accrue_log10f, log10}, {"log1pf", __accrue_log1pf, log1p}, {"sinf", __accrue_sinf, sin},
    {"cosf", __accrue_cosf, cos},       {"tanf", __accrue_tanf, tan},       {"sinhf", __accrue_sinhf, sinh},
    {"coshf", __accrue_coshf, cosh},    {"tanhf", __accrue_tanhf, tanh},    {"erff", __accrue_erff, erf},
    {"erfcf", __accrue_erfcf, erfc},    {"cbrtf", __accrue_cbrtf, cbrt},    {"rsqrtf", __accrue_rsqrtf, reference_rsqrt},
    {"asinf", __accrue_asinf, asin},    {"acosf", __accrue_acosf, acos},    {"atanf", __accrue_atanf, atan},
    {"asinhf", __accrue_asinhf, asinh}, {"acoshf", __accrue_acoshf, acosh}, {"atanhf", __accrue_atanhf, atanh},
};

/* How far `got` is from `exact` in units of the last place; wrong infinities, NaNs and signs of zeros are a million away. */
static double units(float got, double exact)
{
    float rounded = (float)exact;
    if (rounded != rounded || got != got)
        return rounded != rounded && got != got ? 0 : 1e6;
    if (got == rounded)
        return rounded == 0 && signbit(got) != signbit(rounded) ? 1e6 : isinf(got) ? 0 : fabs(got - exact) / ldexp(1, ilogb(rounded == 0 || fabsf(rounded) < 0x1p-126f ? 0x1p-126f : rounded) - 23);
    if (isinf(rounded) || isinf(got))
        return fabs(exact) > 0x1.fffffdp127 && fabsf(got) > 0x1.ffffefp127f ? 1 : 1e6;
    return fabs(got - exact) / ldexp(1, ilogb(fabsf(rounded) < 0x1p-126f ? 0x1p-126f : rounded) - 23);
}

int main(int argc, char **argv)
{
    u64 stride = argc > 1 ? strtoull(argv[1], 0, 10) : 1;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        int wanted = argc <= 2;
        for (int k = 2; k < argc; k++)
            wanted |= !strcmp(argv[k], functions[i].name);
        if (!wanted)
            continue;
        double worst = 0;
        float where = 0;
        for (u64 word = 0; word < 1ull << 32; word += stride) {
            float x = from_bitsf((u32)word);
            double error = units(functions[i].function(x), functions[i].reference((double)x));
            if (error > worst)
                worst = error, where = x;
        }
        printf("%-8s %6.3f at %a\n", functions[i].name, worst, (double)where);
    }
    return 0;
}
