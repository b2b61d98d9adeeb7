// NaN, infinities and zeros of both signs in max and min: the same bits on all devices, whatever the loop looks like.
// expect-output: max_min_special.expect
// launches: 90
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 1000

static double v[N];
static float f[N];

static const char *text(double x)
{
    static char out[8][32];
    static int next;
    char *to = out[next++ % 8];
    if (isnan(x))
        return "nan";
    snprintf(to, sizeof out[0], "%g", x);
    return to;
}

static double number(int kind, int i)
{
    switch (kind) {
    case 0:
        return i % 3 ? -0.0 : 0.0;
    case 1:
        return i % 97 ? NAN : i - 500;
    case 2:
        return NAN;
    case 3:
        return i == N - 1 ? 0.0 : -0.0;
    case 4:
        return -0.0;
    default:
        return i % 7 ? i % 5 ? -INFINITY : INFINITY : NAN;
    }
}

int main(void)
{
    for (int kind = 0; kind < 6; kind++) {
        for (int i = 0; i < N; i++)
            f[i] = v[i] = number(kind, i);
        for (int start = 0; start < 3; start++) {
            double low = start == 0 ? -5 : start == 1 ? -0.0 : NAN, high = start == 0 ? 5 : low;
            double max = low, min = high, more = low, less = high;
            float fmx = low, fmn = high;
            struct { double top[2]; } s = {{low, low}};
            double each[2] = {high, high};
#pragma acc parallel loop reduction(max:max) reduction(min:min) copyin(v)
            for (int i = 0; i < N; i++) {
                max = fmax(max, v[i]);
                min = fmin(v[i], min);
            }
#pragma acc parallel loop gang worker vector num_workers(3) reduction(max:more) reduction(min:less) copyin(v)
            for (int i = 0; i < N; i++) {
                more = v[i] > more ? v[i] : more;
                if (v[i] < less)
                    less = v[i];
            }
#pragma acc parallel loop reduction(max:fmx) reduction(min:fmn) copyin(f)
            for (int i = 0; i < N; i++) {
                fmx = fmaxf(fmx, f[i]);
                fmn = fmn < f[i] ? fmn : fminf(f[i], fmn);
            }
#pragma acc parallel loop reduction(max:s) reduction(min:each) copyin(v)
            for (int i = 0; i < N; i++) {
                s.top[i & 1] = fmax(s.top[i & 1], v[i]);
                each[i & 1] = fmin(each[i & 1], v[i]);
            }
            // One gang, and a private variable.
            double inner = low;
#pragma acc serial loop vector reduction(max:inner) copyin(v)
            for (int i = 0; i < N; i++)
                inner = fmax(inner, v[i]);
            printf("%d %d: %s %s  %s %s  %s %s  ", kind, start, text(max), text(min), text(more), text(less),
                   text(fmx), text(fmn));
            printf("%s %s %s %s  %s\n", text(s.top[0]), text(s.top[1]), text(each[0]), text(each[1]), text(inner));
        }
    }
    return 0;
}
