struct accrue_k0_0_slot;
struct accrue_k0_0_slot {
    double value_0;
    double *result_0;
};
_Static_assert(sizeof(struct accrue_k0_0_slot) == 16, "size of struct accrue_k0_0_slot");
_Static_assert(_Alignof(struct accrue_k0_0_slot) == 8, "alignment of struct accrue_k0_0_slot");
_Static_assert(__builtin_offsetof(struct accrue_k0_0_slot, value_0) == 0, "offset of value_0 in struct accrue_k0_0_slot");
_Static_assert(__builtin_offsetof(struct accrue_k0_0_slot, result_0) == 8, "offset of result_0 in struct accrue_k0_0_slot");

static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    const long gang = (long)position;
    const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);
    double *arg0 = (double *)launch->args[0];
    double *arg1 = (double *)launch->args[1];
    double *arg2 = (double *)launch->args[2];
    int arg3 = (int)launch->args[3];
    struct accrue_k0_0_slot *t1 = (struct accrue_k0_0_slot *)(launch->slots + gang * launch->slot_stride);
    t1->value_0 = 0.0;
    t1->result_0 = (double *)0;
    t1->result_0 = arg0;
    double sum = 0.0;
    long t2 = (long)arg3;
    long t3 = 0L < t2 ? t2 : 0L;
    long t4 = (long)((unsigned long)t3 + (unsigned long)gangs - 1UL) / gangs;
    long t5 = (long)((unsigned long)gang * (unsigned long)t4);
    long t6 = t5 < t3 ? t5 : t3;
    long t7 = (long)((unsigned long)t6 + (unsigned long)t4);
    int t8 = (int)(t7 < t3 ? t7 : t3);
#pragma omp simd reduction(+:sum)
    for (int i = (int)t6; i < t8; ++i) {
        sum = sum + arg1[i] * arg2[i];
    }
    t1->value_0 = t1->value_0 + sum;
    return;
}

static void accrue_k0_0_finish(const struct accrue_cpu_launch *launch)
{
    const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);
    for (long i = 0L; i < gangs; ++i) {
        struct accrue_k0_0_slot *t1 = (struct accrue_k0_0_slot *)(launch->slots + i * launch->slot_stride);
        double *t2 = t1->result_0;
        if (t2 != (double *)0) {
            *t2 = *t2 + t1->value_0;
        }
    }
    return;
}
