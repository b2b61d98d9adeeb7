// Directives that are no variants.
// cflags: -fopenmp
int f(int x) { return x; }
#pragma omp declare variant match(construct={target})
int no_name(int x) { return x; }
#pragma omp declare variant(f)
int no_match(int x) { return x; }
#pragma omp declare variant(f) when(construct={target})
int no_clause(int x) { return x; }

#pragma omp declare variant(f2) match(construct={target}) adjust_args(nothing: x)
int adjusted(int x);
#pragma omp declare variant(f2) match(construct={dispatch}) adjust_args(all: x)
int how(int x);

int main(void) {
    int y = 0;
    #pragma omp declare variant(f) match(construct={target})
    int g(int x);
    #pragma omp target map(y)
    y = no_name(1);
    return y;
}
