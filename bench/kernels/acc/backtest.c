// A trader's test of crossing averages: on the prices of 8 shares over 2304 days, in whole numbers, every pair of a
// faster and a slower mean of up to 256 days; profit with costs, deepest loss and trades, and the best pair of each.
#include "../kernels.h"

enum { SHARES = 8, WINDOWS = 256, DAYS = 2048 + WINDOWS, COST = 12, RULES = WINDOWS * WINDOWS };

#if SPELLING == 1
static void test(int days, const int *restrict price, const int *restrict total, int *restrict profit,
                 int *restrict loss, int *restrict trades, int *restrict best)
{
#pragma acc data present(price[0:SHARES * DAYS], total[0:SHARES * (DAYS + 1)], profit[0:SHARES * RULES]) \
    present(loss[0:SHARES * RULES], trades[0:SHARES * RULES], best[0:SHARES])
    {
#pragma acc parallel loop collapse(3)
#pragma omp parallel for collapse(3)
        for (int s = 0; s < SHARES; s++)
            for (int fast = 1; fast <= WINDOWS; fast++)
                for (int slow = 1; slow <= WINDOWS; slow++) {
                    if (slow <= fast)
                        continue;
                    int held = 0, money = 0, peak = 0, deepest = 0, count = 0;
                    for (int d = WINDOWS; d < days - 1; d++) {
                        int now = total[s * (DAYS + 1) + d];
                        long long quick = now - total[s * (DAYS + 1) + d - fast];
                        long long lazy = now - total[s * (DAYS + 1) + d - slow];
                        int wanted = quick * slow > lazy * fast ? 1 : quick * slow < lazy * fast ? -1 : held;
                        if (wanted != held) {
                            money -= COST * abs(wanted - held);
                            held = wanted;
                            count++;
                        }
                        money += held * (price[s * DAYS + d + 1] - price[s * DAYS + d]);
                        peak = money > peak ? money : peak;
                        deepest = peak - money > deepest ? peak - money : deepest;
                    }
                    int rule = s * RULES + (fast - 1) * WINDOWS + slow - 1;
                    profit[rule] = money;
                    loss[rule] = deepest;
                    trades[rule] = count;
                }
#pragma acc parallel loop gang
#pragma omp parallel for
        for (int s = 0; s < SHARES; s++) {
            int most = -1000000000;
#pragma acc loop vector collapse(2) reduction(max : most)
            for (int fast = 1; fast < WINDOWS; fast++)
                for (int slow = 2; slow <= WINDOWS; slow++)
                    if (slow > fast) {
                        int rule = s * RULES + (fast - 1) * WINDOWS + slow - 1;
                        int value = 2 * profit[rule] - loss[rule];
                        most = value > most ? value : most;
                    }
            best[s] = most;
        }
    }
}
#else
typedef int table[WINDOWS][WINDOWS];

struct account { int held, money, peak, deepest, count; };

static inline void trade(struct account *a, int wanted, int change)
{
    int steps = a->held > wanted ? a->held - wanted : wanted - a->held;
    a->money -= steps * COST;
    a->count += steps != 0;
    a->held = wanted;
    a->money += a->held * change;
    if (a->money > a->peak)
        a->peak = a->money;
    if (a->peak - a->money > a->deepest)
        a->deepest = a->peak - a->money;
}

static void test(long days, int *prices, int *totals, int *gains, int *losses, int *counts, int *best)
{
    table *profit = (table *)gains, *loss = (table *)losses, *trades = (table *)counts;
#pragma acc parallel loop gang collapse(2) present(prices[0:SHARES * DAYS], totals[0:SHARES * (DAYS + 1)]) \
    present(profit[0:SHARES], loss[0:SHARES], trades[0:SHARES])
#pragma omp parallel for collapse(2)
    for (unsigned long s = 0; s < SHARES; ++s)
        for (unsigned short slow = WINDOWS; slow > 1; --slow) {
            const int *price = prices + s * DAYS, *total = totals + s * (DAYS + 1);
#pragma acc loop vector
            for (unsigned short fast = 1; fast < slow; ++fast) {
                struct account a = {0, 0, 0, 0, 0};
                long d = WINDOWS;
                do {
                    long quick = (long)slow * (total[d] - total[d - fast]);
                    long lazy = (long)fast * (total[d] - total[d - slow]);
                    trade(&a, quick == lazy ? a.held : quick > lazy ? 1 : -1, price[d + 1] - price[d]);
                } while (++d < days - 1);
                profit[s][fast - 1][slow - 1] = a.money;
                loss[s][fast - 1][slow - 1] = a.deepest;
                trades[s][fast - 1][slow - 1] = a.count;
            }
        }
#pragma acc kernels present(profit[0:SHARES], loss[0:SHARES], best[0:SHARES])
#pragma acc loop gang independent
#pragma omp parallel for
    for (unsigned long s = 0; s < SHARES; ++s) {
        int most = -1000000000;
#pragma acc loop vector independent reduction(max : most)
        for (unsigned rule = 0; rule < RULES; ++rule) {
            unsigned fast = rule / WINDOWS, slow = rule % WINDOWS;
            if (fast >= slow)
                continue;
            int value = 2 * profit[s][fast][slow] - loss[s][fast][slow];
            if (value > most)
                most = value;
        }
        best[s] = most;
    }
}
#endif

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
#pragma acc enter data copyin(price[0:SHARES * DAYS], total[0:SHARES * (DAYS + 1)]) \
    create(profit[0:SHARES * RULES], loss[0:SHARES * RULES], trades[0:SHARES * RULES], best[0:SHARES])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        test(days, price, total, profit, loss, trades, best);
#pragma acc update self(profit[0:SHARES * RULES], loss[0:SHARES * RULES], trades[0:SHARES * RULES], best[0:SHARES])
    for (int k = 0; k < SHARES * RULES; k++)
        if (k / WINDOWS % WINDOWS < k % WINDOWS)
            sum += abs(profit[k]) + 2.0 * loss[k] + 50.0 * trades[k];
    for (int s = 0; s < SHARES; s++)
        sum += 1000.0 * best[s];
    report("backtest", t.best, sum);
    return 0;
}
