#pragma once

#include <string_view>

#include "core/import/worker/fbx/fbx_tree.h"

namespace ck::worker {

// Reads the text form of FBX into `tree`, which is empty. Comments start with ';'. Values, and
// arrays ("Vertices: *24 { a: 1,2 }"), are written to the tree's own bytes as in the binary form.
// Fails with LimitExceeded for nesting deeper than kFbxDeepest or more than 4 GB of values, and
// with InvalidInput, naming the line.
Result<void> readFbxText(std::string_view text, FbxTree& tree);

}  // namespace ck::worker
