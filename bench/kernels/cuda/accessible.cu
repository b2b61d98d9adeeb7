// The surface of a protein that water can reach (Shrake and Rupley), float: a warp an atom, four of the 128 points
// on its sphere for each lane; 32 neighbours at once come into shared memory, until none is left or all points are
// covered.
#include "kernels.cuh"

constexpr int SIDE = 64, DEPTH = 64, POINTS = 128, KINDS = 4, MOST = 124, THREADS = 128, EACH = POINTS / 32;

static const float radius[KINDS] = {2.75f, 2.9375f, 3.0625f, 3.25f};

__global__ void __launch_bounds__(THREADS)
reach(int n, const float4 *__restrict__ atoms, const unsigned char *__restrict__ kind, const int *__restrict__ start,
      const int *__restrict__ list, const float *__restrict__ ball, int *__restrict__ free,
      double *__restrict__ area)
{
    __shared__ float4 others[THREADS / 32][32];
    __shared__ float3 sphere[KINDS * POINTS];
    __shared__ double parts[THREADS / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double mine = 0;
    for (int k = threadIdx.x; k < KINDS * POINTS; k += THREADS)
        sphere[k] = make_float3(ball[3 * k], ball[3 * k + 1], ball[3 * k + 2]);
    __syncthreads();
    for (int i = blockIdx.x * (THREADS / 32) + warp; i < n; i += gridDim.x * (THREADS / 32)) {
        float4 me = atoms[i];
        float px[EACH], py[EACH], pz[EACH];
        bool open[EACH];
        int end = start[i + 1], count = 0;
#pragma unroll
        for (int p = 0; p < EACH; p++) {
            float3 at = sphere[kind[i] * POINTS + p * 32 + lane];
            px[p] = me.x + at.x;
            py[p] = me.y + at.y;
            pz[p] = me.z + at.z;
            open[p] = true;
        }
        for (int first = start[i]; first < end; first += 32) {
            int here = min(32, end - first);
            __syncwarp();
            if (lane < here)
                others[warp][lane] = atoms[list[first + lane]];
            __syncwarp();
            for (int k = 0; k < here; k++) {
                float4 o = others[warp][k];
#pragma unroll
                for (int p = 0; p < EACH; p++) {
                    float dx = px[p] - o.x, dy = py[p] - o.y, dz = pz[p] - o.z;
                    open[p] = open[p] && dx * dx + dy * dy + dz * dz >= o.w;
                }
            }
            if (!__any_sync(0xffffffff, open[0] || open[1] || open[2] || open[3]))
                break;
        }
#pragma unroll
        for (int p = 0; p < EACH; p++)
            count += __popc(__ballot_sync(0xffffffff, open[p]));
        if (lane == 0)
            free[i] = count;
        mine += count * me.w;
    }
    if (lane == 0)
        parts[warp] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < THREADS / 32; k++)
            mine += parts[k];
        atomicAdd(area, mine);
    }
}

// All lengths are multiples of 1/64, so that no square of a distance is rounded.
static float rounded(double a) { return (float)(floor(a * 64 + 0.5) / 64); }

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = DEPTH >> args.shift < 2 ? 2 : DEPTH >> args.shift, cells = depth * SIDE * SIDE, n = 0, pairs = 0;
    int *of = NEW(int, cells), *start = NEW(int, cells + 1), *free = NEW(int, cells), *list;
    float4 *atoms = NEW(float4, cells);
    float ball[3 * KINDS * POINTS];
    unsigned char *kind = NEW(unsigned char, cells);
    double sum = 0, area = 0;
    for (int c = 0; c < cells; c++) {
        of[c] = -1;
        if (number(5 * c) > 0.6)
            continue;
        kind[n] = mix(5 * c + 4) % KINDS;
        atoms[n].x = 3 * (c % SIDE) + rounded(1.5 * number(5 * c + 1));
        atoms[n].y = 3 * (c / SIDE % SIDE) + rounded(1.5 * number(5 * c + 2));
        atoms[n].z = 3 * (c / SIDE / SIDE) + rounded(1.5 * number(5 * c + 3));
        atoms[n].w = radius[kind[n]] * radius[kind[n]];
        of[c] = n++;
    }
    list = NEW(int, n * MOST);
    for (int c = 0; c < cells; c++) {
        int i = of[c], cx = c % SIDE, cy = c / SIDE % SIDE, cz = c / SIDE / SIDE;
        if (i < 0)
            continue;
        start[i] = pairs;
        for (int b = 0; b < 125; b++) {
            int bx = cx + b % 5 - 2, by = cy + b / 5 % 5 - 2, bz = cz + b / 25 - 2;
            if (bx < 0 || bx >= SIDE || by < 0 || by >= SIDE || bz < 0 || bz >= depth || b == 62)
                continue;
            int j = of[(bz * SIDE + by) * SIDE + bx];
            if (j < 0)
                continue;
            float limit = radius[kind[i]] + radius[kind[j]], dx = atoms[i].x - atoms[j].x;
            float dy = atoms[i].y - atoms[j].y, dz = atoms[i].z - atoms[j].z;
            if (dx * dx + dy * dy + dz * dz < limit * limit)
                list[pairs++] = j;
        }
        start[i + 1] = pairs;
    }
    for (int k = 0; k < KINDS * POINTS; k++) {
        double h = (2 * (k % POINTS) + 1.0) / POINTS - 1, turn = 2.399963229728653 * (k % POINTS);
        double r = radius[k / POINTS];
        ball[3 * k] = rounded(r * sqrt(1 - h * h) * cos(turn));
        ball[3 * k + 1] = rounded(r * sqrt(1 - h * h) * sin(turn));
        ball[3 * k + 2] = rounded(r * h);
    }
    float4 *datoms = on_device(atoms, n);
    unsigned char *dkind = on_device(kind, n);
    int *dstart = on_device(start, n + 1), *dlist = on_device(list, pairs), *dfree = device<int>(n);
    int blocks = min(ceiling(n, THREADS / 32), full_grid(reach, THREADS));
    float *dball = on_device(ball, 3 * KINDS * POINTS);
    double *darea = device<double>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(darea, 0, sizeof area));
        reach<<<blocks, THREADS>>>(n, datoms, dkind, dstart, dlist, dball, dfree, darea);
        CHECK(cudaMemcpy(&area, darea, sizeof area, cudaMemcpyDeviceToHost));
    });
    to_host(free, dfree, n);
    for (int i = 0; i < n; i++)
        sum += free[i] * (1 + i % 3);
    report("accessible", best, sum + area);
    return 0;
}
