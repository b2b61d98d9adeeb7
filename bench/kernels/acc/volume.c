// A picture of 768 x 768 points of a volume of 192^3 bytes, float: from the eye through each point steps through the volume, at each the
// density between eight voxels, its colour and opacity from a table and light by its slope, until hardly anything shines through.
#include "../kernels.h"

enum { SIZE = 192, PICTURE = 768, SHADES = 256 };

#define PACE 0.8f
#define ENOUGH 0.99f

#if SPELLING == 1
static inline float density(const unsigned char *restrict voxel, int n, float x, float y, float z)
{
    int i = (int)x, j = (int)y, k = (int)z;
    i = i < 0 ? 0 : i > n - 2 ? n - 2 : i;
    j = j < 0 ? 0 : j > n - 2 ? n - 2 : j;
    k = k < 0 ? 0 : k > n - 2 ? n - 2 : k;
    float fx = x - i, fy = y - j, fz = z - k;
    int p = (k * n + j) * n + i, q = p + n * n;
    float a = voxel[p] + fx * (voxel[p + 1] - voxel[p]);
    float b = voxel[p + n] + fx * (voxel[p + n + 1] - voxel[p + n]);
    float c = voxel[q] + fx * (voxel[q + 1] - voxel[q]);
    float d = voxel[q + n] + fx * (voxel[q + n + 1] - voxel[q + n]);
    a += fy * (b - a);
    c += fy * (d - c);
    return a + fz * (c - a);
}

static void render(int n, int w, const unsigned char *restrict voxel, const float *restrict shade, const float *restrict eye,
                   const float *restrict axes, float *restrict picture)
{
#pragma acc parallel loop tile(16, 8) present(voxel[0:n * n * n], shade[0:4 * SHADES], picture[0:4 * w * w])                                   \
    copyin(eye[0:3], axes[0:9])
#pragma omp parallel for schedule(dynamic, 4)
    for (int py = 0; py < w; py++)
        for (int px = 0; px < w; px++) {
            float u = (px + 0.5f) / w - 0.5f, v = (py + 0.5f) / w - 0.5f;
            float d[3], near = 0, far = 1e9f, size = 0;
            for (int c = 0; c < 3; c++) {
                d[c] = axes[c] + u * axes[3 + c] + v * axes[6 + c];
                size += d[c] * d[c];
            }
            for (int c = 0; c < 3; c++) {
                d[c] /= sqrtf(size);
                float t0 = -eye[c] / d[c], t1 = (n - 1 - eye[c]) / d[c];
                near = fmaxf(near, fminf(t0, t1));
                far = fminf(far, fmaxf(t0, t1));
            }
            float red = 0, green = 0, blue = 0, cover = 0;
            for (int step = (int)(near / PACE) + 1; step * PACE < far; step++) {
                float t = step * PACE, x = eye[0] + t * d[0], y = eye[1] + t * d[1], z = eye[2] + t * d[2];
                float value = density(voxel, n, x, y, z);
                int s = (int)value < SHADES - 2 ? (int)value : SHADES - 2;
                float f = value - s, alpha = shade[4 * s + 3] + f * (shade[4 * s + 7] - shade[4 * s + 3]);
                if (alpha <= 0)
                    continue;
                float slope = value - density(voxel, n, x - d[0], y - d[1], z - d[2]);
                float light = 0.4f + 0.6f * fminf(1, fmaxf(0, slope / 16)), part = (1 - cover) * alpha;
                red += part * light * (shade[4 * s] + f * (shade[4 * s + 4] - shade[4 * s]));
                green += part * light * (shade[4 * s + 1] + f * (shade[4 * s + 5] - shade[4 * s + 1]));
                blue += part * light * (shade[4 * s + 2] + f * (shade[4 * s + 6] - shade[4 * s + 2]));
                cover += part;
                if (cover > ENOUGH)
                    break;
            }
            float *out = picture + 4 * (py * w + px);
            out[0] = red;
            out[1] = green;
            out[2] = blue;
            out[3] = cover;
        }
}
#else
typedef struct { float x, y, z; } vec3;
typedef struct { float r, g, b, a; } colour;
typedef struct { vec3 eye, forward, right, up; } camera;

#define VOXEL(i, j, k) voxels[((size_t)(k) * n + (j)) * n + (i)]
#define LERP(a, b, t) ((a) + (t) * ((b) - (a)))

#pragma acc routine seq
static vec3 along(vec3 a, float t, vec3 d)
{
    vec3 p = {a.x + t * d.x, a.y + t * d.y, a.z + t * d.z};
    return p;
}

#pragma acc routine seq
static unsigned cell(float x, unsigned n)
{
    unsigned i = x > 0.0f ? (unsigned)x : 0;
    return i < n - 2 ? i : n - 2;
}

#pragma acc routine seq
static float sample(const unsigned char *voxels, unsigned n, vec3 p)
{
    unsigned i = cell(p.x, n), j = cell(p.y, n), k = cell(p.z, n);
    float fx = p.x - i, fy = p.y - j, fz = p.z - k, plane[2];
    for (unsigned c = 0; c < 2; ++c) {
        float low = LERP((float)VOXEL(i, j, k + c), (float)VOXEL(i + 1, j, k + c), fx);
        float high = LERP((float)VOXEL(i, j + 1, k + c), (float)VOXEL(i + 1, j + 1, k + c), fx);
        plane[c] = LERP(low, high, fy);
    }
    return LERP(plane[0], plane[1], fz);
}

#pragma acc routine seq
static void clip(float eye, float d, float edge, float *near, float *far)
{
    float a = (0.0f - eye) / d, b = (edge - eye) / d;
    if (a > b) {
        float other = a;
        a = b;
        b = other;
    }
    if (a > *near)
        *near = a;
    if (b < *far)
        *far = b;
}

#pragma acc routine seq
static colour look_up(const colour *shades, float value)
{
    unsigned s = cell(value, SHADES);
    float f = value - s;
    const colour *a = &shades[s], *b = a + 1;
    colour c = {LERP(a->r, b->r, f), LERP(a->g, b->g, f), LERP(a->b, b->b, f), LERP(a->a, b->a, f)};
    return c;
}

static void render(unsigned n, unsigned w, const unsigned char *voxels, const colour *shades, const camera view, colour *picture)
{
#pragma acc kernels present(voxels[0:n * n * n], shades[0:SHADES], picture[0:w * w])
#pragma acc loop independent collapse(2)
#pragma omp parallel for schedule(dynamic, 4)
    for (unsigned row = 0; row < w; ++row)
        for (unsigned column = 0; column < w; ++column) {
            vec3 d = along(along(view.forward, (column + 0.5f) / w - 0.5f, view.right), (row + 0.5f) / w - 0.5f, view.up);
            float length = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z), near = 0.0f, far = 1e9f;
            d.x /= length;
            d.y /= length;
            d.z /= length;
            clip(view.eye.x, d.x, n - 1, &near, &far);
            clip(view.eye.y, d.y, n - 1, &near, &far);
            clip(view.eye.z, d.z, n - 1, &near, &far);
            colour sum = {0, 0, 0, 0};
            unsigned step = (unsigned)(near / PACE) + 1;
            while (step * PACE < far && sum.a <= ENOUGH) {
                vec3 p = along(view.eye, step * PACE, d);
                float value = sample(voxels, n, p);
                colour c = look_up(shades, value);
                if (c.a > 0.0f) {
                    float slope = (value - sample(voxels, n, along(p, -1.0f, d))) / 16.0f;
                    float light = slope < 0.0f ? 0.4f : slope > 1.0f ? 1.0f : 0.4f + 0.6f * slope;
                    float part = (1.0f - sum.a) * c.a;
                    sum.r += part * light * c.r;
                    sum.g += part * light * c.g;
                    sum.b += part * light * c.b;
                    sum.a += part;
                }
                ++step;
            }
            picture[row * w + column] = sum;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIZE >> args.shift / 3, w = PICTURE >> (args.shift + 1) / 2;
    unsigned char *voxel = NEW(unsigned char, n * n * n);
    float *shade = NEW(float, 4 * SHADES), *picture = NEW(float, 4 * w * w);
    double sum = 0;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double x = 2.0 * i / (n - 1) - 1, y = 2.0 * j / (n - 1) - 1, z = 2.0 * k / (n - 1) - 1;
                double wave = sin(9 * x) * cos(9 * y) + sin(9 * y) * cos(9 * z) + sin(9 * z) * cos(9 * x);
                double ball = 1 - sqrt(x * x + y * y + z * z);
                voxel[(k * n + j) * n + i] = ball > 0.02 ? (unsigned char)(ball * 120 + 40 * (wave + 1.5)) : 0;
            }
    for (int s = 0; s < SHADES; s++) {
        shade[4 * s] = s / 255.0f;
        shade[4 * s + 1] = s < 128 ? s / 160.0f : (255 - s) / 160.0f;
        shade[4 * s + 2] = 1 - s / 255.0f;
        shade[4 * s + 3] = s < 90 ? 0 : s < 120 ? 0.002f * (s - 90) : s < 150 ? 0.06f : 0.06f + 0.003f * (s - 150);
    }
    float eye[3] = {-0.7f * n, 1.3f * n, -1.1f * n}, axes[9] = {0.55f, -0.38f, 0.74f, 0.48f, 0, -0.36f, -0.15f, -0.54f, -0.19f};
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(voxel[0:n * n * n], shade[0:4 * SHADES]) create(picture[0:4 * w * w])
    while (lap(&t))
        render(n, w, voxel, shade, eye, axes, picture);
#pragma acc update self(picture[0:4 * w * w])
#else
    camera view = {{eye[0], eye[1], eye[2]}, {axes[0], axes[1], axes[2]}, {axes[3], axes[4], axes[5]}, {axes[6], axes[7], axes[8]}};
    colour *shades = (colour *)shade, *pixels = (colour *)picture;
#pragma acc enter data copyin(voxel[0:n * n * n], shades[0:SHADES]) create(pixels[0:w * w])
    while (lap(&t))
        render(n, w, voxel, shades, view, pixels);
#pragma acc update self(pixels[0:w * w])
#endif
    SUM(sum, picture, 4 * w * w);
    report("volume", t.best, sum);
    return 0;
}
