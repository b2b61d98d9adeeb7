// What devices cannot be required to have.
// cflags: -fopenmp
#pragma omp requires reverse_offloading
#pragma omp requires unified_memory
int main(void)
{
    int x = 0;
#pragma omp requires unified_shared_memory
#pragma omp target map(tofrom: x)
    x++;
    return x;
}
