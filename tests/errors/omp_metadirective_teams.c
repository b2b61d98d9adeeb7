// The condition is about what the region is given, so that it cannot be asked in front of it.
// cflags: -fopenmp
int main(void) {
    int n = 4, x = 0;
    #pragma omp target map(to: n) map(tofrom: x)
    #pragma omp metadirective when(user={condition(n > 3)}: teams num_teams(2)) otherwise(teams num_teams(1))
    {
        #pragma omp atomic
        x += 1;
    }
    return x;
}
