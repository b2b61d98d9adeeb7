// A variable in several reduction clauses of a directive: one copy has one operator.
int main(void)
{
    int a[10] = {0}, s = 0, t = 0;
#pragma acc parallel loop reduction(+:s) reduction(+:s)
    for (int i = 0; i < 10; i++)
        s += i;
#pragma acc serial loop reduction(+:s) reduction(max:s)
    for (int i = 0; i < 10; i++)
        s += i;
#pragma acc kernels loop reduction(+:t, s, t)
    for (int i = 0; i < 10; i++)
        t += i;
#pragma acc parallel reduction(+:s) reduction(max:s)
    {
#pragma acc loop vector reduction(+:t) reduction(+:t)
        for (int i = 0; i < 10; i++)
            t += i;
    }
    // Elements in both.
#pragma acc parallel loop reduction(+:a[0:4]) reduction(max:a[2:4])
    for (int i = 0; i < 10; i++)
        a[i] += i;
#pragma acc parallel loop reduction(+:a) reduction(+:a[1])
    for (int i = 0; i < 10; i++)
        a[i] += i;
    return a[0] + s + t;
}
