// Where 384 x 384 rays meet the nearest of 1024 triangles, double (Moller and Trumbore): a thread a ray, triangles through shared memory.
#include "kernels.cuh"

enum { SIDE = 384, TRIANGLES = 1024 };

constexpr int THREADS = 128, PART = 128;

struct triangle { double corner[3], edge1[3], edge2[3]; };

__global__ void meet(int n, const triangle *__restrict__ triangles, double *__restrict__ depth, int *__restrict__ which, int *__restrict__ count)
{
    __shared__ triangle part[PART];
    int k = blockIdx.x * THREADS + threadIdx.x, found = -1;
    double dx = (k % n + 0.5) / n - 0.5, dy = (k / n + 0.5) / n - 0.5, nearest = 1e30;
    for (int begin = 0; begin < TRIANGLES; begin += PART) {
        __syncthreads();
        part[threadIdx.x] = triangles[begin + threadIdx.x];
        __syncthreads();
        for (int t = 0; t < PART; t++) {
            const triangle &f = part[t];
            double ax = f.edge1[0], ay = f.edge1[1], az = f.edge1[2], bx = f.edge2[0], by = f.edge2[1], bz = f.edge2[2];
            double px = dy * bz - by, py = bx - dx * bz, pz = dx * by - dy * bx, det = ax * px + ay * py + az * pz;
            if (fabs(det) < 1e-12)
                continue;
            double sx = -f.corner[0], sy = -f.corner[1], sz = -f.corner[2], inverse = 1 / det, u = (sx * px + sy * py + sz * pz) * inverse;
            if (u < 0 || u > 1)
                continue;
            double qx = sy * az - sz * ay, qy = sz * ax - sx * az, qz = sx * ay - sy * ax, v = (dx * qx + dy * qy + qz) * inverse;
            if (v < 0 || u + v > 1)
                continue;
            double far = (bx * qx + by * qy + bz * qz) * inverse;
            if (far > 0 && far < nearest) {
                nearest = far;
                found = begin + t;
            }
        }
    }
    int any = 0;
    if (k < n * n) {
        depth[k] = found < 0 ? 0 : nearest;
        which[k] = found;
        any = found >= 0;
    }
    for (int d = 16; d > 0; d /= 2)
        any += __shfl_down_sync(0xffffffff, any, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(count, any);
}

static void triangle_at(int t, double *corner, double *edge1, double *edge2)
{
    for (int c = 0; c < 3; c++) {
        corner[c] = (c == 2 ? 2 : -2) + 4 * number(9 * t + c);
        edge1[c] = 0.8 * number(9 * t + 3 + c) - 0.4;
        edge2[c] = 0.8 * number(9 * t + 6 + c) - 0.4;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, all = n * n, *which = NEW(int, all), *count = pinned<int>();
    double *depth = NEW(double, all), sum = 0;
    triangle *triangles = NEW(triangle, TRIANGLES);
    for (int t = 0; t < TRIANGLES; t++)
        triangle_at(t, triangles[t].corner, triangles[t].edge1, triangles[t].edge2);
    triangle *dtriangles = on_device(triangles, TRIANGLES);
    double *ddepth = device<double>(all);
    int *dwhich = device<int>(all), *dcount = device<int>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dcount, 0, sizeof(int)));
        meet<<<ceiling(all, THREADS), THREADS>>>(n, dtriangles, ddepth, dwhich, dcount);
        CHECK(cudaMemcpyAsync(count, dcount, sizeof(int), cudaMemcpyDeviceToHost));
    });
    to_host(depth, ddepth, all);
    to_host(which, dwhich, all);
    for (int k = 0; k < all; k++)
        sum += depth[k] + 1e-3 * which[k];
    report("moller", best, sum + *count);
    return 0;
}
