// Calls that `dispatch` cannot make.
// cflags: -fopenmp
void variant(int *p, int n);
#pragma omp declare variant(variant) match(construct={dispatch}) adjust_args(need_device_ptr: q)
void base(int *p, int n);
#pragma omp declare variant(variant) match(construct={dispatch}) append_args(stream)
void more(int *p, int n);
#pragma omp declare variant(variant) match(construct={parallel, dispatch})
void inside(int *p, int n);

int main(void) {
    int a[10], n = 0;
    #pragma omp dispatch
    base(a, 10);
    #pragma omp dispatch
    more(a, 10);
    #pragma omp dispatch
    inside(a, 10);
    #pragma omp dispatch
    n = 1 + 2;
    #pragma omp dispatch if(n)
    base(a, 10);
    #pragma omp target
    n = 1;
    return n;
}
