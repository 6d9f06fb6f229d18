#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check-amd-code: its parts on hand-made bytes, and the whole of it on real code where hipcc is installed."""

import os
import pathlib
import re
import shutil
import tempfile
import unittest

from amd_objects import SOURCE, bundle, code_object, elf, metadata, note, packed, run_script
from sampling import long
from skips import main

from amd_code import bundle as bundles
from amd_code import disassembly, msgpack, rules, toolchain
from amd_code.code_object import CodeObject, warp_size
from amd_code.elf import Elf
from amd_code.elf import Malformed as MalformedElf
from amd_code.problem import Problem

HEAD = "\n0000000000001000 <f>:\n"
GFX90A = "hipv4-amdgcn-amd-amdhsa--gfx90a"


def lines(*instructions):
    """What llvm-objdump prints for instructions that lie four bytes apart."""
    return HEAD + "".join(f"\t{text:<58} // {0x1000 + 4 * i:012X}: 00000000\n" for i, text in enumerate(instructions))


class MessagePackTest(unittest.TestCase):
    def test_values(self):
        for data, value in ((b"\x05", 5), (b"\xff", -1), (b"\xc0", None), (b"\xc3", True), (b"\xcc\xff", 255),
                            (b"\xcd\x01\x00", 256), (b"\xd0\x80", -128), (b"\xd3" + b"\xff" * 8, -1),
                            (b"\xcb\x40\x09\x21\xfb\x54\x44\x2d\x18", 3.141592653589793), (b"\xa2hi", "hi"),
                            (b"\xd9\x02hi", "hi"), (b"\xda\0\x02hi", "hi"), (b"\xc4\x01\x00", b"\0"),
                            (b"\x92\x01\xa1a", [1, "a"]), (b"\xdc\0\x01\x07", [7]), (b"\x81\xa1k\x90", {"k": []}),
                            (b"\xdf\0\0\0\x01\x01\x02", {1: 2})):
            self.assertEqual(msgpack.decode(data), value, data)

    def test_what_is_malformed(self):
        for data in (b"", b"\xa5hi", b"\x81\xa1k", b"\xcd\x01", b"\xc1", b"\xd4\0\0", b"\x05\x05", b"\xa1\xff",
                     b"\x81\x90\x01"):
            with self.assertRaises(msgpack.Malformed, msg=data):
                msgpack.decode(data)


class CodeObjectTest(unittest.TestCase):
    def test_a_code_object(self):
        read = CodeObject(code_object("_Z4nameiPf", vgpr_count=300), "here")
        self.assertEqual((read.architecture, [kernel.function for kernel in read.kernels]), ("gfx90a", ["name"]))
        self.assertEqual((read.kernels[0].count(".vgpr_count"), read.kernels[0].code.size), (300, 16))

    def test_features_do_not_belong_to_the_architecture(self):
        target = "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"
        data = elf([(".note", 7, 0, note(packed({**metadata(target=target), "amdhsa.kernels": []})))])
        self.assertEqual(CodeObject(data, "here").architecture, "gfx90a")

    def test_what_is_refused(self):
        whole = code_object()
        for data, words in ((elf([], machine=62), "not AMD code"), (elf([]), "older than version 4"),
                            (b"MZ", "no ELF file"), (whole[:60], "ends at 60"),
                            (elf([(".note", 7, 0, note(b"\xc1"))]), "unused"),
                            (elf([(".note", 7, 0, note(packed(metadata())))]), "lacks 'f'")):
            with self.assertRaisesRegex(Problem, words):
                CodeObject(data, "here")
        with self.assertRaises(MalformedElf):
            Elf(whole[: len(whole) - 8])

    def test_lanes(self):
        lanes = {each: warp_size(each) for each in ("gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201")}
        self.assertEqual(list(lanes.values()), [64, 64, 64, 32, 32, 32])
        with self.assertRaises(Problem):
            warp_size("sm_80")


class BundleTest(unittest.TestCase):
    def test_a_bundle(self):
        data = bundle(("host-x86_64-unknown-linux", b""), (GFX90A, b"one"),
                      ("hipv4-amdgcn-amd-amdhsa--gfx1030", b"two"))
        self.assertEqual(bundles.code_objects(data, "here"), [b"one", b"two"])

    def test_the_bundles_of_a_library(self):
        """One for each source file, with padding between them."""
        content = bundle((GFX90A, b"one")) + bytes(100) + bundle((GFX90A, b"two")) + bytes(7)
        library = elf([(".text", 1, 0, b"xyz"), (".hip_fatbin", 1, 0, content)], machine=62)
        self.assertEqual(bundles.code_objects(library, "here"), [b"one", b"two"])

    def test_a_code_object_is_itself(self):
        self.assertEqual(bundles.code_objects(code_object(), "here"), [code_object()])

    def test_what_is_refused(self):
        compressed = b"CCOB" + bytes(60)
        whole = bundle((GFX90A, b"content"))
        for data, words in ((compressed, "compressed"),
                            (elf([(".hip_fatbin", 1, 0, compressed)], machine=62), "compressed"),
                            (elf([], machine=62), "no AMD code"), (b"text", "neither"), (whole[:-1], "cut off"),
                            (whole[:30], "cut off"), (bundle(("host-x86_64", b"x")), "no AMD code")):
            with self.assertRaisesRegex(Problem, words):
                bundles.code_objects(data, "here")


class DisassemblyTest(unittest.TestCase):
    def test_instructions(self):
        text = lines("v_add_f32_e32 v0, v1, v2", "s_endpgm", "v_dual_mov_b32 v6, 0 :: v_dual_fmac_f32 v3, v1, v0",
                     "v_add_f32_dpp v0, v0, v0 row_shr:1 row_mask:0xf", "v_mov_b32_e64_dpp v1, v2 quad_perm:[1,0,3,2]")
        text += "\ts_delay_alu instid0(VALU_DEP_1) | instskip(NEXT)// 000000002000: BF870091\n"
        found = list(disassembly.parse(text))
        self.assertEqual([(address, each.name) for address, each in found], [
            (0x1000, "v_add_f32"), (0x1004, "s_endpgm"), (0x1008, "v_mov_b32"), (0x1008, "v_fmac_f32"),
            (0x100C, "v_add_f32"), (0x1010, "v_mov_b32"), (0x2000, "s_delay_alu")])
        self.assertEqual([each.is_dpp for _, each in found], [False, False, False, False, True, True, False])


class RulesTest(unittest.TestCase):
    def told(self, *instructions, architecture="gfx90a", declared=None, sharing=False, **fields):
        kernel = CodeObject(code_object(**fields), "here").kernels[0]
        found = [each for _, each in disassembly.parse(lines(*instructions))]
        return list(rules.complaints(architecture, kernel, found, declared, sharing))

    def test_a_good_kernel(self):
        self.assertEqual(self.told("ds_bpermute_b32 v0, v0, v1", "ds_swizzle_b32 v0, v1", "buffer_gl0_inv",
                                   "global_load_dword v1, v[6:7], off", "s_endpgm"), [])

    def test_metadata(self):
        for fields, words in (({"wavefront_size": 32}, ["its wavefront has 32 lanes instead of 64"]),
                              ({"group_segment_fixed_size": 256}, ["256 bytes of LDS"]),
                              ({"private_segment_fixed_size": 8}, ["8 bytes of scratch memory"]),
                              ({"vgpr_spill_count": 3}, ["3 vector registers are spilled"]),
                              ({"sgpr_spill_count": 2}, ["2 scalar registers are spilled"]),
                              ({"uses_dynamic_stack": True}, ["its stack grows at run time"])):
            self.assertEqual(self.told("s_endpgm", **fields), words)
        self.assertEqual(self.told("s_endpgm", architecture="gfx1100"), ["its wavefront has 64 lanes instead of 32"])

    def test_instructions(self):
        for instruction, words in (("ds_write_b32 v0, v1", "work on LDS"), ("ds_load_b32 v0, v1", "work on LDS"),
                                   ("lds_direct_load v1", "work on LDS"),
                                   ("global_load_lds_dword v[0:1], off", "work on LDS"),
                                   ("scratch_store_b32 off, v0, s0", "scratch"),
                                   ("flat_load_dword v0, v[0:1]", "LDS or scratch"),
                                   ("buffer_store_dword v0, off, s[0:3], 0", "scratch"),
                                   ("s_swappc_b64 s[0:1], s[2:3]", "call")):
            told = self.told(instruction, "s_endpgm")
            self.assertEqual(len(told), 1, told)
            self.assertIn(words, told[0])
            self.assertIn(instruction.split()[0], told[0])

    def test_who_may_spill_registers(self):
        spilt = {"private_segment_fixed_size": 8, "vgpr_spill_count": 2, "sgpr_spill_count": 1}
        words = ("buffer_store_dword v0, off, s[0:3], 0", "s_endpgm")
        self.assertEqual(len(self.told(*words, **spilt)), 4)
        self.assertEqual(self.told(*words, declared=rules.Declaration({64: {}}, spills=True), **spilt), [])

    def test_who_may_work_on_lds(self):
        self.assertEqual(self.told("ds_write_b32 v0, v1", "s_endpgm", sharing=True, group_segment_fixed_size=256), [])
        self.assertEqual(self.told("s_endpgm", sharing=True), [])
        self.assertIn("scratch", self.told("scratch_store_b32 off, v0, s0", "s_endpgm", sharing=True)[0])
        with tempfile.TemporaryDirectory() as folder:
            names = {}
            for header in ("block", "sync", "mbarrier", "semaphore", "async_copy", "warp", "kernel"):
                path = pathlib.Path(folder) / f"{header}.hip"
                path.write_text(f'#include "warpz/{header}.hpp"\nWARPZ_KERNEL(by_{header});\n')
                names[path] = rules.may_share(path)
            self.assertEqual([path.stem for path, may in names.items() if not may], ["warp", "kernel"])
            self.assertEqual(rules.sharing_kernels(names),
                             {"by_block", "by_sync", "by_mbarrier", "by_semaphore", "by_async_copy"})

    def test_declared_instructions(self):
        declared = rules.Declaration({64: {"ds_bpermute_b32": 2, "v_add_f*": 1}, 32: {"ds_bpermute_b32": 1}},
                                     ("v_fma*", "v_mac_*"))
        good = ("ds_bpermute_b32 v0, v0, v1", "ds_bpermute_b32 v0, v0, v1", "v_add_f32_e32 v0, v1, v2")
        self.assertEqual(self.told(*good, declared=declared), [])
        self.assertEqual(self.told(*good[1:], declared=declared), ["1 ds_bpermute_b32 instead of 2"])
        self.assertEqual(self.told(*good[:2], "v_fmac_f32_e32 v0, v1, v2", declared=declared),
                         ["declared never to occur: 1 v_fmac_f32", "0 v_add_f* instead of 1"])
        self.assertEqual(self.told(good[0], architecture="gfx1030", declared=declared, wavefront_size=32), [])

    def test_the_declarations_of_the_project(self):
        declared = rules.load(SOURCE / "tests/amd/instructions.toml")
        self.assertTrue(declared["sum_of_products_f32"].never)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "wrong.toml"
            path.write_text("[f]\nwave16 = {}\n")
            with self.assertRaisesRegex(Problem, "wave16 is none of"):
                rules.load(path)


class ArgumentsTest(unittest.TestCase):
    def test_what_is_missing_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run_script("check-amd-code", PATH=folder)
            self.assertEqual((done.returncode, done.stdout), (4, ""))
            self.assertIn("hipcc is not installed", done.stderr)
            self.assertIn("sudo apt-get install hipcc", done.stderr)

    def test_wrong_arguments_and_files(self):
        with tempfile.TemporaryDirectory() as folder:
            text, absent = pathlib.Path(folder) / "text", pathlib.Path(folder) / "absent"
            text.write_text("no code")
            for arguments in ((text,), (absent,), ("--nonsense",), (text, "--all-archs"),
                              ("--arch", "gfx906", "--all-archs")):
                done = run_script("check-amd-code", *arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertNotIn("Traceback", done.stderr)


class ArchitecturesTest(unittest.TestCase):
    def test_they_are_those_that_the_module_is_built_for(self):
        text = (SOURCE / "src/gpu/CMakeLists.txt").read_text()
        built = re.search(r"set\(default_amd_archs ([^)]+)\)", text)[1].split()
        self.assertEqual(sorted((*toolchain.SHIPPED, *toolchain.NEWER)), sorted(built))


HIPCC = shutil.which("hipcc")


@unittest.skipUnless(HIPCC, "hipcc is not installed: no AMD code was looked at (apt-get install hipcc)")
class RealCodeTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def kernel(self, body, before="", name="kernel.hip"):
        path = self.folder / name
        path.write_text(f'#include "warpz/warp.hpp"\n{before}\n__global__ void f(float* out, const float* in, int n)'
                        f" {{\n  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  {body}\n}}\n")
        return path

    def look(self, *arguments, code=0):
        done = run_script("check-amd-code", *arguments)
        self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout + done.stderr)
        return done.stdout

    def test_shared_memory(self):
        path = self.kernel("tile[threadIdx.x] = in[i]; __syncthreads(); "
                           "if (i < n) out[i] = tile[(threadIdx.x + 1) % 64];",
                           "__shared__ float tile[64];")
        output = self.look("--kernel", path, "--arch", "gfx1030", code=1)
        self.assertIn("256 bytes of LDS\n", output)
        self.assertIn("ds_write", output)
        self.assertEqual(output.count("FAIL gfx1030 f"), 2, output)

    def test_scratch_memory(self):
        path = self.kernel("float many[64]; for (int k = 0; k < 64; ++k) many[k] = in[k * n]; "
                           "for (int k = 0; k < n; ++k) many[(k * i) % 64] += many[k % 64]; out[i] = many[i % 64];")
        output = self.look("--kernel", path, "--arch", "gfx90a", code=1)
        self.assertRegex(output, r"\d+ bytes of scratch memory")
        self.assertIn("work on scratch memory: ", output)

    @long
    def test_spilled_registers(self):
        path = self.kernel("float v[96]; for (int k = 0; k < 96; ++k) v[k] = in[i + k * n]; __threadfence();\n"
                           "  for (int k = 0; k < 96; ++k) out[i + k * n] = v[k] * v[(k * 7 + 3) % 96] + v[95 - k];")
        path.write_text(path.read_text().replace("__global__ void f", "__global__ __launch_bounds__(1024) void f"))
        output = self.look("--kernel", path, "--arch", "gfx906", code=1)
        self.assertRegex(output, r"\d+ vector registers are spilled")

    @long
    def test_a_fused_addition(self):
        """The operation that the project declares never to be fused, written with a plain +."""
        path = self.folder / "fused.hip"
        path.write_text('#include "warpz/warp.hpp"\nextern "C" __global__ void sum_of_products_f32(float* out, const '
                        "float* in, const unsigned* by) {\n  float v = in[threadIdx.x] * by[threadIdx.x];\n"
                        "  for (int d = 1; d < warpz::warp::size(); d *= 2) v = v + warpz::warp::shuffle_xor(v, d);\n"
                        "  out[threadIdx.x] = v;\n}\n")
        output = self.look("--kernel", path, "--arch", "gfx90a", code=1)
        self.assertIn("FAIL gfx90a sum_of_products_f32", output)
        self.assertRegex(output, r"declared never to occur: 1 v_fma")

    @long
    def test_a_shuffle_too_many(self):
        source = (SOURCE / "puzzles/neighbor/solution.hip").read_text()
        path = self.folder / "twice.hip"
        path.write_text(source.replace("= warp::shuffle_down(current_val, 1)",
                                       "= warp::shuffle_down(warp::shuffle_up(current_val, 1), 2)"))
        output = self.look("--kernel", path, "--arch", "gfx906", code=1)
        self.assertIn("neighbor_difference (", output)
        self.assertIn("1 ds_* instead of 0\n", output)

    @long
    def test_a_library(self):
        """As hipcc links it; and what it says where an architecture is not in it."""
        path, library = self.kernel("if (i < n) out[i] = warpz::warp::sum(in[i]);"), self.folder / "library.so"
        path.write_text(path.read_text() + "void host(float* p) { f<<<1, 64>>>(p, p, 64); }\n")
        os.environ["HIP_PLATFORM"] = "amd"
        built = os.system(f"hipcc --offload-arch=gfx90a --offload-arch=gfx1030 -std=c++17 -shared -fPIC "
                          f"-I'{SOURCE}/src/device' '{path}' -o '{library}' 2>'{self.folder}/log'")
        self.assertEqual(built, 0, (self.folder / "log").read_text())
        output = self.look(library)
        self.assertIn("2 kernels on 2 architectures; no complaints\n", output)
        self.assertIn("1 kernel on 1 architecture; no complaints\n", self.look(library, "--arch", "gfx1030"))
        done = run_script("check-amd-code", library, "--arch", "gfx908")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no code for gfx908, only for gfx1030, gfx90a", done.stderr)

    @long
    def test_a_kernel_that_does_not_compile(self):
        done = run_script("check-amd-code", "--kernel", self.kernel("nonsense"), "--arch", "gfx906")
        self.assertEqual(done.returncode, 5)
        self.assertIn("does not compile:", done.stderr)
        self.assertIn("nonsense", done.stderr)


    @long
    def test_architectures_that_no_compiler_knows(self):
        kernel, clang = SOURCE / "puzzles/neighbor/solution.hip", self.folder / "a-clang"
        clang.write_text("#!/bin/sh\nexit 1\n")
        clang.chmod(0o755)
        for name, code, words in (("foo", 2, "foo is no AMD architecture; they are called gfx90a"),
                                  ("gfx906,gfx90a:xnack-", 2, "gfx90a:xnack- is no AMD architecture"),
                                  ("gfx9999", 4, "gfx9999: neither hipcc (HIP ")):
            done = run_script("check-amd-code", "--arch", name, "--kernel", kernel, "--clang", clang)
            self.assertEqual((done.stdout, done.returncode, len(done.stderr.splitlines())), ("", code, 1), done.stderr)
            self.assertIn(f"scripts/check-amd-code: {words}", done.stderr)


if __name__ == "__main__":
    main()
