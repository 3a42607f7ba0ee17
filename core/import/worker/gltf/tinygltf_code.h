#pragma once

#include <nlohmann/json_fwd.hpp>

namespace ck::worker {

// Hands over a document for the next call of tinygltf's loader, which takes it instead of parsing
// its text: a document is parsed once, by the code that checks it. The loader must be called once
// for each document, on the same thread.
void handToTinygltf(nlohmann::json document);

}  // namespace ck::worker
