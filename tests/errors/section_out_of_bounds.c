// Constant sections that end behind the array, or begin there, however the constants are written.
#define SIZE 10
#define HALF(x) ((x) / 2)
int main(void)
{
    enum { LAST = SIZE };
    int a[SIZE], b[SIZE][4], n = 10, s = 0;
#pragma acc parallel loop copyout(a[5:10])
    for (int i = 5; i < 10; i++)
        a[i] = i;
#pragma acc parallel loop copyin(a[HALF(SIZE):(SIZE)]) reduction(+:s)
    for (int i = 5; i < 10; i++)
        s += a[i];
#pragma acc parallel loop copy(a[12:])
    for (int i = 5; i < 10; i++)
        a[i] = i;
#pragma acc parallel loop copy(a[LAST + 1:n])
    for (int i = 5; i < 10; i++)
        a[i] = i;
#pragma acc data copy(b[(SIZE << 1) % 15:SIZE - 4][0:4])
    s++;
#pragma acc update self(b[0:2][sizeof(int) ^ 1:])
#pragma acc enter data copyin(a[SIZE:])
    return a[0] + b[0][0] + n + s;
}
