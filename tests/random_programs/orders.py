# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is right and wrong in the programs of `memory`, by trying orders.

An order of events is possible if each lane keeps its own accesses to one place in their order, and does not carry
others past a fence, or past a barrier where the other party of the barrier sees them (docs/checks.md, "What orders
memory accesses"). Two accesses race if after some possible beginning either of them may come next. Nothing here knows
clocks."""

from memory import events

WAITING = ("WAIT", "LOCK", "COUNT")


class Launch:
    def __init__(self, program, steps):
        self.program = program
        self.events = events(program, steps)
        self.joints = [(number, step) for number, step in enumerate(steps) if step.action in ("barrier", "syncwarp")]
        self.signals = [event for event in self.events if event.flag is not None]
        self.fences = [event for event in self.events if event.kind == "F"]

    def meets(self, x, y):
        """Whether barriers alone lead from one event to the other: the lanes that have met so far grow."""
        if x.lane == y.lane:
            return x.key < y.key
        if x.lane[0] != y.lane[0]:
            return False
        size, threads = self.program.warp_size, self.program.threads
        met = 1 << x.lane[1]
        for number, step in self.joints:
            if not x.key[0] < number < y.key[0]:
                continue
            if step.action == "barrier":
                return True
            mask = (1 << size) - 1 if step.mask is None else step.mask
            for first in range(0, threads, size):
                if met & mask << first:
                    met |= mask << first
        return met >> y.lane[1] & 1 == 1

    def passes_joint(self, x, y):
        """Both are of one lane, which meets others between the two."""
        lane = x.lane[1] % self.program.warp_size
        return any(x.key[0] < number < y.key[0] and (step.mask is None or step.mask >> lane & 1)
                   for number, step in self.joints)

    def comes_before(self, x, y):
        """In every order."""
        if not self.meets(x, y):
            return False
        if x.overlaps(y) or (x.flag is not None and x.flag == y.flag):
            return True
        if "F" in (x.kind, y.kind):
            return True
        if any(self.meets(x, fence) and self.meets(fence, y) for fence in self.fences):
            return True
        return x.kind in WAITING and (x.lane != y.lane or self.passes_joint(x, y))

    def some_order(self, a, b, is_it):
        """Whether is_it(done, may_come) holds at some point of some order. `may_come` says it of an event."""
        lanes = {a.lane, b.lane} | {event.lane for event in self.signals}
        counters = {event.flag for event in self.signals if event.kind == "COUNT"}
        choices = [{}]
        for counter in counters:
            counted = {event.lane for event in self.signals if event.kind == "COUNT" and event.flag == counter}
            choices = [{**chosen, counter: lane} for chosen in choices for lane in counted]
        return any(self.order_where(a, b, lanes, last, is_it) for last in choices)

    def order_where(self, a, b, lanes, last, is_it):
        """The same where these lanes are the last at the counters."""
        def happens(event):
            return event.last is None or last[event.last] == event.lane

        if not (happens(a) and happens(b)):
            return False
        chosen = [a, b] + [each for each in self.signals + self.fences if each.lane in lanes and happens(each)]
        chosen = list(dict.fromkeys(chosen))
        before = [sum(1 << i for i, x in enumerate(chosen) if x is not y and self.comes_before(x, y)) for y in chosen]
        partners = {}
        for i, event in enumerate(chosen):
            if event.flag is not None:
                partners.setdefault((event.kind, event.flag), []).append(i)

        def may_come(done, i):
            event = chosen[i]
            if done >> i & 1 or before[i] & ~done:
                return False
            if event.kind == "WAIT":
                return any(done >> k & 1 for k in partners.get(("SET", event.flag), ()))
            if event.kind == "LOCK":
                taken = sum(done >> k & 1 for k in partners["LOCK", event.flag])
                return taken == sum(done >> k & 1 for k in partners["UNLOCK", event.flag])
            if event.kind == "COUNT" and last[event.flag] == event.lane:
                return all(k == i or done >> k & 1 for k in partners["COUNT", event.flag])
            return True

        seen, waiting = {0}, [0]
        while waiting:
            done = waiting.pop()
            if is_it(done, lambda number: may_come(done, number)):
                return True
            for i in range(len(chosen)):
                if may_come(done, i) and done | 1 << i not in seen:
                    seen.add(done | 1 << i)
                    waiting.append(done | 1 << i)
        return False

    def race(self, a, b):
        if a.lane == b.lane or not a.overlaps(b) or "W" not in (a.kind, b.kind) and {a.kind, b.kind} != {"R", "A"}:
            return False
        if self.meets(a, b) or self.meets(b, a):
            return False
        if not self.signals:
            return True
        return self.some_order(a, b, lambda done, may_come: may_come(0) and may_come(1))

    def may_precede(self, a, b):
        """Whether a comes before b in some order."""
        if a.lane == b.lane:
            return a.key < b.key
        if self.meets(a, b) or self.meets(b, a):
            return self.meets(a, b)
        return self.some_order(a, b, lambda done, may_come: done & 3 == 1)


CHUNK = 16  # bytes


def conflicts(launch, from_step):
    """Pairs of overlapping accesses of two lanes, one of them in this step or a later one."""
    chunks = {}
    for event in launch.events:
        if event.area is None:
            continue
        for chunk in range(event.low // CHUNK, (event.high - 1) // CHUNK + 1):
            earlier = chunks.setdefault((event.area, chunk), [])
            if event.key[0] >= from_step:
                # A pair in two chunks is tried in the first one.
                yield from ((other, event) for other in earlier if other.lane != event.lane and other.overlaps(event)
                            and chunk == max(other.low, event.low) // CHUNK)
            earlier.append(event)


def race(program, number=None, from_step=0):
    """The first two accesses that race, or None. Only of one launch, and of its steps from this one on."""
    for each, steps in enumerate(program.launches):
        if number not in (None, each):
            continue
        launch = Launch(program, steps)
        for a, b in conflicts(launch, from_step):
            if launch.race(a, b):
                return a, b
    return None


def unwritten_read(program, surely, number=None, from_step=0):
    """The first read of bytes that nobody has written before it, or None: in every order, or in some."""
    written = set()  # in launches before
    for each, steps in enumerate(program.launches):
        launch = Launch(program, steps)
        writes = [event for event in launch.events if event.kind in ("W", "A")]
        for event in launch.events:
            is_read = event.kind == "R" or event.reads
            if number not in (None, each) or event.key[0] < from_step or not is_read:
                continue
            has_value = event.area == "g" and (
                program.host_writes or any(byte in written for byte in range(event.low, event.high)))
            if has_value:
                continue
            # What only the last one of some lanes writes is not sure to be written by this one.
            others = [w for w in writes if w is not event and w.overlaps(event)
                      and (surely or w.last in (None, event.last))]
            if not any(launch.may_precede(w, event) and (surely or not launch.may_precede(event, w)) for w in others):
                return event
        written |= {byte for event in writes if event.area == "g" for byte in range(event.low, event.high)}
    return None
