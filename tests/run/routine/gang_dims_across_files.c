// A routine of another file with loops over gang dimensions.
// with: gang_dims_across_files.part.c
#include <stdio.h>
#pragma acc routine gang(dim:2)
void two(int n, int m, int *x);
int main(void) { int x[3][5][6] = {0}; long s = 0;
#pragma acc parallel loop gang(dim:3) num_gangs(2,3,2) copy(x)
 for (int i = 0; i < 3; i++) two(5, 6, &x[i][0][0]);
#pragma acc parallel num_gangs(4,3) copy(x)
 two(15, 6, &x[0][0][0]);
 for (int i = 0; i < 90; i++) s = s * 3 % 10007 + ((int*)x)[i];
 printf("%ld\n", s); }
