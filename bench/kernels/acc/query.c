// A query of a data base, as TPC-H's first: of 2^22 rows in columns those before a date, in six groups by two letters, and for each group the
// number of rows and sums of quantities, prices, prices with discounts, and these with taxes.
#include "../kernels.h"

enum { ROWS = 1 << 22, GROUPS = 6, SUMS = 5, DATE = 2300 };

#if SPELLING == 1
static void query(int n, const int *restrict date, const char *restrict flag, const char *restrict status, const double *restrict quantity,
                  const double *restrict price, const double *restrict discount, const double *restrict tax, double *restrict result)
{
    double sums[GROUPS * SUMS];
    for (int k = 0; k < GROUPS * SUMS; k++)
        sums[k] = 0;
#pragma acc parallel loop reduction(+ : sums) present(date[0:n], flag[0:n], status[0:n], quantity[0:n], price[0:n], discount[0:n], tax[0:n])
#pragma omp parallel for reduction(+ : sums)
    for (int i = 0; i < n; i++) {
        if (date[i] > DATE)
            continue;
        int group = (flag[i] == 'A' ? 0 : flag[i] == 'N' ? 1 : 2) * 2 + (status[i] == 'O');
        double cheaper = price[i] * (1 - discount[i]);
        sums[group * SUMS] += 1;
        sums[group * SUMS + 1] += quantity[i];
        sums[group * SUMS + 2] += price[i];
        sums[group * SUMS + 3] += cheaper;
        sums[group * SUMS + 4] += cheaper * (1 + tax[i]);
    }
    for (int k = 0; k < GROUPS * SUMS; k++)
        result[k] = sums[k];
}
#else
struct columns {
    const int *date;
    const char *flag, *status;
    const double *quantity, *price, *discount, *tax;
};

static const char FLAGS[] = "AANNRR", STATES[] = "FOFOFO";

// A pass for each group.
static void query(size_t n, const struct columns *t, double (*result)[SUMS])
{
    const int *date = t->date;
    const char *flag = t->flag, *status = t->status;
    const double *quantity = t->quantity, *price = t->price, *discount = t->discount, *tax = t->tax;
    for (int g = 0; g < GROUPS; ++g) {
        const char f = FLAGS[g], s = STATES[g];
        unsigned long rows = 0;
        double all = 0, full = 0, paid = 0, taxed = 0;
#pragma acc parallel loop gang vector default(present) reduction(+ : rows, all, full, paid, taxed)
#pragma omp parallel for reduction(+ : rows, all, full, paid, taxed)
        for (size_t i = 0; i < n; ++i)
            if (date[i] <= DATE && flag[i] == f && status[i] == s) {
                double p = price[i] - price[i] * discount[i];
                ++rows;
                all += quantity[i];
                full += price[i];
                paid += p;
                taxed += p + p * tax[i];
            }
        result[g][0] = (double)rows;
        result[g][1] = all;
        result[g][2] = full;
        result[g][3] = paid;
        result[g][4] = taxed;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, *date = NEW(int, n);
    char *flag = NEW(char, n), *status = NEW(char, n);
    double *quantity = NEW(double, n), *price = NEW(double, n), *discount = NEW(double, n), *tax = NEW(double, n), result[GROUPS * SUMS], sum = 0;
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
#pragma acc enter data copyin(date[0:n], flag[0:n], status[0:n], quantity[0:n], price[0:n], discount[0:n], tax[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        query(n, date, flag, status, quantity, price, discount, tax, result);
#else
        query(n, &(struct columns){date, flag, status, quantity, price, discount, tax}, (double(*)[SUMS])result);
#endif
    }
    for (int k = 0; k < GROUPS * SUMS; k++)
        if (result[k / SUMS * SUMS] > 0)
            sum += k % SUMS ? result[k] / result[k / SUMS * SUMS] * (1 + k) : result[k];
    report("query", t.best, sum);
    return 0;
}
