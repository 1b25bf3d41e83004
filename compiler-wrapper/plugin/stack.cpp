// Event `stack`: how deep the stack is in every function, on entry and wherever a function takes more of it.
#include "passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace waypoint;

namespace {

// Variables of a function that calls nothing are not worth a look below this size: the stack is its caller's and a little.
constexpr uint64_t SmallFrame = 256;

bool isCall(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<IntrinsicInst>(Call) || Call->isInlineAsm()) return false;
  const Function *Callee = Call->getCalledFunction();
  return !Callee || Callee->getName() != "__sanitizer_cov_trace_pc_guard";
}

// Where the stack pointer is worth a look: behind the fixed variables, and behind every variable of variable size.
SmallVector<Instruction *, 4> placesOf(Function &F) {
  SmallVector<Instruction *, 4> Places;
  uint64_t Fixed = 0;
  bool Calls = false;
  for (Instruction &I : instructions(F)) {
    Calls |= isCall(I);
    auto *Variable = dyn_cast<AllocaInst>(&I);
    if (!Variable) continue;
    if (Variable->isStaticAlloca())
      Fixed += Variable->getAllocationSize(F.getParent()->getDataLayout()).value_or(TypeSize::getFixed(0)).getKnownMinValue();
    else
      Places.push_back(I.getNextNode());
  }
  if (!Calls && Places.empty() && Fixed < SmallFrame) return Places;
  Instruction *First = &*F.getEntryBlock().getFirstInsertionPt();
  while (isa<AllocaInst>(First)) First = First->getNextNode();
  Places.insert(Places.begin(), First);
  return Places;
}

} // namespace

void waypoint::recordStack(Module &M, Functions &In) {
  for (auto &[F, Recorded] : In) {
    if (F->hasFnAttribute(Attribute::Naked)) continue;
    auto Places = placesOf(*F);
    if (Places.empty()) continue;
    Recorded.Stack = slotArray(Recorded, 1, sizeof(uint64_t), "waypoint_stacks", "waypoint_stacks");
    for (Instruction *At : Places) {
      IRBuilder<> Builder(At);
      Value *Pointer = Builder.CreatePtrToInt(Builder.CreateStackSave(), Builder.getInt64Ty());
      FunctionCallee Recorder =
          M.getOrInsertFunction("waypoint_deep", Builder.getVoidTy(), Builder.getPtrTy(), Builder.getInt64Ty());
      Builder.CreateCall(Recorder, {Recorded.Stack, Pointer});
    }
  }
}
