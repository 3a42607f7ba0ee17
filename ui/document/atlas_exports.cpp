#include "ui/document/atlas_exports.h"

#include <fmt/format.h>

#include <QSet>

#include "core/base/files.h"
#include "core/project/pipeline.h"
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
    recorded.clipSources = clipSourcesOf(one.files);
    recorded.clipEvents = atlasEvents(*one.atlas, one.clips);
    const auto files = exportAtlas(
        *one.atlas, freeName(wanted, taken), folder, recorded, one.error ? &*one.error : nullptr,
        job.part(static_cast<float>(i) / steps, static_cast<float>(i + 1) / steps));
    if (!files) return tl::unexpected(files.error());
    written.insert(written.end(), files->begin(), files->end());
  }
  return written;
}

}  // namespace ck::ui
