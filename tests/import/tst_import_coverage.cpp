#include <fmt/format.h>

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/anim/clip_sampler.h"
#include "core/anim/pose.h"
#include "core/import/import_process.h"
#include "core/skinning/cpu_skinning.h"
#include "core/system/files.h"
#include "tests/support/import_worker.h"
#include "tests/support/notes.h"
#include "tests/support/test_program.h"

// Which features of which format are read, by probes that tests/tools/probes makes with what is due
// by formula. A difference that no note names fails the test, and so does a page that differs.
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kPage = fs::path(CK_SOURCE_DIR) / "docs" / "import-coverage.md";
const fs::path kTool = fs::path(CK_SOURCE_DIR) / "tests/tools/probes/make_probes.py";

glm::dvec3 vectorOf(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

std::vector<glm::dvec3> vectorsOf(const Json& json) {
  std::vector<glm::dvec3> vectors;
  for (const Json& each : json) vectors.push_back(vectorOf(each));
  return vectors;
}

// All vertices of a character at a time, and the vector area of its triangles.
struct Posed {
  std::vector<glm::dvec3> points;
  std::vector<glm::dvec3> normals;
  glm::dvec3 area{0.0};
  double surface = 0.0;  // the areas of all triangles
  std::vector<glm::dmat4> joints;
};

Posed poseOf(const ck::Character& character, const ck::Clip* clip, double time) {
  Posed posed;
  posed.joints = clip == nullptr ? ck::restMatrices(character.rig)
                                 : ck::globalMatrices(character.rig,
                                                      ck::sampleClip(character.rig, *clip, time));
  const auto skins = ck::skinMatrices(character.rig, posed.joints);
  for (std::size_t m = 0; m < character.meshes.size(); ++m) {
    const ck::Mesh& mesh = character.meshes[m];
    const auto weights = clip == nullptr
                             ? mesh.defaultMorphWeights
                             : ck::sampleMorphWeights(character, *clip, static_cast<int>(m), time);
    ck::SkinnedMesh skinned = ck::skinMesh(mesh, skins, {.morphWeights = weights});
    for (std::size_t v = 0; v < skinned.normals.size(); ++v) {
      if (skinned.mirrored[v]) skinned.normals[v] = -skinned.normals[v];
    }
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      const auto corner = [&](std::size_t c) { return skinned.positions[mesh.indices[i + c]]; };
      const glm::dvec3 area = 0.5 * glm::cross(corner(1) - corner(0), corner(2) - corner(0));
      posed.area += area;
      posed.surface += glm::length(area);
    }
    posed.points.insert(posed.points.end(), skinned.positions.begin(), skinned.positions.end());
    posed.normals.insert(posed.normals.end(), skinned.normals.begin(), skinned.normals.end());
  }
  return posed;
}

// Holds a character against what is due. `difference` is the first one that was found.
class Judge {
 public:
  Judge(const ck::Character& character, const Json& due) : character_(character), due_(due) {}

  std::string difference() {
    judgeClips();
    for (const Json& pose : due_.value("poses", Json::array())) judgePose(pose);
    judgeCorners();
    if (due_.contains("material")) judgeMaterial();
    return difference_;
  }

 private:
  void differ(std::string what) {
    if (difference_.empty()) difference_ = std::move(what);
  }
  void near(const std::string& what, double ours, double due, double tolerance = 1e-4) {
    if (!(std::abs(ours - due) <= tolerance)) {
      differ(fmt::format("{} is {:.6g}, due is {:.6g}", what, ours, due));
    }
  }
  template <class Vector>
  void nearAll(const std::string& what, const Vector& ours, const Json& due) {
    for (std::size_t i = 0; i < due.size(); ++i) {
      near(fmt::format("{} [{}]", what, i), static_cast<double>(ours[static_cast<int>(i)]),
           due[i].get<double>(), 2e-3);
    }
  }

  void judgeClips() {
    if (!due_.contains("clips")) return;
    const Json& clips = due_["clips"];
    if (clips.size() != character_.clips.size()) {
      std::string names;
      for (const ck::Clip& clip : character_.clips) names += " " + clip.name;
      return differ(
          fmt::format("{} clips ({}), due are {}", character_.clips.size(), names, clips.size()));
    }
    for (std::size_t c = 0; c < clips.size(); ++c) {
      const ck::Clip& ours = character_.clips[c];
      const std::string name = clips[c].at("name").get<std::string>();
      if (ours.name != name)
        differ(fmt::format("clip {} is '{}', due is '{}'", c, ours.name, name));
      near(name + " starts", ours.startSeconds, clips[c].at("start").get<double>());
      near(name + " lasts", ours.durationSeconds, clips[c].at("duration").get<double>());
      const Json events = clips[c].value("events", Json::array());
      if (events.size() != ours.events.size()) return differ("events of " + name);
      for (std::size_t e = 0; e < events.size(); ++e) {
        if (ours.events[e].name != events[e].at("name").get<std::string>())
          differ("an event's name");
        near("event", ours.events[e].seconds, events[e].at("seconds").get<double>());
      }
    }
  }

  void judgePose(const Json& due) {
    const ck::Clip* clip = nullptr;
    if (due.at("clip").is_string()) {
      const std::string name = due["clip"].get<std::string>();
      const auto found = std::ranges::find(character_.clips, name, &ck::Clip::name);
      if (found == character_.clips.end()) return differ("no clip " + name);
      clip = &*found;
    }
    const double time = due.at("time").get<double>();
    const Posed ours = poseOf(character_, clip, time);
    const std::string when = fmt::format("at {:.3f} s: ", time);
    if (due.contains("joints") && due.value("byJoints", false)) {
      for (const auto& [name, place] : due["joints"].items()) {
        const auto joint = ck::findJoint(character_.rig, name);
        if (!joint) return differ("no joint " + name);
        const glm::dvec3 at(ours.joints[static_cast<std::size_t>(*joint)][3]);
        near(when + name, glm::distance(at, vectorOf(place)), 0.0, 1e-4);
      }
      return;
    }
    const std::vector<glm::dvec3> points = vectorsOf(due.at("points"));
    glm::dvec3 low(1e30);
    glm::dvec3 high(-1e30);
    for (const glm::dvec3& p : points) {
      low = glm::min(low, p);
      high = glm::max(high, p);
    }
    const double size = std::max(1e-9, glm::length(high - low));
    const std::vector<glm::dvec3> normals =
        due.contains("normals") ? vectorsOf(due["normals"]) : std::vector<glm::dvec3>();
    const std::vector<glm::dvec3> none;
    matchEach(when + "vertex", points, normals, ours.points, ours.normals, size);
    matchEach(when + "our vertex", ours.points, normals.empty() ? none : ours.normals, points,
              normals, size);
    const glm::dvec3 area = vectorOf(due.at("area"));
    near(when + "area", glm::distance(area, ours.area) / (size * size), 0.0, 1e-4);
  }

  // Each of one list has one of the other at its place, with its normal where there are normals.
  void matchEach(const std::string& what, const std::vector<glm::dvec3>& points,
                 const std::vector<glm::dvec3>& normals, const std::vector<glm::dvec3>& others,
                 const std::vector<glm::dvec3>& otherNormals, double size) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      double place = 1e30;
      double turn = 1e30;
      for (std::size_t k = 0; k < others.size(); ++k) {
        const double distance = glm::distance(points[i], others[k]) / size;
        place = std::min(place, distance);
        if (normals.empty() || distance > 1e-4) continue;
        turn = std::min(turn, glm::distance(normals[i], otherNormals[k]));
      }
      if (place > 1e-4) {
        return differ(fmt::format("{} {} is {:.2g} of the size off", what, i, place));
      }
      if (!normals.empty() && turn > 2e-3) {
        return differ(fmt::format("{} {} has a normal that is {:.2g} off", what, i, turn));
      }
    }
  }

  // The attributes of corners of the surface: {"point": place at rest, "uv", "uv2", "color"}.
  void judgeCorners() {
    const Posed rest = poseOf(character_, nullptr, 0.0);
    if (due_.contains("surface")) near("surface", rest.surface, due_["surface"].get<double>());
    for (const Json& corner : due_.value("corners", Json::array())) {
      const glm::dvec3 point = vectorOf(corner.at("point"));
      double best = 1e30;
      std::size_t v = 0;
      for (const ck::Mesh& mesh : character_.meshes) {
        for (std::size_t i = 0; i < mesh.positions.size(); ++i, ++v) {
          if (glm::distance(rest.points[v], point) > 1e-4) continue;
          double off = 0.0;
          const auto compare = [&](const char* key, const auto& values) {
            if (!corner.contains(key)) return;
            if (values.size() != mesh.positions.size()) {
              off = 1e30;
              return;
            }
            for (std::size_t part = 0; part < corner[key].size(); ++part) {
              off = std::max(off, std::abs(static_cast<double>(values[i][static_cast<int>(part)]) -
                                           corner[key][part].get<double>()));
            }
          };
          compare("uv", mesh.uvs);
          compare("uv2", mesh.secondUvs);
          compare("color", mesh.colors);
          best = std::min(best, off);
        }
      }
      near("what a corner has", best, 0.0, 5e-3);
    }
  }

  void judgeMap(const std::string& what, const ck::SurfaceMap& map, const Json& due) {
    if (!map) return differ(what + " is not there");
    const ck::Image& image = character_.images[static_cast<std::size_t>(map.image)];
    const Json texel = due.value("texel", Json::array());
    for (std::size_t i = 0; i < texel.size(); ++i) {
      near(what + " texel", image.rgba.at(i), texel[i].get<double>(), due.value("within", 1.0));
    }
    const auto wrap = [&](const char* key, ck::Wrap ours) {
      if (due.contains(key)) near(what + " " + key, static_cast<int>(ours), due[key].get<double>());
    };
    wrap("wrapU", map.wrapU);
    wrap("wrapV", map.wrapV);
    if (due.contains("offset")) nearAll(what + " offset", map.offset, due["offset"]);
    if (due.contains("scale")) nearAll(what + " scale", map.scale, due["scale"]);
    if (due.contains("rotation"))
      near(what + " rotation", map.rotation, due["rotation"].get<double>());
    if (due.contains("uvSet")) near(what + " uv set", map.uvSet, due["uvSet"].get<double>());
  }

  void judgeMaterial() {
    const Json& due = due_["material"];
    const int index = character_.meshes.empty() ? -1 : character_.meshes.front().material;
    if (index < 0) return differ("the mesh has no material");
    const ck::Material& ours = character_.materials[static_cast<std::size_t>(index)];
    for (const auto& [key, value] : due.items()) {
      if (key == "baseColor") nearAll(key, ours.baseColor, value);
      if (key == "emission") nearAll(key, ours.emission, value);
      if (key == "alpha") near(key, static_cast<int>(ours.alpha), value.get<double>());
      if (key == "cutoff") near(key, ours.alphaCutoff, value.get<double>());
      if (key == "metallic") near(key, ours.metallic, value.get<double>(), 2e-3);
      if (key == "roughness") near(key, ours.roughness, value.get<double>(), 2e-3);
      if (key == "unlit") near(key, ours.unlit, value.get<bool>());
      if (key == "doubleSided") near(key, ours.doubleSided, value.get<bool>());
      if (key == "base") judgeMap(key, ours.base, value);
      if (key == "normal") judgeMap(key, ours.normal, value);
      if (key == "emissive") judgeMap(key, ours.emissive, value);
      if (key == "metalRoughness") judgeMap(key, ours.metalRoughness, value);
    }
  }

  const ck::Character& character_;
  const Json& due_;
  std::string difference_;
};

struct Verdict {
  std::string cell;   // of the page
  std::string wrong;  // why it is silently wrong, else empty
};

Verdict verdictOn(const fs::path& folder, const Json& probe) {
  std::vector<ck::ImportFile> files;
  for (const Json& file : probe.at("files")) files.emplace_back(folder / file.get<std::string>());
  const auto character = ck::importWithClips(files);
  if (!character) {
    const std::string message = character.error().message;
    const bool named = character.error().code == ck::ErrorCode::Unsupported ||
                       character.error().code == ck::ErrorCode::InvalidInput ||
                       character.error().code == ck::ErrorCode::ImportFailed;
    if (named && probe.value("mayBeRefused", false)) return {"refused", {}};
    return {"wrong", message};
  }
  if (probe.at("expected").value("refused", false)) return {"wrong", "it is read"};
  const std::string difference = Judge(*character, probe.at("expected")).difference();
  std::string codes;
  for (const Json& code : probe.at("notes")) {
    if (!ck::test::hasNote(character->notes, code.get<std::string>())) continue;
    codes += (codes.empty() ? "" : ", ") + code.get<std::string>();
  }
  if (difference.empty()) return {codes.empty() ? "right" : "right (" + codes + ")", {}};
  if (!codes.empty()) return {"noted (" + codes + ")", {}};
  std::string said;
  for (const ck::Note& note : character->notes) said += " " + note.code;
  return {"wrong", difference + (said.empty() ? "" : ";" + said)};
}

}  // namespace

class tst_import_coverage : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { ck::test::useBuiltImportWorker(); }

  void nothingIsSilentlyWrong() {
    const QTemporaryDir folder;
    QProcess python;
    python.start("python3", {"-B", QString::fromStdString(ck::pathText(kTool)), folder.path()});
    QVERIFY(python.waitForFinished(60'000));
    QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    std::ifstream list(folder.filePath("probes.json").toStdString());
    const Json document = Json::parse(list);
    QStringList wrong;
    std::map<std::pair<std::string, std::string>, std::string> cells;
    int probeCount = 0;
    for (const Json& probe : document.at("probes")) {
      const auto text = [&probe](const char* key) { return probe.at(key).get<std::string>(); };
      const Verdict verdict = verdictOn(folder.path().toStdString(), probe);
      ++probeCount;
      cells[{text("section") + text("feature"), text("format")}] = verdict.cell;
      if (verdict.wrong.empty()) continue;
      wrong << QString::fromStdString(
          fmt::format("{}, {} ({}): {}", text("feature"), text("format"),
                      probe.at("files").at(0).get<std::string>(), verdict.wrong));
    }
    qInfo("%d probes", probeCount);
    const std::string page = pageOf(document, cells);
    if (qEnvironmentVariable("CK_COVERAGE") == QLatin1String("write")) std::ofstream(kPage) << page;
    std::ifstream kept(kPage);
    std::stringstream keptText;
    keptText << kept.rdbuf();
    for (const QString& each : wrong) qInfo("%s", qPrintable(each));
    QVERIFY2(wrong.empty(), qPrintable(QString("%1 are silently wrong").arg(wrong.size())));
    QVERIFY2(keptText.str() == page,
             "docs/import-coverage.md differs: look at what changed, and write it with "
             "CK_COVERAGE=write");
  }

 private:
  static std::string pageOf(
      const Json& document,
      const std::map<std::pair<std::string, std::string>, std::string>& cells) {
    std::string page = document.at("introduction").get<std::string>();
    std::string section;
    for (const Json& row : document.at("rows")) {
      const std::string in = row.at("section").get<std::string>();
      const std::string feature = row.at("feature").get<std::string>();
      if (in != section) {
        section = in;
        page += fmt::format("\n## {}\n\n| feature |", section);
        std::string line = "\n|---|";
        for (const Json& format : document.at("formats")) {
          page += fmt::format(" {} |", format.get<std::string>());
          line += "---|";
        }
        page += line + "\n";
      }
      page += "| " + feature + " |";
      for (const Json& format : document.at("formats")) {
        const auto found = cells.find({in + feature, format.get<std::string>()});
        page += found == cells.end() ? " - |" : " " + found->second + " |";
      }
      page += "\n";
    }
    return page;
  }
};

CK_TEST(tst_import_coverage, QCoreApplication)
#include "tst_import_coverage.moc"
