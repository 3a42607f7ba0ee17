#include <vector>

#include "core/late.h"
