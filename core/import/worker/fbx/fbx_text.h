#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "core/import/worker/fbx/fbx_tree.h"

namespace ck::worker {

// Reads the text form of FBX into a node without name. Arrays ("Vertices: *24 { a: 1,2 }") become
// one array value, as in the binary form. Comments start with ';'. The nodes refer to `text`, and
// to `texts`, to which texts with escapes are added. Fails with LimitExceeded for nesting deeper
// than `deepest`, and with InvalidInput, naming the line.
Result<FbxNode> readFbxText(std::string_view text, std::size_t deepest,
                            std::deque<std::string>& texts);

}  // namespace ck::worker
