// Four pictures of depth and colour of 640 x 480 points fused into a volume of 256^3 voxels (KinectFusion): a voxel,
// a struct, is projected into the camera and takes the cut-off distance to the surface and the colour into its mean.
#include "../kernels.h"

enum { SIDE = 256, COLUMNS = 640, ROWS = 480, FRAMES = 4 };

#define CUT 0.06f
#define FOCUS 525.0f

struct voxel { float distance; unsigned char weight, red, green, blue; };

// A camera's turn around the upright axis, and its place.
struct camera { float c, s, x, y, z; };

#if SPELLING == 1
static void fuse(int depth, const struct camera *restrict cameras, const unsigned short *restrict far,
                 const unsigned char *restrict colour, struct voxel *restrict voxels)
{
#pragma acc data present(far[0:FRAMES * ROWS * COLUMNS], colour[0:3 * FRAMES * ROWS * COLUMNS]) \
    present(voxels[0:depth * SIDE * SIDE])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < depth * SIDE * SIDE; k++)
            voxels[k] = (struct voxel){1, 0, 0, 0, 0};
        for (int f = 0; f < FRAMES; f++) {
            float c = cameras[f].c, s = cameras[f].s, left = cameras[f].x, up = cameras[f].y, back = cameras[f].z;
#pragma acc parallel loop collapse(3)
#pragma omp parallel for collapse(2)
            for (int k = 0; k < depth; k++)
                for (int j = 0; j < SIDE; j++)
                    for (int i = 0; i < SIDE; i++) {
                        float px = (i + 0.5f) / SIDE - 0.5f - left, py = (j + 0.5f) / SIDE - 0.5f - up;
                        float pz = (k + 0.5f) / SIDE - back, x = c * px - s * pz, z = s * px + c * pz;
                        if (z <= 0.1f)
                            continue;
                        int u = (int)floorf(FOCUS * x / z + COLUMNS / 2 + 0.5f);
                        int v = (int)floorf(FOCUS * py / z + ROWS / 2 + 0.5f);
                        if (u < 0 || u >= COLUMNS || v < 0 || v >= ROWS)
                            continue;
                        int at = (f * ROWS + v) * COLUMNS + u;
                        float gap = far[at] * 0.001f - z;
                        if (far[at] == 0 || gap < -CUT)
                            continue;
                        struct voxel *here = &voxels[(k * SIDE + j) * SIDE + i];
                        int w = here->weight;
                        here->distance = (here->distance * w + fminf(1, gap / CUT)) / (w + 1);
                        here->red = (here->red * w + colour[3 * at]) / (w + 1);
                        here->green = (here->green * w + colour[3 * at + 1]) / (w + 1);
                        here->blue = (here->blue * w + colour[3 * at + 2]) / (w + 1);
                        here->weight = w < 255 ? w + 1 : w;
                    }
        }
    }
}
#else
typedef struct voxel layer[SIDE][SIDE];
typedef struct { unsigned char rgb[3]; } colours;

#define BLEND(old, new, weight) (((old) * (weight) + (new)) / ((weight) + 1))

#pragma acc routine seq
static void take(struct voxel *v, float gap, const colours *c)
{
    v->distance = BLEND(v->distance, gap < CUT ? gap / CUT : 1, v->weight);
    v->red = BLEND(v->red, c->rgb[0], v->weight);
    v->green = BLEND(v->green, c->rgb[1], v->weight);
    v->blue = BLEND(v->blue, c->rgb[2], v->weight);
    if (v->weight != 255)
        ++v->weight;
}

static void fuse(size_t depth, const struct camera *cameras, unsigned short *all, unsigned char *bytes,
                 struct voxel *voxels)
{
    unsigned short(*far)[ROWS][COLUMNS] = (unsigned short(*)[ROWS][COLUMNS])all;
    colours(*colour)[ROWS][COLUMNS] = (colours(*)[ROWS][COLUMNS])bytes;
    layer *volume = (layer *)voxels;
#pragma acc kernels loop independent collapse(3) present(volume[0:depth])
#pragma omp parallel for collapse(2)
    for (size_t k = 0; k < depth; ++k)
        for (size_t j = 0; j < SIDE; ++j)
            for (size_t i = 0; i < SIDE; ++i) {
                volume[k][j][i].distance = 1;
                volume[k][j][i].weight = volume[k][j][i].red = volume[k][j][i].green = volume[k][j][i].blue = 0;
            }
    for (unsigned f = 0; f < FRAMES; ++f) {
        const struct camera eye = cameras[f];
#pragma acc parallel loop gang collapse(2) firstprivate(eye) \
    present(far[0:FRAMES], colour[0:FRAMES], volume[0:depth])
#pragma omp parallel for collapse(2)
        for (size_t k = 0; k < depth; ++k)
            for (size_t j = 0; j < SIDE; ++j) {
                float pz = (k + 0.5f) / SIDE - eye.z, py = (j + 0.5f) / SIDE - 0.5f - eye.y;
#pragma acc loop vector
                for (size_t i = 0; i < SIDE; ++i) {
                    float px = (i + 0.5f) / SIDE - 0.5f - eye.x, z = eye.s * px + eye.c * pz;
                    long u = lrintf(floorf(FOCUS * (eye.c * px - eye.s * pz) / z + COLUMNS / 2 + 0.5f));
                    long v = lrintf(floorf(FOCUS * py / z + ROWS / 2 + 0.5f));
                    if (z > 0.1f && u >= 0 && u < COLUMNS && v >= 0 && v < ROWS && far[f][v][u]) {
                        float gap = far[f][v][u] * 0.001f - z;
                        if (gap >= -CUT)
                            take(&volume[k][j][i], gap, &colour[f][v][u]);
                    }
                }
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = SIDE >> args.shift, n = depth * SIDE * SIDE, points = FRAMES * ROWS * COLUMNS;
    struct camera cameras[FRAMES];
    unsigned short *far = NEW(unsigned short, points);
    unsigned char *colour = NEW(unsigned char, 3 * points);
    struct voxel *voxels = NEW(struct voxel, n);
    double sum = 0;
    for (int f = 0; f < FRAMES; f++)
        cameras[f] = (struct camera){cosf(0.1f * f - 0.15f), sinf(0.1f * f - 0.15f), 0.2f * f - 0.3f, 0.05f * f, -1};
    for (int k = 0; k < points; k++) {
        int u = k % COLUMNS, v = k / COLUMNS % ROWS;
        double wave = 0.2 * sin(0.03 * u) * cos(0.02 * v);
        far[k] = mix(k) % 16 == 0 ? 0 : (unsigned short)(1000 * (1.5 + wave));
        for (int c = 0; c < 3; c++)
            colour[3 * k + c] = (unsigned char)(128 + 100 * sin(0.01 * (c + 1) * u + 0.02 * v));
    }
#pragma acc enter data copyin(far[0:points], colour[0:3 * points]) create(voxels[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        fuse(depth, cameras, far, colour, voxels);
#pragma acc update self(voxels[0:n])
    for (int k = 0; k < n; k++)
        sum += voxels[k].distance + voxels[k].weight + (voxels[k].red + voxels[k].green + voxels[k].blue) / 256.0;
    report("fusion", t.best, sum);
    return 0;
}
