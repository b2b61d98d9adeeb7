// Clauses of `declare target`.
// cflags: -fopenmp
int x;
#pragma omp declare target enter(x) indirect
#pragma omp declare target enter(x) device_type(gpu)
#pragma omp declare target from(x)
