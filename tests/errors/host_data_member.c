// An element's member, and what is behind a pointer, have no one spelling.
struct s {
    int *p;
    struct s *next;
};

void f(struct s *s, int i)
{
#pragma acc host_data use_device(s[i].p)
    s[i].p[0] = 1;
#pragma acc host_data use_device((*s).p)
    (*s).p[0] = 1;
#pragma acc host_data use_device(s->next->p)
    s->next->p[0] = 1;
}
