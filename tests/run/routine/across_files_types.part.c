struct hidden { int depth; };
typedef struct { double x, y; } point;
struct node { int value; struct node *next; };
struct shape { point corner[2]; struct node *list; };

#pragma acc routine seq
point turned(point p, const struct shape *s)
{
    point r = {p.y + s->corner[1].y, p.x * s->corner[0].x};
    p.x = 7;
    return r;
}

#pragma acc routine seq
int length(const struct node *list)
{
    int n = 0;
    for (; list; list = list->next) n += list->value;
    return n;
}

#pragma acc routine seq
int opened(struct hidden *h) { return h ? h->depth : -1; }

#pragma acc routine seq
unsigned char cut(long x, float y, _Bool z) { return x + y + z; }

struct hidden *hide(void)
{
    static struct hidden h = {3};
    return &h;
}
