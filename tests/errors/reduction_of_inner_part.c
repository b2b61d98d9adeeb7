// Nested loops that reduce different parts of an array.
int main(void)
{
    int a[8] = {0};
#pragma acc parallel loop gang reduction(+:a[0:2]) copy(a)
    for (int i = 0; i < 10; i++) {
#pragma acc loop vector reduction(+:a[2:2])
        for (int j = 0; j < 10; j++)
            a[2 + j % 2] += i;
        a[0]++;
    }
    return a[0];
}
