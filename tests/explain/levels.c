// Who gives a loop its levels: its place in the nest, or the user.
// launches: 4
int main(void)
{
    static float a[8][8][8][8], b[100];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 8; i++)
#pragma acc loop
        for (int j = 0; j < 8; j++)
#pragma acc loop
            for (int k = 0; k < 8; k++)
#pragma acc loop
                for (int l = 0; l < 8; l++)
                    a[i][j][k][l] = i + j + k + l;
#pragma acc parallel loop gang worker num_workers(4) vector_length(64) copy(a)
    for (int i = 0; i < 8; i++)
#pragma acc loop seq
        for (int j = 0; j < 8; j++)
#pragma acc loop vector collapse(2)
            for (int k = 0; k < 8; k++)
                for (int l = 0; l < 8; l++)
                    a[i][j][k][l] += a[i][0][k][l];
#pragma acc serial loop copyout(b)
    for (int i = 0; i < 100; i++)
        b[i] = i;
    // Gangs that nothing else uses.
#pragma acc kernels loop vector(32) copy(b)
    for (int i = 0; i < 100; i++)
        b[i] += i;
#pragma acc kernels copy(b)
#pragma acc loop worker
    for (int i = 0; i < 100; i++)
        b[i] *= 2;
#pragma acc parallel copyout(b)
    {
#pragma acc loop gang
        for (int i = 0; i < 100; i++) {
            b[i] = 0;
            for (int j = 0; j < i; j++)
                b[i] += j;
        }
    }
    return b[4] != 6;
}
