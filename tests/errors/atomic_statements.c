// Statements that none of the forms of the atomic construct allows.
int f(int *a, int n)
{
    int x = 0, y = 0, v;
    struct { int b : 3; } s = {0};
#pragma acc parallel loop copy(x, y, s)
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        x %= 3;
#pragma acc atomic update
        x = y + 1;
#pragma acc atomic update
        x = (x + 1) * 2;
#pragma acc atomic read
        v = x + 1;
#pragma acc atomic write
        x += 1;
#pragma acc atomic capture
        x++;
#pragma acc atomic capture
        {
            v = y;
            x += 1;
        }
#pragma acc atomic capture
        {
            v = x;
            x += 1;
            a[i] = v;
        }
#pragma acc atomic
        s.b += 1;
    }
    return x + y;
}
