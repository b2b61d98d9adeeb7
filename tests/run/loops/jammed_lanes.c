// Lanes that do several iterations at a time, since the loops in them load the same: sums behind such loops, what iterations leave in
// memory and in variables of the gang, bounds that depend on the gang or on the lane, conditions, counters of every type, few iterations.
#include <stddef.h>
#include <stdio.h>

#define ROWS 5
#define N 1300
#define TAPS 11

static float in[ROWS][N + TAPS], tap[TAPS], out[ROWS][N], energy[ROWS];
static double a[ROWS][TAPS], b[TAPS][N], c[ROWS][N], most[ROWS];
static int where[ROWS], count[ROWS], points[N][3], centre[ROWS][3];
static long sums[ROWS], lengths[ROWS];

static inline float filtered(const float *x, const float *t, unsigned long taps)
{
    float sum = 0;
    for (const float *end = t + taps; t != end;)
        sum += *t++ * *x++;
    return sum;
}

static void filter(int n)
{
#pragma acc parallel loop gang copyin(in, tap) copy(out) copyout(energy)
    for (int r = 0; r < ROWS; r++) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int k = 0; k < n; k++) {
            float y = filtered(in[r] + k, tap, TAPS);
            out[r][k] = y;
            sum += (float)(int)y;
        }
        energy[r] = sum;
    }
}

static void product(size_t n)
{
#pragma acc parallel num_gangs(ROWS) vector_length(64) copyin(a, b) copy(c) copyout(most)
#pragma acc loop gang
    for (size_t r = 0; r < ROWS; ++r) {
        double best = -1;
#pragma acc loop vector
        for (size_t k = 0; k < n; ++k)
            c[r][k] = 1;
#pragma acc loop vector reduction(max : best)
        for (size_t k = 0; k < n; ++k) {
            for (size_t l = 0; l < 2 * r + 1; ++l)
                c[r][k] += a[r][l] * b[l][k];
            if (c[r][k] > best)
                best = c[r][k];
        }
        most[r] = best;
    }
}

// The lane's number is a bound; another loop has a branch in it.
static void triangles(unsigned n)
{
#pragma acc parallel loop gang copyin(a, b) copyout(sums, lengths)
    for (int r = 0; r < ROWS; r++) {
        long sum = 0, length = 0;
#pragma acc loop vector reduction(+ : sum, length)
        for (unsigned k = 0; k < n; k++) {
            long own = 0;
            for (unsigned l = 0; l < k % 13; l++)
                own += (long)a[r][l % TAPS] + (long)k;
            for (unsigned l = 0; l < TAPS; l++)
                if (b[l][k] > a[r][l])
                    own += l;
                else
                    length++;
            sum += own;
        }
        sums[r] = sum;
        lengths[r] = length;
    }
}

static void nearest(int n)
{
#pragma acc parallel loop gang copyin(points, centre) copyout(where, count)
    for (int r = 0; r < ROWS; r++) {
        int least = 1 << 30, near = 0;
#pragma acc loop vector reduction(min : least) reduction(+ : near)
        for (int k = 0; k < n; k++) {
            int d = 0;
            for (int x = 0; x < 3; x++) {
                int away = points[k][x] - centre[r][x];
                d += away * away;
            }
            if (d < 900)
                near++;
            least = d * N + k < least ? d * N + k : least;
        }
        where[r] = least % N;
        count[r] = near;
    }
}

int main(void)
{
    for (int k = 0; k < TAPS; k++)
        tap[k] = k - 4;
    for (int r = 0; r < ROWS; r++) {
        for (int k = 0; k < N + TAPS; k++)
            in[r][k] = (k * 7 + r * 3) % 23 - 5;
        for (int k = 0; k < TAPS; k++)
            a[r][k] = (r * 5 + k) % 7 - 3;
        for (int x = 0; x < 3; x++)
            centre[r][x] = r * 11 + x;
    }
    for (int k = 0; k < N; k++) {
        for (int l = 0; l < TAPS; l++)
            b[l][k] = (k * 3 + l * 5) % 13 - 6;
        for (int x = 0; x < 3; x++)
            points[k][x] = (k * (x + 3) * 17) % 61;
    }
    static const int sizes[] = {N, 1300 - 3, 1024, 129, 0};
    for (int s = 0; s < 5; s++) {
        int n = sizes[s];
        filter(n);
        product(n);
        triangles(n);
        nearest(n ? n : 1);
        double sum = 0, products = 0;
        for (int r = 0; r < ROWS; r++)
            for (int k = 0; k < n; k++)
                sum += out[r][k] * (k % 5 + r), products += c[r][k] * (k % 3 + r);
        printf("%d: %.0f %.0f\n", n, sum, products);
        for (int r = 0; r < ROWS; r++)
            printf("  %.0f %.0f %ld %ld %d %d\n", energy[r], most[r], sums[r], lengths[r], where[r], count[r]);
    }
    return 0;
}
