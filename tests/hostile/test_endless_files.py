#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that never end, where a file is read, and memory that no process has mapped: an error, not the machine's end."""

import os
import pathlib
import resource
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))

from kernel_support import KERNEL, RUNTIME, RunTest, SECONDS  # noqa: E402 (the path is set above)
from puzzle_runs import PROGRAM  # noqa: E402
from skips import main  # noqa: E402

MIB = 1 << 20

# Takes memory that it never maps, and waits to be stopped.
TAKES_FILES = RUNTIME + """\
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
static char piece[1 << 20];
int main(int, char** words) {
  const bool is_memfd = std::strcmp(words[1], "memfd") == 0;
  const int file = is_memfd ? memfd_create("more", 0) : open(words[1], O_RDWR | O_CREAT, 0600);
  for (int i = 0; i < 400; ++i) if (write(file, piece, sizeof piece) != sizeof piece) return 1;
  if (!is_memfd) close(file);
  for (;;) pause();
}
"""


class EndlessFilesTest(RunTest):
    def run_limited(self, *words, limit=resource.RLIMIT_DATA, most=256 * MIB):
        """(standard error, exit code) with compilers that may take so much memory"""
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              env=self.environment, timeout=SECONDS, check=False,
                              preexec_fn=lambda: resource.setrlimit(limit, (most, most)))
        return done.stderr.decode(), done.returncode

    def test_a_source_that_includes_a_device(self):
        tried = 0
        for source, *words in (('#include "/dev/zero"\n' + KERNEL, "--neighbor", "--documented-only", "--kernel"),
                               ('asm(".incbin \\"/dev/zero\\"");\n' + RUNTIME + "int main() {}\n", "--run")):
            self.write(source)
            err, code = self.run_limited(*words, "my.hip", "--no-cache", "--check", "off")
            # Clang takes a device for an empty file.
            self.assertIn(code, (0, 5), err)
            if "MiB" in err:
                tried += 1
                self.assertIn("took more than 256 MiB of memory and was stopped\n", err)
                self.assertEqual(code, 5)
        self.assertGreaterEqual(tried, 1)

    def test_a_source_that_assembles_a_device(self):
        self.write('asm(".incbin \\"/dev/urandom\\"");\n' + RUNTIME + "int main() {}\n")
        _, err, code = self.run_program("my.hip", "--no-cache", "--check", "off")
        self.assertRegex(err, r"my\.hip: \S+ read more than 1024 MiB and was\s+stopped\n")
        self.assertEqual(code, 5, err)

    def test_an_array_that_fills_the_disk(self):
        self.write("__device__ char fills[64ull << 30] = {1};\n" + KERNEL)
        err, code = self.run_limited("--neighbor", "--kernel", "my.hip", limit=resource.RLIMIT_FSIZE, most=64 * MIB)
        self.assertRegex(err, r"warpz: my\.hip: \S+ wrote a file of more than 64 MiB and was\s+stopped\n")
        self.assertEqual(code, 5, err)

    def test_a_list_of_suppressions(self):
        err, code = self.run_limited("--neighbor", "--suppress", "/dev/zero")
        self.assertEqual((err, code), ("warpz: --suppress /dev/zero: it is larger than 16 MiB\n", 2))

    def test_memory_in_files_counts(self):
        self.write(TAKES_FILES, "p.hip")
        shared = pathlib.Path(f"/dev/shm/warpz-test-{os.getpid()}")
        for name in ("memfd", *([str(shared)] if os.access("/dev/shm", os.W_OK) else [])):
            with self.subTest(name):
                self.addCleanup(shared.unlink, missing_ok=True)
                _, err, code = self.run_program("p.hip", "--check", "off", "--memory-limit", "200", "--", name)
                self.assertEqual(code, 3, err)
                self.assertIn("the program took more than 200 MiB of memory, and was stopped", err)


if __name__ == "__main__":
    main()
