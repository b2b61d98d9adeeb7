// A pointer does not tell its length.
// shape p: Pointer
void f(float *p)
{
#pragma acc parallel \
      copy(p[1:])
    p[1] = 0;
}
