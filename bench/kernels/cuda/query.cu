// A query of a data base, as TPC-H's first: of 2^22 rows in columns those before a date, in six groups by two letters, and sums for each; every
// thread keeps all sums in registers, then shuffles of the warp, shared memory and an atomic addition.
#include "kernels.cuh"

constexpr int ROWS = 1 << 22, GROUPS = 6, SUMS = 5, DATE = 2300, BLOCK = 256;

__global__ void query(int n, const int *__restrict__ date, const char *__restrict__ flag, const char *__restrict__ status,
                      const double *__restrict__ quantity, const double *__restrict__ price, const double *__restrict__ discount,
                      const double *__restrict__ tax, double *__restrict__ result)
{
    __shared__ double part[BLOCK / 32][GROUPS * SUMS];
    double sums[GROUPS][SUMS] = {};
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        if (date[i] > DATE)
            continue;
        int group = (flag[i] == 'A' ? 0 : flag[i] == 'N' ? 1 : 2) * 2 + (status[i] == 'O');
        double q = quantity[i], p = price[i], cheaper = p * (1 - discount[i]), taxed = cheaper * (1 + tax[i]);
#pragma unroll
        for (int g = 0; g < GROUPS; g++)
            if (g == group) {
                sums[g][0] += 1;
                sums[g][1] += q;
                sums[g][2] += p;
                sums[g][3] += cheaper;
                sums[g][4] += taxed;
            }
    }
#pragma unroll
    for (int k = 0; k < GROUPS * SUMS; k++) {
        double sum = sums[k / SUMS][k % SUMS];
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(~0u, sum, d);
        if (threadIdx.x % 32 == 0)
            part[threadIdx.x / 32][k] = sum;
    }
    __syncthreads();
    if (threadIdx.x < GROUPS * SUMS) {
        double sum = 0;
        for (int w = 0; w < BLOCK / 32; w++)
            sum += part[w][threadIdx.x];
        atomicAdd(&result[threadIdx.x], sum);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, *date = NEW(int, n);
    char *flag = NEW(char, n), *status = NEW(char, n);
    double *quantity = NEW(double, n), *price = NEW(double, n), *discount = NEW(double, n), *tax = NEW(double, n), sum = 0;
    for (int i = 0; i < n; i++) {
        unsigned h = mix(i);
        date[i] = h % 2526;
        flag[i] = date[i] > 1263 ? 'N' : h >> 13 & 1 ? 'A' : 'R';
        status[i] = date[i] + (int)(h >> 20 & 31) > 1263 ? 'O' : 'F';
        quantity[i] = 1 + mix(i + 1) % 50;
        price[i] = quantity[i] * (900 + mix(i + 2) % 1200);
        discount[i] = mix(i + 3) % 11 * 0.01;
        tax[i] = mix(i + 4) % 9 * 0.01;
    }
    int *ddate = on_device(date, n), grid = full_grid(query, BLOCK);
    char *dflag = on_device(flag, n), *dstatus = on_device(status, n);
    double *dquantity = on_device(quantity, n), *dprice = on_device(price, n), *ddiscount = on_device(discount, n), *dtax = on_device(tax, n);
    double *dresult = device<double>(GROUPS * SUMS), *result = pinned<double>(GROUPS * SUMS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dresult, 0, GROUPS * SUMS * sizeof(double)));
        query<<<grid, BLOCK>>>(n, ddate, dflag, dstatus, dquantity, dprice, ddiscount, dtax, dresult);
        CHECK(cudaMemcpyAsync(result, dresult, GROUPS * SUMS * sizeof(double), cudaMemcpyDeviceToHost));
    });
    for (int k = 0; k < GROUPS * SUMS; k++)
        if (result[k / SUMS * SUMS] > 0)
            sum += k % SUMS ? result[k] / result[k / SUMS * SUMS] * (1 + k) : result[k];
    report("query", best, sum);
    return 0;
}
