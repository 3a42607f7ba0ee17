// A header that breaks the rules on purpose, so that the checks are seen to fail.
#include <QString>
#include <epoxy/gl.h>
#include <nlohmann/json.hpp>

#include "core/import/worker/import_rig.h"
#include "render/wrong.h"
