// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One object, whatever happens; every key always there; numbers that read back to the same floats.
#include <bit>
#include <cfloat>
#include <limits>
#include <nlohmann/json.hpp>

#include "report_support.hpp"

namespace {

using namespace report_support;
using json = nlohmann::ordered_json;

std::string text_of(const std::vector<puzzle_outcome>& outcomes, int code = 0, const error* stopped_by = nullptr,
                    bool full = true) {
  captured out;
  const auto report = make_json_report(out.stream, full);
  report->begin({});
  for (const puzzle_outcome& each : outcomes) report->add(each);
  report->end(code, stopped_by);
  return out.text();
}

json parsed(const std::vector<puzzle_outcome>& outcomes, int code = 0, const error* stopped_by = nullptr) {
  return json::parse(text_of(outcomes, code, stopped_by));
}

TEST(report_json, a_passed_run_byte_for_byte) {
  const std::vector<float> list{1, 3.3333333F, -0.0F, 1e-5F, 1e20F};
  puzzle_outcome outcome = passed(partition, 64, list);
  outcome.kernel = "warp_partition";
  outcome.launched = {.output = 5, .inputs = {4, 1}, .state = 2, .counts = {5, -6}, .grid = {7, 8}, .block = {9, 10}};
  EXPECT_EQ(
      text_of({outcome}),
      "{\"version\":1,\"warpz\":\"" WARPZ_VERSION
      "\",\"runs\":[\n"
      "{\"puzzle\":\"partition\",\"title\":\"Warp partition\",\"backend\":\"cpu\",\"device\":\"CPU machine\","
      "\"warp_size\":64,\"size\":5,\"input\":{\"source\":\"documented\",\"seed\":null,\"pattern\":null,\"file\":null},"
      "\"pivot\":5.0,"
      "\"shape\":null,"
      "\"launch\":{\"kernel\":\"warp_partition\",\"grid\":[7,8],\"block\":[9,10],\"output\":5,\"inputs\":[4,1],"
      "\"state\":2,\"counts\":[5,-6]},\"launches\":1,\"path\":null,\"repeat\":\"--size 5 --warp-size 64\","
      "\"output\":[1.0,3.3333333,-0.0,1e-05,1e+20],\"input_values\":null,\"expected\":[1.0,3.3333333,-0.0,1e-05,1e+20],"
      "\"shortened\":false,\"hidden_case\":false,\"passed_hidden\":[],\"verdict\":\"passed\",\"mismatch_count\":0,"
      "\"first_differences\":[],"
      "\"findings\":[],\"findings_left_out\":0,\"findings_text\":null,\"milliseconds\":0.25,\"costs\":null}\n"
      "],\"verdict\":\"passed\",\"exit_code\":0,\"error\":null}\n");
}

TEST(report_json, no_run_is_an_object_too) {
  EXPECT_EQ(text_of({}), "{\"version\":1,\"warpz\":\"" WARPZ_VERSION
                         "\",\"runs\":[],\"verdict\":\"passed\",\"exit_code\":0,\"error\":null}\n");
}

TEST(report_json, all_elements_of_long_lists_and_the_same_floats_again) {
  std::vector<float> list(100000);
  std::uint32_t bits = 1;
  for (float& each : list) {
    do {
      bits = bits * 1664525 + 1013904223;
      each = std::bit_cast<float>(bits);
    } while (!(std::abs(each) <= FLT_MAX));
  }
  const json run = parsed({passed(neighbor, 32, list)})["runs"][0];
  ASSERT_EQ(run["output"].size(), list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint32_t>(run["output"][i].get<float>()), std::bit_cast<std::uint32_t>(list[i])) << i;
  }
  EXPECT_EQ(run["output"], run["expected"]);
}

TEST(report_json, of_long_lists_the_beginning_unless_all_is_asked_for) {
  const std::vector<float> list((1 << 16) + 1, 2.5F), whole(1 << 16, 2.5F);
  const json run = json::parse(text_of({passed(neighbor, 32, list)}, 0, nullptr, false))["runs"][0];
  EXPECT_EQ(run["output"].size(), whole.size());
  EXPECT_EQ(run["expected"].size(), whole.size());
  EXPECT_EQ(run["shortened"], true);
  EXPECT_EQ(json::parse(text_of({passed(neighbor, 32, whole)}, 0, nullptr, false))["runs"][0]["shortened"], false);
}

TEST(report_json, what_is_no_number_has_a_name) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> output{std::numeric_limits<float>::quiet_NaN(), infinite, -infinite,
                                  std::bit_cast<float>(never_written_bits)};
  const json run = parsed({wrong(neighbor, 32, output, {0, 0, 0, 0})}, 1)["runs"][0];
  EXPECT_EQ(run["output"], json::parse(R"(["nan", "inf", "-inf", null])"));
  EXPECT_EQ(run["first_differences"][0],
            json::parse(R"({"index":0,"block":0,"warp":0,"lane":0,"output":"nan","expected":0.0})"));
  EXPECT_EQ(run["first_differences"][3]["output"], json());
}

TEST(report_json, matrices_and_the_kernels_way) {
  const std::vector<float> output{1, 2}, expected{1, 1};
  puzzle_outcome outcome = wrong(matmul, 32, output, expected);
  outcome.shape = matrix_shape{1, 2, 3};
  outcome.path = "portable";
  outcome.first_mismatches[0].placed = false;
  const json run = parsed({outcome}, 1)["runs"][0];
  EXPECT_EQ(run["shape"], json::parse(R"({"m":1,"n":2,"k":3})"));
  EXPECT_EQ(run["path"], "portable");
  EXPECT_EQ(run["first_differences"][0],
            json::parse(R"({"index":1,"block":null,"warp":null,"lane":null,"output":2.0,"expected":1.0})"));
}

TEST(report_json, a_wrong_result) {
  const std::vector<float> output(40, 1), right(40, 0.1F);
  const json all = parsed({wrong(neighbor, 32, output, right)}, 1);
  EXPECT_EQ(all["verdict"], "wrong_result");
  EXPECT_EQ(all["exit_code"], 1);
  const json& run = all["runs"][0];
  EXPECT_EQ(run["verdict"], "wrong_result");
  EXPECT_EQ(run["mismatch_count"], 40);
  EXPECT_EQ(run["first_differences"].size(), 5U);
  EXPECT_EQ(run["first_differences"][4].dump(),
            R"({"index":4,"block":0,"warp":0,"lane":4,"output":1.0,"expected":0.1})");
  EXPECT_EQ(run["pivot"], json());
}

TEST(report_json, where_the_input_came_from) {
  const std::vector<float> one{1};
  puzzle_outcome random = passed(neighbor, 32, one), file = random;
  random.input = {input_source::kind::random, "18446744073709551615"};
  file.input = {input_source::kind::file, "a \"b\"\n\xff.txt"};
  const json runs = parsed({random, file})["runs"];
  EXPECT_EQ(runs[0]["input"].dump(), R"({"source":"random","seed":18446744073709551615,"pattern":null,"file":null})");
  EXPECT_EQ(runs[1]["input"]["file"], "a \"b\"\n\xEF\xBF\xBD.txt");
}

TEST(report_json, a_finding) {
  warpz_finding record = diverged();
  record.groups[0].block[1] = 4;
  const json all = parsed({broken(neighbor, 32, 32, record, {{"k", "a.hip", 3}, {"", "", 0}})}, 3);
  EXPECT_EQ(all["verdict"], "broken_rule");
  EXPECT_EQ(all["exit_code"], 3);
  const json& run = all["runs"][0];
  EXPECT_EQ(run["output"], json::array());
  EXPECT_EQ(run["milliseconds"], json());
  EXPECT_EQ(
      run["findings"][0].dump(),
      R"({"kind":"diverged_collective","rule":"lanes of one warp wait for others","kernel":"neighbor_difference",)"
      R"("signal":null,"address":null,"severity":"error","on_purpose":false,"suppressed_by":null,"repeats":0,"memory":null,"values":null,"schedule_seed":null,"shrunk_schedule":null,"block_threads":null,"notes":[],"warp_sizes":null,"groups":[)"
      R"({"block":[0,4,0],"warp":0,"lanes":[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15],"state":"waiting",)"
      R"("operation":"shuffle_down","bytes":null,"mask":"0xffffffff","file":"neighbor/mine.hip","line":14,)"
      R"("column":null,"code":null},)"
      R"({"block":[0,0,0],"warp":0,"lanes":[16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31],"state":"exited",)"
      R"("operation":null,"bytes":null,"mask":null,"file":null,"line":null,"column":null,"code":null}],)"
      R"("groups_left_out":0,"stack":[{"function":"k","file":"a.hip","line":3,"column":null,"code":null},)"
      R"({"function":null,"file":null,"line":null,"column":null,"code":null}],)"
      R"("advice":"Every lane named by the mask has to reach the same call. Take the call out of the branch\n  or loop that some lanes leave; lanes without an element take part with a neutral value.","repair":null})");
}

TEST(report_json, a_place_has_its_line_of_code) {
  puzzle_outcome outcome = broken(neighbor, 32, 32, diverged(), {{"k", "a.hip", 3, 5, "\tf();"}});
  outcome.findings[0].places = {{"k", "neighbor/mine.hip", 14, 0, "  x = y;"}, {}};
  const json found = parsed({outcome}, 3)["runs"][0]["findings"][0];
  EXPECT_EQ(found["groups"][0]["code"], "  x = y;");
  EXPECT_EQ(found["groups"][0]["column"], json());
  EXPECT_EQ(found["groups"][1]["code"], json());
  EXPECT_EQ(found["stack"][0]["code"], "\tf();");
  EXPECT_EQ(found["stack"][0]["column"], 5);
}

TEST(report_json, a_crash_has_its_signal_and_address) {
  warpz_finding record = finding(WARPZ_CRASH, "k", "m");
  record.signal = 11;
  record.address = 0x1000;
  const json found = parsed({broken(neighbor, 32, 32, record)}, 3)["runs"][0]["findings"][0];
  EXPECT_EQ(found["kind"], "crash");
  EXPECT_EQ(found["signal"], "SIGSEGV");
  EXPECT_EQ(found["address"], "0x1000");
}

TEST(report_json, a_record_of_garbage_is_still_json) {
  warpz_finding record;
  std::memset(&record, 0xff, sizeof record);
  const json found = parsed({broken(neighbor, 32, 32, record)}, 3)["runs"][0]["findings"][0];
  EXPECT_EQ(found["kind"], "unknown");
  EXPECT_EQ(found["groups"].size(), std::size_t{WARPZ_FINDING_GROUPS});
  EXPECT_EQ(found["groups"][0]["state"], "unknown");
}

TEST(report_json, an_error_midway_keeps_the_runs_so_far) {
  const std::vector<float> one{1};
  const error reason(exit_code::no_device, "the driver says \"no\"", "try --backend cpu");
  const json all = parsed({passed(neighbor, 32, one), passed(neighbor, 64, one)}, 4, &reason);
  EXPECT_EQ(all["runs"].size(), 2U);
  EXPECT_EQ(all["runs"][1]["warp_size"], 64);
  EXPECT_EQ(all["verdict"], "error");
  EXPECT_EQ(all["exit_code"], 4);
  EXPECT_EQ(all["error"].dump(), R"({"message":"the driver says \"no\"","advice":"try --backend cpu","exit_code":4})");
  const error bare(exit_code::bad_input, "no");
  EXPECT_EQ(parsed({}, 2, &bare)["error"]["advice"], json());
}

}  // namespace
