// Several parts of an array in the reduction clauses of one directive.
int main(void)
{
    int a[8] = {0}, *p = a;
#pragma acc parallel loop reduction(+:a[0:2]) reduction(max:a[2:2])
    for (int i = 0; i < 10; i++) {
        a[i % 2] += i;
        a[2 + i % 2] = a[2 + i % 2] > i ? a[2 + i % 2] : i;
    }
#pragma acc parallel loop copy(p[0:8]) reduction(+:p[0], p[1])
    for (int i = 0; i < 10; i++)
        p[i % 2] += i;
    return a[0];
}
