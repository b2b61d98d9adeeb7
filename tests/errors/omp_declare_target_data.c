// What devices cannot keep for the whole program, and what is said twice.
// cflags: -fopenmp
int x;
struct { int a; } s;
#pragma omp declare target link(x)
#pragma omp declare target enter(x)
#pragma omp declare target(s.a)

void function(void)
{
    static int inside;
#pragma omp declare target to(inside)
#pragma omp target
    inside++;
}
