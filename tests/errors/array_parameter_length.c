// The declared length of an array parameter must be what it was when the function was called.
int next(void);
int limit;

void changed(int n, double a[n])
{
    n = 3;
#pragma acc data copy(a) copyin(n)
    ;
}

void hidden(int n, double a[n])
{
    int b[3] = {0};
    {
        int n = 4;
#pragma acc update self(a[0:n])
#pragma acc update self(b, a) if(n)
    }
}

void called(double a[next()])
{
#pragma acc enter data create(a)
}

void passed(int n, double a[limit + n])
{
    int *p = &n;
#pragma acc parallel loop present(a)
    for (int i = 0; i < *p; i++)
        a[i] = 0;
}
