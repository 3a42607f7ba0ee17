#include "ui/document/prop_session.h"

#include <spdlog/spdlog.h>

#include <QFileInfo>
#include <algorithm>

#include "core/base/log.h"
#include "core/project/props.h"
#include "ui/document/document.h"
#include "ui/document/text.h"

namespace ck::ui {
namespace {

const QString kTag = QStringLiteral("prop/");

QString fileName(const std::string& path) {
  return QFileInfo(textOf(path)).fileName();
}

}  // namespace

PropSession::PropSession(Document& document, TaskRunner& tasks, QObject* parent)
    : QObject(parent), document_(document), tasks_(tasks) {
  connect(&document, &Document::changed, this, &PropSession::onChanged);
  connect(&document, &Document::replaced, this, &PropSession::forgetUnused);
  connect(&tasks, &TaskRunner::finished, this, [this](const QString& tag, bool cancelled) {
    if (!cancelled || !tag.startsWith(kTag)) return;
    const std::string path = utf8Of(tag.mid(kTag.size()));
    wanted_.erase(path);
    const auto found = loaded_.find(path);
    if (found == loaded_.end() || found->second.shape) return;
    found->second.problem = tr("Reading it was cancelled");
    emit changed();
  });
}

const PropSession::Loaded* PropSession::loadedOf(int prop) const {
  const std::vector<Prop>& props = document_.project().props;
  if (prop < 0 || std::size_t(prop) >= props.size()) return nullptr;
  const auto found = loaded_.find(props[std::size_t(prop)].source.path);
  return found == loaded_.end() ? nullptr : &found->second;
}

bool PropSession::isThere(int prop) const {
  const Loaded* loaded = loadedOf(prop);
  return loaded && loaded->shape;
}

QString PropSession::problem(int prop) const {
  const Loaded* loaded = loadedOf(prop);
  return loaded ? loaded->problem : QString();
}

std::vector<render::PlacedProp> PropSession::placed() const {
  std::vector<render::PlacedProp> all;
  for (const Prop& prop : document_.project().props) {
    const auto found = loaded_.find(prop.source.path);
    if (found == loaded_.end() || !found->second.shape) continue;
    all.push_back({found->second.shape, prop.position, prop.yawDegrees, prop.scale});
  }
  return all;
}

void PropSession::onChanged(const Project& before, const Project& now) {
  if (before.props == now.props) return;
  for (const Prop& prop : now.props) {
    if (loaded_.find(prop.source.path) == loaded_.end()) start(prop.source.path);
  }
  emit changed();
}

// Undo may restore props, so shapes are kept until the project is replaced.
void PropSession::forgetUnused() {
  const std::vector<Prop>& props = document_.project().props;
  wanted_.clear();
  std::erase_if(loaded_, [&](const auto& one) {
    const bool used = std::any_of(props.begin(), props.end(), [&one](const Prop& prop) {
      return prop.source.path == one.first;
    });
    if (!used) tasks_.cancel(kTag + textOf(one.first));
    return !used;
  });
}

void PropSession::start(const std::string& path) {
  loaded_[path] = {};
  const auto work = [this, path](JobContext job) -> TaskRunner::Deliver {
    const Result<CharacterPtr> shape = readPropShape({path}, job);
    if (!shape) return [this, path, error = shape.error()] { refuse(path, error); };
    return [this, path, shape = *shape] {
      loaded_[path] = {shape, {}};
      placeWanted(path);
      emit changed();
    };
  };
  tasks_.start(kTag + textOf(path), tr("Reading %1").arg(fileName(path)), work);
}

void PropSession::refuse(const std::string& path, const Error& error) {
  if (error.code == ErrorCode::Cancelled) return;
  log().error("{}", error.message);
  const auto places = wanted_.equal_range(path);
  const std::vector<std::pair<std::string, glm::vec3>> kept(places.first, places.second);
  wanted_.erase(path);
  loaded_[path].problem = textOf(error.message);
  Notice notice{Notice::Level::Error, loaded_[path].problem, {}};
  notice.actions.push_back({tr("Try again"), [this, path, kept] {
                              wanted_.insert(kept.begin(), kept.end());
                              start(path);
                            }});
  emit changed();
  emit noticed(notice);
}

void PropSession::addFiles(const QStringList& paths, const glm::vec3& place) {
  glm::vec3 next = place;
  for (const QString& each : paths) {
    const std::string path = utf8Of(QFileInfo(each).absoluteFilePath());
    wanted_.emplace(path, next);
    next.x += 2.0f;
    const auto found = loaded_.find(path);
    if (found != loaded_.end() && found->second.shape) {
      placeWanted(path);
    } else {
      start(path);
    }
  }
}

void PropSession::placeWanted(const std::string& path) {
  const auto places = wanted_.equal_range(path);
  std::vector<Prop> props;
  for (auto each = places.first; each != places.second; ++each) {
    props.push_back({{path}, each->second});
  }
  wanted_.erase(path);
  if (props.empty()) return;
  document_.edit(tr("Add prop %1").arg(fileName(path)), [&](Project& project) {
    project.props.insert(project.props.end(), props.begin(), props.end());
  });
}

void PropSession::remove(int prop) {
  if (prop < 0 || std::size_t(prop) >= document_.project().props.size()) return;
  const std::string& path = document_.project().props[std::size_t(prop)].source.path;
  document_.edit(tr("Remove prop %1").arg(fileName(path)),
                 [prop](Project& project) { project.props.erase(project.props.begin() + prop); });
}

}  // namespace ck::ui
