static inline void clear(int n, float *a)
{
#pragma acc parallel loop copyout(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = 0;
}
