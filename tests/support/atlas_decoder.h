#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>
#include <nlohmann/json_fwd.hpp>

namespace ck::test {

// tests/tools/decode_atlas.py as one process, which is started by the first question and answers
// the others as well.
class AtlasDecoder {
 public:
  struct Answer {
    int exitCode = -1;
    QByteArray out;
    QByteArray said;
  };

  AtlasDecoder() = default;
  ~AtlasDecoder();

  // Answers a command line of the program: a sidecar and its options.
  Answer answer(const QStringList& arguments);
  // The document that the program prints, true where it prints nothing. Null, with a warning, where
  // it refuses.
  nlohmann::json document(const QStringList& arguments);

 private:
  QProcess python_;
};

}  // namespace ck::test
