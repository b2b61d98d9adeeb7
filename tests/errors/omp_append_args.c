// What `append_args` cannot add.
// cflags: -fopenmp
void variant(int *p, int n);
#pragma omp declare variant(variant) match(construct={dispatch}) append_args(stream)
void base(int *p);

int main(void) {
    int a[10];
    #pragma omp target
    a[0] = 1;
    #pragma omp dispatch
    base(a);
    return 0;
}
