#!/bin/sh
# Errors of mathematical functions on a GPU: build here, run on the machine with the GPU, collect the results. See math/main.py.
exec python3 "$(dirname "$0")/math/main.py" "$@"
