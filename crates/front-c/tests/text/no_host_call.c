// A combination of clauses that one call cannot pass.
void f(void)
{
#pragma acc parallel wait(1) device_type(nvidia) wait
    ;
}
