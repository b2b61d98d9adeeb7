// Reduction of a struct as a whole.
struct s {
    int x;
};

int main(void)
{
    struct s v = {0};
#pragma acc parallel loop reduction(+:v)
    for (int i = 0; i < 4; i++)
        v.x += i;
    return v.x;
}
