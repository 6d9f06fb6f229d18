# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For gdb on a kernel (docs/debugging.md). gdb reads it in this folder, once ~/.config/gdb/gdbinit allows it:
# add-auto-load-safe-path FOLDER; or by gdb -x .gdbinit.

# A kernel is compiled and loaded after the start.
set breakpoint pending on

# `step` stays in the kernel: not into HIP's functions, the device library and the machine.
skip -gfi */hip/detail/*
skip -gfi */simt/*
skip -gfi */warpz/*
