// A member has no name that could mean the device's address.
struct s {
    int *p;
};

void f(struct s *s)
{
#pragma acc host_data use_device(s->p)
    s->p[0] = 1;
}
