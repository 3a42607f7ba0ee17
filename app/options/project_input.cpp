#include "app/options/project_input.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include "app/options/numbers.h"
#include "core/export/export_format.h"
#include "core/export/set_findings.h"
#include "core/import/file_axes.h"
#include "core/import/rig_format.h"
#include "core/project/characters.h"
#include "core/project/crowds.h"
#include "core/project/project_json.h"
#include "core/stage/cast_export.h"
#include "core/stage/character_stage.h"
#include "core/system/files.h"

namespace ck::cli {
namespace {

// A project of the rig and the files that add clips.
UsageResult<Project> projectOfRig(const std::vector<std::string>& files) {
  Project project;
  for (const std::string& file : files) {
    if (auto ok = checkIsRig(pathFromText(file)); !ok) return tl::unexpected(ok.error());
    project.characters.front().sources.push_back({file});
  }
  return project;
}

UsageResult<Project> projectOfFile(const std::vector<std::string>& files) {
  if (files.size() > 1) {
    return tl::unexpected(fmt::format("{} names its own files", files.front()));
  }
  auto project = readProjectFile(pathFromText(files.front()));
  if (!project) return tl::unexpected(project.error());
  if (!project->characters.front().sources.empty()) return project;
  return fail(ErrorCode::InvalidInput,
              fmt::format("{}: the project has no rig; import one into it", files.front()),
              files.front());
}

std::vector<std::string> setNamesOf(const Project& project, const std::filesystem::path& path) {
  std::vector<std::string> titles;
  for (int c = 0; c < characterCount(project); ++c) {
    if (project.characters[std::size_t(c)].variantOf) continue;
    titles.push_back(c > 0 ? characterTitle(project, c) : std::string());
  }
  const auto names = castSetNames(titles, safeFileName(pathText(path.stem())));
  auto next = names.begin();
  std::vector<std::string> all;
  for (const ProjectCharacter& one : project.characters) {
    all.push_back(one.variantOf ? std::string() : *next++);
  }
  return all;
}

// Characters whose source is a project get what that says of its first character, so that the
// options edit it.
Result<void> takeSettingsOfProjects(Project& project) {
  for (int c = 0; c < characterCount(project); ++c) {
    ProjectCharacter& one = project.characters[std::size_t(c)];
    if (one.variantOf || !isFromProject(one)) continue;
    auto other = readProjectFile(pathFromText(one.sources.front().path));
    if (!other) return tl::unexpected(other.error());
    ProjectCharacter& first = other->characters.front();
    // A project without a rig of its own is refused when it is read.
    if (first.sources.empty() || isFromProject(first)) continue;
    one.sources = std::move(first.sources);
    one.import = std::move(first.import);
    one.bake = first.bake;
    setClips(project, c, std::move(first.clips));
  }
  return {};
}

// Whether a file says which way is up, by its ending.
bool saysUp(const SourceFile& file) {
  const RigFormat* format = rigFormatByEnding(pathFromText(file.path));
  return format != nullptr && ck::saysUp(format->name);
}

// Refuses options that act on files of clips, or on files without an up axis, where there are none.
UsageResult<void> checkReading(const ImportOptions& options, const Project& project) {
  const bool anyClipFiles = std::ranges::any_of(
      project.characters, [](const ProjectCharacter& one) { return one.sources.size() > 1; });
  for (const char* name : {"--map", "--rest"}) {
    if (anyClipFiles || !isGiven(options.app, name)) continue;
    return tl::unexpected(
        fmt::format("{} is about files that add clips, and there are none", name));
  }
  const bool allSayUp = std::ranges::all_of(project.characters, [](const ProjectCharacter& one) {
    return std::ranges::all_of(one.sources, saysUp);
  });
  if (options.up != UpAxis::Auto && allSayUp) {
    return tl::unexpected(
        std::string("--up is about files that do not say which axis is up (BVH, MD5, X), and there "
                    "are none"));
  }
  return {};
}

UsageResult<int> characterNumber(const Project& project, const std::string& text) {
  std::vector<std::string> titles;
  for (int c = 0; c < characterCount(project); ++c) titles.push_back(characterTitle(project, c));
  const auto titled = std::ranges::find(titles, text);
  if (titled != titles.end()) return static_cast<int>(titled - titles.begin());
  const auto index = text.starts_with('#') ? numberFrom<std::size_t>(text.substr(1)) : std::nullopt;
  if (index && *index < titles.size()) return static_cast<int>(*index);
  return tl::unexpected(
      fmt::format("--character: there is no '{}'; there is '{}'", text, fmt::join(titles, "', '")));
}

void keepCharacter(ProjectInput& input, int number) {
  Project& project = input.project;
  const int base = baseOf(project, number);
  ProjectCharacter one = baseCharacter(project, number);
  one.title = characterTitle(project, number);
  one.hiddenMeshes = project.characters[std::size_t(number)].hiddenMeshes;
  std::vector<Actor> actors;
  for (Actor actor : project.actors.toVector()) {
    if (actor.character != number) continue;
    actor.character = 0;
    actors.push_back(std::move(actor));
  }
  project.characters = {std::move(one)};
  project.actors = ActorList(actors);
  for (ProjectCrowd& crowd : project.crowds) crowd.spawn.shares.clear();
  input.setNames = {input.setNames[std::size_t(base)]};
  if (!input.sets.empty()) input.sets = {std::move(input.sets[std::size_t(base)])};
  input.isPicked = true;
  if (base > 0) input.beside.clear();
}

// Switches these crowds on, and all others off.
UsageResult<void> showCrowds(Project& project, const std::string& names) {
  for (ProjectCrowd& crowd : project.crowds) crowd.on = false;
  for (const std::string& name : listed(names)) {
    const auto crowd = crowdNamed(project, name);
    if (!crowd) return tl::unexpected("--crowd: " + crowd.error().message);
    project.crowds[std::size_t(*crowd)].on = true;
  }
  return {};
}

InputKind kindOf(const std::filesystem::path& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return InputKind::Folder;
  return isProjectPath(pathText(path)) ? InputKind::Project : InputKind::Rig;
}

// Refuses options that are about other inputs.
UsageResult<void> checkKind(const InputOptions& options, InputKind kind) {
  if (kind == InputKind::Rig && !options.character.empty()) {
    return tl::unexpected(
        std::string("--character is for projects and folders, and a rig is one character"));
  }
  if (kind != InputKind::Project && !options.crowds.empty()) {
    return tl::unexpected(
        fmt::format("--crowd is for projects, and {} has no crowds", options.import.files.front()));
  }
  if (kind != InputKind::Folder && !options.against.empty()) {
    return tl::unexpected(fmt::format("--against is for atlas folders, and {} names its sources",
                                      options.import.files.front()));
  }
  return {};
}

// A project of the sets in a folder.
UsageResult<Project> projectOfFolder(const InputOptions& options, ProjectInput& input,
                                     const JobContext& job) {
  // Earlier versions took the sources behind the folder.
  std::vector<std::string> against = options.against;
  against.insert(against.end(), options.import.files.begin() + 1, options.import.files.end());
  for (const SetFinding& finding : setFindings(input.path)) {
    const bool isStale = finding.kind == SetFinding::Kind::Stale;
    input.notes.push_back(
        {Note::Level::Warning, isStale ? "ExportStale" : "ExportInterrupted", finding.message});
  }
  auto sets = folderSets(input.path, against, job);
  if (!sets) return tl::unexpected(sets.error());
  input.sets = std::move(*sets);
  Project project;
  project.characters.clear();
  for (const FolderSet& set : input.sets) {
    project.characters.push_back(set.character);
    input.setNames.push_back(set.name);
  }
  return project;
}

UsageResult<Project> projectOf(const InputOptions& options, ProjectInput& input,
                               const JobContext& job) {
  const std::vector<std::string>& files = options.import.files;
  if (input.kind == InputKind::Folder) return projectOfFolder(options, input, job);
  return input.kind == InputKind::Project ? projectOfFile(files) : projectOfRig(files);
}

// Applies the options of reading, and finds out which options edit what the input says.
UsageResult<void> editProject(ProjectInput& input, const InputOptions& options) {
  if (input.kind != InputKind::Rig) {
    input.overridden = overriddenBy(options);
    for (const std::string& name : givenEdits(options.import.app)) {
      (isOfReading(name) ? input.isReadAnew : input.isBakedAnew) |= name != "reading";
    }
    if (input.isReadAnew || input.isBakedAnew) {
      if (auto ok = takeSettingsOfProjects(input.project); !ok) return tl::unexpected(ok.error());
    }
  }
  if (auto ok = checkReading(options.import, input.project); !ok) return ok;
  for (ProjectCharacter& one : input.project.characters) {
    if (one.variantOf) continue;
    if (auto ok = editReading(options.import, one); !ok) return tl::unexpected(ok.error());
  }
  return {};
}

}  // namespace

Result<void> checkIsRig(const std::filesystem::path& path) {
  const std::string name = pathText(path.filename());
  const auto refuse = [&](ErrorCode code, std::string_view why) {
    return fail(code, fmt::format("{}: {}", name, why), pathText(path));
  };
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return {};
  if (std::filesystem::is_directory(path, failed)) {
    return refuse(ErrorCode::FileUnreadable,
                  "this is a folder, not a rig file; a folder that 'kiln bake' wrote comes first, "
                  "and alone");
  }
  if (isProjectPath(name)) {
    return refuse(ErrorCode::InvalidInput,
                  "this is a project, not a rig file; a project comes first, and alone");
  }
  const bool isOfAtlas = std::ranges::any_of(
      kExportFormats, [&name](const ExportFormat& each) { return name.ends_with(each.ending); });
  if (!isOfAtlas) return {};
  return refuse(ErrorCode::InvalidInput,
                "this is a file of a baked atlas, not a rig file; name the folder that it is in");
}

void addInputOptions(CLI::App& app, InputOptions& options) {
  addImportOptions(app, options.import);
  app.add_option("--character", options.character,
                 "One character of a project, by its title or #INDEX, counted from 0")
      ->option_text("NAME");
  app.add_option("--against", options.against,
                 "The rig of an atlas folder and files that add clips (default: as it states)")
      ->option_text("FILE...");
}

void addCrowdChoice(CLI::App& app, InputOptions& options) {
  app.add_option(
         "--crowd", options.crowds,
         "Crowds of a project, by name or #INDEX, counted from 0 (default: all that are on)")
      ->option_text("A,B");
}

std::vector<std::string> overriddenBy(const InputOptions& options) {
  const InputKind kind = kindOf(pathFromText(options.import.files.front()));
  std::vector<std::string> names;
  if (kind != InputKind::Rig) names = givenEdits(options.import.app);
  if (kind != InputKind::Project) return names;
  std::ranges::move(givenViewEdits(options.import.app), std::back_inserter(names));
  return names;
}

UsageResult<ProjectInput> projectFrom(const InputOptions& options, const JobContext& job) {
  ProjectInput input;
  input.path = pathFromText(options.import.files.front());
  input.kind = kindOf(input.path);
  if (auto ok = checkKind(options, input.kind); !ok) return tl::unexpected(ok.error());
  auto project = projectOf(options, input, job);
  if (!project) return tl::unexpected(project.error());
  input.project = std::move(*project);
  if (input.setNames.empty()) input.setNames = setNamesOf(input.project, input.path);
  if (input.kind == InputKind::Project) input.beside = atlasBeside(input.path);
  if (!options.crowds.empty()) {
    if (auto ok = showCrowds(input.project, options.crowds); !ok) return tl::unexpected(ok.error());
  }
  if (!options.character.empty()) {
    const auto number = characterNumber(input.project, options.character);
    if (!number) return tl::unexpected(number.error());
    keepCharacter(input, *number);
  }
  if (auto ok = editProject(input, options); !ok) return tl::unexpected(ok.error());
  return input;
}

UsageResult<void> checkSources(const ProjectInput& input) {
  for (const FolderSet& set : input.sets) {
    if (set.whyGone) return tl::unexpected(*set.whyGone);
  }
  return {};
}

void keepFirstCharacter(ProjectInput& input, const InputOptions& options, Notes& notes) {
  const int count = characterCount(input.project);
  if (count == 1) return;
  notes.push_back(
      {Note::Level::Info, "FirstCharacter",
       fmt::format("{} has {} characters, and this is about the first, '{}'; "
                   "--character names another",
                   options.import.files.front(), count, characterTitle(input.project, 0))});
  keepCharacter(input, 0);
  input.isFirstOfSeveral = true;
}

}  // namespace ck::cli
