// Objects of devices in `use_device_addr` and `has_device_addr`: scalars, arrays, structs, sections, parameters. What else has
// their names in the statement keeps its meaning.
// cflags: -fopenmp
// expect-output: device_objects.expect
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
    double x, y[4];
};

static int same_places(void)
{
    int errors = 0, x = 10, arr[20];
    for (int i = 0; i < 20; i++)
        arr[i] = i;
    int *first_x, *first_arr, *second_x, *second_arr, found = 0;
    #pragma omp target data map(to: x, arr)
    {
        #pragma omp target map(from: first_x, first_arr)  map(to: x)
        {
            first_x = &x;
            first_arr = &arr[0];
        }
        #pragma omp target data use_device_addr(x, arr)
        #pragma omp target map(from: second_x, second_arr, found) has_device_addr(x, arr)
        {
            second_x = &x;
            second_arr = &arr[0];
            found = x + arr[19];
        }
    }
    errors += first_x != second_x || first_arr != second_arr || found != 29;
    return errors;
}

static double on_both(int n)
{
    struct point p = {1, {2, 3, 4, 5}};
    double sums[3] = {0, 0, 0};
    float *q = malloc(n * sizeof *q);
    for (int i = 0; i < n; i++)
        q[i] = i;
    #pragma omp target data map(tofrom: p, sums, q[0:n])
    #pragma omp target data use_device_addr(p, sums[0:3], q[0:n])
    {
        #pragma omp target teams distribute parallel for has_device_addr(p, sums, q[0:n])
        for (int i = 0; i < n; i++) {
            q[i] += p.y[i % 4];
            if (i < 3)
                sums[i] = p.x * q[i];
        }
        #pragma omp target has_device_addr(p)
        p.x += 100;
    }
    double total = p.x + sums[0] + 2 * sums[1] + 4 * sums[2] + q[n - 1];
    free(q);
    return total;
}

static int names(int x)
{
    struct { int x; } s = {4};
    int seen = 0, *at = 0, *outside = &x;
    size_t bytes = 0;
    #pragma omp target data map(tofrom: x)
    {
        #pragma omp target data use_device_addr(x)
        {
            at = &x;
            bytes = sizeof(x) + sizeof x;
            {
                int x = s.x;
                s.x = x + 1;
            }
        }
        #pragma omp target is_device_ptr(at) map(from: seen)
        {
            seen = *at;
            *at += 5;
        }
        x += 0 * s.x;
    }
    return (seen != 7) + (x != 12) + (s.x != 5) + (bytes != 2 * sizeof(int)) + (outside != &x);
}

int main(void)
{
    printf("%d of names\n", names(7));
    printf("%d errors\n", same_places());
    printf("%g\n", on_both(30) + on_both(3));
    return 0;
}
