#pragma acc routine seq
double halved(double x);

#pragma acc routine seq
static double twice(double x) { return halved(4 * x) + 1; }

#pragma acc routine seq
double at(const double *a, int i) { return twice(a[i]); }

#pragma acc routine vector
double sum(const double *row, int n)
{
    double s = 0;
#pragma acc loop vector reduction(+:s)
    for (int i = 0; i < n; i++) s += at(row, i);
    return s;
}

#pragma acc routine worker
void scale(double *matrix, int rows, int n, double by)
{
#pragma acc loop worker
    for (int i = 0; i < rows; i++)
#pragma acc loop vector
        for (int k = 0; k < n; k++) matrix[i * n + k] *= by;
}

#pragma acc routine gang
void fill(double *matrix, int rows, int n)
{
#pragma acc loop gang
    for (int i = 0; i < rows; i++)
#pragma acc loop vector
        for (int k = 0; k < n; k++) matrix[i * n + k] = i + 0.5 * k;
}
