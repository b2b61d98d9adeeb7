// In a `scope` that reduces, each thread runs an iteration of its own.
// cflags: -fopenmp
int main(void)
{
    int b[40] = {0}, s = 0;
#pragma omp target map(tofrom : s, b)
#pragma omp parallel num_threads(8)
    {
#pragma omp scope reduction(+ : s)
        {
#pragma omp for
            for (int i = 0; i < 40; i++)
                b[i] += s++;
        }
#pragma omp scope reduction(+ : s)
        {
            s++;
#pragma omp single
            b[0]++;
        }
#pragma omp scope
        {
#pragma omp for
            for (int i = 0; i < 40; i++)
                b[i]++;
        }
    }
    return b[3];
}
