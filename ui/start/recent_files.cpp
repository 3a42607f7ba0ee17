#include "ui/start/recent_files.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <span>
#include <tuple>

#include "core/system/files.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

const QString kRecent = QStringLiteral("recent");
const QString kFolder = QStringLiteral("folder");

QString pictureFile(const QString& path) {
  const QString full = QFileInfo(path).absoluteFilePath();
  const QByteArray key =
      QCryptographicHash::hash(full.toUtf8(), QCryptographicHash::Sha1).toHex().left(24);
  const QDir cache(QStandardPaths::writableLocation(QStandardPaths::CacheLocation));
  return cache.filePath(QStringLiteral("pictures/%1.png").arg(QLatin1String(key)));
}

}  // namespace

QStringList recentFiles() {
  return QSettings().value(kRecent).toStringList();
}

void rememberFile(const QString& path) {
  const QString full = QFileInfo(path).absoluteFilePath();
  QStringList recent = recentFiles();
  recent.removeAll(full);
  recent.prepend(full);
  for (const QString& old : recent.mid(kRecentKept)) QFile::remove(pictureFile(old));
  QSettings().setValue(kRecent, recent.mid(0, kRecentKept));
}

void forgetFiles() {
  for (const QString& path : recentFiles()) QFile::remove(pictureFile(path));
  QSettings().remove(kRecent);
}

QString lastFolder() {
  const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  return QSettings().value(kFolder, documents).toString();
}

void rememberFolderOf(const QString& path) {
  QSettings().setValue(kFolder, QFileInfo(path).absolutePath());
}

void keepPictureOf(const QString& path, const QImage& view) {
  if (path.isEmpty() || view.isNull()) return;
  const QImage scaled =
      view.scaled(kRecentPicture, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
  QImage middle = scaled.copy((scaled.width() - kRecentPicture.width()) / 2,
                              (scaled.height() - kRecentPicture.height()) / 2,
                              kRecentPicture.width(), kRecentPicture.height());
  middle.setDevicePixelRatio(1.0);
  const QString file = pictureFile(path);
  QDir().mkpath(QFileInfo(file).absolutePath());
  // The window waits for it: packed quickly rather than small.
  constexpr int kQuickly = 85;
  QByteArray bytes;
  QBuffer buffer(&bytes);
  middle.convertToFormat(QImage::Format_RGB32).save(&buffer, "PNG", kQuickly);
  // A picture that cannot be kept is left out.
  std::ignore = writeFileAtomically(pathFromText(utf8Of(file)), std::as_bytes(std::span(bytes)));
}

QImage pictureOf(const QString& path) {
  return QImage(pictureFile(path));
}

}  // namespace ck::ui
