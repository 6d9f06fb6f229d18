// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files are HIP, and which CUDA.
#include "source/source_language.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace {

using namespace warpz;

TEST(source_language, headers_of_hip_alone) {
  EXPECT_TRUE(includes_hip_alone("#include <hip/hip_runtime.h>\n"));
  EXPECT_TRUE(includes_hip_alone("#include <cstdio>\n  #  include \"hip/hip_fp16.h\""));
  EXPECT_FALSE(
      includes_hip_alone("#ifdef __HIP__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"));
  EXPECT_FALSE(includes_hip_alone("#include <hip/hip_runtime.h>\n#include <cuda.h>\n"));
  EXPECT_FALSE(includes_hip_alone("#include <hip/hip_runtime.h>\n#include <cooperative_groups.h>\n"));
  EXPECT_FALSE(includes_hip_alone("// #include <hip/hip_runtime.h>\nint main() {}\n"));
  EXPECT_FALSE(includes_hip_alone("#include <hipster/a.h>\n#include\n#include hip/a.h\n#"));
  EXPECT_FALSE(includes_hip_alone(""));
}

TEST(source_language, a_file_by_its_name_and_its_headers) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "source_language";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  const std::string cuda = write("a.cu", "int main() {}\n"), hip = write("b.cu", "#include <hip/hip_runtime.h>\n"),
                    named = write("c.hip", "int main() {}\n"), missing = (folder / "d.cu").string();
  EXPECT_TRUE(is_cuda_file(cuda));
  EXPECT_TRUE(is_cuda_file(missing));
  EXPECT_FALSE(is_cuda_file(hip));
  EXPECT_FALSE(is_cuda_file(named));
  // One program is one language.
  EXPECT_TRUE(is_cuda_file(cuda, std::vector{cuda, named}));
  EXPECT_FALSE(is_cuda_file(cuda, std::vector{cuda, hip}));
  std::filesystem::remove_all(folder);
}

}  // namespace
