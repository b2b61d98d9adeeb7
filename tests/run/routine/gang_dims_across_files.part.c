// The routine.
#pragma acc routine gang(dim:2)
void two(int n, int m, int *x)
{
#pragma acc loop gang(dim:2)
    for (int j = 0; j < n; j++)
#pragma acc loop gang
        for (int k = 0; k < m; k++)
            x[j * m + k] += j + k + 1;
}
