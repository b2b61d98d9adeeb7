__attribute__((weak)) char __accrue_atomic_lock;
static void accrue_lock(void)
{
    while (__atomic_test_and_set(&__accrue_atomic_lock, 2)) {
    }
}
static void accrue_unlock(void)
{
    __atomic_clear(&__accrue_atomic_lock, 3);
}

static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    const long gang = (long)position;
    int *arg0 = (int *)launch->args[0];
    double *arg1 = (double *)launch->args[1];
    double _Complex *arg2 = (double _Complex *)launch->args[2];
    long *arg3 = (long *)launch->args[3];
    int arg4 = (int)launch->args[4];
    int t1 = (int)gang;
    double t2 = (double)gang;
    double _Complex t3 = __builtin_complex(t2, 0.0);
    __atomic_fetch_add(arg0, arg4, 0);
    int *t4 = &arg0[1];
    int t5;
    __atomic_load(t4, &t5, 0);
    int t6;
    do {
        t6 = (int)((unsigned)t5 - (unsigned)t1);
    } while (!__atomic_compare_exchange(t4, &t5, &t6, 1, 0, 0));
    long t7 = (long)(t5 - t6);
    __atomic_store(&arg3[gang], &t7, 0);
    double t8;
    __atomic_load(arg1, &t8, 0);
    double t9;
    do {
        t9 = ((t8 > t2) | (t2 != t2)) ? t8 : t2;
    } while (!__atomic_compare_exchange(arg1, &t8, &t9, 1, 0, 0));
    double *t10 = &arg1[1];
    double t11;
    __atomic_load(t10, &t11, 0);
    double t12;
    do {
        t12 = t11 + t2;
    } while (!__atomic_compare_exchange(t10, &t11, &t12, 1, 0, 0));
    accrue_lock();
    double _Complex t13 = *arg2;
    double _Complex t14;
    t14 = t13 + t3;
    *arg2 = t14;
    accrue_unlock();
    double t15;
    __atomic_load(arg1, &t15, 0);
    accrue_lock();
    double _Complex t16 = *arg2;
    accrue_unlock();
    return;
}
