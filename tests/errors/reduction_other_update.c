// OpenACC 3.4, section 2.9.11: a section whose length only the program knows, and updates by another operator.
int sums(int n, int k, int *x)
{
#pragma acc parallel loop reduction(+:x[0:k]) copy(x[0:n])
    for (int i = k; i < n; i++) {
        x[i % k] += i;
        x[i] *= 2;
    }
    return x[0];
}
