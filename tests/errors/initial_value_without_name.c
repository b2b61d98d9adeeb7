// Initial values of data that devices keep, whose pointers nothing can name.
// cflags: -fopenmp
struct node { int value; struct node *next; };
#pragma omp begin declare target
struct node last = {1, 0};
struct node *list = &(struct node){2, &last};
#pragma omp end declare target
#pragma omp begin declare target
int *before = (int[]){1, 2} + 3;
#pragma omp end declare target

int main(void)
{
    int r;
#pragma omp target map(from: r)
    r = list->value + *before;
    return r;
}
