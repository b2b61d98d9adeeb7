// Loops without directive that count, in many spellings, and some that only look like it.
#include <stdio.h>
#include <stddef.h>
#define N 64
int main(void) {
  double a[N], r[16][N]; int p[N+1];
  for (int i = 0; i < N; i++) a[i] = i * 0.5 - 3;
  for (int i = 0; i <= N; i++) p[i] = (i * 7 % 11) < 8 ? i : i + 3 > N ? N : i + 3;
  size_t n = N; long m = N; unsigned u = N; int bad = -5; unsigned long huge = N;
#pragma acc parallel loop copyin(a, p) copyout(r)
  for (int i = 0; i < N; i++) {
    double s = 0; int k; unsigned v; long l;
    for (int j = 0; j < n; j++) s += a[j]; r[0][i] = s; s = 0;
    for (size_t j = 0; j < n; j++) s += a[j]; r[1][i] = s; s = 0;
    for (unsigned j = 0; j < m; j++) s += a[j]; r[2][i] = s; s = 0;
    for (k = N - 1; k >= 0; k--) s = s * 0.5 + a[k]; r[3][i] = s + k; s = 0;
    for (k = i; k != N; ++k) s += a[k]; r[4][i] = s + k; s = 0;
    k = 0; while (k < i) { s += a[k]; k++; } r[5][i] = s + k; s = 0;
    k = 0; while (k < i) s += a[k++]; r[6][i] = s + k; s = 0;
    for (v = u; v > 0; v--) s += a[v - 1]; r[7][i] = s + v; s = 0;
    for (k = p[i]; k < p[i + 1]; k += 2) s += a[k < N ? k : 0] + 1; r[8][i] = s; s = 0;
    for (l = 0; l <= i; l++) { if (l % 3 == 0) continue; s += a[l]; } r[9][i] = s + l; s = 0;
    for (k = 0; N > k; k += 3) { s += a[k]; if (s > 1e9) break; } r[10][i] = s + k; s = 0;
    for (k = bad; k < n; k++) s += 1; r[11][i] = s + k; s = 0;
    for (k = bad; k < m; k++) s += 1; r[12][i] = s + k; s = 0;
    for (k = 3; k <= (long)i; k++) s += a[k]; r[13][i] = s + k; s = 0;
    for (v = 3; v <= huge - 1; v++) s += a[v]; r[14][i] = s + v; s = 0;
    for (k = 10; k > i - 20; k -= 1) s += k; r[15][i] = s + k;
  }
  for (int j = 0; j < 16; j++) { double t = 0; for (int i = 0; i < N; i++) t = t * 1.01 + r[j][i]; printf("%d %.10g\n", j, t); }
}
