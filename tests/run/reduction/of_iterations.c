// Structs and small arrays of an iteration that a loop inside only updates: a loop reduces them as it reduces scalars, in launches of
// few iterations with a gang for each, too. What is more than updates by one operator stays in order.
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { N = 300, M = 400 };
typedef struct { double x, y, z; int count; } vector;
typedef struct { float low, high; } range;
static double a[N * M], b[M * 3];
static vector out[N], p[M];
static double sums[N][3], most[N][2], ordered[N][2], rows[N], mixed[N];
static range ranges[N];

int main(void)
{
    for (int k = 0; k < N * M; k++)
        a[k] = k * 31 % 17;
    for (int k = 0; k < M; k++) {
        p[k] = (vector){k % 7, k % 5, 3, k};
        for (int d = 0; d < 3; d++)
            b[k * 3 + d] = (k + d) % 9;
    }
#pragma acc data copyin(a, b, p) copyout(out, sums, most, ordered, rows, mixed, ranges)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            vector s = {0, 0, 1, 0};
            for (int k = 0; k < M; k++) {
                s.x += a[i * M + k] * p[k].x;
                s.y += a[i * M + k] * p[k].y;
                s.z += a[i * M + k] * p[k].z;
                if (a[i * M + k] > 3)
                    s.count++;
            }
            out[i] = s;
        }
#pragma acc kernels loop independent
        for (int i = 0; i < N; i++) {
            double s[3];
            for (int d = 0; d < 3; d++)
                s[d] = d;
            for (int k = 0; k < M; k++)
                for (int d = 0; d < 3; d++)
                    s[d] += a[i * M + k] * b[k * 3 + d];
            for (int d = 0; d < 3; d++)
                sums[i][d] = s[d];
        }
#pragma acc parallel loop gang
        for (int i = 0; i < N; i++) {
            double m[2] = {-1, a[i * M]};
            for (int k = 1; k < M; k++) {
                if (a[i * M + k] * b[k] > m[0])
                    m[0] = a[i * M + k] * b[k];
                m[1] = fmax(m[1], b[3 * k] - a[i * M + k]);
            }
            most[i][0] = m[0];
            most[i][1] = m[1];
        }
        /* The second depends on the first. */
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            double s[2] = {0, 0};
            for (int k = 0; k < M; k++) {
                s[0] += a[i * M + k];
                s[1] += s[0] * b[k];
            }
            ordered[i][0] = s[0];
            ordered[i][1] = s[1];
        }
        /* A member that is not updated, and one by another operator. */
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            vector s = {1, NAN, 0, 1};
            for (int k = 0; k < M; k++) {
                s.x += a[i * M + k];
                s.z += b[k];
                s.count = s.count > k % 50 ? s.count : k % 50;
            }
            mixed[i] = s.x + s.z + s.count + (isnan(s.y) ? 0.5 : 0);
        }
#pragma acc parallel loop
        for (int i = 0; i < N; i++) {
            range r = {1e30f, -1e30f};
            for (int k = 0; k < M; k++) {
                float v = a[i * M + k] - b[k];
                if (v < r.low)
                    r.low = v;
                if (v > r.high)
                    r.high = v;
            }
            ranges[i] = r;
        }
        /* Through pointers of the iteration. */
#pragma acc kernels loop independent
        for (int i = 0; i < N; i++) {
            const double *at[2] = {a + i * M, b};
            double both[2] = {0, 1};
            for (int k = 0; k < M; k++)
                for (int d = 0; d < 2; d++)
                    both[d] += at[d][k] * b[k];
            rows[i] = both[0] - both[1];
        }
    }
    for (int i = 0; i < N; i += 7)
        printf("%g %g %g %d; %g %g %g; %g %g; %g %g; %g; %g %g; %g\n", out[i].x, out[i].y, out[i].z, out[i].count, sums[i][0],
               sums[i][1], sums[i][2], most[i][0], most[i][1], ordered[i][0], ordered[i][1], mixed[i], ranges[i].low, ranges[i].high,
               rows[i]);
    return 0;
}
