// Loops of constant length along arrays of the thread: straight code where the arrays have room in registers, whatever their indices are
// computed from, and loops where they have none.
// launches: 2
enum { N = 7, LEVELS = 60 };
#define AT(i, j) ((i) < (j) ? (i) * (2 * N - 1 - (i)) / 2 + (j) : (j) * (2 * N - 1 - (j)) / 2 + (i))

void triangle(int m, const double *in, double *out)
{
#pragma acc parallel loop present(in[0:m * N * N], out[0:m])
    for (int x = 0; x < m; x++) {
        double a[N * (N + 1) / 2], s = 0;
        for (int i = 0; i < N; i++)
            for (int j = i; j < N; j++)
                a[AT(i, j)] = in[(i * N + j) * m + x];
        for (int p = 0; p < N; p++)
            for (int k = 0; k < N; k++)
                if (k != p)
                    a[AT(k, p)] -= a[AT(k, k)] * a[AT(p, p)];
        for (int i = 0; i < N; i++)
            s += a[AT(i, (i + 1) % N)];
        out[x] = s;
    }
}

void column(int m, const double *mix, double *f)
{
#pragma acc parallel loop present(mix[0:m * LEVELS], f[0:m * LEVELS])
    for (int x = 0; x < m; x++) {
        double c[LEVELS], d[LEVELS];
        c[0] = d[0] = 0;
        for (int k = 1; k < LEVELS; k++) {
            double pivot = 1 / (2 - mix[k * m + x] * c[k - 1]);
            c[k] = mix[k * m + x] * pivot;
            d[k] = (f[k * m + x] + d[k - 1]) * pivot;
        }
        for (int k = LEVELS - 2; k >= 0; k--) {
            d[k] += c[k] * d[k + 1];
            f[k * m + x] = d[k];
        }
    }
}

int main(void)
{
    enum { M = 4 };
    static double in[M * N * N], out[M], mix[M * LEVELS], f[M * LEVELS];
#pragma acc data copyin(in, mix) copy(f) copyout(out)
    {
        triangle(M, in, out);
        column(M, mix, f);
    }
    return 0;
}
