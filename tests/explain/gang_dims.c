// Loops over single gang dimensions.
// launches: 3
int main(void)
{
    static double a[30][200];
    double sum = 0;
#pragma acc parallel copy(a)
    {
#pragma acc loop gang(dim:2)
        for (int i = 0; i < 30; i++)
#pragma acc loop
            for (int j = 0; j < 200; j++)
                a[i][j] += i + j;
    }
#pragma acc parallel loop gang(dim:2) copy(a)
    for (int i = 0; i < 30; i++)
#pragma acc loop vector
        for (int j = 0; j < 200; j++)
            a[i][j] *= 2;
    // A reduction has one dimension.
#pragma acc parallel num_gangs(2, 3) copyin(a) copy(sum)
    {
#pragma acc loop gang(dim:2)
        for (int i = 0; i < 30; i++)
#pragma acc loop gang(dim:1) reduction(+ : sum)
            for (int j = 0; j < 200; j++)
                sum += a[i][j];
    }
    return sum < 0;
}
