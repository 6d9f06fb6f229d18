#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`warpz mcp`, driven by the protocol's own messages, as a coding agent's client sends them.

The environment names the program: WARPZ_PROGRAM."""

import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from skips import main

PROGRAM = pathlib.Path(os.environ["WARPZ_PROGRAM"]).resolve()
PUZZLES = pathlib.Path(__file__).resolve().parents[2] / "puzzles"
SECONDS = 120

WRONG_AT_64 = """__global__ void warp_sum(float* output, const float* input, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i < size ? input[i] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor(value, offset);
  if (i < size) output[i] = value;
}
"""
# Line 5 stores a column of a tile: each lane in the same bank.
TRANSPOSE = """#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
__global__ void column(float* out) { __shared__ float tile[32 * 32];
  tile[threadIdx.x * 32] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x * 32]; }
int main(int argc, char** argv) {
  std::printf("given %s\\n", argc > 1 ? argv[1] : "nothing");
  float* d; (void)hipMalloc(&d, 32 * sizeof(float)); (void)hipMemset(d, 0, 32 * sizeof(float));
  column<<<1, 32>>>(d); (void)hipDeviceSynchronize(); (void)hipFree(d); return 0; }
"""
WRITES = '#include <cstdio>\nint main() { return std::fopen("written", "w") ? 0 : 9; }\n'
ENDLESS = "int main() { for (volatile int i = 0;;) i = 1; }\n"


class Client:
    def __init__(self, folder):
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
        self.server = subprocess.Popen([PROGRAM, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, cwd=folder, env=environment)
        self.number = 0

    def send(self, message):
        self.server.stdin.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
        self.server.stdin.flush()

    def read(self):
        return json.loads(self.server.stdout.readline())

    def ask(self, method, **parameters):
        """Sends a request, and returns its number."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})
        return self.number

    def answer(self, method, **parameters):
        number = self.ask(method, **parameters)
        said = self.read()
        assert (said["jsonrpc"], said["id"]) == ("2.0", number), said
        return said

    def call(self, tool, **arguments):
        """Of a tool's result: its text, its JSON, whether it is an error."""
        result = self.answer("tools/call", name=tool, arguments=arguments)["result"]
        only, = result["content"]
        assert only["type"] == "text", only
        return only["text"], result.get("structuredContent"), result["isError"]


class McpTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.client = Client(self.folder)
        self.addCleanup(self.stop)

    def stop(self):
        server = self.client.server
        server.stdin.close()
        self.assertEqual(server.wait(timeout=SECONDS), 0)
        self.assertEqual(server.stderr.read(), "")
        server.stdout.close()
        server.stderr.close()

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def test_a_client_begins_and_learns_of_the_tools(self):
        begun = self.client.answer("initialize", protocolVersion="2024-11-05", capabilities={},
                                   clientInfo={"name": "test", "version": "1"})["result"]
        self.assertEqual(begun["protocolVersion"], "2024-11-05")
        self.assertEqual((begun["capabilities"], begun["serverInfo"]["name"]), ({"tools": {}}, "warpz"))
        later = self.client.answer("initialize", protocolVersion="2031-01-01")["result"]
        self.assertEqual(later["protocolVersion"], "2025-06-18")
        self.client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.assertEqual(self.client.answer("ping")["result"], {})
        tools = self.client.answer("tools/list")["result"]["tools"]
        self.assertEqual([each["name"] for each in tools], ["check", "costs", "trace"])
        for each in tools:
            schema = each["inputSchema"]
            self.assertEqual((schema["type"], schema["required"]), ("object", ["files"]))
            self.assertEqual(len(schema["properties"]["puzzle"]["enum"]), len(list(PUZZLES.glob("*/puzzle.cpp"))))
        self.assertIn("line", tools[1]["inputSchema"]["properties"])
        self.assertNotIn("line", tools[0]["inputSchema"]["properties"])

    def test_is_this_kernel_right_at_64_lanes(self):
        name = self.write("mine.hip", WRONG_AT_64)
        text, told, is_error = self.client.call("check", files=[name], puzzle="warp-sum", warp_size=64)
        self.assertFalse(is_error)
        self.assertIn("warp-sum with 64 lanes: wrong result", text)
        self.assertEqual((told["verdict"], told["exit_code"]), ("wrong_result", 1))
        self.assertNotIn("output", told["runs"][0])
        # Without a puzzle, the kernel's name says which one; without a size, with both.
        text, told, _ = self.client.call("check", files=[name])
        self.assertEqual([(each["warp_size"], each["verdict"]) for each in told["runs"]],
                         [(32, "passed"), (64, "broken_rule")])
        self.assertIn("right with 32 lanes in a warp, and wrong with 64", text)
        right = str(PUZZLES / "neighbor/solution.hip")
        text, told, _ = self.client.call("check", files=[right], puzzle="neighbor")
        self.assertEqual(told["verdict"], "passed")
        self.assertRegex(text, r"right on \d+ hidden inputs with 32 lanes")

    def test_what_does_this_line_cost(self):
        name = self.write("column.hip", TRANSPOSE)
        text, told, is_error = self.client.call("costs", files=[name], warp_size=32, line=5, arguments=["me"])
        self.assertFalse(is_error, text)
        lines = told["runs"][0]["costs"]["kernels"][0]["lines"]
        self.assertEqual({each["line"] for each in lines}, {5})
        store, = (each for each in lines if each["memory"] == "shared")
        self.assertEqual((store["kind"], store["needed"], store["fewest"]), ("store", 32, 1))
        self.assertIn("column.hip:5  tile[threadIdx.x * 32] = out[threadIdx.x];\n", text)
        self.assertIn("store, shared: executed 1 times with 32.0 lanes; 32 passes, 1 at best", text)
        self.assertIn("32-way bank conflict", text)
        self.assertIn("given me\n", text)
        _, told, _ = self.client.call("costs", files=[str(PUZZLES / "neighbor/solution.hip")])
        self.assertEqual([each["costs"]["rules"] for each in told["runs"]], ["nvidia", "amd"])

    def test_what_do_the_lanes_do(self):
        text, _, is_error = self.client.call("trace", files=[str(PUZZLES / "pair-swap/solution.hip")], puzzle="pair-swap",
                                             lanes="0-3")
        self.assertFalse(is_error)
        self.assertIn("0..31 <- lane ^ 1\n", text)
        self.assertRegex(text, r"gave +0\.0 1\.0 2\.0 3\.0\n +got +1\.0 0\.0 3\.0 2\.0\n")

    def test_programs_are_confined_unless_that_is_unwanted(self):
        name = self.write("writes.hip", WRITES)
        _, told, _ = self.client.call("check", files=[name], warp_size=32)
        self.assertNotEqual(told["runs"][0]["exit_code"], 0)
        self.assertFalse((self.folder / "written").exists())
        _, told, _ = self.client.call("check", files=[name], warp_size=32, confine=False)
        self.assertEqual(told["runs"][0]["exit_code"], 0)
        self.assertTrue((self.folder / "written").exists())

    def test_what_cannot_be_run_is_told_to_the_agent(self):
        name = self.write("mine.hip", WRONG_AT_64.replace("float value", "flaot value"))
        text, _, is_error = self.client.call("check", files=[name], puzzle="warp-sum")
        self.assertTrue(is_error)
        self.assertIn("mine.hip:3:3: error: unknown type name 'flaot'", text)
        text, _, is_error = self.client.call("trace", files=["none.hip"], puzzle="neighbor")
        self.assertTrue(is_error)
        self.assertIn("none.hip", text)

    def test_what_is_no_request_is_refused(self):
        for sent, code, number in (("{nonsense", -32700, None), ("[]", -32600, None), ('{"jsonrpc": "2.0", "id": 5}', -32600, 5),
                                   ('{"jsonrpc": "2.0", "id": "a", "method": "no/such"}', -32601, "a"),
                                   ('{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": 3}', -32602, 1)):
            self.client.send(sent)
            said = self.client.read()
            self.assertEqual((said["error"]["code"], said["id"]), (code, number), sent)
        for tool, arguments, words in (("nosuch", {}, "there is no tool 'nosuch'"), ("check", {}, "'files' is missing"),
                                       ("check", {"files": ["a.hip"], "line": 1}, "check takes no 'line'"),
                                       ("check", {"files": ["a.hip"], "warp_size": 48}, "'warp_size' is not of the type"),
                                       ("check", {"files": ["a.hip"], "puzzle": "no"}, "no puzzle is called 'no'"),
                                       ("check", {"files": "a.hip"}, "'files' is not of the type")):
            refused = self.client.answer("tools/call", name=tool, arguments=arguments)["error"]
            self.assertEqual(refused["code"], -32602, refused)
            self.assertIn(words, refused["message"])

    def test_a_program_that_does_not_end_is_stopped(self):
        text, _, is_error = self.client.call("check", files=[self.write("endless.hip", ENDLESS)], seconds=3)
        self.assertTrue(is_error)
        self.assertIn("It did not end within 3 seconds and was stopped", text)

    def test_during_a_call_others_are_heard(self):
        name = self.write("endless.hip", ENDLESS)
        began = time.monotonic()
        call = self.client.ask("tools/call", name="check", arguments={"files": [name]})
        self.assertEqual(self.client.answer("ping")["result"], {})
        listed = self.client.ask("tools/list")
        self.client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}})
        # A cancelled call has no answer.
        self.assertEqual(self.client.read()["id"], listed)
        self.assertLess(time.monotonic() - began, 60)

    def test_what_was_asked_before_the_end_of_input_is_answered(self):
        self.client.ask("tools/call", name="check", arguments={"files": [str(PUZZLES / "neighbor/solution.hip")],
                                                              "puzzle": "neighbor", "size": 8})
        self.client.ask("ping")
        self.client.server.stdin.close()
        self.assertEqual({self.client.read()["id"] for _ in range(2)}, {1, 2})


if __name__ == "__main__":
    main()
