#!/bin/sh
# Kernels in two spellings beside CUDA: build here, run on the machine with the GPU, collect the results. See kernels/main.py.
exec python3 "$(dirname "$0")/kernels/main.py" "$@"
