// Variants that nothing can be said of, or that cannot be called.
// cflags: -fopenmp
int a[10];
int f1(int x);
int f2(int x) { return x; }

#pragma omp declare variant(f1) match(construct={target})
int not_here(int x) { return x; }
#pragma omp declare variant(f2) match(user={condition(sizeof(int) == 4)})
int condition(int x) { return x; }
#pragma omp declare variant(f2) match(implementation={unified_shared_memory})
int required(int x) { return x; }
#pragma omp declare variant(f2) match(construct={target, simd(simdlen(4))})
int clauses(int x) { return x; }
#pragma omp declare variant(f2) match(construct={loop})
int no_selector(int x) { return x; }
// No region calls it where the selector cannot be said, so that nothing need be said.
#pragma omp declare variant(f2) match(user={condition(f2 != 0)})
int not_called(int x) { return x; }

int main(void) {
    #pragma omp target teams distribute simd
    for (int i = 0; i < 10; i++) {
        a[i] = not_here(i);
        a[i] += condition(i) + required(i) + clauses(i) + no_selector(i);
    }
    return not_called(0);
}
