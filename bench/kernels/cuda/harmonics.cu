// A transform of spherical harmonics up to degree 1023, double: a block 128 pairs of rings for one order, which take 64 degrees at a time of
// the recursion's factors and of the coefficients into shared memory.
#include "kernels.cuh"

constexpr int ORDERS = 1024, PAIRS = 512, THREADS = 128, CHUNK = 64;

__global__ void synthesis(int orders, int pairs, const double *__restrict__ x, const double *__restrict__ first, const double2 *__restrict__ steps,
                          const double2 *__restrict__ coefficient, double2 *__restrict__ phase)
{
    __shared__ double2 step[CHUNK], given[CHUNK];
    int j = blockIdx.x * THREADS + threadIdx.x, m = blockIdx.y, start = m * (2 * orders - m + 1) / 2, degrees = orders - m;
    double z = j < pairs ? x[j] : 0, before = 0, here = first[m] * pow(sqrt(1 - z * z), (double)m);
    double2 even = {0, 0}, odd = {0, 0};
    for (int l = 0; l < degrees; l += CHUNK) {
        int many = min(CHUNK, degrees - l);
        __syncthreads();
        if (threadIdx.x < CHUNK)
            step[threadIdx.x] = threadIdx.x < many ? steps[start + l + threadIdx.x] : make_double2(0, 0);
        else
            given[threadIdx.x - CHUNK] = threadIdx.x - CHUNK < many ? coefficient[start + l + threadIdx.x - CHUNK] : make_double2(0, 0);
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < many; k += 2) {
            even.x += here * given[k].x;
            even.y += here * given[k].y;
            before = step[k].x * z * here - step[k].y * before;
            odd.x += before * given[k + 1].x;
            odd.y += before * given[k + 1].y;
            here = step[k + 1].x * z * before - step[k + 1].y * here;
        }
    }
    if (j >= pairs)
        return;
    double2 *ring = phase + (size_t)m * 2 * pairs;
    ring[j] = make_double2(even.x + odd.x, even.y + odd.y);
    ring[2 * pairs - 1 - j] = make_double2(even.x - odd.x, even.y - odd.y);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int orders = ORDERS >> args.shift / 2, pairs = PAIRS >> (args.shift + 1) / 2, all = orders * (orders + 1) / 2, rings = 2 * orders * pairs;
    double *x = NEW(double, pairs), *first = NEW(double, orders);
    double2 *steps = NEW(double2, all), *coefficient = NEW(double2, all), *phase = NEW(double2, rings);
    double product = 1, sum = 0;
    for (int j = 0; j < pairs; j++)
        x[j] = cos(3.141592653589793 * (j + 0.5) / (2 * pairs));
    for (int m = 0, k = 0; m < orders; m++) {
        product *= m ? (2 * m + 1) / (2.0 * m) : 1;
        first[m] = (m % 2 ? -1 : 1) * sqrt(product / 12.566370614359172);
        for (double l = m; l < orders; l++, k++) {
            double next = (2 * l + 3) / ((l + 1) * (l + 1) - (double)m * m);
            steps[k].x = sqrt(next * (2 * l + 1));
            steps[k].y = l > m ? sqrt(next * (l * l - (double)m * m) / (2 * l - 1)) : 0;
            coefficient[k].x = (number(k) - 0.5) / (1 + l);
            coefficient[k].y = m ? (number(k + all) - 0.5) / (1 + l) : 0;
        }
    }
    double *dx = on_device(x, pairs), *dfirst = on_device(first, orders);
    double2 *dsteps = on_device(steps, all), *dcoefficient = on_device(coefficient, all), *dphase = device<double2>(rings);
    double best = fastest(args.repeats, [&] {
        synthesis<<<dim3(ceiling(pairs, THREADS), orders), THREADS>>>(orders, pairs, dx, dfirst, dsteps, dcoefficient, dphase);
    });
    to_host(phase, dphase, rings);
    for (int k = 0; k < rings; k++)
        sum += fabs(phase[k].x) + fabs(phase[k].y);
    report("harmonics", best, sum);
    return 0;
}
