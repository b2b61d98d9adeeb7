// Data that a device would keep for the whole program.
// cflags: -fopenmp
#pragma omp declare target
int counts[10];
int twice(int x) { return 2 * x; }
#pragma omp end declare target

double named, other;
#pragma omp declare target (named)

#pragma omp begin declare target
static int in_function(int x) { return x + counts[x]; }
#pragma omp end declare target

int main(void)
{
    int x = 0;
    #pragma omp target map(tofrom: x)
    x = twice(x) + counts[3];
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < 10; i++)
        counts[i] = twice(i);
    #pragma omp target map(tofrom: x)
    x += named + other;
    #pragma omp target map(tofrom: x)
    x += in_function(x);
    return x;
}
