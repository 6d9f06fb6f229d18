# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What compilers make of warpz/sync.hpp for GPUs: fences, waits and hints that change no result where they are missing,
until the day they do. Compiles sync_code.hip and reads each kernel's code; needs no GPU. A compiler that is not there
is skipped."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(os.environ.get("WARPZ_SOURCE_DIR", HERE.parents[2]))
KERNELS = HERE / "sync_code.hip"
OPTIONS = ["-std=c++17", "-O3", f"-I{SOURCE / 'src'}", f"-I{SOURCE / 'src/device'}"]
CUDA = pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda"))


def compiled(command, **environment):
    """What a compiler writes, split into the text of each kernel."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "code"
        done = subprocess.run([*map(str, command), "-o", str(output)], env={**os.environ, **environment}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{KERNELS.name} does not compile: {' '.join(map(str, command))}\n{done.stdout}")
        return output.read_text()


def kernels(text, begin, end):
    """Kernel name to its lines, where a pattern with one group finds the first of them and another one the last."""
    found, name = {}, None
    for line in text.splitlines():
        start = re.match(begin, line)
        if start:
            name = start[1]
            found[name] = []
        elif name and re.match(end, line):
            name = None
        elif name:
            found[name].append(line.strip())
    return found


class Code(unittest.TestCase):
    def in_order(self, lines, *patterns):
        """Each pattern matches a line behind that of the one before."""
        rest = list(lines)
        for pattern in patterns:
            places = [i for i, line in enumerate(rest) if re.search(pattern, line)]
            self.assertTrue(places, f"{pattern} is not there, or not in its place:\n" + "\n".join(lines))
            rest = rest[places[0] + 1:]

    def absent(self, lines, pattern):
        self.assertFalse([line for line in lines if re.search(pattern, line)], "\n".join(lines))


@unittest.skipUnless(shutil.which("hipcc"), "there is no hipcc")
class Amd(Code):
    architecture, command, extra = "gfx90a", "hipcc", []

    @classmethod
    def setUpClass(cls):
        common = [cls.command, *cls.extra, "-x", "hip", f"--offload-arch={cls.architecture}", "--cuda-device-only", *OPTIONS,
                  KERNELS, "-S"]
        intermediate = compiled([*common, "-emit-llvm"], HIP_PLATFORM="amd")
        cls.ir = kernels(intermediate, r"define .*amdgpu_kernel void @(\w+)\(", r"\}")
        cls.assembly = kernels(compiled(common, HIP_PLATFORM="amd"), r"(\w+):", r"\s*\.section")

    def test_syncwarp_orders_the_lanes_accesses(self):
        self.in_order(self.ir["syncwarp"], r"store .*addrspace\(3\)", r'fence syncscope\("wavefront"\) release',
                      r"amdgcn\.wave\.barrier", r'fence syncscope\("wavefront"\) acquire', r"load .*addrspace\(3\)")
        self.in_order(self.assembly["syncwarp"], "ds_write|ds_store", "wave barrier", "ds_read|ds_load")

    def test_barrier_orders_shared_and_global_memory(self):
        self.in_order(self.ir["barrier"], r'fence syncscope\("workgroup"\) release$', r"amdgcn\.s\.barrier",
                      r'fence syncscope\("workgroup"\) acquire$')
        self.in_order(self.assembly["barrier"], "s_barrier")

    def test_fences_reach_as_far_as_they_say(self):
        for kernel, fence in (("fence_block", r'fence syncscope\("workgroup"\) seq_cst$'),
                              ("fence_device", r'fence syncscope\("agent"\) seq_cst$'),
                              ("fence_system", r"fence seq_cst$")):
            with self.subTest(kernel):
                self.in_order(self.ir[kernel], "store i32 1,", fence, "store i32 2,")
        self.in_order(self.assembly["fence_device"], r"_store_dword|_store_b32", r"s_waitcnt.*vm?s?cnt",
                      r"_store_dword|_store_b32")

    def test_named_barriers_count_between_fences(self):
        for kernel in ("named_barrier", "named_barrier_arrive"):
            with self.subTest(kernel):
                self.in_order(self.ir[kernel], "store i32 1,", r'fence syncscope\("workgroup"\) seq_cst',
                              r"amdgcn\.wave\.barrier", r"amdgcn\.dispatch\.id", r"cmpxchg .*addrspace\(3\)",
                              r"amdgcn\.wave\.barrier")
        self.in_order(self.ir["named_barrier"], r"amdgcn\.wave\.barrier", r"amdgcn\.s\.sleep", r"amdgcn\.wave\.barrier",
                      r'fence syncscope\("workgroup"\) seq_cst', "store i32 2,")

    def test_semaphores_acquire_and_release_for_the_device(self):
        self.in_order(self.ir["semaphore"], "load atomic i32, .* monotonic", r'fence syncscope\("agent"\) acquire$',
                      r"amdgcn\.s\.barrier", r"amdgcn\.s\.barrier", r'fence syncscope\("agent"\) release$',
                      "store atomic i32 2, .* monotonic")

    def test_mbarriers_are_counted_in_the_lds(self):
        self.in_order(self.ir["mbarrier"], r'fence syncscope\("workgroup"\) seq_cst', r"cmpxchg .*addrspace\(3\)",
                      r'fence syncscope\("workgroup"\) seq_cst', r"cmpxchg .*addrspace\(3\)", r"amdgcn\.s\.sleep")

    def test_schedule_barriers_reach_the_compiler(self):
        self.in_order(self.assembly["schedule_barrier"], r"sched_barrier mask\(0x0+8\)")

    def test_waitcnt_waits_for_what_it_is_told(self):
        self.in_order(self.assembly["waitcnt_vector_memory"], r"s_waitcnt vmcnt\(3\)")
        self.absent(self.assembly["waitcnt_vector_memory"], r"vmcnt\(3\).*(exp|lgkm)cnt\([0-46]\)")
        self.in_order(self.assembly["waitcnt_all"], r"s_waitcnt vmcnt\(1\) expcnt\(4\) lgkmcnt\(2\)")

    def test_waitcnt_barrier_waits_for_that_alone(self):
        self.in_order(self.assembly["waitcnt_barrier"], r"s_waitcnt vmcnt\(0\).* lgkmcnt\(1\)", "s_barrier")
        self.absent(self.ir["waitcnt_barrier"], "fence")


class AmdOf32Lanes(Amd):
    architecture = "gfx1030"

    def test_waitcnt_waits_for_stores_too(self):
        self.in_order(self.assembly["waitcnt_vector_memory"], r"s_waitcnt vmcnt\(3\)", r"s_waitcnt_vscnt null, (0x)?3")


@unittest.skipUnless(shutil.which("hipcc") and shutil.which("clang++-19"), "there is no clang 19, or no HIP")
class AmdByNewerClang(Amd):
    command, extra = "clang++-19", ["--rocm-path=/usr", "-nogpulib"]

    def test_schedule_group_barriers_reach_the_compiler(self):
        self.in_order(self.ir["schedule_group_barrier"], r"amdgcn\.sched\.group\.barrier\(i32 64, i32 2, i32 5\)")


class AmdRdna3(AmdByNewerClang):
    architecture = "gfx1100"


class AmdRdna4(AmdByNewerClang):
    architecture = "gfx1201"

    def test_barrier_orders_shared_and_global_memory(self):
        self.in_order(self.assembly["barrier"], "s_wait_.*dscnt", "s_barrier_signal", "s_barrier_wait")

    def test_fences_reach_as_far_as_they_say(self):
        self.in_order(self.assembly["fence_device"], "global_store", "s_wait_storecnt", "global_inv", "global_store")

    def test_waitcnt_waits_for_what_it_is_told(self):
        self.in_order(self.assembly["waitcnt_vector_memory"], "s_wait_loadcnt 0x3|s_wait_loadcnt 3",
                      "s_wait_storecnt 0x3|s_wait_storecnt 3")
        self.in_order(self.assembly["waitcnt_all"], "s_wait_loadcnt", "s_wait_storecnt", "s_wait_expcnt", "s_wait_dscnt",
                      "s_wait_kmcnt")

    def test_waitcnt_barrier_waits_for_that_alone(self):
        self.in_order(self.assembly["waitcnt_barrier"], "s_wait_loadcnt", "s_wait_storecnt", "s_barrier_signal",
                      "s_barrier_wait")
        self.absent(self.ir["waitcnt_barrier"], "fence")


@unittest.skipUnless(shutil.which("hipcc") and (CUDA / "bin/nvcc").exists(), "there is no nvcc, or no hipcc")
class Nvidia(Code):
    architecture = "90"

    @classmethod
    def setUpClass(cls):
        target = f"-gencode=arch=compute_{cls.architecture},code=compute_{cls.architecture}"
        text = compiled(["hipcc", "-x", "cu", *OPTIONS, "-include", SOURCE / "src/gpu/hip_on_cuda.hpp", target, "-ptx",
                         KERNELS], HIP_PLATFORM="nvidia", CUDA_PATH=str(CUDA))
        cls.ptx = kernels(text, r"\.visible \.entry (\w+)\(", r"\}$")

    def test_barriers(self):
        self.in_order(self.ptx["syncwarp"], r"st\.shared", r"bar\.warp\.sync", r"ld\.shared")
        self.in_order(self.ptx["barrier"], r"st\.shared", r"bar\.sync\s+0;", r"ld\.shared")
        self.in_order(self.ptx["waitcnt_barrier"], r"st\.global", r"bar\.sync\s+0;", r"st\.global")
        self.in_order(self.ptx["named_barrier"], r"st\.global", r"barrier\.sync %", r"st\.global")
        self.in_order(self.ptx["named_barrier_arrive"], r"st\.global", r"membar\.cta", r"bar\.warp\.sync",
                      r"bar\.arrive %", r"st\.global")

    def test_fences_reach_as_far_as_they_say(self):
        for kernel, fence in (("fence_block", r"membar\.cta"), ("fence_device", r"membar\.gl"),
                              ("fence_system", r"membar\.sys")):
            with self.subTest(kernel):
                self.in_order(self.ptx[kernel], r"st\.global", fence, r"st\.global")

    def test_semaphores_acquire_and_release_for_the_device(self):
        self.in_order(self.ptx["semaphore"], r"ld\.acquire\.gpu", r"bar\.sync", r"bar\.sync", r"st\.release\.gpu")

    def test_copies_are_asynchronous(self):
        self.in_order(self.ptx["async_copy"], r"cp\.async\.cg\.shared\.global .*, 16;", r"cp\.async\.commit_group",
                      r"cp\.async\.wait_group 1;", r"bar\.sync")
        for size in (8, 4):
            self.in_order(self.ptx["async_copy"], rf"cp\.async\.ca\.shared\.global .*, {size};")

    def test_mbarriers_are_the_hardwares(self):
        self.in_order(self.ptx["mbarrier"], r"mbarrier\.init", r"fence\.proxy\.async", r"mbarrier\.arrive\.shared",
                      r"mbarrier\.arrive\.expect_tx", r"mbarrier\.test_wait\.shared", r"mbarrier\.try_wait\.parity")

    def test_bulk_copies_are_the_engines(self):
        self.in_order(self.ptx["async_bulk_copy"], r"fence\.proxy\.async;",
                      r"cp\.async\.bulk\.shared::cluster\.global\.mbarrier::complete_tx::bytes")
        self.in_order(self.ptx["async_bulk_store"], r"fence\.proxy\.async;", r"cp\.async\.bulk\.global\.shared::cta",
                      r"cp\.async\.bulk\.commit_group", r"cp\.async\.bulk\.wait_group 2;")


class NvidiaSm80(Nvidia):
    architecture = "80"

    def test_mbarriers_are_the_hardwares(self):
        self.in_order(self.ptx["mbarrier"], r"mbarrier\.init", r"mbarrier\.arrive\.shared", r"atom.*add\.u64",
                      r"mbarrier\.test_wait\.shared", r"mbarrier\.test_wait\.parity")

    def test_bulk_copies_are_the_engines(self):
        self.absent(self.ptx["async_bulk_copy"], "cp.async")


class NvidiaSm75(NvidiaSm80):
    architecture = "75"

    def test_mbarriers_are_the_hardwares(self):
        self.absent(self.ptx["mbarrier"], r"mbarrier\.")
        self.in_order(self.ptx["mbarrier"], r"membar\.cta", r"atom.*cas\.b64", r"nanosleep")

    def test_copies_are_asynchronous(self):
        self.absent(self.ptx["async_copy"], "cp.async")
        self.in_order(self.ptx["async_copy"], r"st\.shared", r"bar\.sync")


if __name__ == "__main__":
    if not shutil.which("hipcc"):
        print("hipcc is not installed: nothing to look at")
        sys.exit(77)
    unittest.main()
