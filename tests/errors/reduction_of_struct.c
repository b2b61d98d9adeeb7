// Reduction of a struct with a member that is no number.
struct s {
    int x;
    int *p;
};

int main(void)
{
    struct s v = {0};
#pragma acc parallel loop reduction(+:v)
    for (int i = 0; i < 4; i++)
        v.x += i;
    return v.x;
}
