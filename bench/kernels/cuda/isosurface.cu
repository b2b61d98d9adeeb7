// The surface on which a field of 129^3 floats has a value, by marching tetrahedra: cubes that it cuts are put in a list, one atomic addition a warp;
// a thread for each of them writes its triangles; then their area by reductions of blocks. Grids need no numbers on the host.
#include "kernels.cuh"

constexpr int SIDE = 128, MOST = 96, THREADS = 128, WARPS = THREADS / 32;
constexpr float LEVEL = 0.2f;
constexpr unsigned FULL = 0xffffffffu;

__constant__ unsigned char TETRAHEDRA[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
// For each set of corners of a tetrahedron that are inside: how many triangles, and between which corners the points around them lie.
__constant__ unsigned char TRIANGLES[16] = {0, 1, 1, 2, 1, 2, 2, 1, 1, 2, 2, 1, 2, 1, 1, 0};
__constant__ unsigned char EDGES[16][4][2] = {
    {{0}}, {{0, 1}, {0, 2}, {0, 3}}, {{1, 0}, {1, 2}, {1, 3}}, {{0, 2}, {0, 3}, {1, 3}, {1, 2}},
    {{2, 0}, {2, 1}, {2, 3}}, {{0, 1}, {0, 3}, {2, 3}, {2, 1}}, {{1, 0}, {1, 3}, {2, 3}, {2, 0}}, {{0, 3}, {1, 3}, {2, 3}},
    {{3, 0}, {3, 1}, {3, 2}}, {{0, 1}, {0, 2}, {3, 2}, {3, 1}}, {{1, 0}, {1, 2}, {3, 2}, {3, 0}}, {{0, 2}, {1, 2}, {3, 2}},
    {{2, 0}, {2, 1}, {3, 1}, {3, 0}}, {{0, 1}, {2, 1}, {3, 1}}, {{1, 0}, {2, 0}, {3, 0}}, {{0}}};

struct totals {
    int cubes, triangles;
    double area, moment;
};

__global__ void __launch_bounds__(THREADS) cut(int side, const float *__restrict__ field, int *__restrict__ cubes, totals *all)
{
    int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32, w = side + 1, below = 0;
    if (i < side * side * side) {
        const float *f = field + (i / side / side * w + i / side % side) * w + i % side;
#pragma unroll
        for (int k = 0; k < 8; k++)
            below += f[((k >> 2) * w + (k >> 1 & 1)) * w + (k & 1)] < LEVEL;
    }
    bool mine = below > 0 && below < 8;
    unsigned with = __ballot_sync(FULL, mine);
    int base = 0;
    if (lane == 0 && with)
        base = atomicAdd(&all->cubes, __popc(with));
    base = __shfl_sync(FULL, base, 0);
    if (mine)
        cubes[base + __popc(with & ((1u << lane) - 1))] = i;
}

__device__ float3 crossing(const float (&value)[8], float3 first, int a, int b)
{
    float f = (LEVEL - value[a]) / (value[b] - value[a]);
    float x = a & 1, y = a >> 1 & 1, z = a >> 2;
    return make_float3(first.x + x + f * ((b & 1) - x), first.y + y + f * ((b >> 1 & 1) - y), first.z + z + f * ((b >> 2) - z));
}

__global__ void __launch_bounds__(THREADS)
    march(int side, const float *__restrict__ field, const int *__restrict__ cubes, float3 *__restrict__ triangles, totals *all)
{
    int n = all->cubes, lane = threadIdx.x % 32, w = side + 1;
    for (int start = blockIdx.x * THREADS + threadIdx.x - lane; start < n; start += gridDim.x * THREADS) {
        int i = start + lane, mine = 0, sets = 0;
        float value[8];
        float3 first;
        if (i < n) {
            int cube = cubes[i], x = cube % side, y = cube / side % side, z = cube / side / side, inside = 0;
            first = make_float3(x, y, z);
#pragma unroll
            for (int k = 0; k < 8; k++) {
                value[k] = field[((z + (k >> 2)) * w + y + (k >> 1 & 1)) * w + x + (k & 1)];
                inside |= (value[k] < LEVEL) << k;
            }
#pragma unroll
            for (int t = 0; t < 6; t++) {
                int set = 0;
                for (int k = 0; k < 4; k++)
                    set |= (inside >> TETRAHEDRA[t][k] & 1) << k;
                sets |= set << 4 * t;
                mine += TRIANGLES[set];
            }
        }
        int sum = mine, at = 0;
        for (int s = 1; s < 32; s *= 2) {
            int before = __shfl_up_sync(FULL, sum, s);
            if (lane >= s)
                sum += before;
        }
        if (lane == 31)
            at = atomicAdd(&all->triangles, sum);
        at = __shfl_sync(FULL, at, 31) + sum - mine;
        if (mine == 0)
            continue;
        for (int t = 0; t < 6; t++) {
            int set = sets >> 4 * t & 15, points = TRIANGLES[set] ? TRIANGLES[set] + 2 : 0;
            float3 p[3];
            for (int k = 0; k < points; k++) {
                float3 here = crossing(value, first, TETRAHEDRA[t][EDGES[set][k][0]], TETRAHEDRA[t][EDGES[set][k][1]]);
                if (k == 0)
                    p[0] = here;
                p[1] = p[2];
                p[2] = here;
                if (k >= 2) {
                    triangles[3 * at] = p[0];
                    triangles[3 * at + 1] = p[1];
                    triangles[3 * at + 2] = p[2];
                    at++;
                }
            }
        }
    }
}

__global__ void __launch_bounds__(THREADS) measure(const float3 *__restrict__ triangles, totals *all)
{
    __shared__ double areas[WARPS], moments[WARPS];
    int n = all->triangles, lane = threadIdx.x % 32;
    double area = 0, moment = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        float3 p = triangles[3 * i], q = triangles[3 * i + 1], r = triangles[3 * i + 2];
        float ax = q.x - p.x, ay = q.y - p.y, az = q.z - p.z, bx = r.x - p.x, by = r.y - p.y, bz = r.z - p.z;
        float nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx, size = 0.5f * sqrtf(nx * nx + ny * ny + nz * nz);
        area += size;
        moment += size * (p.z + q.z + r.z) / 3;
    }
    for (int s = 16; s > 0; s /= 2) {
        area += __shfl_xor_sync(FULL, area, s);
        moment += __shfl_xor_sync(FULL, moment, s);
    }
    if (lane == 0) {
        areas[threadIdx.x / 32] = area;
        moments[threadIdx.x / 32] = moment;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < WARPS; k++) {
            area += areas[k];
            moment += moments[k];
        }
        atomicAdd(&all->area, area);
        atomicAdd(&all->moment, moment);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 2) / 3, w = side + 1, n = w * w * w, room = MOST * side * side;
    float *field = NEW(float, n);
    // Two periods of a gyroid each way, bent a little.
    for (int i = 0; i < n; i++) {
        double scale = 4 * acos(-1) / side, x = scale * (i % w), y = scale * (i / w % w), z = scale * (i / w / w) + 0.3 * sin(0.5 * x);
        field[i] = sin(x) * cos(y) + sin(y) * cos(z) + sin(z) * cos(x);
    }
    float *dfield = on_device(field, n);
    float3 *triangles = device<float3>(3 * (size_t)room);
    int *cubes = device<int>(room), wide = full_grid(march, THREADS), many = full_grid(measure, THREADS);
    totals *dall = device<totals>(1), *all = pinned<totals>();
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dall, 0, sizeof(totals)));
        cut<<<ceiling((long)side * side * side, THREADS), THREADS>>>(side, dfield, cubes, dall);
        march<<<wide, THREADS>>>(side, dfield, cubes, triangles, dall);
        measure<<<many, THREADS>>>(triangles, dall);
        CHECK(cudaMemcpy(all, dall, sizeof(totals), cudaMemcpyDeviceToHost));
    });
    report("isosurface", best, all->area + all->moment / side + all->triangles);
    return 0;
}
