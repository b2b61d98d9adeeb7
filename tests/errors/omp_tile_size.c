// What `tile` cannot make other loops of, in a file without regions: the compiler may say nothing.
// cflags: -fopenmp
int sum(int a[8][8], int n) {
    int s = 0;
    #pragma omp tile sizes(2, 0)
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j];
    return s;
}
