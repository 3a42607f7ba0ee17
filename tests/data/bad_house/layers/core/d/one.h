#include "core/b/one.h"
