// What is declared, and what regions say of it.
double table[8], far[8];
static int limit = 3;
#pragma acc declare copyin(table, limit) link(far)

#pragma acc routine seq
static double look(int i) { return table[i] + far[i]; }

int main(void)
{
    double t[8];
#pragma acc declare create(t)
#pragma acc parallel loop
    for (int i = 0; i < 8; i++) t[i] = look(i) * limit;
    return 0;
}
