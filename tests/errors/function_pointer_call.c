// A call through a function pointer in a region, of a type that no function of the file has whose address is taken.
static int one(int x) { return x + 1; }
static int two(int x, int y) { return x + y; }
int (*chosen(void))(int, int);

int main(void)
{
    int a[10], n = 10;
    int (*f)(int, int) = chosen();
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < n; i++)
        a[i] = f(i, 2) + one(i);
    return a[0] + two(1, 2);
}
