#include "ui/viewport/what_draws.h"

#include <QCoreApplication>
#include <set>
#include <string>

#include "core/project/characters.h"
#include "ui/bake/bake_panel.h"
#include "ui/document/session.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("ck::ui::ViewportFrame", text);
}

}  // namespace

QString sourceWords(const Project& project, const Session& session) {
  std::set<std::string> files;
  for (int c = 0; c < characterCount(project); ++c) {
    if (!session.character(c)) continue;
    for (const SourceFile& source : baseCharacter(project, c).sources) files.insert(source.path);
  }
  const QString whose = files.size() == 1
                            ? fileNameOf(*files.begin())
                            : counted(qlonglong(files.size()), tr("file"), tr("files"));
  return tr("Source: clips of %1, skinned on the CPU").arg(whose);
}

QString bakedWords(const Project& project, const Session& session, Method method) {
  std::set<const Atlas*> atlases;
  std::set<Encoding> encodings;
  std::size_t bytes = 0;
  for (int c = 0; c < characterCount(project); ++c) {
    const AtlasPtr atlas = session.atlas(c);
    if (!atlas || !atlases.insert(atlas.get()).second) continue;
    encodings.insert(encodingOf(atlas->recipe));
    bytes += atlas->texels.size();
  }
  const QString title = textOf(methodInfo(method).title);
  if (methodInfo(method).posesClips) return tr("Clips posed for every tick, method %1").arg(title);
  QString what = atlases.size() == 1
                     ? tr("atlas")
                     : counted(qlonglong(atlases.size()), tr("atlas"), tr("atlases"));
  if (encodings.size() == 1) what += u' ' + textOf(encodingName(*encodings.begin()));
  return tr("Baked: %1, %2, method %3").arg(what, sizeText(bytes), title);
}

}  // namespace ck::ui
