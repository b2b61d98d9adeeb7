// Objects of C11's atomic types: read, written, stepped, changed; each access between two fences.
void f(_Atomic double *sum, _Atomic int *n, int *out)
{
#pragma acc serial present(sum[0:1], n[0:1], out[0:2])
    {
        *sum += 0.5;
        out[0] = (*n)++;
        if (*n > 3)
            *n = out[1];
    }
}
