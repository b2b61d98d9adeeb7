// In kernels, loops leave the lanes to a loop around them whose work runs mostly in order; not where the order is that of a short loop.
enum { N = 1000, M = 48 };

short a[N][M], b[N][M];
int distance[N], sums[N];

int main(void)
{
#pragma acc kernels copyin(a, b) copyout(distance, sums)
    {
#pragma acc loop independent
        for (int p = 0; p < N; p++) {
            short row[M + 1];
            for (int j = 0; j <= M; j++)
                row[j] = j;
            for (int i = 0; i < M; i++) {
                short before = row[0];
                row[0] = i + 1;
                for (int j = 0; j < M; j++) {
                    short above = row[j + 1], other = before + (a[p][i] != b[p][j]);
                    short least = (above < row[j] ? above : row[j]) + 1;
                    row[j + 1] = least < other ? least : other;
                    before = above;
                }
            }
            distance[p] = row[M];
        }
        for (int p = 0; p < N; p++) {
            short c[3] = {1, 0, 0};
            for (int k = 1; k < 3; k++)
                c[k] = 3 * c[k - 1] + a[p][k];
            int sum = 0;
            for (int j = 0; j < M; j++)
                sum += c[j % 3] * b[p][j];
            sums[p] = sum;
        }
    }
}
