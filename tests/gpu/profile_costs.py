#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures on an NVIDIA GPU what --counters counts: prints the table of costs.csv, by nvcc and Nsight Compute.

profile_costs.py >costs.csv, in this folder, on a machine whose driver lets one read the GPU's counters. The test of
--counters compares the CPU machine with the table."""

import csv
import pathlib
import subprocess
import sys
import tempfile

METRICS = {
    "shared_load": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "global_load": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
}
# Stride, offset, flipped bits, active lanes.
PATTERNS = """1,0,0,32 2,0,0,32 3,0,0,32 4,0,0,32 5,0,0,32 8,0,0,32 16,0,0,32 32,0,0,32 33,0,0,32 0,7,0,32 1,1,0,32
1,0,5,32 2,3,21,32 1,0,0,13 7,0,0,20""".split()


def main():
    source = pathlib.Path(__file__).with_name("costs.hip")
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["stride", "offset", "flipped", "active", "kernel", "bytes", "measured"])
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/costs"
        subprocess.run(["nvcc", "-arch=native", "-x", "cu", str(source), "-o", program], check=True)
        for pattern in PATTERNS:
            words = pattern.split(",")
            done = subprocess.run(["ncu", "--csv", "--print-units", "base", "--metrics", ",".join(METRICS.values()),
                                   program, *words], stdout=subprocess.PIPE, text=True, check=True)
            table = [line for line in done.stdout.splitlines() if line.startswith('"')]
            for row in csv.DictReader(table):
                name = row["Kernel Name"].partition("(")[0]
                kind = name.rstrip("0123456789")
                if row["Metric Name"] == METRICS[kind]:
                    out.writerow([*words, kind, name[len(kind):], row["Metric Value"]])


if __name__ == "__main__":
    main()
