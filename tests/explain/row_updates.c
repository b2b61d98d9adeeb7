// A product in the order of programs for cores: the loop over terms goes into that over lanes, which becomes one with the one that sets the row.
void product(int n, int m, int l, double *c, const double *a, const double *b)
{
#pragma acc parallel loop gang present(c[0:n * m], a[0:n * l], b[0:l * m])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < m; j++)
            c[i * m + j] = 0;
        for (int k = 0; k < l; k++) {
#pragma acc loop vector
            for (int j = 0; j < m; j++)
                c[i * m + j] += a[i * l + k] * b[k * m + j];
        }
    }
}

// What another lane may have stored is in the way: the element of the pivot, elements that the loop in order moves along, elements that are not always stored.
void others(int n, int m, int l, float c[n][m], float x[m])
{
#pragma acc parallel loop gang present(c[0:n], x[0:m])
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < l; k++) {
            float pivot = c[i][k];
#pragma acc loop vector
            for (int j = l; j < m; j++)
                c[i][j] -= pivot * x[j];
        }
        for (int k = 0; k < l; k++) {
#pragma acc loop vector
            for (int j = 0; j < m - l; j++)
                c[i][j + k] += x[j];
        }
        for (int k = 0; k < l; k++) {
#pragma acc loop vector
            for (int j = 0; j < m; j++)
                if (x[j] > k)
                    c[i][j] += 1;
        }
    }
}
