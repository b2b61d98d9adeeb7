// A pointer into the device's memory, of which the same directive maps a section as memory of the host.
void f(int n, double *p, double *q)
{
#pragma acc parallel loop deviceptr(p) copy(p[0:n])
    for (int i = 0; i < n; i++)
        p[i] = i;
#pragma acc kernels copyin(q[0:n]) deviceptr(q, p)
    for (int i = 0; i < n; i++)
        p[i] = q[i];
#pragma acc parallel loop copyin(q[0:n]) deviceptr(p)
    for (int i = 0; i < n; i++)
        p[i] = q[i];
}
