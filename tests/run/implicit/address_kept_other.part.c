struct pair {
    double x, y;
};

static double *scalar;
static struct pair *pair;

void keep(double *s, struct pair *p)
{
    *s = -1;
    p->x = p->y = -2;
    scalar = s;
    pair = p;
}

double kept(void) { return *scalar + 1000 * pair->x + 7 * pair->y; }
