// Vectors of 1, 2, 4, 8 and 16 lanes: several workers share a warp, and each of them does something else.
// launches: 22
#include <complex.h>
#include <stdio.h>

enum { ROWS = 203, MOST = 53 };

// Rows of a sparse matrix: between no entry and 52, neighbours very different.
static int start[ROWS + 1], column[ROWS * MOST];
static double value[ROWS * MOST], x[ROWS];
static double y[ROWS], norm[ROWS];
static long largest[ROWS], entries[ROWS];
static short odd[ROWS];
static double _Complex turned[ROWS];
static int order[ROWS], taken[ROWS], steps[ROWS], sorted[ROWS], marks[ROWS];

static int length(int row)
{
    return row % 5 == 0 ? 0 : (row * 37 + 11) % MOST;
}

static void report(const char *what, int lanes)
{
    double sum = 0, norms = 0;
    long most = 0, count = 0;
    int odds = 0, orders = 0, sorts = 0, all_steps = 0, all_marks = 0;
    double _Complex turns = 0;
    for (int i = 0; i < ROWS; i++) {
        sum += y[i] * (i % 9 + 1);
        norms += norm[i] * (i % 7 + 1);
        most += largest[i] * (i % 11 + 1);
        count += entries[i] * (i % 3 + 1);
        odds += odd[i] * (i % 13 + 1);
        turns += turned[i] * (i % 5 + 1);
        orders += order[i] * (i % 17 + 1);
        sorts += sorted[i] * (i % 19 + 1);
        all_steps += steps[i] * (i % 23 + 1);
        all_marks += marks[i] * (i % 29 + 1);
    }
    printf("%s %d: %g %g %ld %ld %d %g %g %d %d %d %d\n", what, lanes, sum, norms, most, count, odds, creal(turns),
           cimag(turns), orders, sorts, all_steps, all_marks);
}

static void clear(void)
{
    for (int i = 0; i < ROWS; i++) {
        y[i] = norm[i] = -1;
        largest[i] = entries[i] = order[i] = taken[i] = steps[i] = sorted[i] = marks[i] = -1;
        odd[i] = -1;
        turned[i] = 0;
    }
}

// Reductions of several types over rows of different lengths.
#define REDUCTIONS(LANES, MORE)                                                                                             \
    clear();                                                                                                                \
    _Pragma(TEXT(acc parallel loop gang worker vector_length(LANES) MORE))                                                  \
    for (int i = 0; i < ROWS; i++) {                                                                                        \
        double s = 0;                                                                                                       \
        float n = 1;                                                                                                        \
        long m = -1000;                                                                                                     \
        long k = 7;                                                                                                         \
        short o = 0;                                                                                                        \
        _Bool any = 0;                                                                                                      \
        double _Complex t = 1;                                                                                              \
        _Pragma("acc loop vector reduction(+ : s, n, k, t) reduction(max : m) reduction(^ : o) reduction(|| : any)")        \
        for (int e = start[i]; e < start[i + 1]; e++) {                                                                     \
            s += value[e] * x[column[e]];                                                                                   \
            n += value[e] > 0 ? 1 : 0.5f;                                                                                   \
            m = m > column[e] ? m : column[e];                                                                              \
            k++;                                                                                                            \
            o ^= (short)column[e];                                                                                          \
            any = any || column[e] == i;                                                                                    \
            t += value[e] * I;                                                                                              \
        }                                                                                                                   \
        y[i] = s;                                                                                                           \
        norm[i] = n;                                                                                                        \
        largest[i] = m;                                                                                                     \
        entries[i] = k + any;                                                                                               \
        odd[i] = o;                                                                                                         \
        turned[i] = t;                                                                                                      \
    }                                                                                                                       \
    report("reductions", LANES);

// Arrays of each worker, stores of one lane between vector loops, conditions that differ from worker to worker.
#define PRIVATE(LANES, MORE)                                                                                                \
    clear();                                                                                                                \
    next = 0;                                                                                                               \
    _Pragma(TEXT(acc parallel loop gang worker vector_length(LANES) copy(next) MORE))                                       \
    for (int i = 0; i < ROWS; i++) {                                                                                        \
        int table[MOST], count = length(i), place, low = 1000;                                                              \
        steps[i] = 0;                                                                                                       \
        if (count > 3) {                                                                                                    \
            _Pragma("acc loop vector")                                                                                      \
            for (int k = 0; k < count; k++)                                                                                 \
                table[k] = (k * 31 + i) % count;                                                                            \
            _Pragma("acc atomic capture")                                                                                   \
            place = next++;                                                                                                 \
            taken[i] = place;                                                                                               \
            table[0] += 100;                                                                                                \
            while (table[0] > count) {                                                                                      \
                _Pragma("acc loop vector reduction(min : low)")                                                             \
                for (int k = 0; k < count; k++)                                                                             \
                    low = table[k] < low ? table[k] : low;                                                                  \
                table[0] -= count + low;                                                                                    \
                steps[i]++;                                                                                                 \
                _Pragma("acc loop vector")                                                                                  \
                for (int k = 1; k < count; k++)                                                                             \
                    table[k] += table[0] > 50;                                                                              \
            }                                                                                                               \
            int sum = 0;                                                                                                    \
            _Pragma("acc loop vector reduction(+ : sum)")                                                                   \
            for (int k = 0; k < count; k++)                                                                                 \
                sum += table[k] * table[count - 1 - k];                                                                     \
            order[i] = sum;                                                                                                 \
            sorted[i] = table[count - 1] + low;                                                                             \
        } else {                                                                                                            \
            marks[i] = count + 1;                                                                                           \
        }                                                                                                                   \
    }                                                                                                                       \
    check_places(next);                                                                                                     \
    report("private", LANES);

// Reductions over workers and gangs, and vector loops that the first worker runs.
#define ALL_LEVELS(LANES, MORE)                                                                                             \
    clear();                                                                                                                \
    total = 3;                                                                                                              \
    highest = -1;                                                                                                           \
    turns = 1;                                                                                                              \
    _Pragma(TEXT(acc parallel loop gang worker vector_length(LANES) reduction(+ : total, turns) reduction(max : highest) MORE)) \
    for (int i = 0; i < ROWS; i++) {                                                                                        \
        _Pragma("acc loop vector reduction(+ : total, turns) reduction(max : highest)")                                     \
        for (int e = start[i]; e < start[i + 1]; e++) {                                                                     \
            total += column[e];                                                                                             \
            highest = column[e] * 3 > highest ? column[e] * 3 : highest;                                                    \
            turns += value[e] - value[e] * I;                                                                               \
        }                                                                                                                   \
    }                                                                                                                       \
    printf("total %d: %ld %d %g %g\n", LANES, total, highest, creal(turns), cimag(turns));                                  \
    _Pragma(TEXT(acc parallel loop gang num_gangs(3) vector_length(LANES) MORE))                                            \
    for (int b = 0; b < 7; b++) {                                                                                           \
        int sum = b, bits[3] = { 0, 0, 0 }, own[40], first = 0;                                                             \
        _Pragma("acc loop worker reduction(+ : sum, bits)")                                                                 \
        for (int i = b; i < ROWS; i += 7) {                                                                                 \
            int inner = 0;                                                                                                  \
            _Pragma("acc loop vector reduction(+ : inner)")                                                                 \
            for (int e = start[i]; e < start[i + 1]; e++)                                                                   \
                inner += column[e] % 13;                                                                                    \
            sum += inner;                                                                                                   \
            bits[i % 3] += inner % 5;                                                                                       \
        }                                                                                                                   \
        _Pragma("acc loop worker vector")                                                                                   \
        for (int k = 0; k < 40; k++)                                                                                        \
            own[k] = sum % (k + 2);                                                                                         \
        _Pragma("acc loop vector reduction(+ : first)")                                                                     \
        for (int k = 0; k < 40; k++)                                                                                        \
            first += own[k] * (k % 3 + 1);                                                                                  \
        order[b] = sum;                                                                                                     \
        sorted[b] = first;                                                                                                  \
        steps[b] = bits[0] + 3 * bits[1] + 7 * bits[2];                                                                     \
    }                                                                                                                       \
    report("levels", LANES);

#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define TEXT_OF(...) #__VA_ARGS__

// Every row that took a place has one of its own.
static void check_places(int next)
{
    char seen[ROWS] = { 0 };
    int wrong = 0;
    for (int i = 0; i < ROWS; i++) {
        if (length(i) <= 3)
            continue;
        wrong += taken[i] < 0 || taken[i] >= next || seen[taken[i]];
        if (taken[i] >= 0 && taken[i] < ROWS)
            seen[taken[i]] = 1;
    }
    printf("places %d, wrong %d\n", next, wrong);
}

int main(void)
{
    int next, highest;
    long total;
    double _Complex turns;
    for (int i = 0; i < ROWS; i++) {
        start[i + 1] = start[i] + length(i);
        x[i] = i % 8 - 3;
        for (int e = start[i]; e < start[i + 1]; e++) {
            column[e] = (e * 53 + i) % ROWS;
            value[e] = e % 6 - 2;
        }
    }
    REDUCTIONS(1, )
    REDUCTIONS(2, )
    REDUCTIONS(4, )
    REDUCTIONS(8, )
    REDUCTIONS(16, num_workers(2))
    REDUCTIONS(8, num_workers(3))
    PRIVATE(1, )
    PRIVATE(2, num_workers(16) num_gangs(2))
    PRIVATE(4, )
    PRIVATE(8, )
    PRIVATE(16, )
    PRIVATE(8, num_workers(5))
    ALL_LEVELS(1, )
    ALL_LEVELS(2, num_workers(64))
    ALL_LEVELS(4, )
    ALL_LEVELS(8, num_workers(4))
    ALL_LEVELS(16, )
    return 0;
}
