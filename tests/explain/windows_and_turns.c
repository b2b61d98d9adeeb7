// Loops that run several iterations at a time because of what they use in turns or have in common, and windows that are cut at edges.
void edit(int n, const char *a, const char *b, int *distance)
{
#pragma acc parallel loop present(a[0:n * 16], b[0:n * 16], distance[0:n])
    for (int p = 0; p < n; p++) {
        int table[2][17], now = 0;
        for (int j = 0; j <= 16; j++)
            table[0][j] = j;
        for (int i = 0; i < 16; i++) {
            table[!now][0] = i + 1;
            for (int j = 0; j < 16; j++) {
                int change = table[now][j] + (a[p * 16 + i] != b[p * 16 + j]);
                int gap = (table[now][j + 1] < table[!now][j] ? table[now][j + 1] : table[!now][j]) + 1;
                table[!now][j + 1] = change < gap ? change : gap;
            }
            now = !now;
        }
        distance[p] = table[now][16];
    }
}

void blur(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x[0:n], y[0:n])
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = i < 3 ? 0 : i - 3; k <= (i + 3 < n ? i + 3 : n - 1); k++)
            sum += x[k];
        y[i] = sum;
    }
}

void filter(int rows, int n, int taps, const float *restrict tap, const float *restrict x, float *restrict y, float *restrict energy)
{
#pragma acc parallel loop gang present(tap[0:taps], x[0:rows * (n + taps)], y[0:rows * n], energy[0:rows])
    for (int r = 0; r < rows; r++) {
        float all = 0;
#pragma acc loop vector reduction(+ : all)
        for (int k = 0; k < n; k++) {
            float sum = 0;
            for (int l = 0; l < taps; l++)
                sum += tap[l] * x[r * (n + taps) + k + l];
            y[r * n + k] = sum;
            all += sum * sum;
        }
        energy[r] = all;
    }
}

void symmetric(int n, int m, double *restrict c, const double *restrict a)
{
#pragma acc parallel loop collapse(2) present(c[0:n * n], a[0:n * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum += a[i * m + k] * a[j * m + k];
            c[i * n + j] = sum;
        }
}

int main(void)
{
    static float x[100], y[100];
#pragma acc data copyin(x) copyout(y)
    blur(100, x, y);
    return 0;
}
