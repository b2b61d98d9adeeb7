// A member that is a scalar has no address that could be replaced in the statement.
struct s {
    int x;
};

void use(int *p);

void f(struct s *s)
{
#pragma acc host_data use_device(s->x)
    use(&s->x);
}
