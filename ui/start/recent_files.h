#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

namespace ck::ui {

// The files that were opened or saved last, each with a picture of the view as it was left. Kept in
// the user's settings and cache, for all windows of the program.

inline constexpr int kRecentKept = 12;

// Absolute paths, the latest first. Files that are not there any more are included.
QStringList recentFiles();
// Puts a file first.
void rememberFile(const QString& path);
void forgetFiles();

// The folder in which file dialogs start: that of the file that was chosen last, of any kind; the
// user's documents before there was one.
QString lastFolder();
void rememberFolderOf(const QString& path);

// The size in pixels of a kept picture.
inline constexpr QSize kRecentPicture{320, 180};

// Keeps the middle of `view` as the picture of a file. A picture that cannot be written is not
// kept.
void keepPictureOf(const QString& path, const QImage& view);
// Null if there is none.
QImage pictureOf(const QString& path);

}  // namespace ck::ui
