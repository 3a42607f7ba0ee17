#include "ui/document/relinking.h"

#include <spdlog/spdlog.h>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStringList>
#include <algorithm>

#include "core/base/log.h"
#include "core/project/source_files.h"
#include "core/system/files.h"
#include "ui/document/document.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Relinking", text);
}

void enter(Document& document, const QString& text, const std::vector<FoundSource>& found) {
  document.edit(text, [&](Project& project) {
    movePaths(project, [&](const std::string& path) {
      const auto at = std::ranges::find(found, path, &FoundSource::was);
      return at == found.end() ? path : at->now;
    });
  });
  for (const FoundSource& one : found) log().info("{} is taken for {}", one.now, one.was);
}

QString namesOf(const std::vector<FoundSource>& found) {
  QStringList names;
  for (const FoundSource& one : found) names << fileNameOf(one.was);
  return names.join(QStringLiteral(", "));
}

// Relative to the project, as files have it.
QString placeOf(const Document& document, const FoundSource& found) {
  const QDir beside = QFileInfo(document.readFrom()).absoluteDir();
  return QDir::toNativeSeparators(beside.relativeFilePath(textOf(found.now)));
}

// As long as the project has one of these paths.
std::function<bool()> whileUsed(const Document& document, std::vector<std::string> paths) {
  return [&document, paths = std::move(paths)] {
    const std::vector<std::string> used = sourcePaths(document.project());
    return std::ranges::any_of(paths, [&used](const std::string& path) {
      return std::ranges::find(used, path) != used.end();
    });
  };
}

}  // namespace

std::vector<Notice> relinkMissing(Document& document) {
  std::vector<Notice> notices;
  std::vector<FoundSource> found =
      findSources(document.project(), pathFromText(utf8Of(document.readFrom())));
  // A file stands for one source, so that undoing it gives back the path of that one alone.
  std::vector<std::string> used = sourcePaths(document.project());
  std::erase_if(found, [&used](const FoundSource& one) {
    if (std::ranges::find(used, one.now) != used.end()) return true;
    used.push_back(one.now);
    return false;
  });
  const auto others = std::ranges::stable_partition(found, &FoundSource::isSame);
  const std::vector<FoundSource> alike(others.begin(), others.end());
  found.erase(others.begin(), found.end());
  if (!found.empty()) {
    enter(document, tr("Find %1").arg(namesOf(found)), found);
    std::vector<std::string> paths;
    for (const FoundSource& one : found) paths.push_back(one.now);
    const QString text = found.size() == 1
                             ? tr("Source found at %1").arg(placeOf(document, found.front()))
                             : tr("%1 sources found: %2, the first at %3")
                                   .arg(found.size())
                                   .arg(namesOf(found), placeOf(document, found.front()));
    std::vector<FoundSource> back;
    for (const FoundSource& one : found) back.push_back({one.now, one.was});
    const auto undo = [&document, back] { enter(document, tr("Source as it was"), back); };
    notices.push_back(
        {Notice::Level::Hint, text, {{tr("Undo"), undo}}, whileUsed(document, paths)});
  }
  for (const FoundSource& one : alike) {
    const auto use = [&document, one] {
      enter(document, tr("Locate %1").arg(fileNameOf(one.was)), {one});
    };
    notices.push_back({Notice::Level::Warning,
                       tr("%1 is missing (it was %2). A file of that name, with other content, is "
                          "at %3.")
                           .arg(fileNameOf(one.was), QDir::toNativeSeparators(textOf(one.was)),
                                placeOf(document, one)),
                       {{tr("Use it"), use}},
                       whileUsed(document, {one.was})});
  }
  return notices;
}

QString locate(Document& document, const std::string& was, const std::string& now,
               const std::function<bool(const QString& question)>& ask) {
  const auto& hashes = document.project().file.sourceHashes;
  const auto known = hashes.find(was);
  const auto hash = hashOfSource(pathFromText(now));
  if (known != hashes.end() && hash && *hash != known->second &&
      !ask(tr("%1 has other content than %2 had. Use it?").arg(fileNameOf(now), fileNameOf(was)))) {
    return {};
  }
  // With this one in its place, which is then given to no other.
  Project located = document.project();
  movePaths(located, [&](const std::string& path) { return path == was ? now : path; });
  std::vector<FoundSource> found = findSourcesIn(located, pathFromText(now).parent_path());
  const QString others = namesOf(found);
  found.push_back({was, now});
  enter(document, tr("Locate %1").arg(fileNameOf(was)), found);
  return others.isEmpty() ? QString() : tr("Found beside it: %1").arg(others);
}

}  // namespace ck::ui
