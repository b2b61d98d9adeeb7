// A function with a region that breaks a rule.
static int fill(void)
{
    int a[10];
#pragma acc parallel loop copyin(a) copyout(a)
    for (int i = 0; i < 10; i++)
        a[i] = i;
    return a[0];
}
