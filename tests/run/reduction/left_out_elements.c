// Elements of arrays and members of structs that all iterations update, without a clause: no update is lost. What is more than
// an update by one operator is not touched.
// cflags: -Wno-openacc-left-out-reduction
#include <math.h>
#include <stdio.h>

struct total {
    double sum;
    int count;
    union {
        int bits;
        unsigned same;
    };
};

static double a[1000];

static void by_pointer(int n, const double *x, double *sum, struct total *t) {
#pragma acc parallel loop
    for (int i = 0; i < n; i++) {
        sum[0] += x[i];
        sum[1] -= sqrt(x[i] * x[i]);
        t->sum = 2 * x[i] + t->sum;
        if (i % 3 == 0)
            t->count++;
        t->bits |= 1 << i % 7;
    }
}

/* Each gang's own. */
static int own(int n) {
    int part[2] = {0, 0}, found = 0;
#pragma acc parallel loop gang vector num_gangs(4) firstprivate(part) copy(found)
    for (int i = 0; i < n; i++) {
        int local[2] = {i, 1};
        local[0] += part[1];
#pragma acc atomic update
        found += local[0] == i;
    }
    return found;
}

int main(void) {
    enum { N = 1000 };
    for (int i = 0; i < N; i++)
        a[i] = i % 17;
    double sum[2] = {1, 2};
    struct total t = {0.5, 3, {0}};
    by_pointer(N, a, sum, &t);
    printf("%g %g %g %d %d\n", sum[0], sum[1], t.sum, t.count, t.bits);

    /* Declared variables; several places of one array; a place that outer iterations pick. */
    int s[4] = {0, 0, 0, 0}, which = 2;
    float f[3] = {0, 0, 1};
#pragma acc parallel loop collapse(2) copy(s, f, t)
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 25; j++) {
            s[1] += i;
            s[which + 1] += j;
            f[2] *= (i + j) % 100 == 50 ? 2.0 : 1.0;
            t.count += 1;
            t.count += 2;
        }
    printf("%d %d %d %d %g %d\n", s[0], s[1], s[2], s[3], f[2], t.count);

    /* In order: each sees what the one before has left. */
    double b[N];
#pragma acc parallel loop seq copy(sum) copyout(b)
    for (int i = 0; i < N; i++) {
        sum[0] += 1;
        b[i] = sum[0];
    }
#pragma acc kernels copy(sum) copy(b)
    for (int i = 0; i < N; i++) {
        sum[0] += b[i];
        if (sum[0] > 1e6)
            sum[0] = 0;
    }
#pragma acc kernels copy(sum) copyin(b)
#pragma acc loop independent
    for (int i = 0; i < N; i++)
        sum[1] += b[i];
    printf("%g %g %g\n", sum[0], sum[1], b[N - 1]);

    /* Rows of their own. */
    int rows[10][2];
#pragma acc parallel loop gang copyout(rows)
    for (int i = 0; i < 10; i++) {
        rows[i][0] = rows[i][1] = 0;
#pragma acc loop seq
        for (int j = 0; j < 50; j++)
            rows[i][j % 2] += j;
    }
    int all = 0;
    for (int i = 0; i < 10; i++)
        all += rows[i][0] * (i + 1) - rows[i][1];
    printf("%d %d\n", all, own(N));
    return 0;
}
