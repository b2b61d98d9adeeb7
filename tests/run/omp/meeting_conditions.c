// Threads that meet in loops and conditions with `&&`, `||` and `?:`, and as often as a choice says.
// cflags: -fopenmp
// launches: 3
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int a[8] = {0}, m = 5;
    #pragma omp target parallel num_threads(4) map(tofrom: a) map(to: m)
    {
        int t = omp_get_thread_num(), n = m > 3 ? m : 3, stop = 0;
        for (int i = 0; i < n && !stop; i++) {
            a[t]++;
            #pragma omp barrier
            if (i == 2 || i > 7)
                stop = 1;
        }
        if (n > 2 && (m < 9 || stop)) {
            a[4 + t] = a[(t + 1) % 4];
            #pragma omp barrier
            a[t] += a[4 + (t + 1) % 4] + 10;
        }
    }
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("\n");

    #pragma omp target teams num_teams(2) map(tofrom: a) map(to: m)
    #pragma omp parallel num_threads(4)
    {
        int team = omp_get_team_num(), sum = 0;
        for (int k = team ? 4 : 2; k > (team && m > 3 ? 1 : 0); k--) {
            #pragma omp barrier
            sum += k;
        }
        #pragma omp atomic
        a[team] += sum;
    }
    printf("%d %d\n", a[0], a[1]);

    // A condition of several parts behind work of the threads.
    #pragma omp target parallel num_threads(4) map(tofrom: a)
    {
        int t = omp_get_thread_num(), x = t, n = 4, k = 3, c = 6;
        x = a[t] % 9;
        if (c > (k > 3 ? n : k) + (4 - n) && n < 9) {
            for (int i = t; i < 12; i += 4)
                x += i;
            #pragma omp barrier
            x += a[(t + 1) % 4];
            #pragma omp barrier
        }
        a[t] = x;
    }
    printf("%d %d %d\n", a[0], a[1], a[3]);
    return 0;
}
