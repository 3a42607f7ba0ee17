#pragma once

#include "core/import/worker/formats/rig_reader.h"

// FBX 7.0 to 7.7, read without a library: looksLikeFbx() and readFbx() of formats/rig_reader.h.
// docs/import-coverage.md lists what is read.
