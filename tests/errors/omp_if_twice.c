// Two `if` clauses for one construct, which one that names none may be for, too.
// cflags: -fopenmp
int main(int argc, char **argv)
{
    int x = 1;
#pragma omp target if(argc > 1) if(argc < 9) map(x)
    x = 2;
#pragma omp target parallel if(target : argc > 1) if(parallel : argc < 9) if(target : x)
    x = 3;
#pragma omp target teams if(argc > 1) if(target : argc < 9)
    x = 4;
    return x;
}
