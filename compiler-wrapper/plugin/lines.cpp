// Which source lines every counter of a function stands for: those of its block, of code inlined there, and of blocks
// that SanitizerCoverage left without a counter because another one tells.
#include "lines.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace waypoint;

namespace {

using BlockLines = std::set<std::pair<std::string, unsigned>>;

BlockLines linesIn(const BasicBlock &BB) {
  BlockLines Found;
  const DILocation *Last = nullptr;
  for (const Instruction &I : BB) {
    // These describe variables; they are not something that runs.
    if (isa<DbgInfoIntrinsic>(I)) continue;
    const DILocation *Here = I.getDebugLoc();
    if (Here == Last) continue;
    Last = Here;
    // A call that was inlined counts as a line of the caller too.
    for (const DILocation *L = Here; L; L = L->getInlinedAt())
      if (L->getLine() && L->getFile()) Found.emplace(pathOf(L->getFile()), L->getLine());
  }
  return Found;
}

// Answers which counters tell that a block ran. SanitizerCoverage leaves a block without a counter when whatever runs
// next tells (it dominates all its successors) or whatever ran before did (it post-dominates all its predecessors).
class StandIns {
public:
  StandIns(Function &F, ArrayRef<Counter> Counters) : Dom(F) {
    for (const Counter &C : Counters) Own[C.Call->getParent()] = C.Index;
  }

  SmallVector<uint64_t, 4> of(const BasicBlock *BB) {
    SmallVector<uint64_t, 4> Found;
    SmallPtrSet<const BasicBlock *, 8> Seen;
    SmallVector<const BasicBlock *, 8> Todo{BB};
    while (!Todo.empty()) {
      const BasicBlock *Block = Todo.pop_back_val();
      if (!Seen.insert(Block).second) continue;
      if (auto It = Own.find(Block); It != Own.end())
        Found.push_back(It->second);
      else if (!succ_empty(Block) && all_of(successors(Block), [&](auto *S) { return Dom.dominates(Block, S); }))
        append_range(Todo, successors(Block));
      else
        append_range(Todo, predecessors(Block));
    }
    return Found;
  }

private:
  DominatorTree Dom;
  DenseMap<const BasicBlock *, uint64_t> Own;
};

} // namespace

std::string waypoint::pathOf(const DIFile *File) {
  if (!File) return {};
  if (sys::path::is_absolute(File->getFilename()) || File->getDirectory().empty()) return File->getFilename().str();
  SmallString<128> Path(File->getDirectory());
  sys::path::append(Path, File->getFilename());
  return Path.str().str();
}

Lines waypoint::linesOf(Function &F, ArrayRef<Counter> Counters) {
  Lines Found;
  if (!F.getSubprogram()) return Found;
  StandIns Telling(F, Counters);
  for (const BasicBlock &BB : F) {
    BlockLines Here = linesIn(BB);
    if (Here.empty()) continue;
    for (uint64_t Index : Telling.of(&BB))
      for (const auto &[Path, Line] : Here) Found.emplace(Index, Path, Line);
  }
  return Found;
}
