// Routines that `omp.h` has since 5.1, which older compilers do not declare: of the address that `omp_get_mapped_ptr` gives
// all is there. The constants of 5.2 are among them.
// cflags: -fopenmp
// expect-output: newer_routines.expect
// launches: 2
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define N 64

static int half_is_lost(const double *x, int host)
{
    uintptr_t address = (uintptr_t)omp_get_mapped_ptr(x, host);
    return address != (uintptr_t)x;
}

int main(void)
{
    int device = omp_get_default_device(), host = omp_get_initial_device(), initial = omp_initial_device;
    double *x = malloc(N * sizeof *x), back[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp target enter data map(to : x[0 : N])
    double *on_device = omp_get_mapped_ptr(x, device);
#pragma omp target is_device_ptr(on_device)
    for (int i = 0; i < N; i++)
        on_device[i] *= 2;
    omp_target_memcpy_async(back, on_device, N / 2 * sizeof *x, 0, 0, host, device, 0, NULL);
    size_t volume[1] = {N / 2}, to[1] = {N / 2}, from[1] = {N / 2}, size[1] = {N};
    omp_target_memcpy_rect_async(back, on_device, sizeof *x, 1, volume, to, from, size, size, host, device, 0, NULL);
#pragma omp taskwait
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
        x[i] += 1;
#pragma omp target exit data map(from : x[0 : N])
#pragma omp target device(initial) map(tofrom : back)
    back[0] += omp_is_initial_device() != 0;
    double s = omp_invalid_device == omp_initial_device;
    for (int i = 0; i < N; i++)
        s = s * 0.5 + back[i] + x[i] * 3;
    printf("%g %g %g %d %d\n", s, back[N - 1], x[N - 1], half_is_lost(x, host), omp_target_is_accessible(x, 8, host));
    return 0;
}
