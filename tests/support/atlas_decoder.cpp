#include "tests/support/atlas_decoder.h"

#include <QTest>
#include <nlohmann/json.hpp>

namespace ck::test {

AtlasDecoder::~AtlasDecoder() {
  python_.closeWriteChannel();
  python_.waitForFinished();
}

AtlasDecoder::Answer AtlasDecoder::answer(const QStringList& arguments) {
  if (python_.state() == QProcess::NotRunning) {
    python_.start("python3",
                  {QStringLiteral(CK_SOURCE_DIR "/tests/tools/decode_atlas.py"), "--serve"});
  }
  nlohmann::json words = nlohmann::json::array();
  for (const QString& argument : arguments) words.push_back(argument.toStdString());
  python_.write(QByteArray::fromStdString(words.dump() + '\n'));
  while (!python_.canReadLine()) {
    if (!python_.waitForReadyRead(120'000)) return {-1, {}, python_.readAllStandardError()};
  }
  const auto reply = nlohmann::json::parse(python_.readLine().toStdString());
  const auto bytes = [&](const char* key) {
    return QByteArray::fromStdString(reply[key].get<std::string>());
  };
  return {reply["exitCode"].get<int>(), bytes("out"), bytes("said")};
}

nlohmann::json AtlasDecoder::document(const QStringList& arguments) {
  const Answer answered = answer(arguments);
  if (answered.exitCode != 0) {
    qWarning("%s", answered.said.constData());
    return {};
  }
  return answered.out.isEmpty() ? nlohmann::json(true)
                                : nlohmann::json::parse(answered.out.toStdString());
}

}  // namespace ck::test
