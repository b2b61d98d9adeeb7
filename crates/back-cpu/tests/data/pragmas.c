#pragma clang diagnostic ignored "-Wpass-failed"

static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    double *arg0 = (double *)launch->args[0];
    long arg1 = (long)launch->args[1];
    double shared[4];
    for (long i = 0L; i < arg1; ++i) {
        shared[1] = 1.5;
        arg0[i] = shared[1];
    }
    double table[4];
    __builtin_memset(&table, 0, sizeof(double [4]));
#pragma clang loop vectorize(assume_safety)
#pragma GCC ivdep
    for (long i_2 = 0L; i_2 < arg1; ++i_2) {
        arg0[i_2] = table[1];
    }
    double s = 1.5;
#pragma clang loop vectorize(assume_safety)
#pragma GCC ivdep
    for (long i_3 = 0L; i_3 < arg1; ++i_3) {
        s = s + arg0[i_3];
    }
    *arg0 = s;
    for (long i_4 = 0L; i_4 < arg1; ++i_4) {
        double t1;
        __atomic_load(arg0, &t1, 0);
        double t2;
        do {
            t2 = t1 + 1.5;
        } while (!__atomic_compare_exchange(arg0, &t1, &t2, 1, 0, 0));
    }
    return;
}
