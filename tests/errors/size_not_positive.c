// Constant numbers of gangs, workers and lanes must be positive.
enum { FEW = 3 };

int main(void)
{
    int a[10], n = 10;
#pragma acc parallel loop num_workers(-1) copyout(a)
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc parallel loop num_gangs(0) vector_length(FEW - 8) copy(a)
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma acc kernels num_gangs(sizeof(int) - 4) copy(a)
    {
#pragma acc loop gang(num: 0) vector(-32)
        for (int i = 0; i < n; i++)
            a[i] = i;
    }
    return a[0];
}
