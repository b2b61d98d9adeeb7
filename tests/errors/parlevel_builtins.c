// Questions for levels that have no answer.
#pragma acc routine vector
static int lane(void)
{
    return __builtin_goacc_parlevel_id(2);
}

int main(void)
{
    int a[8], level = 1;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 8; i++)
        a[i] = __builtin_goacc_parlevel_id(level) + __builtin_goacc_parlevel_size(3);
#pragma acc parallel copyout(a)
    a[0] = lane();
    return a[0];
}
