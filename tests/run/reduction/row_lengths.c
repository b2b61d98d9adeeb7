// Sums and largest elements of rows of many lengths, the kernel's shape left open: a GPU runs other versions of the kernel
// for short rows and for few long ones.
#include <stdio.h>
#include <stdlib.h>

static void rows(int count, int length, const double *a, double *sum, int *largest)
{
#pragma acc parallel loop gang worker copyin(a[0:count * length]) copyout(sum[0:count], largest[0:count])
    for (int r = 0; r < count; r++) {
        double s = 0.5;
        int most = -100;
#pragma acc loop vector reduction(+:s) reduction(max:most)
        for (int c = 0; c < length; c++) {
            int v = (int)a[r * length + c];
            s += v;
            most = v > most ? v : most;
        }
#pragma acc loop vector reduction(+:s)
        for (int c = 0; c < length; c++)
            s += 2 * a[r * length + c] + most;
        sum[r] = s;
        largest[r] = most;
    }
}

int main(void)
{
    static const int lengths[] = {0, 1, 3, 4, 8, 31, 32, 33, 100, 128, 129, 700, 1024, 5000};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        int length = lengths[k], count = 2000 / (length + 20) + 1;
        double *a = malloc((count * length + 1) * sizeof *a), *sum = malloc(count * sizeof *sum);
        int *largest = malloc(count * sizeof *largest);
        for (int i = 0; i < count * length; i++)
            a[i] = (i * 37 + (int)k) % 101 - 50;
        rows(count, length, a, sum, largest);
        double all = 0;
        long most = 0;
        for (int r = 0; r < count; r++) {
            all += (r + 1) * sum[r];
            most += (r + 1) * (long)largest[r];
        }
        printf("%d rows of %d: %.1f %.1f %.1f %ld\n", count, length, sum[0], sum[count - 1], all, most);
        free(a);
        free(sum);
        free(largest);
    }
    return 0;
}
