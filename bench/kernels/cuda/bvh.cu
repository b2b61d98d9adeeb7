// Distances from an eye to a terrain of 131072 triangles along 1024 x 768 rays, float, through a hierarchy of boxes
// made by the host: a warp takes 8 x 4 rays; boxes and triangles are fetched by 16 bytes; the node next to be seen is
// in a register.
#include "kernels.cuh"

constexpr int WIDTH = 1024, HEIGHT = 768, SQUARES = 256, DEPTH = 32;
// Triangles overlap a little, lest a ray finds a way between two.
constexpr float RIM = 1e-4f;

struct node {
    float low[3], high[3];
    int child, count;
};

static float corner_of(int x, int y, int axis)
{
    float fx = x / (float)SQUARES, fy = y / (float)SQUARES;
    if (axis < 2)
        return axis ? fy : fx;
    return 0.06f * sinf(9 * fx + 2) * cosf(7 * fy) + 0.02f * sinf(41 * fx + 13 * fy) +
           0.004f * (float)number(y * 977 + x);
}

static void order_of(int *order, const float *centre, int axis, int begin, int end, int middle)
{
    while (end - begin > 1) {
        float pivot = centre[3 * order[(begin + end) / 2] + axis];
        int i = begin, j = end - 1;
        while (i <= j) {
            while (centre[3 * order[i] + axis] < pivot)
                i++;
            while (centre[3 * order[j] + axis] > pivot)
                j--;
            if (i <= j) {
                int swap = order[i];
                order[i++] = order[j];
                order[j--] = swap;
            }
        }
        if (middle <= j)
            end = j + 1;
        else if (middle >= i)
            begin = i;
        else
            break;
    }
}

// Divides the triangles from `begin` to `end` until there are at most four; gives the number of nodes.
static int divide(struct node *nodes, int at, int used, int *order, const float *centre, const float *corners,
                  int begin, int end)
{
    struct node *n = &nodes[at];
    float low[3] = {1e30f, 1e30f, 1e30f}, high[3] = {-1e30f, -1e30f, -1e30f};
    for (int k = begin; k < end; k++)
        for (int c = 0; c < 9; c++) {
            low[c % 3] = fminf(low[c % 3], corners[9 * order[k] + c]);
            high[c % 3] = fmaxf(high[c % 3], corners[9 * order[k] + c]);
        }
    int axis = 0;
    for (int a = 0; a < 3; a++) {
        n->low[a] = low[a];
        n->high[a] = high[a];
        if (high[a] - low[a] > high[axis] - low[axis])
            axis = a;
    }
    n->count = end - begin <= 4 ? end - begin : 0;
    n->child = n->count ? begin : used;
    if (n->count)
        return used;
    int middle = (begin + end) / 2;
    order_of(order, centre, axis, begin, end, middle);
    int left = used;
    used = divide(nodes, left, used + 2, order, centre, corners, begin, middle);
    return divide(nodes, left + 1, used, order, centre, corners, middle, end);
}

// Triangles as a corner and two edges, with a number after each that is not used.
static int terrain(struct node *nodes, float *triangles)
{
    static const int dx[2][3] = {{0, 1, 0}, {1, 0, 1}}, dy[2][3] = {{0, 0, 1}, {1, 1, 0}};
    int n = 2 * SQUARES * SQUARES, *order = NEW(int, n);
    float *corners = NEW(float, 9 * n), *centre = NEW(float, 3 * n);
    for (int k = 0; k < n; k++) {
        order[k] = k;
        for (int c = 0; c < 9; c++)
            corners[9 * k + c] =
                corner_of(k / 2 % SQUARES + dx[k % 2][c / 3], k / 2 / SQUARES + dy[k % 2][c / 3], c % 3);
        for (int a = 0; a < 3; a++)
            centre[3 * k + a] = (corners[9 * k + a] + corners[9 * k + 3 + a] + corners[9 * k + 6 + a]) / 3;
    }
    int used = divide(nodes, 0, 1, order, centre, corners, 0, n);
    for (int k = 0; k < n; k++)
        for (int a = 0; a < 4; a++) {
            const float *c = corners + 9 * order[k];
            triangles[12 * k + a] = a < 3 ? c[a] : 0;
            triangles[12 * k + 4 + a] = a < 3 ? c[3 + a] - c[a] : 0;
            triangles[12 * k + 8 + a] = a < 3 ? c[6 + a] - c[a] : 0;
        }
    free(order);
    free(corners);
    free(centre);
    return used;
}
__device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }

__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__device__ float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__device__ float3 vec(float4 v) { return make_float3(v.x, v.y, v.z); }

// Of two pieces of a node: three numbers of one corner and one of the other, two of this, child and count.
__device__ bool enters(float4 a, float4 b, float3 o, float3 inverse, float nearest, float &at)
{
    float x0 = (a.x - o.x) * inverse.x, x1 = (a.w - o.x) * inverse.x;
    float y0 = (a.y - o.y) * inverse.y, y1 = (b.x - o.y) * inverse.y;
    float z0 = (a.z - o.z) * inverse.z, z1 = (b.y - o.z) * inverse.z;
    at = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
    return at <= fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), nearest));
}

__global__ void __launch_bounds__(128)
    trace(int width, int height, const float4 *__restrict__ nodes, const float4 *__restrict__ triangles,
          float *__restrict__ depth, int *__restrict__ which)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int x = blockIdx.x * 16 + warp % 2 * 8 + lane % 8, y = blockIdx.y * 8 + warp / 2 * 4 + lane / 8;
    if (x >= width || y >= height)
        return;
    float3 o = make_float3(0.5f, -0.4f, 0.5f);
    float3 d = make_float3((x + 0.5f) / width - 0.501f, 1, -0.75f * (y + 0.5f) / height - 0.1f);
    float3 inverse = make_float3(1 / d.x, 1 / d.y, 1 / d.z);
    int stack[DEPTH], top = 0, hit = -1, at = 0;
    float nearest = 1e30f;
    stack[top++] = -1;
    while (at >= 0) {
        float4 second = __ldg(&nodes[2 * at + 1]);
        int child = __float_as_int(second.z), count = __float_as_int(second.w);
        if (count) {
            for (int k = child; k < child + count; k++) {
                float3 corner = vec(__ldg(&triangles[3 * k])), e1 = vec(__ldg(&triangles[3 * k + 1]));
                float3 e2 = vec(__ldg(&triangles[3 * k + 2])), p = cross(d, e2), s = o - corner, q = cross(s, e1);
                float scale = 1 / dot(e1, p), u = dot(s, p) * scale, v = dot(d, q) * scale, t = dot(e2, q) * scale;
                if (u >= -RIM && v >= -RIM && u + v <= 1 + RIM && t > 0 && t < nearest) {
                    nearest = t;
                    hit = k;
                }
            }
            at = stack[--top];
            continue;
        }
        float left, right;
        bool in_left = enters(__ldg(&nodes[2 * child]), __ldg(&nodes[2 * child + 1]), o, inverse, nearest, left);
        bool in_right = enters(__ldg(&nodes[2 * child + 2]), __ldg(&nodes[2 * child + 3]), o, inverse, nearest, right);
        if (in_left && in_right) {
            int other = right < left;
            at = child + other;
            stack[top++] = child + 1 - other;
        } else if (in_left || in_right)
            at = child + in_right;
        else
            at = stack[--top];
    }
    depth[y * width + x] = hit < 0 ? 0 : nearest;
    which[y * width + x] = hit;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int width = WIDTH, height = HEIGHT >> args.shift, count = 2 * SQUARES * SQUARES;
    struct node *nodes = NEW(struct node, 2 * count);
    float *triangles = NEW(float, 12 * count), *depth = NEW(float, width * height);
    int used = terrain(nodes, triangles);
    double sum = 0;
    float4 *dnodes = reinterpret_cast<float4 *>(on_device(nodes, used));
    float4 *dtriangles = reinterpret_cast<float4 *>(on_device(triangles, 12 * count));
    float *ddepth = device<float>(width * height);
    int *dwhich = device<int>(width * height);
    dim3 blocks(ceiling(width, 16), ceiling(height, 8));
    double best = fastest(args.repeats, [&] {
        trace<<<blocks, 128>>>(width, height, dnodes, dtriangles, ddepth, dwhich);
    });
    to_host(depth, ddepth, width * height);
    SUM(sum, depth, width * height);
    report("bvh", best, sum);
    return 0;
}
