#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/options/folder_input.h"
#include "app/options/options.h"
#include "core/project/project.h"

namespace ck::cli {

// The input of a command: a rig and files that add clips, a project, or a folder of an atlas. All
// become a Project, which the options edit.
struct InputOptions {
  ImportOptions import;
  BakeOptions bake;
  std::string character;  // of --character: a title or #INDEX, counted from 0; empty: not given
  std::string crowds;     // of --crowd: names with commas between them; empty: all that are on
  std::vector<std::string> against;  // the sources of a folder; empty: those that it names
};
// Adds FILE..., the options of reading, --character and --against.
void addInputOptions(CLI::App& app, InputOptions& options);
// Adds --crowd.
void addCrowdChoice(CLI::App& app, InputOptions& options);

enum class InputKind { Rig, Project, Folder };

struct ProjectInput {
  InputKind kind = InputKind::Rig;
  std::filesystem::path path;  // the first file
  // With the options of reading. Options of the bake are applied when clips are known (cast.h).
  // With --character it has that character alone, as the first, with its actors.
  Project project;
  // Names of the sets that exportCast() writes, by character; empty of a variant.
  std::vector<std::string> setNames;
  std::filesystem::path beside;         // the file that may hold the atlas of the first character
  std::vector<std::string> overridden;  // overriddenBy()
  bool isReadAnew = false;              // whether options of reading are given
  bool isBakedAnew = false;             // whether options of the bake are, besides --reading
  bool isFirstOfSeveral = false;        // after keepFirstCharacter()
  bool isPicked = false;                // by --character
  std::vector<FolderSet> sets;          // of a folder, by character
  Notes notes;                          // of reading the folder
};

// The options that edit what a project or folder says, without dashes; none for a rig.
std::vector<std::string> overriddenBy(const InputOptions& options);

// Fails as readProjectFile() and readJointMap() do, with InvalidInput if the first character has no
// rig, and with wrong usage where an option has no effect on this input. A folder of which sources
// are gone is no failure.
UsageResult<ProjectInput> projectFrom(const InputOptions& options, const JobContext& job);

// Refuses a folder, a project and a file of an atlas where a rig or a file of clips is meant, with
// a sentence that says what it is (FileUnreadable, InvalidInput).
Result<void> checkIsRig(const std::filesystem::path& path);

// Fails with FileNotFound if the source of a character of a folder is gone.
UsageResult<void> checkSources(const ProjectInput& input);

// Leaves the first character alone if there are several and --character is not given, with a note.
void keepFirstCharacter(ProjectInput& input, const InputOptions& options, Notes& notes);

}  // namespace ck::cli
