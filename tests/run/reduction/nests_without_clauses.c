// What a loop around reduces, by its clause or because nothing else is done with it, the loops inside reduce, too: each spelling of
// a nest is one sum, whichever of its loops run in parallel.
#include <math.h>
#include <stdio.h>

enum { ROWS = 37, COLUMNS = 150, PLANES = 5 };

static double a[ROWS][COLUMNS], b[ROWS][COLUMNS];
static int numbers[PLANES][ROWS][COLUMNS];

static double largest_change(int rows, int columns)
{
    double error = 0;
#pragma acc kernels copyin(a) copyout(b)
    for (int j = 1; j < rows - 1; j++)
        for (int i = 1; i < columns - 1; i++) {
            b[j][i] = 0.25 * (a[j][i + 1] + a[j][i - 1] + a[j - 1][i] + a[j + 1][i]);
            error = fmax(error, fabs(b[j][i] - a[j][i]));
        }
    return error;
}

static double by_clause(int rows, int columns)
{
    double error = 0;
#pragma acc parallel loop reduction(max : error) copyin(a) copyout(b)
    for (int j = 1; j < rows - 1; j++)
        for (int i = 1; i < columns - 1; i++) {
            b[j][i] = 0.25 * (a[j][i + 1] + a[j][i - 1] + a[j - 1][i] + a[j + 1][i]);
            double change = fabs(b[j][i] - a[j][i]);
            if (change > error)
                error = change;
        }
    return error;
}

static long three_deep(int planes, int rows, int columns)
{
    long sum = 0;
#pragma acc kernels loop reduction(+ : sum) copyin(numbers)
    for (int k = 0; k < planes; k++)
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < columns; i++)
                sum += numbers[k][j][i];
    return sum;
}

static long over_gangs(int rows, int columns)
{
    long sum = 0;
#pragma acc parallel loop gang reduction(+ : sum) copyin(numbers)
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i < columns; i++)
            sum -= numbers[1][j][i];
        sum += j;
        for (int i = 0; i < j; i++)
            sum = sum + numbers[2][j][i] * i;
    }
    return sum;
}

static unsigned of_construct(int rows, int columns)
{
    unsigned bits = 0;
#pragma acc parallel reduction(| : bits) copyin(numbers)
    {
#pragma acc loop gang
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < columns; i++)
                bits |= 1u << (numbers[3][j][i] & 31);
    }
    return bits;
}

// The inner loop counts in order: it adds to what the loop around multiplies.
static long two_operators(int rows, int columns)
{
    long last = 0;
    long results[ROWS];
#pragma acc kernels loop copyin(numbers) copyout(results)
    for (int j = 0; j < rows; j++) {
        long value = 1;
        for (int i = 0; i < columns; i++)
            value = value * 3 % 1000003 + numbers[4][j][i];
        results[j] = value;
    }
    for (int j = 0; j < rows; j++)
        last = last * 31 % 1000003 + results[j];
    return last;
}

// Signed and unsigned numbers compare differently; the clause says how.
static int signed_and_unsigned(int rows, int columns)
{
    int least = 1 << 30;
    unsigned most = 0;
#pragma acc kernels copyin(numbers)
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            int signed_number = numbers[0][j][i] - 50;
            unsigned number = (unsigned)signed_number;
            least = signed_number < least ? signed_number : least;
            if (number > most)
                most = number;
        }
    printf("%u\n", most);
    return least;
}

int main(void)
{
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++) {
            a[j][i] = (j * 31 + i * 17) % 101;
            for (int k = 0; k < PLANES; k++)
                numbers[k][j][i] = (k * 7 + j * 31 + i * 17) % 101;
        }
    printf("%.3f %.3f\n", largest_change(ROWS, COLUMNS), b[20][30]);
    printf("%.3f %.3f\n", by_clause(ROWS, COLUMNS), b[21][31]);
    printf("%ld\n", three_deep(PLANES, ROWS, COLUMNS));
    printf("%ld\n", over_gangs(ROWS, COLUMNS));
    printf("%x\n", of_construct(ROWS, COLUMNS));
    printf("%ld\n", two_operators(ROWS, COLUMNS));
    printf("%d\n", signed_and_unsigned(ROWS, COLUMNS));
    return 0;
}
