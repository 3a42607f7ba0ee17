#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ck::worker {

// The bytes that a glTF text holds within itself (`"uri": "data:...;base64,..."`), taken out of it
// and decoded once. A JSON parser copies and checks such texts a character at a time, and they are
// nearly all of a file that has them.
class DataUris {
 public:
  // Takes them out of the JSON text `json`, of any type. URIs that are not plain base64 stay, for
  // the parser to refuse.
  explicit DataUris(std::string_view json);

  // The text with a short reference in each one's place. Empty if there were none.
  const std::string& text() const { return text_; }
  // Where the byte `at` of text() is in the original text.
  std::size_t originalOffset(std::size_t at) const;

  // The bytes that a reference stands for, for the caller to take; nothing for any other text.
  std::vector<unsigned char>* bytesOf(std::string_view reference);

 private:
  struct Taken {
    std::size_t end = 0;               // of the reference, in text_
    std::size_t removed = 0;           // how much shorter text_ is up to there
    std::vector<unsigned char> bytes;  // as tinygltf has them
  };
  std::string text_;
  std::vector<Taken> taken_;
};

}  // namespace ck::worker
