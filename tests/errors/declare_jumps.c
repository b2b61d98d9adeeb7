// No jump enters the scope of a declare directive behind the directive.
int f(int n)
{
    if (n > 4)
        goto inside;
    {
        int t[2];
#pragma acc declare create(t)
again:
        n++;
inside:
        if (n < 3)
            goto again;
    }
    switch (n) {
    case 1:;
        int u;
#pragma acc declare create(u)
        return u;
    }
    return ({ int v = n;
#pragma acc declare create(v)
        v; });
}
