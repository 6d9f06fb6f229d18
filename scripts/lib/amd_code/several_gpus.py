# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPUs of one host, as far as a program sees them through HIP's runtime and RCCL: their memory, all in this process,
and their streams, whose kernels run at the same time. The program is a shared library (tests/amd/distributed), whose calls
arrive here. Its host code is what a user's program has: nothing here knows an operation.

Work begins when the program waits for a stream. Streams take turns, each with one of a wavefront's turns or with what
else is queued there, in an order that is shuffled but the same in every run. What nothing forbids may therefore happen:
a kernel that was queued first on one GPU is done before the other GPU's has begun."""

import collections
import ctypes
import random

from .buffer import Buffer
from .problem import Problem

SEED = 0x6B
HURRY = 7  # how much more often than all others a stream has its turn that is in a hurry
UNWRITTEN = b"\xad"
FAILED = 1
WORDS_OF_TROUBLE = 256

_POINTER, _WORD, _SIZE, _INT = ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t, ctypes.c_int
_WORDS = ctypes.POINTER(ctypes.c_uint)
# What tests/amd/distributed/runtime.hip calls, in its order: the result and the parameters.
CALLS = (
    ("allocate", _POINTER, _INT, _SIZE),
    ("release", _INT, _POINTER),
    ("launch", _INT, _WORD, ctypes.c_char_p, _WORDS, _WORDS, ctypes.POINTER(_POINTER)),
    ("copy", _INT, _WORD, _POINTER, _POINTER, _SIZE),
    ("fill", _INT, _WORD, _POINTER, _INT, _SIZE),
    ("record", _INT, _WORD, _WORD),
    ("wait", _INT, _WORD, _WORD),
    ("gather", _INT, _WORD, _WORD, _WORD, _WORD, _POINTER, _POINTER, _SIZE),
    ("synchronize", _INT, _WORD),
)


class Functions(ctypes.Structure):
    _fields_ = [(name, ctypes.CFUNCTYPE(*types)) for name, *types in CALLS]


class Request(ctypes.Structure):
    """That of operations.hip."""

    _fields_ = [("gpus", _WORD), ("numbers", ctypes.POINTER(_INT)), ("size", _SIZE), ("input", _POINTER),
                ("output", _POINTER), ("counts", ctypes.POINTER(ctypes.c_ulonglong)), ("trouble", ctypes.c_char_p)]


class Mark:
    """A place in a stream, or what several streams come to."""

    def __init__(self):
        self.reached, self.arrived = False, {}


class Gpus:
    """`prepared(kernel, grid, block, given=contents of its arguments)` gives the scheduler's Grid of a launch. Of the
    streams that one is in a hurry which is so many behind the first; or none is."""

    def __init__(self, prepared, hurrying):
        self._prepared, self.trouble = prepared, None
        self.functions = Functions(*(ctypes.CFUNCTYPE(*types)(self._guarded(name)) for name, *types in CALLS))
        self._buffers = {}  # the GPU and the memory, by address
        self._streams = collections.defaultdict(collections.deque)  # what each has to do, as generators
        self._events = {}  # the last mark of each
        self._gathered, self._meetings = collections.Counter(), collections.defaultdict(Mark)
        self._hurrying, self._chance = hurrying, random.Random(SEED)

    def _guarded(self, name):
        """Python's errors do not pass through the program: they are kept for afterwards."""
        def call(*arguments):
            if self.trouble:
                return None if name == "allocate" else FAILED
            try:
                return getattr(self, name)(*arguments) or 0
            except Exception as trouble:  # pylint: disable=broad-exception-caught
                self.trouble = trouble
                return None if name == "allocate" else FAILED
        return call

    def allocate(self, gpu, size):
        buffer = Buffer(UNWRITTEN * size)
        self._buffers[buffer.address] = gpu, buffer
        return buffer.address

    def release(self, address):
        self._finish()
        self._check(*self._buffers.pop(address))

    def end(self):
        """The program has ended."""
        self._finish()
        for gpu, buffer in self._buffers.values():
            self._check(gpu, buffer)
        self._buffers.clear()

    @staticmethod
    def _check(gpu, buffer):
        if buffer.is_trespassed():
            raise Problem(f"a kernel wrote outside a buffer of {buffer.size} bytes of GPU {gpu}")

    def launch(self, stream, kernel, grid, block, arguments):
        grid = self._prepared(kernel.decode(), grid[:3], block[:3], given=lambda number, size: ctypes.string_at(
            arguments[number], size))

        def work():
            more = True
            while more:
                with grid.flushing():
                    more = grid.take_turn(self._chance)
                yield

        self._streams[stream].append(work())

    def _queue(self, stream, act):
        """Something that takes no time; that of stream 0 is done at once."""
        def work():
            act()
            yield

        if stream == 0:
            act()
        else:
            self._streams[stream].append(work())

    def copy(self, stream, to, source, size):
        self._queue(stream, lambda: ctypes.memmove(to, source, size))

    def fill(self, stream, to, byte, size):
        self._queue(stream, lambda: ctypes.memset(to, byte, size))

    def record(self, stream, event):
        mark = self._events[event] = Mark()
        self._queue(stream, lambda: setattr(mark, "reached", True))

    def wait(self, stream, event):
        mark = self._events[event]

        def work():
            while not mark.reached:
                yield

        self._streams[stream].append(work())

    def gather(self, stream, group, rank, ranks, sent, received, size):
        """Each rank's n-th call belongs to the others' n-th."""
        number = self._gathered[group, rank]
        self._gathered[group, rank] += 1
        mark = self._meetings[group, number]

        def work():
            mark.arrived[rank] = sent, received
            if len(mark.arrived) == ranks:
                contents = {each: ctypes.string_at(mark.arrived[each][0], size) for each in range(ranks)}
                for _, place in mark.arrived.values():
                    for each, content in contents.items():
                        ctypes.memmove(place + each * size, content, size)
                mark.reached = True
            while not mark.reached:
                yield

        self._streams[stream].append(work())

    def synchronize(self, stream):
        self._finish(lambda: not self._streams[stream])

    def _finish(self, is_reached=lambda: False):
        """Until that is so, or nothing is queued any more."""
        while not is_reached():
            streams = [stream for stream, queued in sorted(self._streams.items()) if queued]
            if not streams:
                return
            first = min(self._streams)
            weights = [HURRY if stream - first == self._hurrying else 1 for stream in streams]
            stream = self._chance.choices(streams, weights)[0]
            queued = self._streams[stream]
            if next(queued[0], self) is self:
                queued.popleft()


class Program:
    """A shared library of operations, which run on GPUs of this host."""

    def __init__(self, path, prepared):
        self._library, self._prepared = ctypes.CDLL(path), prepared

    def call(self, request):
        """What the operation leaves: the counts, and behind them the output."""
        numbers, counts = request["gpus"], (ctypes.c_ulonglong * 512)()
        given = bytes.fromhex(request["input"])
        source, output = Buffer(given), Buffer(UNWRITTEN * request["output_bytes"])
        trouble = ctypes.create_string_buffer(WORDS_OF_TROUBLE)
        asked = Request(len(numbers), (_INT * len(numbers))(*numbers), request["size"], source.address, output.address,
                        counts, ctypes.cast(trouble, ctypes.c_char_p))
        gpus = Gpus(self._prepared, request["hurrying"])
        self._library.set_machine(ctypes.byref(gpus.functions))
        failed = getattr(self._library, request["function"])(ctypes.byref(asked))
        if gpus.trouble:
            raise gpus.trouble
        if failed:
            raise Problem(trouble.value.decode())
        gpus.end()
        if output.is_trespassed():
            raise Problem("the program has more results than there is room for")
        return bytes(counts) + output.content()
