// One directive of each form, the else that must stay where it is, several lines, comments.
double square(double x) { return x * x; }
#pragma acc routine(square) seq

void forms(int n, double *p, int q)
{
    double a[10][20];
    int i;
    if (n > 3)
#pragma acc parallel num_gangs(n) \
    num_workers(4) /* of them */ vector_length(32) \
    copy(a) async(q)
        a[0][0] = n;
    else
        n = 1;
#pragma acc data copyin(p[0:n]) if(n > 10)
    {
#pragma acc kernels loop gang(8) vector(64) self(n < 5)
        for (i = 0; i < n; i++)
            p[i] = square(p[i]);
    }
#pragma acc enter data copyin(p[0 : n]) wait(1, q)
#pragma acc parallel loop gang collapse(2) private(q) reduction(+ : n)
    for (i = 0; i < n; i++)
        for (q = 0; q < n; q++) {
#pragma acc atomic update
            p[0] += 1;
        }
#pragma acc update self(p[1:n-1]) if_present
#pragma acc exit data delete(p[0:n]) finalize
#pragma acc wait
}
