# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which names in HIP's headers are HIP's interface, and what is said of one that the CPU machine does not have."""

import re

# What only the headers themselves use.
INNER = re.compile(
    r"^(?:__(?:ockl|ocml|hip|HIP|llvm|amd|builtin|local|named_sync|work_group|barrier|cl_|cxa_|2[fi]16|make_mantissa|BF16|"
    r"FP8|CLK|CG|NATIVE|MAKE|HOST_DEVICE|RETURN|DEVICE|FAST_OR|CONSTEXPR|DEF_FUN|static_assert|dparm|CLANG|assertfail)"
    r"|_hip|_HIP|_CG|_Float16_2|hip_impl|internal::|impl::|std::|amd_|AMD_|pArgs|validateArgs|.*(?:::internal|::impl)(?:::|$)"
    r"|cooperative_groups::(?:is_|tile_base|thread_block_tile_|parent_group)|.*(?:_st|_enum|_H|_H_|Holder|_expander)$"
    r"|[xyz]$|mapElem|mapFrom|__memory_|__atomic_work|HIP_INCLUDE|HIP_vector_base|HIP_(?:FP8_CVT|BF16_AVX|IMAGE_OBJECT|SAMPLER_OBJECT|TEXTURE_OBJECT|TRACE_API)"
    r"|HW_ID|GETREG|MASK[12]$|ICMP|DECLOP|DEPRECATED|GENERIC_GRID|USE_PEER|ADDRESS_SPACE|TEXTURE_|launch_bounds_impl"
    r"|select_impl|hipLaunchKernelGGLInternal|ihip|hipmipmappedArray|hip_bfloat16_public|Cond_t|Enable_if_t|lane_mask$"
    r"|uchar$|ullong$|GLuint|GLenum|surfaceReference|HIP_(?:PUBLIC_API|INTERNAL)|amd_dbgapi)")


def is_interface(name, kind):
    """A name that a program may use. Of macros, HIP's own alone: the others are switches of its headers."""
    if kind == "header":
        return True
    if INNER.match(name):
        return False
    return kind != "macro" or re.match(r"hip|HIP|CUDA_SUCCESS|__(?:global|device|host|shared|constant|managed|launch)", name)


# The first that fits says why a name is not there, and what to use instead.
REASONS = [
    (r"hip/(?:nvidia|nvcc)_detail", "HIP for NVIDIA's GPUs: include <hip/hip_runtime.h>"),
    (r"hip/", "an inner header of AMD's HIP: include <hip/hip_runtime.h>"),
    (r"hip(?:KernelNameRef|ApiName|GetFuncBySymbol|Register|Remove)|hipLibrary|hipModuleLoadFat", "nothing is looked up in a runtime library here: call the function, or use "
                                      "hipModuleGetFunction"),
    (r"hip(?:Flush)?GPUDirect", "no other device writes to memory here"),
    (r".*CUMask|hipExtGetLink", "processors are not divided or linked here"),
    (r"hip.*(?:External|ExtSem)", "there is no other API here whose memory or semaphores could be shared: use hipMalloc and "
                                  "hipEvent_t"),
    (r"hipGL|hipGraphics", "there is no graphics API here: copy with hipMemcpy"),
    (r"hipMemMapArray|hipArray(?:Sparse|Map)", "arrays have memory of their own here: use hipMallocArray"),
    (r"hipConfigureCall|hipSetupArgument|hipLaunchByPtr", "a launch of HIP's early versions: use hipLaunchKernel"),
    (r".*_spt$", "made by the compiler for a default stream per thread: use the name without _spt, and hipStreamPerThread"),
    (r"hip(?:Graph|Drv|StreamBegin|Kernel|Access|Launch|MEMSET|MemcpyNode|Child|Event|MemFree).*|HIP_MEMSET_NODE.*",
     "a form that the CPU machine does not have: use hipGraphAddKernelNode, hipGraphAddMemcpyNode and the like"),
    (r"HIP_(?:[A-Z0-9]+_)*(?:HI|LO|F|TO_M?\d+|X_\d+|PLOSS|CVT|TWOTHIRD|SQRT_\w+|\dOPI)", "a constant of CUDA's own "
     "mathematics, split or scaled: write the number"),
    (r"__smid", "blocks have no multiprocessor of their own here: use blockIdx"),
]


def reason(name):
    for pattern, words in REASONS:
        if re.fullmatch(f"(?:{pattern}).*", name):
            return words
    return "not on the CPU machine"
