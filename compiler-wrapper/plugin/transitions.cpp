// Event `diff`: the transitions between the counters of a function, from the one that was reached last to the next.
//
// The last counter is a value within the function, mostly a constant, so that most transitions have a slot of which the
// address is known when compiling. Calls do not change it: what a callee does is told by the callee's own transitions.
#include "transitions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "waypoint_abi.h"
#include <algorithm>

using namespace llvm;
using namespace waypoint;

namespace {

// A counter that can be reached from more others than this, counted from the first to the last of them, has one slot for
// all: the cases of a large interpreter's loop would have thousands.
constexpr uint64_t MostOrigins = 256;

// The counters that may have been reached last, from the first to the last of them. 0 is the entry of the function, and
// counter n is n + 1.
struct Origins {
  uint64_t Low = UINT64_MAX, High = 0;
  bool none() const { return Low > High; }
  uint64_t size() const { return High - Low + 1; }
  bool add(const Origins &Other) {
    Origins Before = *this;
    Low = std::min(Low, Other.Low);
    High = std::max(High, Other.High);
    return Low != Before.Low || High != Before.High;
  }
};

uint64_t asOrigin(const Counter &C) { return C.Index + 1; }

// For every block, what may have been reached last when it begins.
DenseMap<const BasicBlock *, Origins> originsOf(Function &F, ArrayRef<Counter> Counters) {
  DenseMap<const BasicBlock *, uint64_t> Last;
  for (const Counter &C : Counters) Last[C.Call->getParent()] = asOrigin(C);
  DenseMap<const BasicBlock *, Origins> At;
  At[&F.getEntryBlock()].add({0, 0});
  ReversePostOrderTraversal<Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *BB : Order) {
      Origins Out = At[BB];
      if (auto Own = Last.find(BB); Own != Last.end()) Out = {Own->second, Own->second};
      for (const BasicBlock *Next : successors(BB)) Changed |= At[Next].add(Out);
    }
  }
  return At;
}

} // namespace

SmallVector<CallInst *, 32> waypoint::recordTransitions(Function &F, Recorded &Of, Before Which) {
  Module &M = *F.getParent();
  auto Counters = countersOf(F);
  // A second return of setjmp would find the last counter as it was at the first.
  bool Told = Which == Before::Told && !F.callsFunctionThatReturnsTwice();
  auto At = originsOf(F, Counters);
  Transitions &Steps = Of.Steps;
  Steps.Into.resize(cast<ArrayType>(Counters.front().Array->getValueType())->getNumElements(), {0, WAYPOINT_ANYWHERE});
  // In the order of the counters, so that each one's slots end where the next one's begin.
  llvm::sort(Counters, [](const Counter &A, const Counter &B) { return A.Index < B.Index; });
  SmallVector<Origins, 32> From;
  for (uint64_t Index = 0, N = 0; Index < Steps.Into.size(); ++Index) {
    Steps.Into[Index].First = Steps.Count;
    for (; N < Counters.size() && Counters[N].Index == Index; ++N) {
      Origins Here = At.lookup(Counters[N].Call->getParent());
      bool Apart = Told && !Here.none() && Here.size() <= MostOrigins;
      From.push_back(Apart ? Here : Origins());
      if (Apart) Steps.Into[Index].Lowest = Here.Low;
      Steps.Count = Steps.Into[Index].First + (Apart ? Here.size() : 1);
    }
  }
  // The arrays are of whole words of eight bytes.
  Steps.Array = slotArray(Of, (Steps.Count + 1) / 2, 2 * sizeof(uint32_t), "waypoint_steps", "waypoint_steps");

  IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
  Type *Int64 = Entry.getInt64Ty(), *Int32 = Entry.getInt32Ty();
  AllocaInst *Last = Entry.CreateAlloca(Int64);
  Entry.CreateStore(Entry.getInt64(0), Last);
  FunctionCallee Recorder = M.getOrInsertFunction(
      "waypoint_transition", FunctionType::get(Entry.getVoidTy(), {Entry.getPtrTy(), Entry.getPtrTy()}, false));
  SmallVector<CallInst *, 32> Calls;
  for (auto [N, C] : enumerate(Counters)) {
    IRBuilder<> Builder(C.Call->getNextNode());
    Value *Slot = slot(Steps.Array, Steps.Into[C.Index].First, sizeof(uint32_t));
    if (!From[N].none() && From[N].size() > 1) {
      Value *Past = Builder.CreateSub(Builder.CreateLoad(Int64, Last), Builder.getInt64(From[N].Low));
      Slot = Builder.CreateGEP(Int32, Slot, Past);
    }
    Calls.push_back(Builder.CreateCall(Recorder, {Slot, C.Call->getArgOperand(0)}));
    Builder.CreateStore(Builder.getInt64(asOrigin(C)), Last);
  }
  DominatorTree Dom(F);
  PromoteMemToReg({Last}, Dom);
  return Calls;
}
