// What is not supported yet is carried all the same.
double table[100];
#pragma acc declare create(table)
