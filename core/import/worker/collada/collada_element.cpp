#include "core/import/worker/collada/collada_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "core/import/worker/text/names.h"

namespace ck::worker {

std::string_view nameOf(const pugi::xml_node& element) {
  return element.name();
}

std::string idOf(const pugi::xml_node& element) {
  return element.attribute("id").value();
}

std::string targetOf(const pugi::xml_node& element, const char* attribute) {
  const std::string_view address = element.attribute(attribute).value();
  return std::string(address.substr(std::min<std::size_t>(1, address.size())));
}

pugi::xml_node nextBelow(const pugi::xml_node& top, pugi::xml_node at) {
  if (at.first_child()) return at.first_child();
  while (at != top && !at.next_sibling()) at = at.parent();
  return at == top ? pugi::xml_node() : at.next_sibling();
}

std::string titleOf(const pugi::xml_node& element) {
  pugi::xml_node owner = element;
  while (owner && *owner.attribute("id").value() == 0) owner = owner.parent();
  if (!owner) return fmt::format("<{}>", cleanText(element.name(), 40));
  const std::string id = cleanText(owner.attribute("id").value(), 80);
  if (owner == element) return fmt::format("<{}> '{}'", cleanText(element.name(), 40), id);
  return fmt::format("<{}> of '{}'", cleanText(element.name(), 40), id);
}

Result<void> refuse(const pugi::xml_node& element, const std::string& what) {
  return fail(
      ErrorCode::InvalidInput,
      fmt::format("{}: {}; the file is damaged, so export it again", titleOf(element), what));
}

}  // namespace ck::worker
