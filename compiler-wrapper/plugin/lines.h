// Which source lines every counter of a function stands for.
#pragma once

#include "passes.h"

namespace llvm {
class DIFile;
} // namespace llvm

namespace waypoint {

// The path of a source file, joined with the compiler's directory.
std::string pathOf(const llvm::DIFile *File);

// The lines that the counters of a function stand for.
Lines linesOf(llvm::Function &F, llvm::ArrayRef<Counter> Counters);

} // namespace waypoint
