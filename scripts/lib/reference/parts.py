# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page's chapters, and what the docstring of a function has to say."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    title: str  # the header that users include
    files: tuple  # below src/device; the first one's opening comment heads the chapter


PARTS = (
    Part("warpz/warp.hpp", ("warpz/warp.hpp", "warpz/warp/shuffle.hpp", "warpz/warp/reduce.hpp", "warpz/warp/scan.hpp",
                            "warpz/warp/vote.hpp")),
    Part("warpz/block.hpp", ("warpz/block.hpp",)),
    Part("warpz/sync.hpp", ("warpz/sync.hpp", "warpz/scope.hpp", "warpz/semaphore.hpp", "warpz/mbarrier.hpp",
                            "warpz/async_copy.hpp")),
    Part("warpz/vector_access.hpp", ("warpz/vector_access.hpp",)),
    Part("warpz/device.hpp", ("warpz/device.hpp", "warpz/device_state.hpp")),
    Part("warpz/distributed.hpp", ("warpz/distributed.hpp", "warpz/distributed_array.hpp")),
    Part("what they share", ("warpz/lane_mask.hpp", "warpz/vendor.hpp", "warpz/detail/platform.hpp")),
)

_WHO = re.compile(r"takes? part|Any (lane|thread) may call it|One thread calls it|A host function|All threads of the (block|group) make one")
_SOURCE = re.compile(r"Other names: ")


def missing(header):
    """One sentence for each thing that a function's docstring lacks. Of several with one name the first one has the
    source, and members have it in their class's."""
    classes = {each.full_name for each in header.declarations if each.kind == "class"}
    seen = set()
    for each in header.declarations:
        words = " ".join(each.document.split())
        if each.kind in ("function", "class") and each.scope not in classes and each.full_name not in seen and (
                not _SOURCE.search(words)):
            yield f"{header.name}: {each.full_name} does not say where else it is documented (Other names: …)"
        if each.kind == "function" and not _WHO.search(words):
            yield f"{header.name}: {each.full_name} does not say who takes part"
        seen.add(each.full_name)
