# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs in which lanes meet: barriers, and operations of a warp with masks. Lanes may leave the kernel early,
stay away, or name others that never come. What happens is found by letting each lane go on as far as it can."""

import dataclasses

BARRIER = "barrier"
CALLS = {"syncwarp": "__syncwarp({mask});", "shuffle": "r += __shfl_sync({mask}, r, lane);",
         "ballot": "r += __popcll(__ballot_sync({mask}, r & 1));", "any": "r += __any_sync({mask}, r > 5);"}


@dataclasses.dataclass(frozen=True)
class Meeting:
    call: str  # "barrier", "return", or one of CALLS
    callers: int  # lanes of each warp
    warps: int  # which of them
    mask: int = 0

    def is_called_by(self, warp, lane):
        return self.warps >> warp & 1 and self.callers >> lane & 1


@dataclasses.dataclass(frozen=True)
class MeetingProgram:
    warp_size: int
    warps: int
    meetings: tuple

    def finding(self):
        """The kind of the one finding that ends the kernel, or None."""
        size, lanes = self.warp_size, [(w, lane) for w in range(self.warps) for lane in range(self.warp_size)]
        at = {lane: 0 for lane in lanes}
        returned = set()

        def go_on(lane):
            """To the next meeting that the lane takes part in. False: its mask is wrong."""
            while at[lane] < len(self.meetings):
                meeting = self.meetings[at[lane]]
                if meeting.is_called_by(*lane):
                    if meeting.call == "return":
                        break
                    return meeting.call == BARRIER or meeting.mask >> lane[1] & 1 == 1
                at[lane] += 1
            returned.add(lane)
            return True

        if not all([go_on(lane) for lane in lanes]):
            return "wrong_mask"
        while len(returned) < len(lanes):
            groups = []
            for w in range(self.warps):
                for number, meeting in enumerate(self.meetings):
                    if meeting.call in CALLS:
                        named = [(w, lane) for lane in range(size) if meeting.mask >> lane & 1]
                        groups.append((number, named))
            here = [lane for lane in lanes if lane not in returned]
            groups += [(number, here) for number, meeting in enumerate(self.meetings) if meeting.call == BARRIER]
            complete = [group for group in groups
                        if group[1] and all(lane not in returned and at[lane] == group[0] for lane in group[1])]
            if not complete:
                waits = {self.meetings[at[lane]].call for lane in here}
                return "diverged_barrier" if waits == {BARRIER} else "diverged_collective"
            for number, group in complete:
                for lane in group:
                    at[lane] = number + 1
                    if not go_on(lane):
                        return "wrong_mask"
        return None

    def parts_of_warps_return(self):
        """Which is a warning where the others pass a barrier."""
        full = (1 << self.warp_size) - 1
        return any(each.call == "return" and each.callers & full != full for each in self.meetings)

    def text(self, name):
        full = (1 << self.warp_size) - 1
        lines = [f"__global__ void {name}_0(int* out) {{", "  const unsigned t = threadIdx.x, lane = t % warpSize;",
                 "  int r = t;"]
        for each in self.meetings:
            call = CALLS.get(each.call, {"barrier": "__syncthreads();", "return": "return;"}.get(each.call))
            call = call.format(mask=f"0x{each.mask:x}ull")
            guards = [] if each.callers == full else [f"(0x{each.callers:x}ull >> lane & 1)"]
            if each.warps != (1 << self.warps) - 1:
                guards.append(f"(0x{each.warps:x}u >> t / warpSize & 1)")
            lines.append(f"  if ({' && '.join(guards)}) {call}" if guards else f"  {call}")
        threads = self.warps * self.warp_size
        return lines + ["  out[t] = r;", "}", f"static void {name}() {{", "  int* out;",
                        f"  hipMallocManaged(&out, {4 * threads}); {name}_0<<<1, {threads}>>>(out);",
                        "  hipDeviceSynchronize(); hipFree(out);", "}"]


def random_lanes(rng, warp_size):
    full = (1 << warp_size) - 1
    return rng.choice((full, full, (1 << rng.randint(1, warp_size)) - 1, rng.getrandbits(warp_size) or 1,
                       int("01" * (warp_size // 2), 2)))


def right_program(rng, warp_size):
    warps = rng.choice((1, 2, 2, 3))
    every_warp, full = (1 << warps) - 1, (1 << warp_size) - 1
    meetings = []
    for _ in range(rng.randint(2, 6)):
        if rng.random() < 0.35:
            meetings.append(Meeting(BARRIER, full, every_warp))
            continue
        mask = random_lanes(rng, warp_size)
        meetings.append(Meeting(rng.choice(tuple(CALLS)), mask, rng.choice((every_warp, rng.randint(1, every_warp))), mask))
    return MeetingProgram(warp_size, warps, tuple(meetings))


def with_fault(rng, program):
    number = rng.randrange(len(program.meetings))
    meeting = program.meetings[number]
    others = list(program.meetings)
    chance = rng.random()
    if chance < 0.35:
        # Some of the callers stay away.
        stay = random_lanes(rng, program.warp_size) if rng.random() < 0.5 else 1 << rng.randrange(program.warp_size)
        callers = meeting.callers & ~stay
        if not callers:
            return program
        others[number] = dataclasses.replace(meeting, callers=callers)
    elif chance < 0.6:
        # Some lanes leave.
        leave = random_lanes(rng, program.warp_size) if rng.random() < 0.5 else 1 << rng.randrange(program.warp_size)
        others.insert(number, Meeting("return", leave, rng.randint(1, (1 << program.warps) - 1)))
    elif meeting.call == BARRIER:
        others[number] = dataclasses.replace(meeting, warps=rng.randint(1, meeting.warps))
    else:
        named = [lane for lane in range(program.warp_size) if meeting.mask >> lane & 1]
        if rng.random() < 0.6:
            others[number] = dataclasses.replace(meeting, mask=meeting.mask & ~(1 << rng.choice(named)))
        else:
            others[number] = dataclasses.replace(meeting, mask=meeting.mask | 1 << rng.randrange(program.warp_size))
    return dataclasses.replace(program, meetings=tuple(others))
