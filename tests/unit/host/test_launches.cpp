// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ made from HIP's own syntax, compared with C++ written by hand; and what is left alone.
#include "source/launches.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

using namespace warpz;

/// How the C++ for a launch of `kernel`, called `name` in reports, begins.
std::string launch(std::string_view kernel, std::string_view name) {
  return fmt::format(
      "::simt::launch_configured(\"{1}\", [&](const auto&... simt_arguments) -> decltype(({0})(simt_arguments...)) {{ "
      "return ({0})(simt_arguments...); }}, ::simt::configuration(",
      kernel, name);
}

TEST(launches, a_launch) {
  EXPECT_EQ(without_hip_syntax("k<<<1, 32>>>(a, b);"), launch("k", "k") + "1, 32), a, b);");
  EXPECT_EQ(without_hip_syntax("k<<<1, 32>>>();"), launch("k", "k") + "1, 32));");
  EXPECT_EQ(without_hip_syntax("k<<<dim3(1, 2), dim3(n(3)), s[4], t>>>(f(x), {1});"),
            launch("k", "k") + "dim3(1, 2), dim3(n(3)), s[4], t), f(x), {1});");
}

TEST(launches, a_kernel_as_an_address_has_its_type) {
  for (const std::string call : {"hipLaunchKernel(", "hipLaunchCooperativeKernel ( "}) {
    const std::string rest = ", 1, 32, arguments, 0, 0);";
    for (const std::string cast : {"(void*)", "(const void *)", "(void const*)"}) {
      EXPECT_EQ(without_hip_syntax(call + cast + "k<float>" + rest), call + "k<float>" + rest);
      EXPECT_EQ(without_hip_syntax(call + cast + "(&k)" + rest), call + "(&k)" + rest);
    }
    for (const std::string cast : {"reinterpret_cast<void*>", "static_cast < const void * > "}) {
      EXPECT_EQ(without_hip_syntax(call + cast + "(k)" + rest), call + cast.substr(cast.find('>') + 1) + "(k)" + rest);
    }
    for (const std::string first :
         {"k", "const void* kernel", "(k)", "(void)k", "(void**)k", "(int*)k", "(void*", "static_cast<void*", ""}) {
      EXPECT_EQ(without_hip_syntax(call + first + rest), call + first + rest);
      EXPECT_EQ(without_hip_syntax(call + first), call + first);
    }
  }
  EXPECT_EQ(without_hip_syntax("hipFree((void*)k);"), "hipFree((void*)k);");
}

TEST(launches, device_code_is_marked_but_for_lambdas) {
  const std::string mark = "__attribute__((annotate(\"warpz_device\")))";
  for (const std::string declared : {"int x;", "static float f(int);", "shape() {}", "~shape();", "::a::b f();",
                                     "operator int() const;", "auto f() -> int;"}) {
    EXPECT_EQ(without_hip_syntax("__warpz_device__ " + declared), mark + " " + declared);
  }
  for (const std::string lambda : {"(int x) { return x; }", "{ return 1; }", "mutable { }", "-> int { return 1; }"}) {
    EXPECT_EQ(without_hip_syntax("[=] __warpz_device__ " + lambda), "[=]  " + lambda);
    EXPECT_EQ(without_hip_syntax("[=] __warpz_device__ __warpz_device__ " + lambda), "[=]   " + lambda);
  }
}

TEST(launches, whole_programs) {
  EXPECT_TRUE(is_whole_program("int main() { k<<<1, 2>>>(); }"));
  EXPECT_TRUE(is_whole_program("void f() { k<<<1, 2>>>(); } int main(int n, char** words) {}"));
  EXPECT_FALSE(is_whole_program("__global__ void k() {} // int main() { k<<<1, 2>>>(); }"));
  EXPECT_FALSE(is_whole_program("void f() { k<<<1, 2>>>(); }"));
  EXPECT_FALSE(is_whole_program("int main() {}"));
  EXPECT_FALSE(is_whole_program(""));
}

TEST(launches, what_is_launched) {
  const auto is_launched = [](std::string_view before, std::string_view kernel, std::string_view spaced,
                              std::string_view name) {
    EXPECT_EQ(without_hip_syntax(fmt::format("{}{}<<<g, b>>>(x);", before, kernel)),
              fmt::format("{}{}g, b), x);", before, launch(spaced, name)));
  };
  is_launched("", "k<float, 4>", "k < float , 4 >", "k<float, 4>");
  is_launched("", "k<A<B<int>>>", "k < A < B < int >>>", "k<A<B<int>>>");
  is_launched("", "k<(2 > 1), sizeof(A<int>)>", "k < ( 2 > 1 ) , sizeof ( A < int > ) >", "k<(2>1), sizeof(A<int>)>");
  is_launched("if (ready) ", "k", "k", "k");
  is_launched("if (ready) ", "(*k)", "( * k )", "(*k)");
  is_launched("if (a < b) ", "k<int>", "k < int >", "k<int>");
  is_launched("return ", "::a::k", ":: a :: k", "::a::k");
  is_launched("else ", "a<int>::template k<4>", "a < int > :: template k < 4 >", "a<int>::template k<4>");
  is_launched("x; ", "this->list[i]", "this -> list [ i ]", "this->list[i]");
  is_launched("{ ", "of(1).kernel", "of ( 1 ) . kernel", "of(1).kernel");
  is_launched("y = 1 < 2; ", "k", "k", "k");
  is_launched("", "k<Ts...>", "k < Ts ... >", "k<Ts...>");
  is_launched("", "list[i == 0]", "list [ i == 0 ]", "list[i==0]");
  is_launched("", "(this->*k)", "( this ->* k )", "(this->*k)");
  is_launched("", "pick<int>(\"a\\\"b\")", "pick < int > ( \"a\\\"b\" )", R"(pick<int>(\"a\\\"b\"))");
}

TEST(launches, angle_brackets_of_the_configuration) {
  EXPECT_EQ(without_hip_syntax("k<<<g, of<A<int>>>>>(x);"), launch("k", "k") + "g, of<A<int>>), x);");
  EXPECT_EQ(without_hip_syntax("k<<<(a >> 3), f(b<c<d<e>>>(1))>>>(x);"),
            launch("k", "k") + "(a >> 3), f(b<c<d<e>>>(1))), x);");
}

TEST(launches, lines_stay_where_they_are) {
  EXPECT_EQ(without_hip_syntax("k\n# 7 \"a.hip\"\n  <int>\n<<<\n1,\n2>>>\n(x);\ny"),
            launch("k < int >", "k<int>") + "\n# 7 \"a.hip\"\n\n\n1,\n2), \nx);\ny");
}

TEST(launches, a_line_end_in_a_literal_moves_no_line) {
  EXPECT_EQ(without_hip_syntax("of(u8R\"x(a\n#b\"\\)x\"_s)<<<1, 2>>>(c);\nd"),
            launch("of ( u8\"a\\n#b\\\"\\\\\"_s )", "of(u8R\\\"x(a #b\\\"\\\\)x\\\"_s)") + "\n1, 2), c);\nd");
}

TEST(launches, a_comment_has_no_line_of_the_preprocessors) {
  EXPECT_EQ(without_hip_syntax("k /*\n# 7 */ // a\n<<<1, 2>>>(c);"), launch("k", "k") + "\n\n1, 2), c);");
}

TEST(launches, launches_within_others_arguments) {
  EXPECT_EQ(without_hip_syntax("run([&] { k<<<1, 2>>>(x); });"), "run([&] { " + launch("k", "k") + "1, 2), x); });");
  EXPECT_EQ(without_hip_syntax("k<<<1, 2>>>(x, [=](int i) { return i << 1; });"),
            launch("k", "k") + "1, 2), x, [=](int i) { return i << 1; });");
}

TEST(launches, what_is_no_launch) {
  for (const char* const text :
       {"const char* s = \"k<<<1, 2>>>(x)\";", "auto& operator<<<A<B<T>>>(std::ostream&, T);",
        "friend std::ostream& operator<<<T>(std::ostream&, T);", "// k<<<1, 2>>>(x)", "R\"(k<<<1, 2>>>(x))\"",
        "k<<<1, 2;", "<<<1, 2>>>(x);", "k<<<1, 2>>>;", "a >>= b << c;", "", "#define L k<<<1, 2>>>(x)"}) {
    EXPECT_EQ(without_hip_syntax(text), text);
  }
}

TEST(launches, static_shared_memory) {
  EXPECT_EQ(without_hip_syntax("void f() { __warpz_shared__ float a[2][3], b; }"),
            "void f() { static thread_local __attribute__((used)) float a[2][3], b; }");
  EXPECT_EQ(without_hip_syntax("static __warpz_shared__ int a;"), "static thread_local __attribute__((used)) int a;");
  EXPECT_EQ(without_hip_syntax("__warpz_shared__ int a; extern int b;"),
            "static thread_local __attribute__((used)) int a; extern int b;");
}

TEST(launches, dynamic_shared_memory_in_a_function) {
  const auto within = [](std::string_view text) {
    const std::string result = without_hip_syntax(fmt::format("namespace n {{ void f() {{ {}; }} }}", text));
    constexpr std::string_view before = "namespace n { void f() { [[maybe_unused]] ";
    EXPECT_TRUE(result.starts_with(before)) << result;
    return result.substr(before.size(), result.find(';') - before.size());
  };
  constexpr std::string_view memory = ">(__get_dynamicgroupbaseptr())";
  EXPECT_EQ(within("extern __warpz_shared__ float a[]"),
            fmt::format("float (&a)[] = *reinterpret_cast<float (*)[]{}", memory));
  EXPECT_EQ(within("__warpz_shared__ extern volatile T a[][33]"),
            fmt::format("volatile T (&a)[][ 33 ] = *reinterpret_cast<volatile T (*)[][ 33 ]{}", memory));
  EXPECT_EQ(within("extern __warpz_shared__ float a[] __attribute__((aligned(16)))"),
            within("extern __warpz_shared__ float a[]"));
  EXPECT_EQ(within("extern __attribute__((aligned(16))) __warpz_shared__ A<int[2]> alignas(8) a[]"),
            fmt::format("A < int [ 2 ] > (&a)[] = *reinterpret_cast<A < int [ 2 ] > (*)[]{}", memory));
}

TEST(launches, dynamic_shared_memory_outside_of_functions) {
  for (const char* const around :
       {"{}", "namespace {{ {} }}", "inline namespace a::b {{ {} }}", "extern \"C\" {{ {} }}", "struct a {{}}; {}"}) {
    const std::string text = "extern __warpz_shared__ float a[]";
    const std::string result = "[[maybe_unused]] static constexpr ::simt::dynamic_shared_array<float > a{}";
    EXPECT_EQ(without_hip_syntax(fmt::format(fmt::runtime(around), text + ";")),
              fmt::format(fmt::runtime(around), result + ";"));
  }
}

}  // namespace
