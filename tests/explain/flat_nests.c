// Loops that count what nests would are nests however they find their places, where something is gained by that.
// launches: 0
void across(unsigned n, unsigned m, const double *restrict a, double *restrict t)
{
#pragma acc data present(a[0:n * m], t[0:n * m])
    {
#pragma acc parallel loop
        for (unsigned k = 0; k < n * m; k++)
            t[k] = a[k % n * m + k / n];
#pragma acc parallel loop
        for (long k = 0; k < (long)n * m; k++) {
            const long row = k / n, column = k - row * n;
            t[k] = a[column * m + row] + (k % n == row);
        }
#pragma acc kernels loop independent
        for (int k = 0; k < 64 * (int)m; ++k) {
            int rest = k;
            int column = rest & 63;
            rest >>= 6;
            t[k] = a[column * m + rest];
        }
        // All along the loop.
#pragma acc parallel loop
        for (unsigned k = 0; k < n * m; k++)
            t[k] = a[k] + a[k / n * n];
        // Not by what is the same in all iterations.
#pragma acc parallel loop
        for (unsigned k = 1; k < n; k++)
            t[k] = a[k % (k + 3)] + k / 2;
    }
}

void shared(int n, int m, int p, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma acc parallel loop present(a[0:n * p], b[0:p * m], c[0:n * m])
    for (int k = 0; k < n * m; k++) {
        int row = k / m, column = k % m;
        float sum = 0;
        for (int l = 0; l < p; l++)
            sum += a[row * p + l] * b[l * m + column];
        c[k] = sum;
    }
}

int main(void)
{
    return 0;
}
