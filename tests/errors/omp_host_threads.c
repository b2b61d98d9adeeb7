// What belongs to the host and its threads.
// cflags: -fopenmp
static int own, common;
#pragma omp threadprivate(own)

static int next(void) {
    return ++own;
}

int main(void) {
    #pragma omp parallel
    own = 1;
    #pragma omp target map(tofrom: common)
    common += own;
    #pragma omp target map(tofrom: common)
    {
        common += next();
        #pragma omp target device(ancestor: 1)
        common = 1;
    }
    #pragma omp target device(ancestor: 1) map(tofrom: common)
    common++;
    return 0;
}
