// Which of 2^20 points are inside of a polygon of 1024 corners, double: a thread a point, corners in shared memory, atomic counts of warps.
#include "kernels.cuh"

enum { POINTS = 1 << 20, CORNERS = 1024 };

__global__ void inside(int n, const double *__restrict__ x, const double *__restrict__ y, const double2 *__restrict__ corner, unsigned char *__restrict__ in, int *count)
{
    __shared__ double2 at[CORNERS];
    for (int k = threadIdx.x; k < CORNERS; k += blockDim.x)
        at[k] = corner[k];
    __syncthreads();
    int p = blockIdx.x * blockDim.x + threadIdx.x, odd = 0;
    if (p < n) {
        double px = x[p], py = y[p];
        double2 b = at[CORNERS - 1];
        for (int i = 0; i < CORNERS; i++) {
            double2 a = at[i];
            if ((a.y > py) != (b.y > py)) {
                double side = (px - a.x) * (b.y - a.y) - (b.x - a.x) * (py - a.y);
                odd ^= b.y > a.y ? side < 0 : side > 0;
            }
            b = a;
        }
        in[p] = odd;
    }
    for (int d = 16; d > 0; d /= 2)
        odd += __shfl_down_sync(0xffffffff, odd, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(count, odd);
}

static void corner(int i, double *x, double *y)
{
    double angle = 2 * 3.14159265358979 * i / CORNERS, radius = 0.2 + 0.29 * number(i);
    *x = 0.5 + radius * cos(angle);
    *y = 0.5 + radius * sin(angle);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift, *count = pinned<int>();
    double *x = NEW(double, n), *y = NEW(double, n), sum = 0;
    unsigned char *in = NEW(unsigned char, n);
    double2 *corners = NEW(double2, CORNERS);
    FILL(x, n, 1);
    for (int k = 0; k < n; k++)
        y[k] = number(5 * k + 3);
    for (int i = 0; i < CORNERS; i++)
        corner(i, &corners[i].x, &corners[i].y);
    double *dx = on_device(x, n), *dy = on_device(y, n);
    double2 *dcorners = on_device(corners, CORNERS);
    unsigned char *din = device<unsigned char>(n);
    int *dcount = device<int>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dcount, 0, sizeof(int)));
        inside<<<ceiling(n, 256), 256>>>(n, dx, dy, dcorners, din, dcount);
        CHECK(cudaMemcpyAsync(count, dcount, sizeof(int), cudaMemcpyDeviceToHost));
    });
    to_host(in, din, n);
    for (int k = 0; k < n; k++)
        sum += in[k] * (k % 7 + 1);
    report("polygon", best, sum + *count);
    return 0;
}
