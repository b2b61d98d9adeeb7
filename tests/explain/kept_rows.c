// Rows that vector loops of a gang go along: what lanes keep of them, what they load again, and why.
void centre(int rows, int n, const float *restrict a, float *restrict b, float *total)
{
#pragma acc parallel loop gang copyin(a[0:rows * n]) copyout(b[0:rows * n]) copy(total[0:rows])
    for (int i = 0; i < rows; i++) {
        float most = 0, sum = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < n; j++)
            most = a[i * n + j] > most ? a[i * n + j] : most;
#pragma acc loop vector reduction(+:sum)
        for (int j = 0; j < n; j++) {
            b[i * n + j] = (a[i * n + j] - most) / 3;
            sum += b[i * n + j];
        }
        total[i] = sum;
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            b[i * n + j] -= sum;
    }
}

int main(void)
{
    enum { ROWS = 3, N = 100 };
    float a[ROWS * N], b[ROWS * N], total[ROWS];
    for (int i = 0; i < ROWS * N; i++)
        a[i] = i % 7;
    centre(ROWS, N, a, b, total);
    return !(b[5] > 0);
}
