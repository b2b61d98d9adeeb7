// Scans of rows: a team each, also in a function, and several in turn.
// cflags: -fopenmp
// expect-output: scan_rows.expect
// launches: 3
#include <stdio.h>
#include <omp.h>
#define R 9
#define N 300
#pragma omp declare target
static void scan_row(const int *in, int *out, int n, int start) {
    int s = start;
    #pragma omp parallel for reduction(inscan, +: s)
    for (int i = 0; i < n; i++) {
        s += in[i];
        #pragma omp scan inclusive(s)
        out[i] = s;
    }
}
#pragma omp end declare target
static int a[R][N], b[R][N], c[R][N];
int main(void) {
    for (int r = 0; r < R; r++) for (int i = 0; i < N; i++) a[r][i] = (r * 7 + i * 3) % 11 - 4;
    #pragma omp target teams distribute map(to: a) map(from: b)
    for (int r = 0; r < R; r++) {
        int most = -100;
        #pragma omp parallel for reduction(inscan, max: most)
        for (int i = 0; i < N; i++) {
            b[r][i] = most;
            #pragma omp scan exclusive(most)
            most = a[r][i] * i % 101 > most ? a[r][i] * i % 101 : most;
        }
        b[r][0] = most;
    }
    #pragma omp target teams distribute map(to: a) map(from: c)
    for (int r = 0; r < R; r++)
        scan_row(a[r], c[r], N, r);
    int tot[4] = {0};
    #pragma omp target teams num_teams(4) map(to: a) map(tofrom: tot)
    {
        int t = omp_get_team_num(), s = 0, last[N];
        for (int k = 0; k < 2; k++) {
            #pragma omp parallel for reduction(inscan, +: s)
            for (int i = 0; i < N; i++) {
                s += a[t + k][i];
                #pragma omp scan inclusive(s)
                last[i] = s;
            }
            tot[t] += last[N / 2] + s;
        }
    }
    long h = 0; for (int r = 0; r < R; r++) for (int i = 0; i < N; i++) h = (h * 31 + b[r][i] * 3 + c[r][i]) % 1000003;
    printf("%ld %d %d %d\n", h, tot[0], tot[1], tot[3]);
    return 0;
}
