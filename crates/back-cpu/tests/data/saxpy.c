#pragma clang diagnostic ignored "-Wpass-failed"

static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    const long gang = (long)position;
    const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);
    double *arg0 = (double *)launch->args[0];
    double *arg1 = (double *)launch->args[1];
    double arg2;
    __builtin_memcpy(&arg2, &launch->args[2], sizeof arg2);
    long arg3 = (long)launch->args[3];
    long t1 = (arg3 + gangs - 1L) / gangs;
    long t2 = t1 * gang;
    long t3 = t2 + t1;
    long t4 = t3 < arg3 ? t3 : arg3;
#pragma clang loop vectorize(assume_safety)
#pragma GCC ivdep
    for (long i = t2; i < t4; ++i) {
        arg0[i] = arg2 * arg1[i] + arg0[i];
    }
    return;
}
