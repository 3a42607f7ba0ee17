#include "core/d/one.h"
