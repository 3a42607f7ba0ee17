#include "ui/document/prop_session.h"

#include <spdlog/spdlog.h>

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/base/log.h"
#include "core/project/actors/respawn.h"
#include "core/project/crowds.h"
#include "core/project/props.h"
#include "core/stage/pipeline.h"
#include "ui/document/document.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {
const QString kTag = QStringLiteral("prop/");
}

PropSession::PropSession(Document& document, TaskRunner& tasks, QObject* parent)
    : QObject(parent), document_(document), tasks_(tasks) {
  connect(&document, &Document::changed, this, &PropSession::onChanged);
  connect(&document, &Document::replaced, this, &PropSession::forgetUnused);
  connect(&tasks, &TaskRunner::finished, this, [this](const QString& tag, bool cancelled) {
    if (!cancelled || !tag.startsWith(kTag)) return;
    const std::string path = utf8Of(tag.mid(kTag.size()));
    const auto found = loaded_.find(path);
    if (found == loaded_.end()) return;
    found->second.wanted.clear();
    if (found->second.shape) return;
    found->second.problem = tr("Reading it was cancelled");
    emit changed();
  });
}

const PropSession::Loaded& PropSession::of(int prop) const {
  static const Loaded kNone;
  const std::vector<Prop>& props = document_.project().props;
  if (prop < 0 || std::size_t(prop) >= props.size()) return kNone;
  const auto found = loaded_.find(props[std::size_t(prop)].source.path);
  return found == loaded_.end() ? kNone : found->second;
}

std::vector<render::PlacedProp> PropSession::placed() const {
  std::vector<render::PlacedProp> all;
  const std::vector<Prop>& props = document_.project().props;
  for (int i = 0; i < int(props.size()); ++i) {
    const auto& [source, position, yawDegrees, scale] = props[std::size_t(i)];
    if (isThere(i)) all.push_back({of(i).shape, position, yawDegrees, scale});
  }
  return all;
}

GroundMeshPtr PropSession::groundOf(const Project& project, int crowd) const {
  const int number = project.crowds[std::size_t(crowd)].spawn.groundProp;
  if (number < 0 || std::size_t(number) >= project.props.size()) return nullptr;
  const Prop& prop = project.props[std::size_t(number)];
  const auto found = loaded_.find(prop.source.path);
  if (found == loaded_.end() || !found->second.shape) return nullptr;
  Ground& ground = grounds_[number];
  if (!ground.mesh || ground.shape != found->second.shape || ground.prop != prop) {
    ground = {found->second.shape, prop, std::make_shared<GroundMesh>(*found->second.shape, prop)};
  }
  return ground.mesh;
}

void PropSession::settle(Project& project) const {
  for (int crowd = 0; crowd < crowdCount(project); ++crowd) {
    if (const GroundMeshPtr ground = groundOf(project, crowd)) {
      settleOnGround(project, crowd, ground.get());
    }
  }
}

void PropSession::onChanged(const Project& before, const Project& now) {
  if (before.props == now.props) return;
  for (const Prop& prop : now.props) {
    if (!loaded_.contains(prop.source.path)) read(prop.source.path, {});
  }
  emit changed();
}

// Undo may restore props, so shapes are kept until the project is replaced.
void PropSession::forgetUnused() {
  const std::vector<Prop>& props = document_.project().props;
  for (auto& [path, loaded] : loaded_) loaded.wanted.clear();
  std::erase_if(loaded_, [&](const auto& one) {
    const auto pathOf = [](const Prop& prop) { return prop.source.path; };
    const bool used = std::ranges::find(props, one.first, pathOf) != props.end();
    if (!used) tasks_.cancel(kTag + textOf(one.first));
    return !used;
  });
}

void PropSession::read(const std::string& path, const std::vector<glm::vec3>& wanted) {
  Loaded& loaded = loaded_[path];
  loaded.problem.clear();
  loaded.wanted.insert(loaded.wanted.end(), wanted.begin(), wanted.end());
  const auto work = [path](const JobContext& job) { return readPropShape({path}, job); };
  const auto take = [this, path](const Result<CharacterPtr>& shape) {
    if (!shape) return refuse(path, shape.error());
    loaded_[path].shape = *shape;
    loaded_[path].problem.clear();
    placeWanted(path);
    emit changed();
  };
  tasks_.run(kTag + textOf(path), tr("Reading %1").arg(fileNameOf(path)), work, take);
}

void PropSession::reload(const std::string& path) {
  if (loaded_.contains(path)) read(path, {});
}

void PropSession::refuse(const std::string& path, const Error& error) {
  if (error.code == ErrorCode::Cancelled) return;
  log().error("{}", error.message);
  Loaded& loaded = loaded_[path];
  loaded.problem = textOf(error.message);
  const auto again = [this, path, wanted = std::exchange(loaded.wanted, {})] {
    read(path, wanted);
  };
  const auto isUsed = [this, path] {
    const auto pathOf = [](const Prop& prop) { return prop.source.path; };
    return std::ranges::find(document_.project().props, path, pathOf) !=
           document_.project().props.end();
  };
  // One that is to be added is not in the project yet.
  const auto cause = [this, path, isUsed, wasUsed = isUsed()] {
    const auto found = loaded_.find(path);
    const bool isRefused = found != loaded_.end() && !found->second.problem.isEmpty();
    return isRefused && (!wasUsed || isUsed());
  };
  const Notice notice{Notice::Level::Error, loaded.problem, {{tr("Try again"), again}}, cause};
  emit changed();
  emit noticed(notice);
}

void PropSession::addFiles(const QStringList& paths, const glm::vec3& place) {
  glm::vec3 next = place;
  for (const QString& each : paths) {
    const std::string path = utf8Of(QFileInfo(each).absoluteFilePath());
    const auto found = loaded_.find(path);
    if (found != loaded_.end() && found->second.shape) {
      found->second.wanted.push_back(next);
      placeWanted(path);
    } else {
      read(path, {next});
    }
    next.x += 2.0f;
  }
}

void PropSession::placeWanted(const std::string& path) {
  const std::vector<glm::vec3> places = std::exchange(loaded_[path].wanted, {});
  if (places.empty()) return;
  document_.edit(tr("Add prop %1").arg(fileNameOf(path)), [&](Project& project) {
    for (const glm::vec3& place : places) project.props.push_back({{path}, place});
  });
}

void PropSession::remove(int prop) {
  if (prop < 0 || std::size_t(prop) >= document_.project().props.size()) return;
  const std::string& path = document_.project().props[std::size_t(prop)].source.path;
  document_.edit(tr("Remove prop %1").arg(fileNameOf(path)),
                 [prop](Project& project) { removeProp(project, std::size_t(prop)); });
}

}  // namespace ck::ui
