// Discrete cosine transforms of the 8 x 8 blocks of an image of 2048 x 2048 floats: along the rows of a block, then along its
// columns.
#include "../kernels.h"

enum { SIDE = 2048, B = 8 };

#if SPELLING == 1
static void transform(int n, const float *restrict basis, const float *restrict image, float *restrict out)
{
#pragma acc parallel loop gang collapse(2) present(basis[0:B * B], image[0:n * n], out[0:n * n])
#pragma omp parallel for collapse(2)
    for (int by = 0; by < n; by += B)
        for (int bx = 0; bx < n; bx += B) {
            float half[B][B];
#pragma acc loop vector collapse(2)
            for (int y = 0; y < B; y++)
                for (int u = 0; u < B; u++) {
                    float sum = 0;
                    for (int x = 0; x < B; x++)
                        sum += image[(by + y) * n + bx + x] * basis[u * B + x];
                    half[y][u] = sum;
                }
#pragma acc loop vector collapse(2)
            for (int v = 0; v < B; v++)
                for (int u = 0; u < B; u++) {
                    float sum = 0;
                    for (int y = 0; y < B; y++)
                        sum += half[y][u] * basis[v * B + y];
                    out[(by + v) * n + bx + u] = sum;
                }
        }
}
#else
static void transform(size_t n, float *basis, float *image, float *out)
{
    size_t blocks = n / B;
#pragma acc parallel loop gang vector collapse(2) present(basis[0:B * B], image[0:n * n], out[0:n * n])
#pragma omp parallel for collapse(2)
    for (size_t by = 0; by < blocks; ++by)
        for (size_t bx = 0; bx < blocks; ++bx) {
            float rows[B][B], *to = &out[by * B * n + bx * B];
            const float *from = &image[by * B * n + bx * B];
            for (unsigned y = 0; y < B; ++y)
                for (unsigned u = 0; u < B; ++u) {
                    rows[y][u] = 0;
                    for (unsigned x = 0; x < B; ++x)
                        rows[y][u] += from[y * n + x] * basis[u * B + x];
                }
            for (unsigned v = 0; v < B; ++v)
                for (unsigned u = 0; u < B; ++u) {
                    float sum = 0;
                    for (unsigned y = 0; y < B; ++y)
                        sum += rows[y][u] * basis[v * B + y];
                    to[v * n + u] = sum;
                }
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> args.shift / 2;
    float *image = NEW(float, n *n), *out = NEW(float, n *n), basis[B * B];
    double sum = 0;
    FILL(image, n * n, 255);
    for (int k = 0; k < B * B; k++)
        basis[k] = (float)(cos(3.141592653589793 * (k % B + 0.5) * (k / B) / B) * (k / B ? 0.5 : sqrt(0.125)));
#pragma acc enter data copyin(image[0:n * n], basis[0:B * B]) create(out[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        transform(n, basis, image, out);
#pragma acc update self(out[0:n * n])
    for (int k = 0; k < n * n; k++)
        sum += fabs(out[k]);
    report("dct", t.best, sum);
    return 0;
}
