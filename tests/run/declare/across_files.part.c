double table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int plain = 3;
double open_ended[4] = {9, 8, 7, 6};
int both = 4;
#pragma acc declare copyin(open_ended, both)

void scale(int by);

void scale(int by)
{
#pragma acc parallel loop
    for (int i = 0; i < 4; i++) open_ended[i] *= by + 1;
#pragma acc parallel
    both += plain;
#pragma acc update self(open_ended, both)
}
