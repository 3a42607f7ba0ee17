#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"

namespace pugi {
class xml_node;
}

// Elements of a Collada file, and how a message names them.
namespace ck::worker {

std::string_view nameOf(const pugi::xml_node& element);
std::string idOf(const pugi::xml_node& element);
// "#id" without its first character, as Assimp reads addresses.
std::string targetOf(const pugi::xml_node& element, const char* attribute);

// The next element or text below `top`, parents first; null after the last one.
pugi::xml_node nextBelow(const pugi::xml_node& top, pugi::xml_node at);

// An element as a message names it: <triangles> of 'mesh'.
std::string titleOf(const pugi::xml_node& element);
// InvalidInput: `what` is wrong with the element, so the file is damaged.
Result<void> refuse(const pugi::xml_node& element, const std::string& what);

}  // namespace ck::worker
