// Objects for foreign runtimes: there is none, and programs can ask; what `interop` waits for is done.
// cflags: -fopenmp
// expect-output: interop.expect
#include <omp.h>
#include <stdio.h>

void scale_with(double *p, int n, omp_interop_t object);
#pragma omp declare variant(scale_with) match(construct={dispatch}) adjust_args(need_device_ptr: p) append_args(interop(target, targetsync))
void scale(double *p, int n) { p[0] = n; }

void scale_with(double *p, int n, omp_interop_t object) {
    #pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < n; i++)
        p[i] *= 2 + (object != omp_interop_none);
}

int main(void) {
    double a[10];
    int x = 0, code = 5, device = omp_get_default_device();
    omp_interop_t object = omp_interop_none, others[2];
    for (int i = 0; i < 10; i++)
        a[i] = i;
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp task shared(x) depend(out: x)
        x = 7;
        #pragma omp interop init(prefer_type("cuda"), targetsync: object) init(target: others[1]) device(device) depend(inout: x) nowait
        x++;
    }
    if (x) {
        #pragma omp interop use(object)
    }
    printf("%d %d %d\n", x, object == omp_interop_none, others[1] == omp_interop_none);
    printf("%d", omp_get_interop_ptr(object, omp_ipr_targetsync, &code) == NULL);
    printf(" %d\n", code == omp_irc_empty);
    #pragma omp target data map(a)
    {
        #pragma omp dispatch
        scale(a, 10);
    }
    #pragma omp interop destroy(object) destroy(others[1])
    printf("%g %g\n", a[0], a[9]);
    return 0;
}
