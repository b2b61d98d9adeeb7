// What `tile` and its like cannot make other loops of.
// cflags: -fopenmp
int sum(int a[8][8], int n) {
    int s = 0;
    #pragma omp target map(to: a[0:8]) map(tofrom: s)
    {
        #pragma omp tile sizes(2, 2)
        for (int i = 0; i < 8; i++)
            for (int j = i; j < 8; j++)
                s += a[i][j];
    }
    return s;
}
