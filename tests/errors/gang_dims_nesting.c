// Section 2.9.2: loops over gang dimensions are inside each other from 3 to 1.
void f(int n, int d, double a[n][n][n])
{
#pragma acc parallel copy(a)
    {
#pragma acc loop gang(dim:2)
        for (int i = 0; i < n; i++) {
#pragma acc loop gang(dim:2)
            for (int j = 0; j < n; j++)
                a[i][j][0] = 0;
#pragma acc loop gang(dim:3)
            for (int j = 0; j < n; j++)
                a[i][j][1] = 0;
#pragma acc loop gang(dim:1)
            for (int j = 0; j < n; j++)
#pragma acc loop gang
                for (int k = 0; k < n; k++)
                    a[i][j][k] = 0;
        }
#pragma acc loop gang(dim:2) vector
        for (int i = 0; i < n; i++)
#pragma acc loop gang
            for (int j = 0; j < n; j++)
                a[i][j][2] = 0;
#pragma acc loop gang(dim:d)
        for (int i = 0; i < n; i++)
            a[i][0][0] = 0;
    }
#pragma acc kernels copy(a)
    {
#pragma acc loop independent gang(dim:2)
        for (int i = 0; i < n; i++)
            a[i][0][0] = 0;
    }
}
