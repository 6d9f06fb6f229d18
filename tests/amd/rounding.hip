// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that are summed up: a compiler likes to fuse the multiplication with the first addition, which rounds once
// instead of twice, and that in one of two partners only.
#include "kernels.hpp"

WARP_OPERATION(sum_of_products_f32, f32, f32, warp::sum(v* static_cast<f32>(which)));
WARP_OPERATION(prefix_sum_of_products_f32, f32, f32, warp::prefix_sum(v* static_cast<f32>(which)));
WARP_OPERATION(sum_of_products_f64, f64, f64, warp::sum(v* static_cast<f64>(which)));
