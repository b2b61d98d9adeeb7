// Four pictures of depth and colour of 640 x 480 points fused into a volume of 256^3 voxels (KinectFusion): a
// thread a voxel of eight bytes, read and written at once where the surface is near or the space in front of it is
// seen.
#include "kernels.cuh"

constexpr int SIDE = 256, COLUMNS = 640, ROWS = 480, FRAMES = 4;
constexpr float CUT = 0.06f, FOCUS = 525.0f;

struct __align__(8) voxel {
    float distance;
    unsigned char weight, red, green, blue;
};

struct camera {
    float c, s, x, y, z;
};

__global__ void clear(int n, voxel *__restrict__ voxels)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n)
        voxels[k] = {1, 0, 0, 0, 0};
}

__global__ void __launch_bounds__(256)
fuse(camera eye, const unsigned short *__restrict__ far, const unsigned char *__restrict__ colour,
     voxel *__restrict__ voxels)
{
    int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, k = blockIdx.z;
    float px = (i + 0.5f) / SIDE - 0.5f - eye.x, py = (j + 0.5f) / SIDE - 0.5f - eye.y;
    float pz = (k + 0.5f) / SIDE - eye.z, x = eye.c * px - eye.s * pz, z = eye.s * px + eye.c * pz;
    if (z <= 0.1f)
        return;
    int u = __float2int_rd(FOCUS * x / z + COLUMNS / 2 + 0.5f), v = __float2int_rd(FOCUS * py / z + ROWS / 2 + 0.5f);
    if (u < 0 || u >= COLUMNS || v < 0 || v >= ROWS)
        return;
    int at = v * COLUMNS + u, seen = far[at];
    float gap = seen * 0.001f - z;
    if (seen == 0 || gap < -CUT)
        return;
    voxel *to = voxels + (k * SIDE + j) * SIDE + i, here = *to;
    int w = here.weight;
    here.distance = (here.distance * w + fminf(1.0f, gap / CUT)) / (w + 1);
    here.red = (here.red * w + colour[3 * at]) / (w + 1);
    here.green = (here.green * w + colour[3 * at + 1]) / (w + 1);
    here.blue = (here.blue * w + colour[3 * at + 2]) / (w + 1);
    here.weight = min(w + 1, 255);
    *to = here;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = SIDE >> args.shift, n = depth * SIDE * SIDE, points = FRAMES * ROWS * COLUMNS;
    camera cameras[FRAMES];
    unsigned short *far = NEW(unsigned short, points);
    unsigned char *colour = NEW(unsigned char, 3 * points);
    voxel *voxels = NEW(voxel, n);
    double sum = 0;
    for (int f = 0; f < FRAMES; f++)
        cameras[f] = {cosf(0.1f * f - 0.15f), sinf(0.1f * f - 0.15f), 0.2f * f - 0.3f, 0.05f * f, -1};
    for (int k = 0; k < points; k++) {
        int u = k % COLUMNS, v = k / COLUMNS % ROWS;
        double wave = 0.2 * sin(0.03 * u) * cos(0.02 * v);
        far[k] = mix(k) % 16 == 0 ? 0 : (unsigned short)(1000 * (1.5 + wave));
        for (int c = 0; c < 3; c++)
            colour[3 * k + c] = (unsigned char)(128 + 100 * sin(0.01 * (c + 1) * u + 0.02 * v));
    }
    unsigned short *dfar = on_device(far, points);
    unsigned char *dcolour = on_device(colour, 3 * points);
    voxel *dvoxels = device<voxel>(n);
    double best = fastest(args.repeats, [&] {
        clear<<<ceiling(n, 256), 256>>>(n, dvoxels);
        for (int f = 0; f < FRAMES; f++)
            fuse<<<dim3(SIDE / 32, SIDE / 8, depth), dim3(32, 8)>>>(cameras[f], dfar + f * ROWS * COLUMNS,
                                                                   dcolour + 3 * f * ROWS * COLUMNS, dvoxels);
    });
    to_host(voxels, dvoxels, n);
    for (int k = 0; k < n; k++)
        sum += voxels[k].distance + voxels[k].weight + (voxels[k].red + voxels[k].green + voxels[k].blue) / 256.0;
    report("fusion", best, sum);
    return 0;
}
