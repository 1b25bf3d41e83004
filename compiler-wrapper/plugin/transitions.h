// Which transitions between counters a function has, and where they are recorded.
#pragma once

#include "passes.h"

namespace waypoint {

// Whether the counter that was reached before is told apart, or any is as good as another.
enum class Before { Told, Any };

// Gives every transition of the function `In` a slot and calls the recorder; returns the calls.
llvm::SmallVector<llvm::CallInst *, 32> recordTransitions(llvm::Function &In, Recorded &Of, Before Which);

} // namespace waypoint
