// Threads that meet in a `switch`, or in a loop that a `switch` continues, and in functions that get the thread's number.
// cflags: -fopenmp
// launches: 7
#include <omp.h>
#include <stdio.h>
#define T 5

static void show(const int *a, int last)
{
    for (int i = 0; i < T; i++)
        printf("%d ", a[i]);
    printf("%d\n", last);
}

static void rounds(int *a, int n, int t, int threads)
{
    for (int r = 0; r < n; r++) {
        a[t] += r;
        #pragma omp barrier
        int next = a[(t + 1) % threads];
        #pragma omp barrier
        a[t] = next + 1;
    }
}

int main(void)
{
    int a[T] = {0, 1, 2, 3, 4}, n = 3, out = 0;
    // Cases that continue the loop of the team.
    #pragma omp target parallel num_threads(T) map(tofrom: a)
    {
        int t = omp_get_thread_num();
        for (int i = 0; i < 6; i++) {
            switch (i % 3) {
            case 0:
                a[t] += 1;
                continue;
            case 1:
                a[t] *= 2;
                break;
            default:
                a[t] -= i;
                if (i == 5)
                    continue;
            }
            a[t] += 100;
            #pragma omp barrier
            int next = a[(t + 1) % T];
            #pragma omp barrier
            a[t] = next + t;
        }
    }
    show(a, out);

    // Cases with barriers, one falls into the next.
    for (int m = 0; m < 4; m++) {
        #pragma omp target parallel num_threads(T) map(tofrom: a)
        {
            int t = omp_get_thread_num(), next;
            switch (m) {
            case 0:
                next = a[(t + 1) % T];
                #pragma omp barrier
                a[t] = next;
                break;
            case 1:
                a[t] += m;
                if (n == 9)
                    break;
                #pragma omp barrier
            case 2:
                next = a[(t + 4) % T];
                #pragma omp barrier
                a[t] += next;
                break;
            default:
                a[t] -= t;
            }
            #pragma omp barrier
            #pragma omp master
            {
                int sum = 0;
                for (int i = 0; i < T; i++)
                    sum += a[i];
                a[0] = sum % 1000;
            }
        }
        show(a, out);
    }

    // How often threads meet, found by one; others in the loop.
    #pragma omp target parallel num_threads(T) map(tofrom: a, out)
    {
        int t = omp_get_thread_num(), k = 1;
        switch (n) {
        case 1: k = 2; break;
        case 3: k = 4;
        case 4: k++; break;
        default: k = 0;
        }
        for (int i = 0; i < k; i++) {
            switch (i) {
            case 2:
                continue;
            case 1:
                a[t] += 5;
                break;
            case 3: {
                #pragma omp barrier
                if (n > 2)
                    break;
                a[t] *= 1000;
            }
            default:
                a[t] += a[t] % 7;
            }
            #pragma omp barrier
            int next = a[(t + 1) % T];
            #pragma omp barrier
            a[t] = next;
            #pragma omp single
            out += i;
        }
    }
    show(a, out);

    #pragma omp target parallel num_threads(T) map(tofrom: a)
    rounds(a, n, omp_get_thread_num(), T);
    show(a, out);
    return 0;
}
