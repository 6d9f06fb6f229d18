/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an executable of warpz-hipcc has in common with the warpz that starts it. */
#pragma once

/* The first instruction of such an executable. */
#define WARPZ_LAUNCHER_ENTRY "warpz_launch"
/* A variable of it: the address of main. */
#define WARPZ_LAUNCHER_MAIN "warpz_program_main"
/* Stands in it where the linker's caller writes the path of warpz, as so many bytes. */
#define WARPZ_LAUNCHER_MARK "warpz: the path of the program that starts this one"
#define WARPZ_LAUNCHER_PATH_BYTES 4096
/* The first argument for warpz; behind it are the executable and its arguments, with its own name first. */
#define WARPZ_LAUNCHER_COMMAND "start-program"
