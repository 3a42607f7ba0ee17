#include "ui/document/atlas_exports.h"

#include <fmt/format.h>

#include <QSet>

#include "core/base/files.h"
#include "core/project/atlas_events.h"
#include "core/project/characters.h"
#include "core/project/pipeline.h"
#include "ui/document/session.h"
#include "ui/document/text.h"

namespace ck::ui {

// Different titles may give equal file names, and some file systems ignore case.
static std::string freeName(const std::string& wanted, QSet<QString>& taken) {
  std::string name = wanted;
  for (int number = 2; taken.contains(textOf(name).toLower()); ++number) {
    name = fmt::format("{}-{}", wanted, number);
  }
  taken.insert(textOf(name).toLower());
  return name;
}

std::vector<AtlasToExport> atlasesToExport(const Project& project, const Session& session) {
  std::vector<AtlasToExport> atlases;
  for (int c = 0; c < characterCount(project); ++c) {
    const ProjectCharacter& asked = project.characters[std::size_t(c)];
    const LoadedCharacter& loaded = session.of(c);
    if (asked.variantOf || !loaded.atlas) continue;
    AtlasToExport& one = atlases.emplace_back();
    if (c > 0) one.title = characterTitle(project, c);
    one.character = loaded.character();
    one.atlas = loaded.atlas;
    one.settings = settingsFor(asked, *loaded.source);
    if (const BakeError* error = session.bakedError(c)) one.error = *error;
  }
  return atlases;
}

Result<std::vector<ExportedFile>> exportAtlases(std::span<const AtlasToExport> atlases,
                                                const std::string& name,
                                                const std::filesystem::path& folder,
                                                const ExportSettings& settings,
                                                const JobContext& job) {
  std::vector<ExportedFile> written;
  QSet<QString> taken;
  const float steps = static_cast<float>(atlases.size());
  for (std::size_t i = 0; i < atlases.size(); ++i) {
    const AtlasToExport& one = atlases[i];
    const std::string wanted = i == 0 ? name : name + "-" + safeFileName(one.title);
    ExportSettings recorded = settings;
    std::vector<std::string> files;
    for (const SourceFile& source : one.settings.sources) files.push_back(source.path);
    recorded.clipSources = clipSourcesOf(files);
    recorded.clipEvents = atlasEvents(*one.atlas, *one.character, one.settings.clips);
    const auto exported = exportAtlas(
        *one.atlas, freeName(wanted, taken), folder, recorded, one.error ? &*one.error : nullptr,
        job.part(static_cast<float>(i) / steps, static_cast<float>(i + 1) / steps));
    if (!exported) return tl::unexpected(exported.error());
    written.insert(written.end(), exported->begin(), exported->end());
  }
  return written;
}

}  // namespace ck::ui
