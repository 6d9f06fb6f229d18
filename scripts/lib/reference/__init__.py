# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference page of the device library: what a header declares (headers), which headers make a chapter and what
each docstring has to say (parts), and the page itself (page)."""
