// The steps of the plugin, in the order in which they run on a module.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class CallInst;
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace waypoint {

// The events to record, with the bits of `EventSet` in domains/src/event.rs.
constexpr uint32_t EdgeEvent = 1u << 0;

// Where SanitizerCoverage counts a block: `++array[index]` at `call`.
struct Counter {
  llvm::CallInst *Call;
  llvm::GlobalVariable *Array;
  uint64_t Index;
};

// The counters that SanitizerCoverage placed in a function.
llvm::SmallVector<Counter, 32> countersOf(llvm::Function &F);

// Writes one `waypoint_function` with its lines for every function that has counters.
void describeFunctions(llvm::Module &M, uint32_t Events);

// Replaces every call of a recorder by the recorder's body.
void inlineRecorders(llvm::Module &M);

// Whether the recorders can be put into this module at all.
bool canRecord(const llvm::Module &M);

} // namespace waypoint
