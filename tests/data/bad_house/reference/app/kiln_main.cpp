#include "app/bench/bench_command.h"
