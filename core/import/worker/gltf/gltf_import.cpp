#include "core/import/worker/gltf/gltf_import.h"

#include <fmt/format.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/byte_stream.h"
#include "core/import/worker/gltf/gltf_clips.h"
#include "core/import/worker/gltf/gltf_data_uris.h"
#include "core/import/worker/gltf/gltf_draco.h"
#include "core/import/worker/gltf/gltf_extensions.h"
#include "core/import/worker/gltf/gltf_materials.h"
#include "core/import/worker/gltf/gltf_meshopt.h"
#include "core/import/worker/gltf/gltf_scene.h"
#include "core/import/worker/gltf/gltf_visibility.h"
#include "core/import/worker/gltf/gltf_vrm.h"
#include "core/import/worker/gltf/tinygltf_code.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

constexpr int kDeepestJson = 256;

bool isGlb(const RigSource& source) {
  return source.text().starts_with("glTF");
}

// The JSON text of either form; empty if a GLB is truncated.
std::string_view jsonOf(const RigSource& source) {
  if (!isGlb(source)) return source.text();
  ByteReader in(source.bytes);
  in.take(12);
  const auto length = in.number<std::uint32_t>();
  in.take(4);
  const std::span<const std::byte> json = in.take(length);
  return {reinterpret_cast<const char*>(json.data()), json.size()};
}

// Stores the encoded bytes of an image; the worker decodes them later.
bool keepPicture(tinygltf::Image* image, int, std::string*, std::string*, int, int,
                 const unsigned char* bytes, int size, void*) {
  image->as_is = true;
  image->image.assign(bytes, bytes + std::max(size, 0));
  return true;
}

// Shared state of tinygltf's callbacks: where the bytes are that a file names, and the reason why
// one of its files was not read.
struct FolderAccess {
  SourceFolder& folder;
  DataUris& inside;
  std::string refusal = {};
};

// Always true here: read() decides and explains.
bool fileExists(const std::string&, void*) {
  return true;
}
std::string samePath(const std::string& reference, void*) {
  return reference;
}
bool readWholeFile(std::vector<unsigned char>* out, std::string*, const std::string& reference,
                   void* access) {
  auto& [folder, inside, refusal] = *static_cast<FolderAccess*>(access);
  if (auto* taken = inside.bytesOf(reference)) {
    *out = std::move(*taken);
    return true;
  }
  const auto bytes = folder.read(reference);
  if (!bytes) {
    refusal = bytes.error().message;
    return false;
  }
  const auto* first = reinterpret_cast<const unsigned char*>(bytes->data());
  out->assign(first, first + bytes->size());
  return true;
}
bool writeNothing(std::string*, const std::string&, const std::vector<unsigned char>&, void*) {
  return false;
}

// A buffer that only stands for unpacked bytes (EXT_meshopt_compression) need not be anywhere.
bool isFallback(const nlohmann::json& buffer) {
  for (const char* extension : {"EXT_meshopt_compression", "KHR_meshopt_compression"}) {
    const nlohmann::json::json_pointer path(fmt::format("/extensions/{}/fallback", extension));
    if (buffer.is_object() && buffer.contains(path) && buffer[path] == true) return true;
  }
  return false;
}

// A whole number of an object, at most as large as a file may be; `missing` without one, nothing if
// it is something else.
std::optional<std::uint64_t> wholeNumber(const nlohmann::json& object, const char* key,
                                         std::optional<std::uint64_t> missing) {
  const auto value = object.find(key);
  if (value == object.end()) return missing;
  if (!value->is_number_unsigned()) return std::nullopt;
  const auto number = value->get<std::uint64_t>();
  return number <= kFileLimitBytes ? std::optional(number) : std::nullopt;
}

// Whether a picture's view does not lie within its buffer. tinygltf hands its bytes out unseen; it
// does refuse views and buffers that are not there.
bool isOutside(const nlohmann::json& json, const nlohmann::json& image) {
  const auto entry = [&json](const nlohmann::json& from, const char* key, const char* list) {
    const auto index = wholeNumber(from, key, std::nullopt);
    return json.value(nlohmann::json::json_pointer(fmt::format("/{}/{}", list, index.value_or(0))),
                      nlohmann::json());
  };
  if (!image.is_object() || !image.contains("bufferView")) return false;
  const nlohmann::json view = entry(image, "bufferView", "bufferViews");
  if (!view.is_object()) return false;
  const nlohmann::json buffer = entry(view, "buffer", "buffers");
  if (!buffer.is_object()) return false;
  const auto offset = wholeNumber(view, "byteOffset", 0);
  const auto length = wholeNumber(view, "byteLength", std::nullopt);
  const auto size = wholeNumber(buffer, "byteLength", std::nullopt);
  return !wholeNumber(image, "bufferView", std::nullopt) ||
         !wholeNumber(view, "buffer", std::nullopt) || !offset || !length || !size ||
         *offset + *length > *size;
}

// Escapes the name of a buffer's file so that tinygltf, which takes `+` for a blank and any `%` for
// an escape, decodes it to the name that its URI means.
void escapeForTinygltf(nlohmann::json& buffer) {
  const auto uri = buffer.is_object() ? buffer.find("uri") : buffer.end();
  if (!buffer.is_object() || uri == buffer.end() || !uri->is_string()) return;
  const auto& text = uri->get_ref<const std::string&>();
  if (text.starts_with("data:")) return;
  std::string escaped;
  for (const char c : percentDecoded(text)) {
    escaped += c == '%' ? "%25" : c == '+' ? "%2B" : std::string(1, c);
  }
  *uri = std::move(escaped);
}

// Lists the names that the extras of single morph targets hold as UniVRM's primitives do, because
// tinygltf reads only numbers of a target.
void listTargetNames(nlohmann::json& primitive) {
  const auto targets = primitive.is_object() ? primitive.find("targets") : primitive.end();
  const nlohmann::json::json_pointer list("/extras/targetNames");
  if (!primitive.is_object() || targets == primitive.end() || !targets->is_array()) return;
  if (primitive.contains("extras") &&
      (!primitive["extras"].is_object() || primitive.contains(list)))
    return;
  nlohmann::json names = nlohmann::json::array();
  bool any = false;
  for (const nlohmann::json& target : *targets) {
    std::string name;
    for (const char* path : {"/extras/name", "/extra/name"}) {
      const nlohmann::json::json_pointer where(path);
      if (target.contains(where) && target[where].is_string()) name = target[where];
    }
    any = any || !name.empty();
    names.push_back(std::move(name));
  }
  if (any) primitive["extras"]["targetNames"] = std::move(names);
}

// Adds what tinygltf asks for although it is not needed: bytes of buffers that stand for unpacked
// ones, and nodes of channels that name none. Pictures that lie outside of their buffer become
// damaged ones.
void satisfy(nlohmann::json& json) {
  const auto each = [](nlohmann::json& parent, const char* key, const auto& visit) {
    const auto list = parent.is_object() ? parent.find(key) : parent.end();
    if (!parent.is_object() || list == parent.end() || !list->is_array()) return;
    for (nlohmann::json& item : *list) visit(item);
  };
  each(json, "buffers", [](nlohmann::json& buffer) {
    escapeForTinygltf(buffer);
    if (!isFallback(buffer)) return;
    buffer["uri"] = "data:application/octet-stream;base64,AA==";
    buffer["byteLength"] = 1u;
  });
  each(json, "images", [&json](nlohmann::json& image) {
    if (!isOutside(json, image)) return;
    image.erase("bufferView");
    image["uri"] = "data:application/octet-stream;base64,AA==";
  });
  each(json, "meshes", [&](nlohmann::json& mesh) {
    each(mesh, "primitives", [](nlohmann::json& primitive) {
      listTargetNames(primitive);
      // The triangles of a primitive that Draco packs lie nowhere else, which tinygltf refuses.
      const nlohmann::json::json_pointer packed("/extensions/KHR_draco_mesh_compression");
      if (primitive.is_object() && primitive.contains(packed)) primitive.erase("indices");
    });
  });
  each(json, "animations", [&](nlohmann::json& animation) {
    each(animation, "channels", [](nlohmann::json& channel) {
      const auto target = channel.is_object() ? channel.find("target") : channel.end();
      if (!channel.is_object() || target == channel.end() || !target->is_object()) return;
      if (!target->contains("node")) (*target)["node"] = -1;
    });
  });
}

// How many values of a JSON text lie within each other at most, whether the text is valid or not.
// tinygltf walks into them by recursion; a callback of the parser, which could count as well, takes
// a time that is the square of a list's length.
int deepestNesting(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool isText = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isText) {
      if (c == '\\') ++i;
      isText = c != '"';
    } else if (c == '"') {
      isText = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

// Parses the text, checks that it requires no unsupported extension, and makes of it what tinygltf
// is to read.
Result<nlohmann::json> documentOf(std::string_view text, const DataUris& inside) {
  nlohmann::json json;
  const bool tooDeep = deepestNesting(text) > kDeepestJson;
  try {
    if (!tooDeep) json = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("its JSON is broken at byte {}; export it again",
                            inside.originalOffset(error.byte)));
  } catch (const nlohmann::json::out_of_range&) {
    return fail(ErrorCode::InvalidInput,
                "its JSON has a number that is too large; export it again");
  }
  if (tooDeep) {
    return fail(ErrorCode::InvalidInput,
                fmt::format("its JSON is nested more than {} levels deep", kDeepestJson));
  }
  if (!json.is_object()) return json;
  const auto required = json.find("extensionsRequired");
  if (required != json.end() && required->is_array()) {
    for (const nlohmann::json& name : *required) {
      if (!name.is_string()) continue;
      if (auto ok = checkRequiredExtension(name.get<std::string>()); !ok) {
        return tl::unexpected(ok.error());
      }
    }
  }
  satisfy(json);
  return json;
}

// A GLB states its length and that of its parts, so truncation can be reported. tinygltf reads
// beyond the end where the last part is too long by up to 8 bytes.
Result<void> checkGlbLength(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  in.take(8);
  std::uint64_t promised = in.number<std::uint32_t>();
  if (promised <= bytes.size() && bytes.size() >= 20) {
    const std::uint64_t json = in.number<std::uint32_t>();
    in.take(4);
    in.take(json);
    const std::uint64_t binary = in.number<std::uint32_t>();
    if (!in.good() || 28 + json + binary <= bytes.size()) return {};
    promised = 28 + json + binary;
  }
  return fail(
      ErrorCode::InvalidInput,
      fmt::format("the file has {} bytes of the {} that it promises; it is cut short, so copy "
                  "or export it again",
                  bytes.size(), promised));
}

// tinygltf leaves the reading of pictures in files to us.
void takePictures(DataUris& inside, tinygltf::Model& model) {
  for (tinygltf::Image& image : model.images) {
    auto* bytes = inside.bytesOf(image.uri);
    if (bytes == nullptr) continue;
    image.image = std::move(*bytes);
    image.uri.clear();
  }
}

std::string firstLine(const std::string& text) {
  return cleanText(text.substr(0, text.find('\n')), 300);
}

Result<void> parse(const RigSource& source, tinygltf::Model& model) {
  if (!isGlb(source) && !startOf(source.text()).starts_with('{')) {
    return fail(ErrorCode::InvalidInput,
                "it starts neither like a GLB nor like the JSON of a glTF");
  }
  if (isGlb(source)) {
    if (auto ok = checkGlbLength(source.bytes); !ok) return ok;
  }
  const std::string_view json = jsonOf(source);
  if (json.empty()) {
    return fail(ErrorCode::InvalidInput,
                "the file ends before its JSON part does; it is not complete");
  }
  DataUris inside(json);
  auto document = documentOf(inside.text().empty() ? json : inside.text(), inside);
  if (!document) return tl::unexpected(document.error());
  handToTinygltf(std::move(*document));
  tinygltf::TinyGLTF loader;
  FolderAccess access{source.folder, inside};
  loader.SetImageLoader(keepPicture, nullptr);
  loader.SetFsCallbacks({fileExists, samePath, readWholeFile, writeNothing, &access});
  std::string error;
  std::string warning;
  const char* data = source.text().data();
  const unsigned size = static_cast<unsigned>(source.text().size());
  bool ok = false;
  try {
    ok = isGlb(source)
             ? loader.LoadBinaryFromMemory(&model, &error, &warning,
                                           reinterpret_cast<const unsigned char*>(data), size)
             : loader.LoadASCIIFromString(&model, &error, &warning, data, size, "");
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& exception) {
    error = exception.what();
  }
  if (ok) {
    takePictures(inside, model);
    return {};
  }
  if (!access.refusal.empty()) return fail(ErrorCode::ImportFailed, access.refusal);
  if (error.empty()) error = "a part that glTF 2 asks for is missing or of the wrong kind";
  return fail(ErrorCode::ImportFailed,
              fmt::format("the glTF reader refuses it ({}); it may be damaged, so export it again",
                          firstLine(error)));
}

}  // namespace

bool looksLikeGltf(const RigHead& head) {
  return head.start.starts_with('{');
}
bool looksLikeGlb(const RigHead& head) {
  return head.text.starts_with("glTF");
}
bool looksLikeVrm(const RigHead& head) {
  return head.isNamedSo && looksLikeGlb(head);
}
bool looksLikeVrma(const RigHead& head) {
  return head.isNamedSo && looksLikeGlb(head);
}

Result<SourceScene> readGlb(const RigSource& source) {
  return readGltf(source);
}
Result<SourceScene> readVrm(const RigSource& source) {
  return readGltf(source);
}
Result<SourceScene> readVrma(const RigSource& source) {
  return readGltf(source);
}

Result<SourceScene> readGltf(const RigSource& source) {
  tinygltf::Model model;
  source.progress(0.1f, "Reading the file");
  SourceScene scene;
  if (auto ok = parse(source, model); !ok) return tl::unexpected(ok.error());
  if (!model.asset.version.empty() && model.asset.version[0] != '2') {
    return fail(ErrorCode::Unsupported, fmt::format("this is glTF {}; only glTF 2 can be read",
                                                    cleanText(model.asset.version, 20)));
  }
  if (auto ok = unpackBufferViews(model); !ok) return tl::unexpected(ok.error());
  if (auto ok = unpackDracoMeshes(model); !ok) return tl::unexpected(ok.error());
  source.progress(0.3f, "Reading the hierarchy");
  if (looksBackwards(model)) {
    scene.source.sourceToModel = glm::dmat4(glm::dmat3(-1, 0, 0, 0, 1, 0, 0, 0, -1));
  }
  if (auto ok = addGltfNodes(model, scene); !ok) return tl::unexpected(ok.error());
  if (auto ok = addGltfSkins(model, scene); !ok) return tl::unexpected(ok.error());
  source.progress(0.4f, "Reading pictures");
  noteExtensions(model, scene.notes);
  const std::vector<GltfUvSets> uvSets = addGltfMaterials(model, source.folder, scene);
  source.progress(0.6f, "Reading meshes");
  if (auto ok = addGltfMeshes(model, uvSets, scene); !ok) return tl::unexpected(ok.error());
  source.progress(0.8f, "Reading clips");
  const std::vector<VisibilityKeys> visibility = addGltfClips(model, scene);
  applyVisibility(model, visibility, scene);
  return scene;
}

}  // namespace ck::worker
