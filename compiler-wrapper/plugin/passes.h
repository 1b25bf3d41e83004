// The steps of the plugin, in the order in which they run on a module.
#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugLoc.h"
#include <cstdint>
#include <set>
#include <string>
#include <tuple>

namespace llvm {
class CallInst;
class Constant;
class Function;
class FunctionType;
class GlobalVariable;
class Module;
} // namespace llvm

namespace waypoint {

// The events to record, with the bits of `EventSet` in domains/src/event.rs.
constexpr uint32_t EdgeEvent = 1u << 0, CmpEvent = 1u << 1, AllocEvent = 1u << 2, DiffEvent = 1u << 3,
                   StackEvent = 1u << 4, OutEvent = 1u << 5;

// Where SanitizerCoverage counts a block: `++array[index]` at `call`.
struct Counter {
  llvm::CallInst *Call;
  llvm::GlobalVariable *Array;
  uint64_t Index;
};

// What a slot stands for: a `waypoint_site`.
struct Site {
  uint32_t Kind, Width;
  llvm::DebugLoc At;
};

// The slots of one kind that a function has.
struct Slots {
  llvm::GlobalVariable *Array = nullptr;
  llvm::SmallVector<Site, 8> Sites;
};

// (counter, path, line), sorted and without duplicates.
using Lines = std::set<std::tuple<uint64_t, std::string, unsigned>>;

// Where the slots of the transitions into a counter are: a `waypoint_arrivals`.
struct Arrivals {
  uint32_t First, Lowest;
};

// The slots of a function's transitions.
struct Transitions {
  llvm::GlobalVariable *Array = nullptr;
  uint64_t Count = 0;
  llvm::SmallVector<Arrivals, 32> Into; // each counter, by its index
};

// What is recorded in a function.
struct Recorded {
  llvm::SmallVector<Counter, 32> Counters;
  Lines LinesOfCounters;
  Slots Comparisons, Allocations;
  llvm::GlobalVariable *Stack = nullptr;
  Transitions Steps;
};
using Functions = llvm::MapVector<llvm::Function *, Recorded>;

// The functions in which SanitizerCoverage placed counters.
Functions functionsWithCounters(llvm::Module &M);

// Gives every allocation a slot and lets the recorders make it.
void recordAllocations(llvm::Module &M, Functions &In);

// Has what is written to files recorded.
void recordOutput(llvm::Module &M, Functions &In);

// Notes the texts among the module's constants.
void noteTexts(llvm::Module &M);

// Has the depth of the stack recorded.
void recordStack(llvm::Module &M, Functions &In);

// The counters that SanitizerCoverage placed in a function.
llvm::SmallVector<Counter, 32> countersOf(llvm::Function &F);

// Gives functions versions in which comparisons and transitions are recorded.
void makeVersions(llvm::Module &M, Functions &In, uint32_t Events);

// Writes one `waypoint_function` with its lines and sites for every function.
void describeFunctions(llvm::Module &M, const Functions &All, uint32_t Events);

// Replaces every call of a recorder by the recorder's body, and adds the helpers that are called.
void inlineRecorders(llvm::Module &M);

// Whether the recorders can be put into this module at all.
bool canRecord(const llvm::Module &M);

// An array of `Count` slots of `Size` bytes in `Section`, which the linker keeps, drops and merges together with the
// function's counters.
llvm::GlobalVariable *slotArray(const Recorded &Of, uint64_t Count, uint64_t Size, const char *Section,
                                const char *Name);
// Whether a function is of the type that its name promises: the result, then the parameters, as `p` for a pointer, `i`
// for an int, `z` for a size, `v` for nothing and `.` for more. A program may use the names of the C library as it likes.
bool hasSignature(const llvm::FunctionType &Ty, llvm::StringRef Signature);
// The object's `waypoint_side`, which the engine sets.
llvm::Constant *sideOf(llvm::Module &M);
// The address of a slot.
llvm::Constant *slot(llvm::GlobalVariable *Array, uint64_t Index, uint64_t Size);

} // namespace waypoint
