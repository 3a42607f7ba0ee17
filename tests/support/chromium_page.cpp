#include "tests/support/chromium_page.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

namespace ck::test {

QString chromiumPath() {
  return QStandardPaths::findExecutable("chromium");
}

std::vector<nlohmann::json> answersOfPage(const std::string& page, const QStringList& options) {
  // Base64 keeps line breaks and quotes out of the browser's log, where console.log() goes.
  constexpr const char* kSay =
      "<!doctype html><meta charset=\"utf-8\"><script>\n"
      "const say = (value) => console.log('ANSWER<' + btoa(JSON.stringify(value)) + '>');\n"
      "</script>\n";
  const QTemporaryDir folder;
  QFile file(folder.filePath("page.html"));
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(kSay);
  file.write(page.data(), static_cast<qint64>(page.size()));
  file.close();
  QProcess browser;
  browser.setReadChannel(QProcess::StandardError);
  browser.start(chromiumPath(),
                QStringList{"--headless=new", "--no-sandbox", "--enable-logging=stderr",
                            "--user-data-dir=" + folder.filePath("profile")} +
                    options + QStringList{"file://" + file.fileName()});
  std::vector<nlohmann::json> answers;
  QByteArray said;
  while (browser.waitForReadyRead(120'000)) {
    said += browser.readAllStandardError();
    for (qsizetype end = said.indexOf('>'); end >= 0; end = said.indexOf('>')) {
      const QByteArray line = said.left(end);
      said.remove(0, end + 1);
      const qsizetype start = line.lastIndexOf("ANSWER<");
      if (start < 0) continue;
      answers.push_back(nlohmann::json::parse(
          QByteArray::fromBase64(line.mid(start + 7)).toStdString(), nullptr, false));
    }
    if (!answers.empty() && answers.back().contains("last")) break;
  }
  browser.terminate();
  if (!browser.waitForFinished(10'000)) browser.kill();
  browser.waitForFinished();
  return answers;
}

}  // namespace ck::test
