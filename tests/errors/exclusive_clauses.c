// A variable in clauses of one directive that exclude each other.
int main(void)
{
    int a[10] = {0}, s = 0, t = 0;
#pragma acc parallel private(s) firstprivate(s)
    s = 1;
#pragma acc serial firstprivate(s, s)
    s = 1;
#pragma acc parallel copy(t) private(t)
    t = 1;
#pragma acc parallel reduction(+:s) firstprivate(s)
    s++;
#pragma acc parallel firstprivate(a) copyin(a[0:4])
    t = a[0];
#pragma acc parallel loop firstprivate(s) reduction(+:s)
    for (int i = 0; i < 10; i++)
        s += i;
#pragma acc parallel
    {
#pragma acc loop vector private(a) reduction(+:a[0:4])
        for (int i = 0; i < 10; i++)
            a[i % 4] += i;
    }
    return a[0] + s + t;
}
