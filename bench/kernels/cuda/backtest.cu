// A trader's test of crossing averages: on the prices of 8 shares over 2304 days, in whole numbers, every pair of a
// faster and a slower mean of up to 256 days. Prices and their sums lie in shared memory; lanes differ in the
// faster mean.
#include "kernels.cuh"

constexpr int SHARES = 8, WINDOWS = 256, DAYS = 2048 + WINDOWS, COST = 12, RULES = WINDOWS * WINDOWS;
constexpr int PAIRS = WINDOWS * (WINDOWS - 1) / 2, THREADS = 256;

__global__ void __launch_bounds__(THREADS)
test(int days, const int *__restrict__ price, const int *__restrict__ total, int *__restrict__ profit,
     int *__restrict__ loss, int *__restrict__ trades, int *__restrict__ best)
{
    __shared__ int change[DAYS], sums[DAYS + 1];
    int s = blockIdx.y, pair = blockIdx.x * THREADS + threadIdx.x, value = -1000000000;
    for (int d = threadIdx.x; d < days; d += THREADS) {
        sums[d] = total[s * (DAYS + 1) + d];
        change[d] = d + 1 < days ? price[s * DAYS + d + 1] - price[s * DAYS + d] : 0;
    }
    __syncthreads();
    if (pair < PAIRS) {
        int row = (int)((1 + sqrtf(1 + 8.0f * pair)) / 2);
        while (row * (row - 1) / 2 > pair)
            row--;
        while (row * (row + 1) / 2 <= pair)
            row++;
        int slow = row + 1, fast = pair - row * (row - 1) / 2 + 1;
        int held = 0, money = 0, peak = 0, deepest = 0, count = 0;
#pragma unroll 4
        for (int d = WINDOWS; d < days - 1; d++) {
            int now = sums[d];
            long long quick = (long long)(now - sums[d - fast]) * slow;
            long long lazy = (long long)(now - sums[d - slow]) * fast;
            int wanted = quick > lazy ? 1 : quick < lazy ? -1 : held;
            money += wanted * change[d] - COST * abs(wanted - held);
            count += wanted != held;
            held = wanted;
            peak = max(peak, money);
            deepest = max(deepest, peak - money);
        }
        int rule = s * RULES + (fast - 1) * WINDOWS + slow - 1;
        profit[rule] = money;
        loss[rule] = deepest;
        trades[rule] = count;
        value = 2 * money - deepest;
    }
    value = __reduce_max_sync(0xffffffff, value);
    if (threadIdx.x % 32 == 0)
        atomicMax(&best[s], value);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int days = WINDOWS + ((DAYS - WINDOWS) >> args.shift), *price = NEW(int, SHARES * DAYS), best[SHARES];
    int *total = NEW(int, SHARES * (DAYS + 1)), *profit = NEW(int, SHARES * RULES), *loss = NEW(int, SHARES * RULES);
    int *trades = NEW(int, SHARES * RULES);
    double sum = 0;
    for (int s = 0; s < SHARES; s++) {
        total[s * (DAYS + 1)] = 0;
        for (int d = 0, now = 10000; d < DAYS; d++) {
            now += (int)(mix(s * DAYS + d) % 201) - 100 + (d / 97 + s) % 5 * 8 - 16 + (10000 - now) / 64;
            price[s * DAYS + d] = now;
            total[s * (DAYS + 1) + d + 1] = total[s * (DAYS + 1) + d] + now;
        }
    }
    int *dprice = on_device(price, SHARES * DAYS), *dtotal = on_device(total, SHARES * (DAYS + 1));
    int *dprofit = device<int>(SHARES * RULES), *dloss = device<int>(SHARES * RULES);
    int *dtrades = device<int>(SHARES * RULES), *dbest = device<int>(SHARES);
    dim3 grid(ceiling(PAIRS, THREADS), SHARES);
    double shortest = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dbest, 0x80, SHARES * sizeof(int)));
        test<<<grid, THREADS>>>(days, dprice, dtotal, dprofit, dloss, dtrades, dbest);
    });
    to_host(profit, dprofit, SHARES * RULES);
    to_host(loss, dloss, SHARES * RULES);
    to_host(trades, dtrades, SHARES * RULES);
    to_host(best, dbest, SHARES);
    for (int k = 0; k < SHARES * RULES; k++)
        if (k / WINDOWS % WINDOWS < k % WINDOWS)
            sum += abs(profit[k]) + 2.0 * loss[k] + 50.0 * trades[k];
    for (int s = 0; s < SHARES; s++)
        sum += 1000.0 * best[s];
    report("backtest", shortest, sum);
    return 0;
}
