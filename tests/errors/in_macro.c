// A mistake in a directive that comes from a macro.
#define FILL(v, n)                                  \
    _Pragma("acc parallel loop copyout(v) gangs(4)") \
    for (int i = 0; i < n; i++)                     \
        a[i] = i;

int main(void)
{
    int a[10], b[10], n = 10, s = 0;
    FILL(a, n)
    return a[0] + b[0] + n + s;
}
