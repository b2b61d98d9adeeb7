// Sections with strides: positive ones, with a length where nothing else says how far they go.
// cflags: -fopenmp
void f(int *p, int n)
{
    int a[20];
    #pragma omp target update to(a[19:5:-2])
    #pragma omp target update from(a[0:5:0])
    #pragma omp target update to(p[0::2])
    #pragma omp target update from(a[2:10:2])
}
