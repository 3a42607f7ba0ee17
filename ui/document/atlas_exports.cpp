#include "ui/document/atlas_exports.h"

#include "core/project/characters.h"
#include "core/project/pipeline.h"
#include "ui/document/session.h"

namespace ck::ui {

std::vector<CastAtlas> atlasesToExport(const Project& project, const Session& session) {
  std::vector<CastAtlas> atlases;
  for (int c = 0; c < characterCount(project); ++c) {
    const ProjectCharacter& asked = project.characters[std::size_t(c)];
    const LoadedCharacter& loaded = session.of(c);
    if (asked.variantOf || !loaded.atlas) continue;
    CastAtlas& one = atlases.emplace_back();
    one.number = c;
    if (c > 0) one.title = characterTitle(project, c);
    one.character = loaded.character();
    one.atlas = loaded.atlas;
    one.settings = settingsFor(asked, *loaded.source);
    if (const BakeError* error = session.bakedError(c)) one.error = *error;
  }
  return atlases;
}

}  // namespace ck::ui
