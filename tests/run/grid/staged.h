/* Each loop in the type of index I, with names that end in SUFFIX. */

typedef struct {
    float x, y, z, m;
} NAME(body);

/* Records; a sum in registers. */
static void NAME(bodies)(I n, I m, NAME(body) *p, float *out)
{
#pragma acc parallel loop copyin(p[0:n]) copyout(out[0:n])
    for (I i = 0; i < n; i++) {
        float s = 0;
        NAME(body) me = p[i];
        for (I j = 0; j < m; j++) {
            float dx = p[j].x - me.x, dy = p[j].y - me.y, dz = p[j].z - me.z;
            s += p[j].m / (dx * dx + dy * dy + dz * dz + 1);
        }
        out[i] = s;
    }
}

/* Flat, with one element between that is not read, and bounds that do not begin at 0. */
static void NAME(flat)(I n, I m, const float *restrict p, float *restrict out)
{
#pragma acc parallel loop gang vector vector_length(64) copyin(p[0:4 * m]) copyout(out[0:n])
    for (I i = 0; i < n; i++) {
        float s = 1;
        for (I j = 3; j < m; j++)
            s += p[4 * j] * i - p[4 * j + 3] + p[4 * (j - 1) + 1];
        out[i] = s;
    }
}

/* Several arrays of several types, one of them backwards, in two dimensions. */
static void NAME(mixed)(I rows, I columns, I m, double *a, int *b, short *c, double *out)
{
#pragma acc parallel loop collapse(2) copyin(a[0:m], b[0:m], c[0:m]) copyout(out[0:rows * columns])
    for (I i = 0; i < rows; i++)
        for (I j = 0; j < columns; j++) {
            double s = 0;
            for (I k = 0; k < m; k++)
                s += a[k] * (double)i + b[m - 1 - k] * (double)j + c[k];
            out[i * columns + j] = s;
        }
}

/* Two loops, work in front of them, between them and behind them, and an early nothing. */
static void NAME(two)(I n, I m, float *p, float *q, int *which, float *out)
{
#pragma acc parallel loop copyin(p[0:m], q[0:m], which[0:n]) copy(out[0:n])
    for (I i = 0; i < n; i++) {
        float least = 1e30f, sum = 0, start = out[i] / (float)(n - i);
        int place = 0, own = which[i];
        if (own > 2)
            out[i] = start + own;
        for (I j = 0; j < m; j++) {
            float d = p[j] - start;
            if (d * d < least) {
                least = d * d;
                place = (int)j;
            }
        }
        float scale = which[place % (int)n];
        for (I j = 0; j < m; j++)
            sum += q[j] * scale + p[j];
        out[i] = sum + place + own % (place + 1);
    }
}

/* What may not be staged: a bound, an address, a condition, a store. */
static void NAME(not)(I n, I m, float *p, float *q, float *out)
{
#pragma acc parallel loop copyin(p[0:m + n], q[0:n]) copyout(out[0:n])
    for (I i = 0; i < n; i++) {
        float s = 0;
        for (I j = 0; j < i; j++)
            s += p[j];
        for (I j = 0; j < m; j++)
            s += p[i + j];
        for (I j = 0; j < m; j++)
            if (j > m / 2)
                s += p[j];
        out[i] = q[i];
        for (I j = 0; j < m; j++)
            out[i] += p[j];
        out[i] += s;
    }
}

static void NAME(all)(I n, I m)
{
    enum { MOST = 2000 };
    static NAME(body) p[MOST];
    static float flat[4 * MOST], out[MOST];
    static double a[MOST], many[30 * MOST];
    static int b[MOST];
    static short c[MOST];
    for (int k = 0; k < MOST; k++) {
        p[k] = (NAME(body)){k % 7, k % 11, k % 13, k % 17};
        a[k] = k % 19 * 0.5, b[k] = k % 23, c[k] = k % 29, out[k] = k % 5;
    }
    for (int k = 0; k < 4 * MOST; k++)
        flat[k] = k % 31 * 0.25f;
    NAME(two)(n, m, flat, flat + MOST, b, out);
    show(out, n);
    NAME(bodies)(n, m < n ? m : n, p, out);
    show(out, n);
    NAME(flat)(n, m, flat, out);
    show(out, n);
    NAME(not)(n, m, flat, flat + MOST, out);
    show(out, n);
    NAME(mixed)(30, n, m, a, b, c, many);
    show_doubles(many, 30 * n);
}
