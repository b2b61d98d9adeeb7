// Clauses and modifiers that declare does not have.
int a[4], b[4];
#pragma acc declare create(zero: a)
#pragma acc declare attach(b)
#pragma acc declare
int main(void)
{
    return 0;
}
