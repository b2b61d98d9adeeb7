// A function of another file, which no directive calls a routine.
int elsewhere(int x);

#pragma acc routine seq bind(missing)
int bound(int x)
{
    return x;
}

void f(int *a, int n)
{
#pragma acc parallel loop copyout(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = elsewhere(i) + bound(i);
}
