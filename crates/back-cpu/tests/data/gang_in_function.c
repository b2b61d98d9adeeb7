static long helper(const struct accrue_cpu_launch *const launch, const long gang, const long gangs);

static long helper(const struct accrue_cpu_launch *const launch, const long gang, const long gangs)
{
    return gang;
}

static void accrue_k0_0(const struct accrue_cpu_launch *launch, unsigned long long position)
{
    const long gang = (long)position;
    const long gangs = (long)(launch->gangs[0] * launch->gangs[1] * launch->gangs[2]);
    long *arg0 = (long *)launch->args[0];
    long t1 = helper(launch, gang, gangs);
    *arg0 = t1;
    return;
}
