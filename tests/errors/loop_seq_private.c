// `private` on a sequential loop that is left by a jump.
int main(void)
{
    int a[10], t = 0;
#pragma acc parallel copyout(a)
    {
#pragma acc loop seq private(t)
        for (int i = 0; i < 10; i++) {
            t = i;
            a[i] = t;
            if (t == 7)
                break;
        }
    }
    return a[0] + t;
}
