// What `lastprivate` does not do.
// cflags: -fopenmp
int main(void)
{
    int x = 0, a[10];
#pragma omp target parallel for lastprivate(x) map(tofrom: a)
    for (int i = 0; i < 10; i++) {
        if (a[i])
            continue;
        if (i == 7)
            break;
        x = i;
    }
#pragma omp target teams distribute parallel for firstprivate(x) lastprivate(x)
    for (int i = 0; i < 10; i++)
        x += i;
    return x;
}
