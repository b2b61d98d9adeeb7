// `private` of what is no whole variable of a fixed size, on a sequential loop that is left by a jump.
int main(int argc, char **argv)
{
    int a[10], t[argc], *p = a;
#pragma acc parallel copyout(a)
    {
#pragma acc loop seq private(t)
        for (int i = 0; i < 10; i++) {
            t[0] = i;
            a[i] = t[0];
            if (t[0] == 7)
                break;
        }
#pragma acc loop seq private(p[0:3])
        for (int i = 0; i < 10; i++) {
            p[1] = i;
            if (p[1] == 7)
                break;
        }
    }
    return a[0];
}
