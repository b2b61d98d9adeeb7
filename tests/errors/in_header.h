static inline void fill(int *p, int n)
{
#pragma acc parallel loop copyuot(p[0:n])
    for (int i = 0; i < n; i++)
        p[i] = i;
}
