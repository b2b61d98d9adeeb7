// A minimal PNG writer: 8 bits per pixel with a heat palette, stored without compression.
#ifndef PNG_H
#define PNG_H

// Writes width × height pixels, row by row, 0 cold to 255 hot. Returns 0 when the file cannot be written.
int png_write(const char *file, int width, int height, const unsigned char *pixels);

#endif
