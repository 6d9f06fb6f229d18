# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/check-amd-code and scripts/run-amd-code share: getting at AMD code objects, reading them, and running
them in an emulator. Nothing here needs a GPU."""
