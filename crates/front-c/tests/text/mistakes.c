// The mistakes that are found without clang; each at its own place.
#define COPY(x) copi(x)
#pragma acc wait
void f(int n)
{
#pragma acc parallell
    ;
#pragma acc parallel /* two
                        lines */ num_gangs(n) COPY(n)
    ;
#pragma acc loop
    while (n)
        ;
    if (n)
#pragma acc update self(n)
    n = 1;
#pragma acc data copy(n)
}
