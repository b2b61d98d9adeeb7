// More conditions than copies are made for.
// cflags: -fopenmp
int main(int a, char **argv) {
    int x = 0;
    #pragma omp metadirective when(user={condition(a == 1)}: target map(x)) when(user={condition(a == 2)}: parallel) when(user={condition(a == 3)}: parallel) \
        when(user={condition(a == 4)}: parallel) when(user={condition(a == 5)}: parallel) when(user={condition(a == 6)}: parallel) when(user={condition(a == 7)}: parallel)
    x = 1;
    return x;
}
