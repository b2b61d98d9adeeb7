struct accrue_k0_0_slot;
struct accrue_k2_0_slot;
struct accrue_k0_0_slot {
    int value_0[2][3];
    int (*result_0)[2][3];
    long value_1;
    long *result_1;
};
_Static_assert(sizeof(struct accrue_k0_0_slot) == 48, "size of struct accrue_k0_0_slot");
_Static_assert(_Alignof(struct accrue_k0_0_slot) == 8, "alignment of struct accrue_k0_0_slot");
_Static_assert(__builtin_offsetof(struct accrue_k0_0_slot, value_0) == 0, "offset of value_0 in struct accrue_k0_0_slot");
_Static_assert(__builtin_offsetof(struct accrue_k0_0_slot, result_0) == 24, "offset of result_0 in struct accrue_k0_0_slot");
_Static_assert(__builtin_offsetof(struct accrue_k0_0_slot, value_1) == 32, "offset of value_1 in struct accrue_k0_0_slot");
_Static_assert(__builtin_offsetof(struct accrue_k0_0_slot, result_1) == 40, "offset of result_1 in struct accrue_k0_0_slot");
struct accrue_k2_0_slot {
    float value_0;
    float *result_0;
};
_Static_assert(sizeof(struct accrue_k2_0_slot) == 16, "size of struct accrue_k2_0_slot");
_Static_assert(_Alignof(struct accrue_k2_0_slot) == 8, "alignment of struct accrue_k2_0_slot");
_Static_assert(__builtin_offsetof(struct accrue_k2_0_slot, value_0) == 0, "offset of value_0 in struct accrue_k2_0_slot");
_Static_assert(__builtin_offsetof(struct accrue_k2_0_slot, result_0) == 8, "offset of result_0 in struct accrue_k2_0_slot");

static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    const long gang = (long)position;
    int (*arg0)[2][3] = (int (*)[2][3])launch->args[0];
    long *arg1 = (long *)launch->args[1];
    struct accrue_k0_0_slot *t1 = (struct accrue_k0_0_slot *)(launch->slots + gang * launch->slot_stride);
    int *t2 = (int *)&t1->value_0;
    for (long i = 0L; i < 6L; ++i) {
        t2[i] = 0;
    }
    t1->result_0 = (int (*)[2][3])0;
    t1->value_1 = (-9223372036854775807L - 1);
    t1->result_1 = (long *)0;
    int hist[2][3];
    t1->result_0 = arg0;
    t1->result_1 = arg1;
    int *t3 = (int *)&hist;
    for (long i_2 = 0L; i_2 < 6L; ++i_2) {
        t3[i_2] = 0;
    }
    hist[1][1] = (int)gang;
    int *t4 = (int *)&t1->value_0;
    int *t5 = (int *)&hist;
    for (long i_3 = 0L; i_3 < 6L; ++i_3) {
        t4[i_3] = (int)((unsigned)t4[i_3] + (unsigned)t5[i_3]);
    }
    long t6 = t1->value_1;
    long t7 = (-9223372036854775807L - 1) > gang ? (-9223372036854775807L - 1) : gang;
    t1->value_1 = t6 > t7 ? t6 : t7;
    return;
}

static void accrue_k0_0_finish(const struct accrue_cpu_launch *launch)
{
    const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);
    for (long i = 0L; i < gangs; ++i) {
        struct accrue_k0_0_slot *t1 = (struct accrue_k0_0_slot *)(launch->slots + i * launch->slot_stride);
        int (*t2)[2][3] = t1->result_0;
        if (t2 != (int (*)[2][3])0) {
            int *t3 = (int *)t2;
            int *t4 = (int *)&t1->value_0;
            for (long i_2 = 0L; i_2 < 6L; ++i_2) {
                t3[i_2] = (int)((unsigned)t3[i_2] + (unsigned)t4[i_2]);
            }
        }
        long *t5 = t1->result_1;
        if (t5 != (long *)0) {
            long t6 = *t5;
            long t7 = t1->value_1;
            *t5 = t6 > t7 ? t6 : t7;
        }
    }
    return;
}

static void accrue_k1_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    int (*arg0)[3] = (int (*)[3])launch->args[0];
    long *arg1 = (long *)launch->args[1];
    int hist[3];
    __builtin_memmove(&hist, arg0, sizeof(int [3]));
    int t1 = hist[1];
    long t2 = *arg1;
    hist[1] = (int)((unsigned)t1 + (unsigned)t1);
    __builtin_memmove(arg0, &hist, sizeof(int [3]));
    *arg1 = (long)((unsigned long)t2 * 3UL);
    return;
}

static void accrue_k2_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    const long gang = (long)position;
    const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);
    float *arg0 = (float *)launch->args[0];
    float *arg1 = (float *)launch->args[1];
    long arg2 = (long)launch->args[2];
    struct accrue_k2_0_slot *t1 = (struct accrue_k2_0_slot *)(launch->slots + gang * launch->slot_stride);
    t1->value_0 = -__builtin_inff();
    t1->result_0 = (float *)0;
    for (long i = gang; i < arg2; i += gangs) {
        t1->result_0 = arg0;
        float err = -__builtin_inff();
#pragma omp simd reduction(max:err)
        for (long i_2 = 0L; i_2 < arg2; ++i_2) {
            float t2 = arg1[i * arg2 + i_2];
            err = ((err > t2) | (t2 != t2)) ? err : t2;
        }
        float t3 = t1->value_0;
        t1->value_0 = ((t3 > err) | (err != err)) ? t3 : err;
    }
    return;
}

static void accrue_k2_0_finish(const struct accrue_cpu_launch *launch)
{
    const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);
    for (long i = 0L; i < gangs; ++i) {
        struct accrue_k2_0_slot *t1 = (struct accrue_k2_0_slot *)(launch->slots + i * launch->slot_stride);
        float *t2 = t1->result_0;
        if (t2 != (float *)0) {
            float t3 = *t2;
            float t4 = t1->value_0;
            *t2 = ((t3 > t4) | (t4 != t4)) ? t3 : t4;
        }
    }
    return;
}
