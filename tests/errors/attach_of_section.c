// `attach` takes pointers: elements that are pointers too, but no sections and no other elements.
void f(int **rows, int *p, int n)
{
#pragma acc enter data attach(p[0:n])
#pragma acc enter data attach(rows[0:2])
#pragma acc exit data detach(rows[1][0:n])
#pragma acc enter data attach(rows[1], p[0])
}
