// Every way to reach an array: what the host passes for it.
struct S { int n; float *field; };

void objects(int n, int m, struct S *s, float (*rows)[7], float **jagged, float (*whole)[9])
{
    float fixed[3][4], vla[n][m], scalar = 0, *p = *jagged, *pointers[5];
#pragma acc data copy(fixed, vla, scalar, pointers)
    ;
#pragma acc data copy(fixed[1:2], fixed[0:3][2:], vla[n-1], vla[:n][0:m])
    ;
#pragma acc data copy(p, p[2:n], rows[0:n], rows[0:n][1:3], jagged[0:n][0:m], pointers[0:2][0:n])
    ;
#pragma acc data copy(s->field[0:s->n], (*whole)[2:3]) create(s[0:1])
    ;
}
