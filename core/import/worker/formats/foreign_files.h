#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ck::worker {

// What a file is that people take for a rig, and what to do about it, as the message of a failure
// that does not name the file: a web page that was saved instead of a download, a pointer of Git
// LFS, an archive, a picture, a scene of another program. It is recognised by its first bytes,
// whatever it is called. `text` is the file, `ending` its ending in lower case, without the dot.
// Nothing for all other files.
std::optional<std::string> foreignFile(std::string_view text, std::string_view ending);

}  // namespace ck::worker
