// Metadirectives that stand for no one directive.
// cflags: -fopenmp
int a[10];

int main(void) {
    int n = 4;
    #pragma omp target
    {
        #pragma omp metadirective when(device={isa(avx512)}: parallel for)
        for (int i = 0; i < 10; i++)
            a[i] = i;
        #pragma omp metadirective if(n: parallel for)
        for (int i = 0; i < 10; i++)
            a[i] = i;
    }
    #pragma omp metadirective when(device={isa(avx512)}, user={condition(n)}: target parallel for) otherwise(parallel for)
    for (int i = 0; i < 10; i++)
        a[i] = i;
    return 0;
}
