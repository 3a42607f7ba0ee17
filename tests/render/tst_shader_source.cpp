#include <QTest>
#include <map>

#include "render/gl/shader_source.h"
#include "tests/support/test_program.h"

using ck::render::expandShader;
using ck::render::nameShaderFiles;

namespace {

ck::render::ShaderLoad loader(std::map<std::string, std::string, std::less<>> files) {
  return [files = std::move(files)](std::string_view path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
}

std::size_t countOf(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

class tst_shader_source : public QObject {
  Q_OBJECT

 private slots:
  void rejectsAMissingFileByItsName() {
    const auto shader =
        expandShader("a.vert", {}, loader({{"a.vert", "#version 330\n#include \"gone.glsl\"\n"}}));
    QVERIFY(!shader.has_value());
    QVERIFY(shader.error().message.find("gone.glsl") != std::string::npos);
    QVERIFY(!expandShader("b.vert", {}, loader({})).has_value());
  }

  void rejectsAShaderWithoutVersion() {
    const auto shader = expandShader("a.vert", {}, loader({{"a.vert", "void main() {}\n"}}));
    QVERIFY(!shader.has_value());
    QVERIFY(shader.error().message.find("#version") != std::string::npos);
  }

  void rejectsAnIncludeWithoutQuotes() {
    const auto shader = expandShader(
        "a.vert", {}, loader({{"a.vert", "#version 330\n#include <b.glsl>\n"}, {"b.glsl", ""}}));
    QVERIFY(!shader.has_value());
  }

  void aDefineNamesAFile() {
    const auto load =
        loader({{"a.vert", "#version 330\n#include CK_FILE\n"}, {"b.glsl", "int b;\n"}});
    const auto shader =
        expandShader("a.vert", std::vector<ck::render::ShaderDefine>{{"CK_FILE", "b.glsl"}}, load);
    QVERIFY(shader.has_value());
    QCOMPARE(countOf(shader->text, "int b;"), std::size_t{1});
    QVERIFY(!expandShader("a.vert", {}, load).has_value());
  }

  void everyFileIsThereOnce() {
    const auto shader = expandShader("a.vert", {},
                                     loader({{"a.vert",
                                              "#version 330\n#include \"b.glsl\"\n"
                                              "#include \"c.glsl\"\n#include \"b.glsl\"\n"},
                                             {"b.glsl", "int b;\n#include \"c.glsl\"\n"},
                                             {"c.glsl", "int c;\n#include \"b.glsl\"\n"}}));
    QVERIFY(shader.has_value());
    QCOMPARE(countOf(shader->text, "int b;"), std::size_t{1});
    QCOMPARE(countOf(shader->text, "int c;"), std::size_t{1});
    QCOMPARE(shader->files, (std::vector<std::string>{"a.vert", "b.glsl", "c.glsl"}));
  }

  void definesFollowTheVersionLine() {
    const std::vector<ck::render::ShaderDefine> defines{{"CK_INFLUENCES", "4"}};
    const auto shader = expandShader("a.vert", defines,
                                     loader({{"a.vert", "#version 330 core\nvoid main() {}\n"}}));
    QVERIFY(shader.has_value());
    QCOMPARE(shader->text, std::string("#version 330 core\n#define CK_FN\n#define CK_INFLUENCES 4\n"
                                       "#line 2 0\nvoid main() {}\n"));
  }

  // The number that #line gives to the line after it must be the line's number in its file.
  void lineNumbersAreThoseOfTheFiles() {
    const auto shader =
        expandShader("a.vert", {},
                     loader({{"a.vert", "#version 330\nA2\n#include \"b.glsl\"\nA4\nA5\n"},
                             {"b.glsl", "B1\nB2\n#include \"c.glsl\"\nB4\n"},
                             {"c.glsl", "C1\nC2"}}));
    QVERIFY(shader.has_value());
    std::size_t line = 0;
    std::size_t file = 0;
    int checked = 0;
    for (const QString& text : QString::fromStdString(shader->text).split('\n')) {
      if (text.startsWith("#line ")) {
        line = text.split(' ')[1].toULongLong();
        file = text.split(' ')[2].toULongLong();
        continue;
      }
      if (text.size() == 2) {
        const QChar letter = QString::fromStdString(shader->files[file]).front().toUpper();
        QCOMPARE(text, QString("%1%2").arg(letter).arg(line));
        ++checked;
      }
      ++line;
    }
    QCOMPARE(checked, 8);
  }

  void messagesNameTheFiles() {
    const std::vector<std::string> files{"a.vert", "shared/b.glsl"};
    QCOMPARE(nameShaderFiles("1:4(2): error: no\n0(7) : error C1\n5:1: unknown\nplain", files),
             std::string("shared/b.glsl:4(2): error: no\na.vert(7) : error C1\n5:1: unknown\n"
                         "plain\n"));
  }

  void theEmbeddedShadersAreComplete() {
    for (const char* name : {"crowd/lit.frag", "crowd/ids.frag", "scene/ground.vert",
                             "scene/ground.frag", "scene/footprint.vert"}) {
      QVERIFY2(expandShader(name, {}, ck::render::embeddedShaders()).has_value(), name);
    }
    for (const char* pose : {"atlas", "uploaded", "palette", "pool", "skinned"}) {
      const std::vector<ck::render::ShaderDefine> defines{
          {"CK_POSE_FILE", std::string("pose/") + pose + "_pose.glsl"},
          {"CK_RECORD_FILE", "crowd/actor_record.glsl"},
          {"CK_FORM_FILE", "shared/dual_pose.glsl"}};
      const auto text = expandShader("crowd/actor.vert", defines, ck::render::embeddedShaders());
      QVERIFY2(text.has_value(), pose);
    }
  }
};

CK_TEST(tst_shader_source)
#include "tst_shader_source.moc"
