// Loops over a flat index whose neighbours share a row that stands in memory keep the lanes, however the row is computed; rows of their own
// have lanes.
enum { N = 64, W = 32, MANY = 500 };
static int start[N + 1], column[MANY];
static float value[MANY], b[N][W], c[N * W], x[N], y[N];
int main(void)
{
#pragma acc data copyin(start, column, value, b, x) copyout(c, y)
    {
#pragma acc kernels loop independent
        for (long t = 0; t < (long)N * W; t++) {
            long row = t >> 5, j = t & 31;
            float sum = 0;
            const int last = start[row + 1];
            for (int k = start[row]; k != last; ++k) sum += b[column[k]][j] * value[k];
            c[t] = sum;
        }
#pragma acc kernels loop independent
        for (int t = 0; t < N * W; t++) {
            float sum = 0;
            for (int k = start[t / W]; k < start[t / W + 1]; k++) sum += b[column[k]][t % W] * value[k];
            c[t] = sum;
        }
#pragma acc kernels
#pragma acc loop independent
        for (unsigned t = 0; t < N * W; t++) {
            const int *from = start + t / W;
            float sum = 0;
            const int end = from[1];
            for (int k = from[0]; k < end; k++) sum += b[column[k]][t - t / W * W] * value[k];
            c[t] = sum;
        }
#pragma acc kernels loop independent
        for (int i = 0; i < N; i++) {
            float sum = 0;
            for (int k = start[i]; k < start[i + 1]; k++) sum += x[column[k]] * value[k];
            y[i] = sum;
        }
    }
    return 0;
}
