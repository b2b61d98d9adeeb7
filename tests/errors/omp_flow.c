// Words of constructs that say who does something.
// cflags: -fopenmp
int n;

int main(void) {
    int t = 0;
    #pragma omp target
    {
        #pragma omp parallel
        {
            #pragma omp sections
            {
                t = 1;
            }
            #pragma omp critical (name) nowait
            n++;
            #pragma omp scan
        }
    }
    #pragma omp target parallel sections
    {
        n++;
    }
    return 0;
}
