// `dispatch`: which function is called, with the device's addresses, for another device, behind tasks; the host's compiler knows none of it.
// cflags: -fopenmp
// expect-output: dispatch.expect
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static void fill_device(int *p, int n, const int *q);
static int number_variant(int x);

#pragma omp declare variant(fill_device) match(construct={dispatch}, device={kind(host)}) adjust_args(need_device_ptr: p, q) adjust_args(nothing: n)
static void fill(int *p, int n, const int *q)
{
    for (int i = 0; i < n; i++)
        p[i] = -q[i];
}

static void fill_device(int *p, int n, const int *q) {
    #pragma omp target teams distribute parallel for is_device_ptr(p, q)
    for (int i = 0; i < n; i++)
        p[i] = 2 * q[i];
}

#pragma omp declare variant(number_variant) match(construct={dispatch})
#pragma omp declare variant(abs) match(user={condition(0)}, construct={dispatch})
int number(int x) { return x; }

static int number_variant(int x) { return 100 * omp_get_default_device() + x + 50; }

int main(void) {
    int a[16], b[16], sum = 0;
    for (int i = 0; i < 16; i++)
        b[i] = i;
    #pragma omp target data map(from: a) map(to: b)
    {
        #pragma omp dispatch
        fill(a, 16, (b));
    }
    for (int i = 0; i < 16; i++)
        sum += a[i] == 2 * i;
    printf("%d\n", sum);

    // Addresses of the device already; others are mapped where the call stands.
    int device = omp_get_default_device();
    int *p = omp_target_alloc(sizeof a, device);
    #pragma omp target data map(to: b)
    {
        if (p)
            #pragma omp dispatch is_device_ptr(p)
            fill(p, 16, b);
        else
            abort();
    }
    omp_target_memcpy(a, p, sizeof a, 0, 0, omp_get_initial_device(), device);
    omp_target_free(p, device);
    printf("%d\n", a[5]);

    // Memory that both can access, if the device is the host.
    int x = 0;
    #pragma omp dispatch device(omp_get_initial_device())
    x = number(3);
    printf("%d %d\n", x - 100 * omp_get_initial_device(), omp_get_default_device() == device);
    x = number(4);
    printf("%d\n", x);
    for (int k = 0; k < 4; k++) {
        #pragma omp dispatch novariants(k == 1), nocontext(k > 2)
        a[k] = number(k);
        printf(" %d", a[k] - (k % 2 ? 0 : 100 * device));
    }
    printf("\n");

    #pragma omp parallel
    #pragma omp single
    {
        #pragma omp task shared(x) depend(out: x)
        x = 7;
        #pragma omp dispatch depend(in: x) nowait
        x = number(x);
        printf("%d\n", x - 100 * device);
    }
    return 0;
}
