// Which source lines every counter of a function stands for.
#pragma once

#include "passes.h"

#include <set>
#include <string>
#include <tuple>

namespace waypoint {

// (counter, path, line), sorted and without duplicates.
using Lines = std::set<std::tuple<uint64_t, std::string, unsigned>>;

Lines linesOf(llvm::Function &F, llvm::ArrayRef<Counter> Counters);

} // namespace waypoint
