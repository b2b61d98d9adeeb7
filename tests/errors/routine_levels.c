// Loops in routines at a level that the routine does not work at, and routines where the level that they need is in use.
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

#pragma acc routine worker
static void rows(int *a, int n)
{
#pragma acc loop worker
    for (int i = 0; i < n; i++)
        a[i] = i;
}

#pragma acc routine vector
static void row(int *a, int n)
{
#pragma acc loop vector
    for (int i = 0; i < n; i++)
        a[i] = i;
    rows(a, n);
}

#pragma acc routine seq
static void element(int *a, int n)
{
    row(a, n);
}

// Without a directive, it works at the level of its loop.
static void plain(int *a, int n)
{
#pragma acc loop vector
    for (int i = 0; i < n; i++)
        a[i] = i;
}

void levels_in_use(int *a, int n)
{
#pragma acc parallel loop gang vector copy(a[0:n])
    for (int i = 0; i < n; i++)
        row(a, i);
#pragma acc parallel loop gang worker copy(a[0:n])
    for (int i = 0; i < n; i++) {
        row(a, i);
        rows(a, i);
        element(a, i);
    }
#pragma acc parallel loop gang copy(a[0:n])
    for (int i = 0; i < n; i++) {
        rows(a, i);
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            rows(a, j);
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                plain(a, j);
    }
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
