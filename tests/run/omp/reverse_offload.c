// Regions that call the host back: no device can do that, so that the host does all of the work, each region with data of its own.
// cflags: -fopenmp
// expect-output: reverse_offload.expect
// launches: 0
#include <omp.h>
#include <stdio.h>

#pragma omp requires reverse_offload

#pragma omp declare target
static int calls;
static void count(int by) { calls += by; }
#pragma omp end declare target

int main(void) {
    int devices = omp_get_num_devices(), x = 1, y = 2, a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, host = 0;
    #pragma omp target enter data map(to: a)
    #pragma omp target map(tofrom: x, host) map(a)
    {
        x++;
        host = omp_is_initial_device();
        #pragma omp target device(ancestor: 1) map(always, tofrom: x) map(a)
        {
            x += 10;
            y += 5;
            a[1] += y;
            count(y);
        }
        a[2] += y;
    }
    #pragma omp target exit data map(from: a)
    printf("%d %d %d %d %d, on the host: %d, devices: %d\n", x, y, a[1], a[2], calls, host, devices);
    long sum = 0;
    #pragma omp target data map(to: a) use_device_ptr(a)
    #pragma omp target teams distribute parallel for reduction(+: sum) has_device_addr(a)
    for (int i = 0; i < 8; i++)
        sum += a[i];
    #pragma omp target update from(present: a) if(sum < 0)
    printf("%ld\n", sum);
    return 0;
}
