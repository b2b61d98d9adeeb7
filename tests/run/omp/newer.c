// What host compilers of older versions of OpenMP do not know: the fallback of a region is compiled all the same.
// cflags: -fopenmp
// expect-output: newer.expect
// launches: 9
#include <omp.h>
#include <stdio.h>

#pragma omp begin declare target device_type(any)
int begun = 5;
#pragma omp end declare target

short listed = 6, linked = 2;
#pragma omp declare target enter(listed) link(linked)

int own;
#pragma omp declare target local(own)

int main(void)
{
    int errors = 0, x = 0, table[4] = {1, 2, 3, 4};
    #pragma omp target map(from: x)
    {
        begun += listed;
        x = begun;
    }
    errors += x != 11;
    #pragma omp target map(to: linked) map(from: x)
    x = linked + listed;
    errors += x != 8;
    #pragma omp target
    own += 4;
    #pragma omp target map(from: x)
    {
        own++;
        x = own + 3;
    }
    errors += x != 8;
    #pragma omp target data map(tofrom: table)
    {
        #pragma omp target map(present, tofrom: table)
        table[2] += 30;
        #pragma omp target defaultmap(present: aggregate)
        table[1] += 20;
    }
    errors += table[2] != 33 || table[1] != 22;
    #pragma omp target defaultmap(tofrom: all)
    {
        table[1]--;
        x++;
    }
    errors += table[1] != 21 || x-- != 9;
    #pragma omp target uses_allocators(omp_default_mem_alloc) allocate(omp_default_mem_alloc: x) private(x) map(tofrom: table)
    {
        x = 7;
        table[0] += x;
    }
    errors += table[0] != 8 || x != 8;

    int half[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    #pragma omp target enter data map(half)
    half[3] = 40;
    #pragma omp target update to(present: half[2:4])
    #pragma omp target map(to: half)
    {
        half[3] += 1;
        half[7] += 1;
    }
    #pragma omp target update from(present: half[0:4])
    errors += half[3] != 41;
    #pragma omp target exit data map(tofrom: half)
    errors += half[3] != 41 || half[7] != 9;

    int seen = 0;
    #pragma omp target data map(tofrom: half) use_device_ptr(half)
    {
        int *p = half;
        #pragma omp target has_device_addr(p[0:8]) map(from: seen)
        seen = p[3] + p[7];
    }
    errors += seen != 50;
    printf("%d errors\n", errors);
    return errors;
}
