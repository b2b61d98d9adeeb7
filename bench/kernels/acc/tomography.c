// A volume of 128^3 points from 90 X-ray pictures of 256 x 256, float: for each point and picture where the ray through it ends, the picture
// between four of its points there, and a weight by the distance from the source.
#include "../kernels.h"

enum { SIDE = 128, ANGLES = 90, WIDTH = 256 };

#if SPELLING == 1
static void project_back(int n, const float *restrict matrix, const float *restrict picture, float *restrict volume)
{
    int points = n * n * n;
#pragma acc parallel loop collapse(3) present(matrix[0:12 * ANGLES], picture[0:ANGLES * WIDTH * WIDTH], volume[0:points])
#pragma omp parallel for collapse(2)
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                float x = (2 * i + 1.0f) / n - 1, y = (2 * j + 1.0f) / n - 1, z = (2 * k + 1.0f) / n - 1, sum = 0;
                for (int p = 0; p < ANGLES; p++) {
                    const float *m = matrix + 12 * p, *image = picture + p * WIDTH * WIDTH;
                    float w = 1 / (m[8] * x + m[9] * y + m[10] * z + m[11]);
                    float u = (m[0] * x + m[1] * y + m[2] * z + m[3]) * w, v = (m[4] * x + m[5] * y + m[6] * z + m[7]) * w;
                    int column = (int)floorf(u), row = (int)floorf(v);
                    float right = u - column, below = v - row, a = 0, b = 0, c = 0, d = 0;
                    if (row >= 0 && row < WIDTH && column >= 0 && column < WIDTH)
                        a = image[row * WIDTH + column];
                    if (row >= 0 && row < WIDTH && column + 1 >= 0 && column + 1 < WIDTH)
                        b = image[row * WIDTH + column + 1];
                    if (row + 1 >= 0 && row + 1 < WIDTH && column >= 0 && column < WIDTH)
                        c = image[(row + 1) * WIDTH + column];
                    if (row + 1 >= 0 && row + 1 < WIDTH && column + 1 >= 0 && column + 1 < WIDTH)
                        d = image[(row + 1) * WIDTH + column + 1];
                    sum += w * w * ((1 - below) * ((1 - right) * a + right * b) + below * ((1 - right) * c + right * d));
                }
                volume[(k * n + j) * n + i] = sum;
            }
}
#else
struct camera { float column[4], row[4], depth[4]; };
typedef float image[WIDTH][WIDTH];

static inline float dot(const float *m, const float p[3]) { return m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3]; }

static float pixel(const image *from, int row, int column)
{
    return (unsigned)row < WIDTH && (unsigned)column < WIDTH ? (*from)[row][column] : 0.0f;
}

static float between(float a, float b, float t) { return a + t * (b - a); }

#define CENTRE(k) ((2 * (float)(k) + 1) / (float)n - 1)

static void project_back(size_t n, struct camera *cameras, image *pictures, float *flat)
{
    float(*volume)[n][n] = (float(*)[n][n])flat;
#pragma acc parallel loop gang collapse(2) present(cameras[0:ANGLES], pictures[0:ANGLES], volume[0:n])
#pragma omp parallel for collapse(2)
    for (size_t k = 0; k < n; ++k)
        for (size_t j = 0; j < n; ++j)
#pragma acc loop vector
            for (size_t i = 0; i < n; ++i) {
                const float at[3] = {CENTRE(i), CENTRE(j), CENTRE(k)};
                float value = 0;
                const struct camera *end = cameras + ANGLES;
                const image *picture = pictures;
                for (const struct camera *c = cameras; c != end; ++c, ++picture) {
                    float depth = dot(c->depth, at), u = dot(c->column, at) / depth, v = dot(c->row, at) / depth;
                    float left = floorf(u), top = floorf(v);
                    int column = (int)left, row = (int)top;
                    float upper = between(pixel(picture, row, column), pixel(picture, row, column + 1), u - left);
                    float lower = between(pixel(picture, row + 1, column), pixel(picture, row + 1, column + 1), u - left);
                    value += between(upper, lower, v - top) / (depth * depth);
                }
                volume[k][j][i] = value;
            }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, points = n * n * n, pixels = ANGLES * WIDTH * WIDTH;
    float *matrix = NEW(float, 12 * ANGLES), *picture = NEW(float, pixels), *volume = NEW(float, points);
    double sum = 0;
    // A source at distance 4 that turns about the third axis; the corners of the volume end outside of the pictures.
    for (int p = 0; p < ANGLES; p++) {
        double angle = 2 * 3.14159265358979323846 * p / ANGLES, c = cos(angle), s = sin(angle), middle = (WIDTH - 1) / 2.0, scale = 90;
        double depth[4] = {-c / 4, -s / 4, 0, 1}, across[4] = {-s, c, 0, 0}, up[4] = {0, 0, 1, 0};
        for (int k = 0; k < 4; k++) {
            matrix[12 * p + k] = middle * depth[k] + scale * across[k];
            matrix[12 * p + 4 + k] = middle * depth[k] + scale * up[k];
            matrix[12 * p + 8 + k] = depth[k];
        }
    }
    FILL(picture, pixels, 1);
#pragma acc enter data copyin(matrix[0:12 * ANGLES], picture[0:pixels]) create(volume[0:points])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        project_back(n, matrix, picture, volume);
#else
        project_back(n, (struct camera *)matrix, (image *)picture, volume);
#endif
    }
#pragma acc update self(volume[0:points])
    SUM(sum, volume, points);
    report("tomography", t.best, sum);
    return 0;
}
