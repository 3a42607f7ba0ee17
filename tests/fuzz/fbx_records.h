#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace ck::fuzz {

// A node of a binary FBX file. Values are kept as they are in the file: a letter for the kind, then
// the bytes.
struct FbxRecord {
  std::string name;
  std::vector<std::string> values;
  std::vector<FbxRecord> children;
};

// A binary FBX file taken apart, so that changes leave it a tree with right offsets and counts.
struct FbxRecords {
  std::string head;  // magic and version
  bool wide = false;
  std::vector<FbxRecord> nodes;
};

// False if the bytes are no binary FBX, or not a sound one.
bool takeApart(std::string_view bytes, FbxRecords& records);
std::string putTogether(const FbxRecords& records);

// Changes up to four places: values of nodes, and nodes that go, come twice or change places.
// Arrays come out plain.
void change(FbxRecords& records, std::mt19937& random);

}  // namespace ck::fuzz
