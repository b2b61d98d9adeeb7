// Nests that are not perfect; the host's compiler may know only perfect ones.
// cflags: -fopenmp
// expect-output: imperfect.expect
// launches: 4
#include <stdio.h>
#define N 10
#define M 16

int main(void) {
    int row[N], a[N][M], wrong = 0, j, host = 0;

    #pragma omp target map(from: row, a)
    {
        #pragma omp parallel for collapse(2)
        for (int i = 0; i < N; i++) {
            row[i] = i;
            for (int j = 0; j < M; j++)
                a[i][j] = i + j;
        }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            wrong += a[i][j] != i + j || row[i] != i;
    printf("%d\n", wrong);

    for (int on_device = 0; on_device < 2; on_device++) {
        #pragma omp target teams distribute parallel for collapse(2) if(target: on_device) map(tofrom: row, a)
        for (int i = 0; i < N; i++) {
            row[i] = 2 * i;
            for (j = 0; j < M; j++) {
                a[i][j] += 1;
            }
        }
        #pragma omp target teams distribute parallel for map(tofrom: a) collapse(3)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j += 8) {
                int first = a[i][j];
                for (int k = 0; k < 8; k++)
                    a[i][j + k] = first + k;
            }
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            wrong += a[i][j] != i + j + 2 || row[i] != 2 * i;
    printf("%d\n", wrong);
    return 0;
}
