#pragma once

#include <string>
#include <vector>

namespace ck::cli {

// The names of an option such as --clips, which have commas between them; "\," is a comma in a
// name. Empty names are left out.
std::vector<std::string> listed(const std::string& text);
// A name as listed() reads it.
std::string asListed(const std::string& name);

}  // namespace ck::cli
