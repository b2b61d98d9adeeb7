// Two loops in `kernels`, one in the other, that are independent by the user's word have the lanes, and not a loop in them of which
// nobody says anything; unless only that one goes along rows.
// launches: 2
enum { ROWS = 16, COLUMNS = 64, LAYERS = 40 };

static void columns(int ny, int nx, const double *restrict a, double *restrict b)
{
#pragma acc kernels copyin(a[0:LAYERS * ny * nx]) copyout(b[0:LAYERS * ny * nx])
#pragma acc loop independent
    for (int j = 0; j < ny; j++) {
#pragma acc loop independent
        for (int i = 0; i < nx; i++) {
            double x[LAYERS], y[LAYERS];
            x[0] = a[j * nx + i];
            for (int k = 1; k < LAYERS; k++)
                x[k] = a[(k * ny + j) * nx + i] + 0.5 * x[k - 1];
            for (int k = 0; k < LAYERS; k++)
                y[k] = 1 / (1 + x[k] * x[k]);
            for (int k = 0; k < LAYERS; k++)
                b[(k * ny + j) * nx + i] = y[LAYERS - 1 - k];
        }
    }
}

static void rows(int n, int m, int length, const double *restrict a, double *restrict s)
{
#pragma acc kernels copyin(a[0:n * m * length]) copyout(s[0:n * m])
#pragma acc loop independent
    for (int i = 0; i < n; i++) {
#pragma acc loop independent
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < length; k++)
                sum += a[(i * m + j) * length + k];
            s[i * m + j] = sum;
        }
    }
}

int main(void)
{
    static double a[ROWS * COLUMNS * LAYERS], b[ROWS * COLUMNS * LAYERS], s[ROWS * COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS * LAYERS; i++)
        a[i] = i % 13;
    columns(ROWS, COLUMNS, a, b);
    rows(ROWS, COLUMNS / 4, 4 * LAYERS, a, s);
    return !(b[0] > 0 && s[1] > 0);
}
