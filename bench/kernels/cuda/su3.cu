// Products of complex 3 × 3 matrices, double, as lattice QCD has them: 2^18 sites with a matrix in each of four directions,
// a thread an element.
#include "kernels.cuh"

constexpr int ELEMENTS = 4 * 3 * 3, PARTS = 2 * ELEMENTS;

struct su3_matrix {
    double2 e[3][3];
};

struct site {
    su3_matrix link[4];
};

__global__ void multiply(int sites, const site *__restrict__ a, const su3_matrix *__restrict__ b, site *__restrict__ c)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, i = thread / ELEMENTS;
    if (i >= sites)
        return;
    int j = thread % ELEMENTS / 9, k = thread % 9 / 3, l = thread % 3;
    double2 sum = {0, 0};
#pragma unroll
    for (int m = 0; m < 3; m++) {
        double2 x = a[i].link[j].e[k][m], y = b[j].e[m][l];
        sum.x += x.x * y.x - x.y * y.y;
        sum.y += x.x * y.y + x.y * y.x;
    }
    c[i].link[j].e[k][l] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 18) >> args.shift;
    site *a = NEW(site, n), *c = NEW(site, n);
    su3_matrix *b = NEW(su3_matrix, 4);
    double *parts = (double *)c, sum = 0;
    FILL((double *)a, n * PARTS, 1);
    FILL((double *)b, PARTS, 1);
    site *da = on_device(a, n), *dc = device<site>(n);
    su3_matrix *db = on_device(b, 4);
    double best = fastest(args.repeats, [&] { multiply<<<ceiling((long)n * ELEMENTS, 256), 256>>>(n, da, db, dc); });
    to_host(c, dc, n);
    for (int i = 0; i < n * PARTS; i++)
        sum += parts[i] * (1 + i % 7);
    report("su3", best, sum);
    return 0;
}
