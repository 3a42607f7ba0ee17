#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/project/actor_columns.h"
#include "core/project/project.h"

namespace ck {

// placementCsv() and placementFromText() of placement.h for CSV.
std::string actorsToCsv(const Project& project, std::span<const std::string> sets,
                        std::span<const ActorColumn> columns);
Result<ActorList> actorsFromCsv(std::string_view text, const Project& project,
                                std::span<const ActorColumn> columns);

}  // namespace ck
