// Potentials of particles in boxes, double: 12 x 12 x 12 boxes of 64 particles, each with those of its own and the 26 boxes
// around it; a block for each box, which loads the boxes around into shared memory.
#include "kernels.cuh"

constexpr int EACH = 64;

struct particle {
    double x, y, z, charge;
};

__global__ void potentials(int side, const particle *__restrict__ p, double *__restrict__ v)
{
    __shared__ particle others[EACH];
    int i = threadIdx.x, bx = blockIdx.x, by = blockIdx.y, bz = blockIdx.z, box = (bz * side + by) * side + bx;
    particle here = p[box * EACH + i];
    double sum = 0;
    for (int z = max(bz - 1, 0); z <= min(bz + 1, side - 1); z++)
        for (int y = max(by - 1, 0); y <= min(by + 1, side - 1); y++)
            for (int x = max(bx - 1, 0); x <= min(bx + 1, side - 1); x++) {
                __syncthreads();
                others[i] = p[((z * side + y) * side + x) * EACH + i];
                __syncthreads();
                for (int j = 0; j < EACH; j++) {
                    double dx = here.x - others[j].x, dy = here.y - others[j].y, dz = here.z - others[j].z;
                    sum += others[j].charge * exp(-0.5 * (dx * dx + dy * dy + dz * dz));
                }
            }
    v[box * EACH + i] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = args.shift ? 4 : 12, n = side * side * side * EACH;
    particle *p = NEW(particle, n);
    double *v = NEW(double, n), sum = 0;
    for (int k = 0; k < n; k++)
        p[k] = {number(4 * k) + k / EACH % side, number(4 * k + 1) + k / EACH / side % side,
                number(4 * k + 2) + k / EACH / side / side, number(4 * k + 3)};
    particle *dp = on_device(p, n);
    double *dv = device<double>(n);
    double best = fastest(args.repeats, [&] { potentials<<<dim3(side, side, side), EACH>>>(side, dp, dv); });
    to_host(v, dv, n);
    SUM(sum, v, n);
    report("boxes", best, sum);
    return 0;
}
