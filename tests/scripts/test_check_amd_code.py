#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check-amd-code: its parts on hand-made bytes, and the whole of it on real code where hipcc is installed."""

import os
import pathlib
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from amd_objects import NOTES, SOURCE, X86_64, bundle, code_object, elf, metadata, note, packed, run_script
from amd_readers import needs_readers
from sampling import long
from skips import main

from amd_code import bundle as bundles
from amd_code import disassembly, llvm_tools, rules, toolchain
from amd_code.code_object import Kernel, code_objects, warp_size
from amd_code.problem import BAD_INPUT, TOOL_MISSING, Problem

# Old ones do not compress.
COMPRESSOR = next((program for program in llvm_tools.programs("clang-offload-bundler")
                   if "--compress" in llvm_tools.run(program, "--help").stdout), None)
HEAD = "\n0000000000001000 <f>:\n"
GFX90A = "hipv4-amdgcn-amd-amdhsa--gfx90a"


def read(data, folder):
    """The code object of these bytes."""
    path = folder / "code.o"
    path.write_bytes(data)
    return code_objects([path], "here")[0]


def lines(*instructions):
    """What llvm-objdump prints for instructions that lie four bytes apart."""
    return HEAD + "".join(f"\t{text:<58} // {0x1000 + 4 * i:012X}: 00000000\n" for i, text in enumerate(instructions))


class FileTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def code_object(self, data):
        return read(data, self.folder)

    def files(self, data):
        """The contents of the AMD code objects in it."""
        path = self.folder / "file"
        path.write_bytes(data)
        return [file.read_bytes() for file in bundles.files(path, self.folder, "here")]


@needs_readers
class CodeObjectTest(FileTest):
    def test_a_code_object(self):
        found = self.code_object(code_object("_Z4nameiPf", vgpr_count=300))
        self.assertEqual((found.architecture, [kernel.function for kernel in found.kernels]), ("gfx90a", ["name"]))
        self.assertEqual((found.kernels[0].count(".vgpr_count"), found.kernels[0].code.size), (300, 16))

    def test_features_do_not_belong_to_the_architecture(self):
        target = "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"
        data = elf([(".note", NOTES, 0, note(packed({**metadata(target=target), "amdhsa.kernels": []})))])
        self.assertEqual(self.code_object(data).architecture, "gfx90a")

    def test_a_name_that_yaml_takes_for_a_truth(self):
        self.assertEqual([kernel.name for kernel in self.code_object(code_object("on")).kernels], ["on"])

    def test_metadata_that_llvm_does_not_know(self):
        """That of a newer compiler than it is."""
        argument = {".offset": 0, ".size": 4, ".value_kind": "hidden_future"}
        kernel = self.code_object(code_object(args=[argument])).kernels[0]
        self.assertEqual([(each.size, each.kind) for each in kernel.arguments], [(4, "hidden_future")])

    def test_another_note_before_the_metadata(self):
        notes = note(b"", kind=1) + note(packed({**metadata(), "amdhsa.kernels": []}))
        self.assertEqual(self.code_object(elf([(".note", NOTES, 0, notes)])).architecture, "gfx90a")

    def test_what_is_refused(self):
        whole = code_object()
        for data, words in ((elf([], machine=X86_64), "not AMD code"), (elf([]), "older than version 4"),
                            (b"MZ", "here: no llvm-readobj that is installed can read it"),
                            (whole[:60], "no llvm-readobj"), (whole[:-8], "no llvm-readobj"),
                            (elf([], segments=[(0, 0, 0, 9999, 9999)]), "a segment is larger than the file"),
                            (elf([(".note", NOTES, 0, note(b"\xc1"))]), "without metadata"),
                            (elf([(".note", NOTES, 0, note(b"\x91" * 20000 + b"\x07"))]), "without metadata"),
                            (elf([(".note", NOTES, 0, note(packed(metadata())))]), "lacks 'f'"),
                            (elf([(".note", NOTES, 0, note(packed({**metadata(), "amdhsa.kernels": [7]})))]),
                             "metadata is not what a compiler writes")):
            with self.assertRaisesRegex(Problem, words) as caught:
                self.code_object(data)
            self.assertEqual(caught.exception.code, BAD_INPUT)
        with self.assertRaisesRegex(Problem, "the metadata of f has no number for .vgpr_count"):
            self.code_object(code_object(vgpr_count="many")).kernels[0].count(".vgpr_count")

    def test_without_pyyaml(self):
        with unittest.mock.patch.dict(sys.modules, yaml=None), self.assertRaisesRegex(
                Problem, "sudo apt-get install python3-yaml") as caught:
            self.code_object(code_object())
        self.assertEqual(caught.exception.code, TOOL_MISSING)

    def test_lanes(self):
        lanes = {each: warp_size(each) for each in ("gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201")}
        self.assertEqual(list(lanes.values()), [64, 64, 64, 32, 32, 32])
        with self.assertRaises(Problem):
            warp_size("sm_80")


@needs_readers
class BundleTest(FileTest):
    def test_a_bundle(self):
        data = bundle(("host-x86_64-unknown-linux", b""), (GFX90A, b"one"),
                      ("hipv4-amdgcn-amd-amdhsa--gfx1030", b"two"))
        self.assertEqual(self.files(data), [b"one", b"two"])

    def test_the_bundles_of_a_library(self):
        """One for each source file, with padding between them."""
        content = bundle((GFX90A, b"one")).ljust(4096, b"\0") + bundle((GFX90A, b"two")) + bytes(7)
        library = elf([(".text", 1, 0, b"xyz"), (".hip_fatbin", 1, 0, content)], machine=X86_64)
        self.assertEqual(self.files(library), [b"one", b"two"])

    def test_a_code_object_is_itself(self):
        self.assertEqual(self.files(code_object()), [code_object()])

    @unittest.skipUnless(COMPRESSOR, "no clang-offload-bundler compresses: no compressed AMD code was read")
    def test_compressed_bundles(self):
        """Those of a library, which newer versions of hipcc compress."""
        (self.folder / "one").write_bytes(b"one" * 99)
        packed_file = self.folder / "compressed"
        done = subprocess.run([COMPRESSOR, "--type=o", "--compress", f"--targets=host-x86_64-unknown-linux,{GFX90A}",
                               "--input=/dev/null", f"--input={self.folder / 'one'}", f"--output={packed_file}"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, packed_file.read_bytes()[:4]), (0, b"CCOB"), done.stderr)
        content = packed_file.read_bytes().ljust(4096, b"\0") * 2
        self.assertEqual(self.files(elf([(".hip_fatbin", 1, 0, content)], machine=X86_64)), [b"one" * 99] * 2)

    def test_what_is_refused(self):
        compressed = b"CCOB" + bytes(60)
        whole = bundle((GFX90A, b"content"))
        cut_off = elf([(".hip_fatbin", 1, 0, whole)], machine=X86_64).replace(
            struct.pack("<Q", len(whole)), struct.pack("<Q", 99999))
        for data, words in ((compressed, "compressed"),
                            (elf([(".hip_fatbin", 1, 0, compressed)], machine=X86_64), "compressed"),
                            (elf([], machine=X86_64), "no AMD code"), (b"text", "neither"), (b"", "neither"),
                            (whole[:-1], "cut off"), (whole[:30], "cut off"),
                            (whole.replace(b"\7", b"\xff"), "cut off"),
                            (cut_off, "a section is larger than the file"),
                            (bundle(("host-x86_64-unknown-linux", b"x")), "no AMD code")):
            with self.assertRaisesRegex(Problem, words) as caught:
                self.files(data)
            self.assertEqual(caught.exception.code, BAD_INPUT)


class ToolsTest(unittest.TestCase):
    """Finding LLVM's tools, and asking them, with stand-ins."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.enterContext(unittest.mock.patch.dict(os.environ, PATH=f"{self.folder}:/usr/bin:/bin"))
        self.enterContext(unittest.mock.patch.object(llvm_tools, "programs", lambda tool: self.found))
        self.found = []

    def program(self, text):
        path = self.folder / f"tool-{len(self.found)}"
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        self.found.append(str(path))

    def answer(self):
        return llvm_tools.first_answer("llvm-readobj", lambda program: llvm_tools.run(program, "-x").stdout, "here")

    def test_the_next_is_asked_where_one_fails(self):
        for text in ("exit 1", "kill -SEGV $$", "echo good"):
            self.program(text)
        self.assertEqual(self.answer(), "good\n")

    def test_where_all_fail_the_last_is_quoted(self):
        for text, words in (("exit 3", "it ends with 3"), ("kill -SEGV $$", "it dies of SIGSEGV"),
                            ('echo "$0: error: bad" >&2; exit 1', "tool-2: error: bad"),
                            ("exec yes", "it dies of SIGXFSZ"), ("exec sleep 60", "does not end")):
            self.program(text)
            with (unittest.mock.patch.multiple(llvm_tools, SECONDS=2, LIMITS={resource.RLIMIT_FSIZE: 1000}),
                  self.assertRaisesRegex(Problem, f"here: no llvm-readobj .* can read it.*{words}") as caught):
                self.answer()
            self.assertEqual(caught.exception.code, BAD_INPUT)

    def test_where_there_is_none(self):
        with self.assertRaisesRegex(Problem, "sudo apt-get install llvm-15") as caught:
            self.answer()
        self.assertEqual(caught.exception.code, TOOL_MISSING)


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


@needs_readers
class RulesTest(unittest.TestCase):
    def told(self, *instructions, architecture="gfx90a", declared=None, sharing=False, **fields):
        with tempfile.TemporaryDirectory() as folder:
            kernel = read(code_object(**fields), pathlib.Path(folder)).kernels[0]
        found = [each for _, each in disassembly.parse(lines(*instructions))]
        return list(rules.complaints(architecture, kernel, found, declared, sharing))

    def test_a_good_kernel(self):
        self.assertEqual(self.told("ds_bpermute_b32 v0, v0, v1", "ds_swizzle_b32 v0, v1", "buffer_gl0_inv",
                                   "global_load_dword v1, v[6:7], off", "s_endpgm"), [])

    def test_kernels_of_the_vendors_library_are_left_out(self):
        def is_of_vendor(name):
            return rules.is_of_vendor(Kernel(name, {}, None))
        for name in ("_Z16library_warp_sumPfPKfi", "_ZN7rocprim6detail18scan_digits_kernelILj7EjEEvPT0_",
                     "_ZN13warpz_library9turn_restEPfPKji"):
            self.assertTrue(is_of_vendor(name), name)
        for name in ("_Z8warp_sumPfPKfi", "_Z12my_library_xv", "_ZN5warpz7rocprimEv"):
            self.assertFalse(is_of_vendor(name), name)

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
@needs_readers
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
