/* log, log2, log10, log1p of double. */
#include "log.h"

/* The result, or what logarithms give for x that are no positive finite numbers: x inf + inf is infinity, or NaN. */
#define LOG_END(x, result) (bits(x) - 1u < 0x7fefffffffffffffu ? (result) : (x) == 0.0 ? -INF : (x) * INF + INF)

/* e ln2 + log(1 + f). */
static inline double log_sum(int e, double f)
{
    double u, u_low, s, s_low, v;
    LOG_QUOTIENT(f, u, u_low)
    v = u * u;
    double tail = fma(u * v, POLY_LOG(v), u_low);
    FAST_TWO_SUM(s, s_low, (double)e * 0x1.62e42fefa38p-1, u);
    return s + (s_low + fma((double)e, 0x1.ef35793c7673p-45, tail));
}

double __accrue_log(double x)
{
    int e;
    double f;
    LOG_SPLIT(x, e, f)
    double result = log_sum(e, f);
    return LOG_END(x, result);
}

/* log(1 + x) = e ln2 + log(m), with what 1 + x lost added to m. */
double __accrue_log1p(double x)
{
    if (!(x > -1.0 && x < INF))
        return x == -1.0 ? -INF : log_special(x + 1.0);
    int e = 0;
    double f = x;
    if (!(x > -0.29 && x < 0.41)) {
        double s, lost;
        TWO_SUM(s, lost, 1.0, x);
        LOG_SPLIT(s, e, f)
        f += e > 1000 ? 0.0 : lost * POWER(-e);
    }
    return x == 0.0 ? x : log_sum(e, f);
}

/* (log(1 + f)) times the sum factor + factor_low, plus e times the sum step + step_low. */
static inline double log_other(int e, double f, double factor, double factor_low, double step, double step_low)
{
    double u, u_low, v, s, s_low, p, p_low, t, t_low;
    LOG_QUOTIENT(f, u, u_low)
    v = u * u;
    FAST_TWO_SUM(s, s_low, u, fma(u * v, POLY_LOG(v), u_low));
    TWO_PRODUCT(p, p_low, s, factor);
    p_low += fma(s_low, factor, s * factor_low);
    FAST_TWO_SUM(t, t_low, (double)e * step, p);
    return t + (t_low + fma((double)e, step_low, p_low));
}

double __accrue_log2(double x)
{
    int e;
    double f;
    LOG_SPLIT(x, e, f)
    double result = log_other(e, f, LOG2E, LOG2E_LO, 1.0, 0.0);
    return LOG_END(x, result);
}

double __accrue_log10(double x)
{
    int e;
    double f;
    LOG_SPLIT(x, e, f)
    double result = log_other(e, f, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f78p-2, 0x1.fef311f12b358p-46);
    return LOG_END(x, result);
}
