// A picture of 768 x 768 points of a volume of 192^3 bytes, float: a thread a ray and a block 16 x 8 of them, the table of colours in shared
// memory.
#include "kernels.cuh"

constexpr int SIZE = 192, PICTURE = 768, SHADES = 256, ACROSS = 16, DOWN = 8;
constexpr float PACE = 0.8f, ENOUGH = 0.99f;

struct camera { float3 eye, forward, right, up; };

__device__ float between(float a, float b, float t) { return a + t * (b - a); }

__device__ float density(const unsigned char *__restrict__ voxel, int n, float x, float y, float z)
{
    int i = min(max((int)x, 0), n - 2), j = min(max((int)y, 0), n - 2), k = min(max((int)z, 0), n - 2);
    const unsigned char *p = voxel + (k * n + j) * n + i, *q = p + n * n;
    float fx = x - i, fy = y - j, fz = z - k;
    float a = between(__ldg(p), __ldg(p + 1), fx), b = between(__ldg(p + n), __ldg(p + n + 1), fx);
    float c = between(__ldg(q), __ldg(q + 1), fx), d = between(__ldg(q + n), __ldg(q + n + 1), fx);
    return between(between(a, b, fy), between(c, d, fy), fz);
}

__device__ void clip(float eye, float d, float edge, float &near, float &far)
{
    float a = -eye / d, b = (edge - eye) / d;
    near = fmaxf(near, fminf(a, b));
    far = fminf(far, fmaxf(a, b));
}

__global__ void __launch_bounds__(ACROSS *DOWN) render(int n, int w, const unsigned char *__restrict__ voxel, const float4 *__restrict__ shade,
                                                       camera view, float4 *__restrict__ picture)
{
    __shared__ float4 shades[SHADES];
    for (int s = threadIdx.y * ACROSS + threadIdx.x; s < SHADES; s += ACROSS * DOWN)
        shades[s] = shade[s];
    __syncthreads();
    int px = blockIdx.x * ACROSS + threadIdx.x, py = blockIdx.y * DOWN + threadIdx.y;
    if (px >= w || py >= w)
        return;
    float u = (px + 0.5f) / w - 0.5f, v = (py + 0.5f) / w - 0.5f, near = 0, far = 1e9f;
    float dx = view.forward.x + u * view.right.x + v * view.up.x, dy = view.forward.y + u * view.right.y + v * view.up.y;
    float dz = view.forward.z + u * view.right.z + v * view.up.z, one = 1 / sqrtf(dx * dx + dy * dy + dz * dz);
    dx *= one;
    dy *= one;
    dz *= one;
    clip(view.eye.x, dx, n - 1, near, far);
    clip(view.eye.y, dy, n - 1, near, far);
    clip(view.eye.z, dz, n - 1, near, far);
    float4 sum = {0, 0, 0, 0};
    for (int step = (int)(near / PACE) + 1; step * PACE < far; step++) {
        float t = step * PACE, x = view.eye.x + t * dx, y = view.eye.y + t * dy, z = view.eye.z + t * dz;
        float value = density(voxel, n, x, y, z);
        int s = min((int)value, SHADES - 2);
        float4 low = shades[s], high = shades[s + 1];
        float f = value - s, alpha = between(low.w, high.w, f);
        if (alpha <= 0)
            continue;
        float slope = value - density(voxel, n, x - dx, y - dy, z - dz);
        float light = 0.4f + 0.6f * fminf(1, fmaxf(0, slope / 16)), part = (1 - sum.w) * alpha, lit = part * light;
        sum.x += lit * between(low.x, high.x, f);
        sum.y += lit * between(low.y, high.y, f);
        sum.z += lit * between(low.z, high.z, f);
        sum.w += part;
        if (sum.w > ENOUGH)
            break;
    }
    picture[py * w + px] = sum;
}

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
    camera view = {{eye[0], eye[1], eye[2]}, {axes[0], axes[1], axes[2]}, {axes[3], axes[4], axes[5]}, {axes[6], axes[7], axes[8]}};
    unsigned char *dvoxel = on_device(voxel, n * n * n);
    float4 *dshade = (float4 *)on_device(shade, 4 * SHADES), *out = device<float4>(w * w);
    dim3 grid(ceiling(w, ACROSS), ceiling(w, DOWN)), block(ACROSS, DOWN);
    double best = fastest(args.repeats, [&] { render<<<grid, block>>>(n, w, dvoxel, dshade, view, out); });
    to_host(picture, (const float *)out, 4 * w * w);
    SUM(sum, picture, 4 * w * w);
    report("volume", best, sum);
    return 0;
}
