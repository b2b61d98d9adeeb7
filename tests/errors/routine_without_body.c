// A routine of another file: its body is needed.
#pragma acc routine seq
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
