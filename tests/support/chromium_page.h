#pragma once

#include <QString>
#include <QStringList>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ck::test {

// The path of Chromium, or empty where it is not installed.
QString chromiumPath();

// Opens `page` in Chromium without a window and returns what its script says by say(value), which
// the page finds defined. Ends at the first value that has a member `last`, when the browser ends,
// and when it has said nothing for two minutes. `options` are those of the browser's command line.
std::vector<nlohmann::json> answersOfPage(const std::string& page, const QStringList& options);

}  // namespace ck::test
