#!/bin/sh
# GPU benchmarks and correctness: build here, run on the machine with the GPU, collect the results. See gpu/main.py.
exec python3 "$(dirname "$0")/gpu/main.py" "$@"
