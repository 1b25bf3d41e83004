// Which comparisons of a function are recorded, and how.
#pragma once

#include "passes.h"

#include "llvm/IR/Instructions.h"

namespace waypoint {

// A comparison: an integer or float comparison, a switch, or a call such as memcmp.
struct Comparison {
  llvm::Instruction *At;
  uint32_t Kind;  // enum waypoint_comparison
  uint32_t Width; // of integers
  uint64_t Slots; // one, or one for every case
  const char *Recorder; // null for those of std::string
};

// Whether a call compares a std::string in code that the C++ library has compiled.
bool comparesStrings(const llvm::CallBase &Call);

// The recorder for such a call, and its arguments behind the slot.
const char *stringRecorder(const llvm::CallBase &Call, llvm::SmallVectorImpl<llvm::Value *> &Arguments);

// The comparisons worth recording.
llvm::SmallVector<Comparison, 16> comparisonsOf(llvm::Function &F);

// Calls the recorder of a comparison. `First` is the first of its slots.
void recordComparison(const Comparison &C, const Recorded &In, llvm::GlobalVariable *Array, uint64_t First,
                      llvm::Instruction *Before);

} // namespace waypoint
