#pragma once

// The old place of this header.
#include "core/base/json_fields.h"
