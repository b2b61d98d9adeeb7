// Routines of omp.h that set what no region can see, that ask for the default device, and that make allocators, in regions.
// cflags: -fopenmp
// expect-output: settings_in_regions.expect
// launches: 2
#include <omp.h>
#include <stdio.h>

#pragma omp begin declare_target
static int settle(void)
{
    omp_set_dynamic(0);
    omp_set_nested(1);
    omp_set_max_active_levels(2);
    omp_set_schedule(omp_sched_static, 4);
    return omp_get_default_device();
}
#pragma omp end declare_target

int main(void)
{
    int set = -1, here = -2, found[20];
#pragma omp target map(from: set, here)
    {
        set = settle();
        here = omp_get_device_num();
    }
    printf("%d\n", set == here);
#pragma omp target map(from: found)
    {
        omp_alloctrait_t traits[1] = {{omp_atk_alignment, 64}};
        omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 1, traits);
        omp_set_default_allocator(own);
        int *x = omp_alloc(20 * sizeof(int), own), *y = omp_alloc(20 * sizeof(int), omp_get_default_allocator());
#pragma omp parallel for
        for (int i = 0; i < 20; i++) {
            x[i] = i;
            y[i] = 2 * i;
            found[i] = x[i] + y[i];
        }
        omp_free(x, own);
        omp_free(y, omp_null_allocator);
        omp_destroy_allocator(own);
    }
    printf("%d %d\n", found[0], found[19]);
    return 0;
}
