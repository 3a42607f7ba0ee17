#include "tests/support/notes.h"

#include <algorithm>

namespace ck::test {

bool hasNote(const Notes& notes, std::string_view code, std::string_view text) {
  return std::any_of(notes.begin(), notes.end(), [&](const Note& note) {
    return note.code == code && note.message.find(text) != std::string::npos;
  });
}

}  // namespace ck::test
