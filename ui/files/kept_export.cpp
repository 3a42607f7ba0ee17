#include "ui/files/kept_export.h"

#include <QSettings>
#include <QUrl>

#include "ui/document/text.h"

namespace ck::ui {
namespace {

// Projects are told apart by their path, so what is kept is the user's and not the project's.
QString keptUnder(const QString& project) {
  const QByteArray path = project.isEmpty() ? "new" : QUrl::toPercentEncoding(project);
  return QStringLiteral("export/") + QString::fromLatin1(path);
}

}  // namespace

KeptExport keptExport(const QString& project, const QString& folder) {
  KeptExport kept = {folder, ExportDialog::suggested()};
  QSettings settings;
  settings.beginGroup(keptUnder(project));
  const QString known = settings.value("folder").toString();
  if (known.isEmpty()) return kept;
  kept.folder = known;
  kept.choice = {};
  for (const QString& word : settings.value("what").toStringList()) {
    if (const auto kind = exportKindFromName(utf8Of(word))) kept.choice.kinds.insert(*kind);
    if (const auto target = targetKindFromName(utf8Of(word))) kept.choice.targets.insert(*target);
  }
  kept.choice.skinUv =
      skinUvFromName(utf8Of(settings.value("skinUv").toString())).value_or(SkinUv::None);
  bool isNumber = false;
  const auto bytes = settings.value("impostorBytes").toULongLong(&isNumber);
  if (isNumber) kept.choice.impostorBytes = std::size_t(bytes);
  return kept;
}

void keepExport(const QString& project, const KeptExport& kept) {
  QStringList words;
  for (const ExportKind kind : kept.choice.kinds) words << textOf(exportFormat(kind).name);
  for (const TargetKind kind : kept.choice.targets) words << textOf(exportTarget(kind).name);
  QSettings settings;
  settings.beginGroup(keptUnder(project));
  settings.setValue("folder", kept.folder);
  settings.setValue("what", words);
  settings.setValue("skinUv", textOf(skinUvName(kept.choice.skinUv)));
  settings.setValue("impostorBytes", qulonglong(kept.choice.impostorBytes));
}

}  // namespace ck::ui
