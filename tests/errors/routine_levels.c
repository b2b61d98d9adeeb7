// Loops in routines at a level that the routine does not work at, and gang routines where gangs have work of their own.
#pragma acc routine vector
static void vector_routine(int *a, int n)
{
#pragma acc loop worker
    for (int i = 0; i < n; i++)
        a[i] = i;
}

#pragma acc routine seq
static void seq_routine(int *a, int n)
{
#pragma acc loop vector
    for (int i = 0; i < n; i++)
        a[i] = i;
}

#pragma acc routine gang
static void gang_routine(int *a, int n)
{
#pragma acc loop gang
    for (int i = 0; i < n; i++)
        a[i] = i;
}

#pragma acc routine worker
static void worker_routine(int *a, int n)
{
    gang_routine(a, n);
}

#pragma acc routine gang
static int sum(int *a, int n)
{
    int s = 0;
#pragma acc loop gang reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

static int total;

#pragma acc routine vector
static void global_sum(int *a, int n)
{
#pragma acc loop vector reduction(+ : total)
    for (int i = 0; i < n; i++)
        total += a[i];
}

void f(int *a, int n)
{
#pragma acc parallel copy(a[0:n])
    {
        vector_routine(a, n);
        seq_routine(a, n);
        worker_routine(a, n);
        a[0] = sum(a, n);
        global_sum(a, n);
#pragma acc loop gang
        for (int i = 0; i < n; i++)
            gang_routine(a, i);
    }
}
