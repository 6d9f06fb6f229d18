// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs: nodes run after those that they depend on, instances keep what they were made of, and wrong use gets HIP's
// errors. The expected values are computed by hand or in plain C++.
#include <gtest/gtest.h>
#include <hip/hip_runtime.h>

#include <string>
#include <vector>

namespace test_hip_graphs {

__device__ int number = 5;

__global__ void scale_and_add(int* data, int factor, int summand) {
  data[threadIdx.x] = data[threadIdx.x] * factor + summand;
}

class hip_graphs : public testing::Test {
 protected:
  static constexpr int count = 32;

  void SetUp() override {
    ASSERT_EQ(hipGraphCreate(&graph_, 0), hipSuccess);
    ASSERT_EQ(hipMalloc(&data_, sizeof(int) * count), hipSuccess);
    ASSERT_EQ(hipMemset(data_, 0, sizeof(int) * count), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipFree(data_), hipSuccess);
    EXPECT_EQ(hipGraphDestroy(graph_), hipSuccess);
    static_cast<void>(hipGetLastError());
  }

  /// The parameters' arguments live as long as this object.
  hipKernelNodeParams launch(int factor, int summand) {
    factor_ = factor;
    summand_ = summand;
    return {dim3(count), nullptr, reinterpret_cast<void*>(scale_and_add), dim3(1), arguments_, 0};
  }
  hipGraphNode_t add_kernel(int factor, int summand, const std::vector<hipGraphNode_t>& after = {}) {
    const hipKernelNodeParams parameters = launch(factor, summand);
    hipGraphNode_t node = nullptr;
    EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, after.data(), after.size(), &parameters), hipSuccess);
    return node;
  }
  static hipGraphExec_t instance_of(hipGraph_t graph) {
    hipGraphExec_t executable = nullptr;
    EXPECT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipSuccess);
    return executable;
  }
  static void launch_and_destroy(hipGraphExec_t executable) {
    EXPECT_EQ(hipGraphLaunch(executable, nullptr), hipSuccess);
    EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  }
  int last() const {
    int value = -1;
    EXPECT_EQ(hipMemcpy(&value, data_ + count - 1, sizeof value, hipMemcpyDeviceToHost), hipSuccess);
    return value;
  }

  hipGraph_t graph_ = nullptr;
  int* data_ = nullptr;

 private:
  int factor_ = 0;
  int summand_ = 0;
  void* arguments_[3] = {&data_, &factor_, &summand_};
};

TEST_F(hip_graphs, run_each_node_after_its_dependencies_whatever_the_order_of_adding) {
  const hipGraphNode_t last_step = add_kernel(10, 3);
  const hipGraphNode_t second = add_kernel(10, 2);
  const hipGraphNode_t first = add_kernel(10, 1);
  const hipGraphNode_t from[] = {first, second};
  const hipGraphNode_t to[] = {second, last_step};
  ASSERT_EQ(hipGraphAddDependencies(graph_, from, to, 2), hipSuccess);
  launch_and_destroy(instance_of(graph_));
  EXPECT_EQ(last(), 123);
}

TEST_F(hip_graphs, keep_the_arguments_they_were_given) {
  add_kernel(1, 7);
  launch(1, 1000);  // overwrites the memory of the arguments
  const hipGraphExec_t executable = instance_of(graph_);
  EXPECT_EQ(hipGraphLaunch(executable, nullptr), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, nullptr), hipSuccess);
  EXPECT_EQ(last(), 14);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, nullptr), hipErrorInvalidValue);
}

TEST_F(hip_graphs, of_all_kinds_of_nodes) {
  std::vector<int> input(count, 4);
  std::vector<int> output(count, 0);
  std::string log;
  hipGraphNode_t copy_in = nullptr, on_host = nullptr, nothing = nullptr, copy_out = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNode1D(&copy_in, graph_, nullptr, 0, data_, input.data(), sizeof(int) * count,
                                    hipMemcpyHostToDevice),
            hipSuccess);
  const hipMemsetParams ones{data_, 4, 1, 0, 1, 2};
  hipGraphNode_t fill = nullptr;
  ASSERT_EQ(hipGraphAddMemsetNode(&fill, graph_, &copy_in, 1, &ones), hipSuccess);
  const hipHostNodeParams call{[](void* text) { *static_cast<std::string*>(text) += "called"; }, &log};
  ASSERT_EQ(hipGraphAddHostNode(&on_host, graph_, &copy_in, 1, &call), hipSuccess);
  const hipGraphNode_t both[] = {fill, on_host};
  ASSERT_EQ(hipGraphAddEmptyNode(&nothing, graph_, both, 2), hipSuccess);
  const hipGraphNode_t kernel = add_kernel(2, 1, {nothing});
  hipMemcpy3DParms parameters{};
  parameters.srcPtr = make_hipPitchedPtr(data_, sizeof(int) * count, count, 1);
  parameters.dstPtr = make_hipPitchedPtr(output.data(), sizeof(int) * count, count, 1);
  parameters.extent = make_hipExtent(sizeof(int) * count, 1, 1);
  parameters.kind = hipMemcpyDeviceToHost;
  ASSERT_EQ(hipGraphAddMemcpyNode(&copy_out, graph_, &kernel, 1, &parameters), hipSuccess);
  EXPECT_EQ(output[5], 0) << "nothing runs before a launch";
  launch_and_destroy(instance_of(graph_));
  for (int i = 0; i < count; ++i) EXPECT_EQ(output[i], i < 2 ? 3 : 9);
  EXPECT_EQ(log, "called");

  const std::vector<std::pair<hipGraphNode_t, hipGraphNodeType>> types = {
      {copy_in, hipGraphNodeTypeMemcpy}, {fill, hipGraphNodeTypeMemset},   {on_host, hipGraphNodeTypeHost},
      {nothing, hipGraphNodeTypeEmpty},  {kernel, hipGraphNodeTypeKernel}, {copy_out, hipGraphNodeTypeMemcpy}};
  for (const auto& [node, type] : types) {
    hipGraphNodeType given = hipGraphNodeTypeCount;
    EXPECT_EQ(hipGraphNodeGetType(node, &given), hipSuccess);
    EXPECT_EQ(given, type);
  }
}

TEST_F(hip_graphs, copy_to_and_from_device_variables) {
  int given = 41;
  int got = 0;
  hipGraphNode_t to = nullptr, from = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNodeToSymbol(&to, graph_, nullptr, 0, HIP_SYMBOL(number), &given, sizeof given, 0,
                                          hipMemcpyHostToDevice),
            hipSuccess);
  ASSERT_EQ(hipGraphAddMemcpyNodeFromSymbol(&from, graph_, &to, 1, &got, HIP_SYMBOL(number), sizeof got, 0,
                                            hipMemcpyDeviceToHost),
            hipSuccess);
  EXPECT_EQ(hipGraphAddMemcpyNodeFromSymbol(&from, graph_, &to, 1, &got, HIP_SYMBOL(number), sizeof got, 1,
                                            hipMemcpyDeviceToHost),
            hipErrorInvalidValue)
      << "past the variable's end";
  const hipGraphExec_t executable = instance_of(graph_);
  given = 42;
  launch_and_destroy(executable);
  EXPECT_EQ(got, 42) << "copies read the memory when they run";
}

TEST_F(hip_graphs, tell_their_nodes_and_edges) {
  const hipGraphNode_t root = add_kernel(1, 1);
  const hipGraphNode_t left = add_kernel(1, 1, {root});
  const hipGraphNode_t right = add_kernel(1, 1, {root});
  const hipGraphNode_t join = add_kernel(1, 1, {left, right});
  size_t number_of = 0;
  EXPECT_EQ(hipGraphGetNodes(graph_, nullptr, &number_of), hipSuccess);
  EXPECT_EQ(number_of, 4u);
  hipGraphNode_t nodes[5] = {join, join, join, join, join};
  number_of = 5;
  EXPECT_EQ(hipGraphGetNodes(graph_, nodes, &number_of), hipSuccess);
  EXPECT_EQ(number_of, 4u);
  EXPECT_EQ(nodes[4], nullptr);
  number_of = 5;
  EXPECT_EQ(hipGraphGetRootNodes(graph_, nodes, &number_of), hipSuccess);
  EXPECT_EQ(number_of, 1u);
  EXPECT_EQ(nodes[0], root);
  EXPECT_EQ(hipGraphGetEdges(graph_, nullptr, nullptr, &number_of), hipSuccess);
  EXPECT_EQ(number_of, 4u);
  EXPECT_EQ(hipGraphNodeGetDependencies(join, nodes, &number_of), hipSuccess);
  EXPECT_EQ(number_of, 2u);
  EXPECT_EQ(nodes[0], left);
  EXPECT_EQ(nodes[1], right);
  number_of = 1;
  EXPECT_EQ(hipGraphNodeGetDependentNodes(root, nodes, &number_of), hipSuccess);
  EXPECT_EQ(number_of, 1u) << "no more than there is room for";

  EXPECT_EQ(hipGraphRemoveDependencies(graph_, &left, &join, 1), hipSuccess);
  EXPECT_EQ(hipGraphRemoveDependencies(graph_, &left, &join, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphDestroyNode(root), hipSuccess);
  EXPECT_EQ(hipGraphDestroyNode(root), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphGetEdges(graph_, nullptr, nullptr, &number_of), hipSuccess);
  EXPECT_EQ(number_of, 1u);
}

TEST_F(hip_graphs, with_a_cycle_have_no_instance) {
  const hipGraphNode_t first = add_kernel(1, 1);
  const hipGraphNode_t second = add_kernel(1, 1, {first});
  EXPECT_EQ(hipGraphAddDependencies(graph_, &first, &second, 1), hipErrorInvalidValue) << "this edge exists";
  EXPECT_EQ(hipGraphAddDependencies(graph_, &first, &first, 1), hipErrorInvalidValue);
  ASSERT_EQ(hipGraphAddDependencies(graph_, &second, &first, 1), hipSuccess);
  hipGraphExec_t executable = nullptr;
  EXPECT_EQ(hipGraphInstantiate(&executable, graph_, nullptr, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphInstantiateWithFlags(&executable, graph_, 0), hipErrorInvalidValue);
  EXPECT_EQ(executable, nullptr);
}

TEST_F(hip_graphs, refuse_wrong_arguments) {
  hipGraphNode_t node = nullptr;
  hipGraph_t other = nullptr;
  ASSERT_EQ(hipGraphCreate(&other, 0), hipSuccess);
  hipGraphNode_t foreign = nullptr;
  ASSERT_EQ(hipGraphAddEmptyNode(&foreign, other, nullptr, 0), hipSuccess);
  EXPECT_EQ(hipGraphCreate(nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphCreate(&other, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(nullptr, graph_, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(&node, nullptr, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(&node, graph_, nullptr, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(&node, graph_, &foreign, 1), hipErrorInvalidValue);
  hipKernelNodeParams parameters = launch(1, 1);
  EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, nullptr), hipErrorInvalidValue);
  parameters.func = &parameters;
  EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters), hipErrorInvalidDeviceFunction);
  parameters = launch(1, 1);
  parameters.kernelParams = nullptr;
  EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters), hipErrorInvalidValue);
  parameters = launch(1, 1);
  parameters.blockDim = dim3(2000);
  EXPECT_EQ(hipGraphAddKernelNode(&node, graph_, nullptr, 0, &parameters), hipErrorInvalidConfiguration);
  hipMemsetParams fill{data_, 3, 1, 0, 1, 2};
  EXPECT_EQ(hipGraphAddMemsetNode(&node, graph_, nullptr, 0, &fill), hipErrorInvalidValue) << "elements of 3 bytes";
  fill = {data_, 4, 2, 4, 1, 2};
  EXPECT_EQ(hipGraphAddMemsetNode(&node, graph_, nullptr, 0, &fill), hipErrorInvalidPitchValue);
  const hipHostNodeParams no_call{nullptr, nullptr};
  EXPECT_EQ(hipGraphAddHostNode(&node, graph_, nullptr, 0, &no_call), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddMemcpyNode1D(&node, graph_, nullptr, 0, data_, nullptr, 4, hipMemcpyHostToDevice),
            hipErrorInvalidValue);
  EXPECT_EQ(hipGraphLaunch(nullptr, nullptr), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphExecDestroy(nullptr), hipErrorInvalidValue);
  ASSERT_EQ(hipGraphDestroy(other), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(other), hipErrorInvalidValue);
}

TEST_F(hip_graphs, as_children_and_clones_are_copies) {
  const hipGraphNode_t original = add_kernel(10, 1);
  hipGraph_t parent = nullptr;
  ASSERT_EQ(hipGraphCreate(&parent, 0), hipSuccess);
  hipGraphNode_t first = nullptr, second = nullptr;
  ASSERT_EQ(hipGraphAddChildGraphNode(&first, parent, nullptr, 0, graph_), hipSuccess);
  ASSERT_EQ(hipGraphAddChildGraphNode(&second, parent, &first, 1, graph_), hipSuccess);
  hipGraph_t clone = nullptr;
  ASSERT_EQ(hipGraphClone(&clone, graph_), hipSuccess);
  hipGraphNode_t cloned = nullptr;
  ASSERT_EQ(hipGraphNodeFindInClone(&cloned, original, clone), hipSuccess);
  EXPECT_NE(cloned, original);
  EXPECT_EQ(hipGraphNodeFindInClone(&cloned, first, clone), hipErrorInvalidValue);
  const hipKernelNodeParams changed = launch(10, 2);
  ASSERT_EQ(hipGraphKernelNodeSetParams(original, &changed), hipSuccess);

  launch_and_destroy(instance_of(parent));
  EXPECT_EQ(last(), 11) << "the children were copied before the change";
  launch_and_destroy(instance_of(clone));
  EXPECT_EQ(last(), 111);
  launch_and_destroy(instance_of(graph_));
  EXPECT_EQ(last(), 1112);
  hipGraph_t child = nullptr;
  EXPECT_EQ(hipGraphChildGraphNodeGetGraph(first, &child), hipSuccess);
  size_t number_of = 0;
  EXPECT_EQ(hipGraphGetNodes(child, nullptr, &number_of), hipSuccess);
  EXPECT_EQ(number_of, 1u);
  EXPECT_EQ(hipGraphDestroy(clone), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(parent), hipSuccess);
}

TEST_F(hip_graphs, have_instances_that_change_alone) {
  const hipGraphNode_t node = add_kernel(10, 1);
  const hipGraphExec_t executable = instance_of(graph_);
  const hipKernelNodeParams changed = launch(10, 5);
  EXPECT_EQ(hipGraphExecKernelNodeSetParams(executable, node, &changed), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, nullptr), hipSuccess);
  EXPECT_EQ(last(), 5);
  hipKernelNodeParams shown{};
  EXPECT_EQ(hipGraphKernelNodeGetParams(node, &shown), hipSuccess);
  EXPECT_EQ(*static_cast<int*>(shown.kernelParams[2]), 1);
  EXPECT_EQ(shown.blockDim.x, 32u);

  EXPECT_EQ(hipGraphNodeSetEnabled(executable, node, 0), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, nullptr), hipSuccess);
  EXPECT_EQ(last(), 5);
  EXPECT_EQ(hipGraphNodeSetEnabled(executable, node, 1), hipSuccess);

  const hipKernelNodeParams third = launch(10, 7);
  ASSERT_EQ(hipGraphKernelNodeSetParams(node, &third), hipSuccess);
  hipGraphNode_t wrong = nullptr;
  hipGraphExecUpdateResult result = hipGraphExecUpdateError;
  EXPECT_EQ(hipGraphExecUpdate(executable, graph_, &wrong, &result), hipSuccess);
  EXPECT_EQ(result, hipGraphExecUpdateSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, nullptr), hipSuccess);
  EXPECT_EQ(last(), 57);

  const hipGraphNode_t added = add_kernel(1, 1);
  EXPECT_EQ(hipGraphExecUpdate(executable, graph_, &wrong, &result), hipErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, hipGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(hipGraphExecKernelNodeSetParams(executable, added, &third), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
}

TEST_F(hip_graphs, record_events) {
  hipEvent_t begin = nullptr, end = nullptr;
  ASSERT_EQ(hipEventCreate(&begin), hipSuccess);
  ASSERT_EQ(hipEventCreate(&end), hipSuccess);
  hipGraphNode_t first = nullptr, second = nullptr;
  ASSERT_EQ(hipGraphAddEventRecordNode(&first, graph_, nullptr, 0, begin), hipSuccess);
  const hipGraphNode_t kernel = add_kernel(1, 1, {first});
  ASSERT_EQ(hipGraphAddEventRecordNode(&second, graph_, &kernel, 1, end), hipSuccess);
  float milliseconds = -1;
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, begin, end), hipErrorInvalidHandle) << "not recorded yet";
  launch_and_destroy(instance_of(graph_));
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, begin, end), hipSuccess);
  EXPECT_GT(milliseconds, 0);
  EXPECT_EQ(hipEventDestroy(begin), hipSuccess);
  EXPECT_EQ(hipEventDestroy(end), hipSuccess);
}

}  // namespace test_hip_graphs
