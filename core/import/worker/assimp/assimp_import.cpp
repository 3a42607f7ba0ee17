#include "core/import/worker/assimp/assimp_import.h"

#include <assimp/BaseImporter.h>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/IOStream.hpp>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <cstring>
#include <deque>

#include "core/base/version.h"
#include "core/import/worker/assimp/assimp_materials.h"
#include "core/import/worker/assimp/assimp_scene.h"
#include "core/import/worker/collada/collada_clips.h"
#include "core/import/worker/collada/collada_file.h"
#include "core/import/worker/text/names.h"

namespace ck::worker {
namespace {

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// MemoryIOStream divides by the size of an item.
struct MemoryStream : Assimp::MemoryIOStream {
  explicit MemoryStream(std::string_view bytes)
      : MemoryIOStream(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()) {}
  size_t Read(void* to, size_t size, size_t count) override {
    return size == 0 ? 0 : MemoryIOStream::Read(to, size, count);
  }
};

// Gives Assimp access to the rig file under a fixed name, and to other files of its folder only.
class FolderSystem : public Assimp::IOSystem {
 public:
  FolderSystem(std::string rigName, std::string rig, SourceFolder& folder)
      : rigName_(std::move(rigName)), rig_(std::move(rig)), folder_(folder) {}

  bool Exists(const char* name) const override { return name == rigName_ || folder_.has(name); }
  char getOsSeparator() const override { return '/'; }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    if (std::strpbrk(mode, "wa+") != nullptr) return nullptr;
    if (name == rigName_) return new MemoryStream(rig_);
    auto bytes = folder_.read(name);
    if (!bytes) return nullptr;
    others_.push_back(std::move(*bytes));
    return new MemoryStream(textOf(others_.back()));
  }
  void Close(Assimp::IOStream* stream) override { delete stream; }

 private:
  std::string rigName_;
  std::string rig_;
  SourceFolder& folder_;
  std::deque<std::vector<std::byte>> others_;  // files that were opened
};

// Removes whitespace at the start of elements like "<v> 1 2", which Assimp's parser refuses.
std::string withoutLeadingBlanks(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] != '>') continue;
    const std::size_t next = text.find_first_not_of(" \t\r\n", i + 1);
    if (next != std::string_view::npos && text[next] != '<') i = next - 1;
  }
  return result;
}

// Removes all readers but one, so that the file's content cannot select another.
void keepOnly(Assimp::Importer& importer, const std::string& ending) {
  std::vector<Assimp::BaseImporter*> others;
  const std::size_t wanted = importer.GetImporterIndex(("." + ending).c_str());
  for (std::size_t i = 0; i < importer.GetImporterCount(); ++i) {
    if (i != wanted) others.push_back(importer.GetImporter(i));
  }
  for (Assimp::BaseImporter* other : others) {
    importer.UnregisterLoader(other);
    delete other;
  }
}

tl::unexpected<Error> explain(const std::string& text) {
  if (text.find("bad_alloc") != std::string::npos) {
    return fail(ErrorCode::ImportMemory, "reading it needs more memory than the limit");
  }
  return fail(
      ErrorCode::ImportFailed,
      fmt::format("the Collada reader refuses it ({}); it may be cut short or damaged, so export "
                  "it again",
                  cleanText(text, 300)));
}

Result<SourceScene> readByAssimp(const RigSource& rig) {
  auto& [bytes, folder, progress] = rig;
  const std::string ending(rigFormat(RigKind::Collada).ending);
  const std::string rigName = "rig." + ending;
  auto motion = readColladaMotion(textOf(bytes));
  if (!motion) return tl::unexpected(motion.error());
  std::string text = withoutLeadingBlanks(motion->withoutMotion);
  Assimp::Importer importer;
  keepOnly(importer, ending);
  importer.SetIOHandler(new FolderSystem(rigName, std::move(text), folder));
  importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
  // Ids are unique, names are not. Names are restored at the end.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, false);
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                              aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  progress(0.1f, "Reading the file");
  const aiScene* source = importer.ReadFile(rigName, aiProcess_Triangulate | aiProcess_SortByPType);
  if (source == nullptr || source->mRootNode == nullptr) {
    return explain(importer.GetErrorString());
  }
  SourceScene scene;
  progress(0.6f, "Reading the hierarchy");
  const AssimpNodes nodes = addAssimpNodes(*source, scene);
  const auto uvSets = addAssimpMaterials(*source, folder, scene);
  progress(0.7f, "Reading meshes");
  if (auto ok = addAssimpMeshes(*source, nodes, uvSets, scene); !ok)
    return tl::unexpected(ok.error());
  progress(0.8f, "Reading clips");
  completeCollada(*motion, scene);
  return scene;
}

}  // namespace

}  // namespace ck::worker

extern "C" {
const ck::worker::AssimpReader kAssimpReader = {ck::version(), ck::worker::readByAssimp};
}
