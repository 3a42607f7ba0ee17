#include "core/import/worker/formats/foreign_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/import/worker/formats/rig_reader.h"

namespace ck::worker {
namespace {

using namespace std::string_view_literals;

// A kind of file by its first bytes. `{}` in its advice stands for the size of the file.
struct ForeignKind {
  std::string_view start;
  std::string_view advice;
};

constexpr ForeignKind kForeignKinds[] = {
    {"version https://git-lfs"sv,
     "this is a pointer of Git LFS, {} bytes in place of the model; fetch the model with 'git lfs "
     "pull'"},
    {"PK\x03\x04"sv, "this is a ZIP archive; unpack it and take the rig file inside"},
    {"Rar!"sv, "this is a RAR archive; unpack it and take the rig file inside"},
    {"7z\xBC\xAF\x27\x1C"sv, "this is a 7z archive; unpack it and take the rig file inside"},
    {"\x89PNG"sv, "this is a picture (PNG), not a model; take the model that it belongs to"},
    {"\xFF\xD8\xFF"sv, "this is a picture (JPEG), not a model; take the model that it belongs to"},
    {"%PDF"sv, "this is a PDF document, not a model; take the model that it belongs to"},
    {"\x00\x05\x16\x07"sv,
     "this is what macOS keeps beside a file, '._' before its name; take the file itself"},
    {"PXR-USDC"sv, "this is USD, which is not read; export as glTF or FBX"},
    {"#usda"sv, "this is USD, which is not read; export as glTF or FBX"},
    {"Ogawa"sv, "this is Alembic, which holds moved vertices and no joints; export as glTF or FBX"},
    {"//Maya ASCII"sv, "this is a scene of Maya; export as FBX"},
    {"%YAML 1.1"sv, "this is a text of Unity, which names a model elsewhere; take that model"},
    {"\xC1\x83\x2A\x9E"sv, "this is an asset of Unreal; export it as FBX"},
    {"ply\n"sv, "this is PLY, a mesh without joints; export the rig as glTF or FBX"},
    {"INTERQUAKEMODEL"sv,
     "IQM rigs cannot be read: only their mesh would come through; export as glTF"},
};

bool isWebPage(std::string_view text) {
  std::string start(startOf(text).substr(0, 1'024));
  std::ranges::transform(start, start.begin(), [](unsigned char c) { return std::tolower(c); });
  // A page may begin with remarks.
  return start.starts_with("<!doctype html") || start.starts_with("<html") ||
         (start.starts_with("<") && start.find("<html") != std::string::npos &&
          start.find("<collada") == std::string::npos);
}

}  // namespace

std::optional<std::string> foreignFile(std::string_view text, std::string_view ending) {
  for (const ForeignKind& kind : kForeignKinds) {
    if (!text.starts_with(kind.start)) continue;
    return fmt::format(fmt::runtime(kind.advice), text.size());
  }
  // Blender packs its own files so.
  if (text.starts_with("\x1F\x8B") && ending != "blend") {
    return "this is packed by gzip; unpack it and take the rig file inside";
  }
  if (text.starts_with("FOR4") && text.substr(0, 64).find("Maya") != std::string_view::npos) {
    return "this is a scene of Maya; export as FBX";
  }
  if (isWebPage(text)) {
    return "this is a web page, not a model: the download went wrong; download the file itself";
  }
  const std::string_view head = text.substr(0, 4'096);
  if (head.find_first_not_of('\0') == std::string_view::npos) {
    return "it begins with nothing but zeros: a copy or a download broke off; get the file again";
  }
  return std::nullopt;
}

}  // namespace ck::worker
