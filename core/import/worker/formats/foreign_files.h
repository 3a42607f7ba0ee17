#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ck::worker {

// Recognises files that people take for rigs, by their first bytes and whatever they are called: a
// web page that was saved instead of a download, a pointer of Git LFS, an archive, a picture, a
// scene of another program. Returns the message of a failure, which says what the file is and what
// to do and does not name it; nothing for all other files. `text` is the file, `ending` its ending
// in lower case, without the dot.
std::optional<std::string> foreignFile(std::string_view text, std::string_view ending);

}  // namespace ck::worker
