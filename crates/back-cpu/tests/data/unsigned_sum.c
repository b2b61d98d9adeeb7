#pragma clang diagnostic ignored "-Wpass-failed"

static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    int *arg0 = (int *)launch->args[0];
    int *arg1 = (int *)launch->args[1];
    long arg2 = (long)launch->args[2];
    unsigned s = 0;
    int both = 0;
#pragma clang loop vectorize(assume_safety)
#pragma GCC ivdep
    for (long i = 0L; i < arg2; ++i) {
        int t1 = arg0[i];
        if (t1 != 0) {
            s = s + (unsigned)t1;
            both = (int)((unsigned)both + (unsigned)t1);
        }
        both = both + t1;
    }
    *arg1 = (int)s;
    arg1[1] = both;
    return;
}
