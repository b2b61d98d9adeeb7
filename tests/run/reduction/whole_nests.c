// Reductions over whole nests, written on each loop: sums, extrema, arrays, with work and sequential loops beside the loops over lanes,
// with results that the lanes write, and nests whose results are used for each row, which must come together there.
#include <math.h>
#include <stdio.h>

enum { ROWS = 37, COLUMNS = 83 };

int main(void)
{
    static double a[ROWS][COLUMNS], b[ROWS][COLUMNS], rows[ROWS];
    double sum = 1, weighted = 0, largest = -1e30, part[3] = {1, 2, 3}, change = 0, last = 0;
    long count = 0, total = 0;
    int bits = ~0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = (i * 31 + j * 17) % 101 - 40;
#pragma acc data copyin(a) copyout(b, rows)
    {
#pragma acc parallel loop gang reduction(+ : sum, count) reduction(max : largest)
        for (int i = 0; i < ROWS; i++) {
            double scale = a[i][0] * 0.25 + i;
#pragma acc loop vector reduction(+ : sum, count) reduction(max : largest)
            for (int j = 0; j < COLUMNS; j++) {
                sum += a[i][j] * scale;
                count += a[i][j] > 0;
                largest = fmax(largest, a[i][j] - scale);
            }
        }
#pragma acc parallel loop gang num_gangs(3) reduction(+ : part, weighted)
        for (int i = 0; i < ROWS; i++) {
            int turn = i % 3 ? 1 : 2;
            for (int s = 0; s < turn; s++) {
                double factor = s + 0.5;
#pragma acc loop vector reduction(+ : part, weighted)
                for (int j = 0; j < COLUMNS; j++) {
                    part[j % 3] += a[i][j] * factor;
                    weighted += factor;
                }
            }
        }
#pragma acc parallel loop gang num_gangs(4) reduction(max : change) reduction(& : bits)
        for (int i = 0; i < ROWS; i++)
#pragma acc loop vector reduction(max : change) reduction(& : bits)
            for (int j = 0; j < COLUMNS; j++) {
                b[i][j] = a[i][j] * 2 + j;
                change = fmax(change, fabs(b[i][j] - a[i][j]));
                bits &= ~(1 << (i + j) % 11);
            }
#pragma acc parallel loop gang num_gangs(5) reduction(+ : total)
        for (int i = 0; i < ROWS; i++) {
            double row = 0;
#pragma acc loop vector reduction(+ : row, total)
            for (int j = 0; j < COLUMNS; j++) {
                row += a[i][j];
                total += i ^ j;
            }
            rows[i] = row;
        }
        // The lanes write what the next row's start reads.
#pragma acc parallel num_gangs(1) reduction(+ : last)
        {
#pragma acc loop seq
            for (int i = 1; i < ROWS; i++) {
                double before = b[i - 1][5];
#pragma acc loop vector reduction(+ : last)
                for (int j = 0; j < COLUMNS; j++) {
                    b[i][j] = before * 0.5 + j;
                    last += b[i][j];
                }
            }
        }
    }
    double all = 0;
    for (int i = 0; i < ROWS; i++)
        all += rows[i] * (i + 1) + b[i][i];
    printf("%.2f %ld %.2f\n%.2f %.2f %.2f %.2f\n%.2f %d\n%ld %.4f %.4f\n", sum, count, largest, part[0], part[1], part[2], weighted, change,
           bits, total, all, last);
    return 0;
}
