#include "core/project/props.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/import/import_process.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"

namespace ck {

Result<CharacterPtr> readPropShape(const SourceFile& source, const JobContext& job) {
  auto read = importCharacter(pathFromText(source.path), {}, {}, job);
  if (!read) return tl::unexpected(read.error());
  auto shape = std::make_shared<Character>(restShape(*read));
  const bool any =
      std::ranges::any_of(shape->meshes, [](const Mesh& mesh) { return !mesh.indices.empty(); });
  if (any) return CharacterPtr(std::move(shape));
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: there are no triangles to be placed; choose a file with a mesh",
                          source.path));
}

}  // namespace ck
