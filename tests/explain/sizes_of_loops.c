// Loops of one kernels construct that say how many gangs, workers and lanes run them.
// launches: 3
int main(void)
{
    static float a[1000], b[1000];
    int n = 6;
#pragma acc kernels
    {
        int late = n / 2;
#pragma acc loop gang(n) vector(64) independent
        for (int i = 0; i < 1000; i++)
            a[i] = i;
#pragma acc loop gang(4) worker(2) independent
        for (int i = 0; i < 10; i++)
#pragma acc loop vector(n * 32)
            for (int j = 0; j < 100; j++)
                b[100 * i + j] = a[100 * i + j];
#pragma acc loop gang(late) independent
        for (int i = 0; i < 1000; i++)
            a[i] += b[i];
    }
    return a[2] != 4;
}
