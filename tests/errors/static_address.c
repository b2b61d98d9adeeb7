// The address of a static variable of a function for a device leaves the function; a variable with `cleanup`.
static const int *table(int k)
{
    static const int a[2] = {1, 2}, b[2] = {3, 4};
    return k ? a : b;
}

static const int *element(int k)
{
    static const struct { int n, v[3]; } t = {3, {4, 5, 6}};
    return &t.v[k % t.n];
}

static int fine(int k)
{
    static const int c[2] = {7, 8};
    const int *p = c;
    return p[k % 2] + c[k / 2 % 2];
}

static void closed(int *p) { *p = 0; }

void use(int *x)
{
#pragma acc parallel loop copy(x[0:10])
    for (int i = 0; i < 10; i++)
        x[i] = table(i)[1] + element(i)[0] + fine(i);
#pragma acc parallel loop copy(x[0:10])
    for (int i = 0; i < 10; i++) {
        __attribute__((cleanup(closed))) int c = i;
        x[i] += c;
    }
}
