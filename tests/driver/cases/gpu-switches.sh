# Every optimisation that -gpu=noNAME switches off: the code is another then, and the results are the same bits.
cat >all.c <<'EOF'
#include <stdio.h>
enum { N = 96, M = 300 };
static float in[N][N], out[N][N], turned[N][N], mass[M], force[M], sums[N];
static const float weight[3] = {0.25f, 0.5f, 0.25f};

static void window(int n, const float *a, float *b)
{
    float w[3][3];
    for (int i = 0; i < 9; i++)
        w[i / 3][i % 3] = weight[i / 3] * weight[i % 3];
#pragma acc parallel loop collapse(2) copyin(w) present(a[0:n * n], b[0:n * n])
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            float s = 0;
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    s += w[k][l] * a[(i + k - 1) * n + j + l - 1];
            b[i * n + j] = s;
        }
}

static void transpose(int n, const float *a, float *b)
{
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[j * n + i] = a[i * n + j];
}

static void forces(int m, const float *p, float *f)
{
#pragma acc parallel loop present(p[0:m], f[0:m])
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < m; j++)
            s += p[j] / (1 + (p[i] - p[j]) * (p[i] - p[j]));
        f[i] = s;
    }
}

static void columns(int n, const float *a, float *s)
{
#pragma acc parallel loop present(a[0:n * n], s[0:n])
    for (int j = 0; j < n; j++) {
        const float *at = a + j;
        for (int i = 0; i < n; i++, at += n)
            s[j] += *at;
    }
}

static void running(int n, const float *a, float *b)
{
#pragma acc parallel loop present(a[0:n * n], b[0:n * n])
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            b[i * n + j] = s += a[i * n + j];
    }
}

static void scale(int n, float *a)
{
#pragma acc parallel loop gang present(a[0:n * n])
    for (int i = 0; i < n; i++)
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            a[i * n + j] = a[i * n + j] * 3 + 1;
}

static void centre(int n, float *a)
{
#pragma acc parallel loop gang present(a[0:n * n])
    for (int i = 0; i < n; i++) {
        float most = 0;
#pragma acc loop vector reduction(max:most)
        for (int j = 0; j < n; j++)
            most = a[i * n + j] > most ? a[i * n + j] : most;
#pragma acc loop vector
        for (int j = 0; j < n; j++)
            a[i * n + j] -= most;
    }
}

static void constants(int n, float *a)
{
    const float known[2][2] = {{1, 2.5}, {-0.25f, 4}};
#pragma acc parallel loop copyin(known) present(a[0:n * n])
    for (int i = 0; i < n * n; i++)
        a[i] += known[0][1] * known[1][0];
}

static void chains(int n, float *a)
{
#pragma acc parallel loop present(a[0:n * n])
    for (int s = 0; s < n; s++)
        for (int k = 1; k < n; k++)
            a[k * n + s] -= 0.5f * a[(k - 1) * n + s];
}

int main(void)
{
    for (int i = 0; i < N * N; i++)
        in[0][i] = i % 17 * 0.25f;
    for (int i = 0; i < M; i++)
        mass[i] = i % 13 * 0.5f;
#pragma acc data copyin(in, mass) copy(out, turned, force, sums)
    {
        window(N, in[0], out[0]);
        transpose(N, out[0], turned[0]);
        scale(N, turned[0]);
        centre(N, turned[0]);
        constants(N, turned[0]);
        forces(M, mass, force);
        columns(N, turned[0], sums);
        running(N, turned[0], out[0]);
        chains(N, turned[0]);
    }
    for (int i = 0; i < N; i++)
        printf("%a %a %a %a\n", out[i][7], turned[5][i], force[i], sums[i]);
    return 0;
}
EOF
accrue ir --emit=ptx -gpu=cc90 all.c >all.ptx
accrue cc -fopenacc -gpu=cc90 all.c -o all
ACC_DEVICE_TYPE=sim ./all >all.txt
for switch in grid rows staging columns ownrows patches addresses inductions elements accumulators recurrences keptrows interleave unroll; do
    accrue ir --emit=ptx -gpu=cc90,no$switch all.c >one.ptx
    if cmp -s all.ptx one.ptx; then fail "no$switch changes nothing"; fi
    accrue ir --emit=ptx -gpu=cc90,no$switch,$switch all.c | same all.ptx -
    accrue cc -fopenacc -gpu=cc90,no$switch all.c -o one
    ACC_DEVICE_TYPE=sim ./one | same all.txt -
done
