// What a worker or vector loop has reduced into a mapped variable is read behind the loop, in the same construct: one gang,
// which the directive says, which is chosen, or which turns out at run time.
#include <stdio.h>
#include <stdlib.h>
#define N 300

typedef struct {
    double sum;
    int most;
} both;

#define DATA copyin(a[0:N]) copyout(b[0:N]) copy(s, most, h, p[0:6], v)
#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name

#define NAME vector
#define CONSTRUCT parallel num_gangs(1)
#define LEVELS vector
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME worker
#define CONSTRUCT parallel num_gangs(1) num_workers(4)
#define LEVELS worker
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME both_levels
#define CONSTRUCT parallel num_gangs(1) num_workers(2) vector_length(32)
#define LEVELS worker vector
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME chosen
#define CONSTRUCT parallel
#define LEVELS vector
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME chosen_worker
#define CONSTRUCT parallel num_workers(8)
#define LEVELS worker
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME at_run_time
#define CONSTRUCT parallel num_gangs(one)
#define LEVELS vector
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME at_run_time_worker
#define CONSTRUCT parallel num_gangs(one) num_workers(3)
#define LEVELS worker
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME at_run_time_both
#define CONSTRUCT parallel num_gangs(one) num_workers(3)
#define LEVELS worker vector
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME at_run_time_gang
#define CONSTRUCT parallel num_gangs(one)
#define LEVELS gang vector
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME gang
#define CONSTRUCT parallel num_gangs(1)
#define LEVELS gang vector
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME serial
#define CONSTRUCT serial
#define LEVELS vector
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

#define NAME kernels
#define CONSTRUCT kernels
#define LEVELS vector
#include "visible.part.c"
#undef NAME
#undef CONSTRUCT
#undef LEVELS

int main(int argc, char **argv)
{
    (void)argv;
    int a[N];
    double b[N];
    for (int i = 0; i < N; i++)
        a[i] = i % 17;
    vector(a, b, argc);
    worker(a, b, argc);
    both_levels(a, b, argc);
    chosen(a, b, argc);
    chosen_worker(a, b, argc);
    at_run_time(a, b, argc);
    at_run_time_worker(a, b, argc);
    at_run_time_both(a, b, argc);
    at_run_time_gang(a, b, argc);
    gang(a, b, argc);
    serial(a, b, argc);
    kernels(a, b, argc);
    return 0;
}
