// Two versions of every function that compares: the plain one, and one in which comparisons are recorded. A switch that
// the engine sets decides on entry, so that recording costs next to nothing while it is off. Both share the counters.
#include "comparisons.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "waypoint_abi.h"
#include <cstddef>

using namespace llvm;
using namespace waypoint;

namespace {

// Whether it runs before `main`. AddressSanitizer puts a call before every return of those, also behind a tail call.
bool isConstructor(const Function &F) {
  const GlobalVariable *All = F.getParent()->getGlobalVariable("llvm.global_ctors");
  auto *List = All && All->hasInitializer() ? dyn_cast<ConstantArray>(All->getInitializer()) : nullptr;
  return List && any_of(List->operands(), [&](const Use &One) {
    auto *Entry = dyn_cast<ConstantStruct>(One);
    return Entry && Entry->getOperand(1)->stripPointerCasts() == &F;
  });
}

// Whether there can be two of it: not if its arguments cannot be passed on, or if somebody knows its inside by address.
bool canHaveTwoVersions(const Function &F) {
  if (F.isVarArg() || F.hasFnAttribute(Attribute::Naked) || F.isPresplitCoroutine() || isConstructor(F))
    return false;
  // A structure on the stack would have to be passed on in place, which LLVM 19 does wrong.
  for (const Argument &A : F.args())
    if (A.hasPassPointeeByValueCopyAttr()) return false;
  for (const BasicBlock &BB : F)
    if (BB.hasAddressTaken()) return false;
  return true;
}

// Counting bits takes one instruction on every machine of the last fifteen years; the engine checks it before it
// switches recording on. Only for second versions: no other code may need what the machine perhaps lacks.
void allowBitCounting(Function &F) {
  if (!Triple(F.getParent()->getTargetTriple()).isX86()) return;
  std::string Features = F.getFnAttribute("target-features").getValueAsString().str();
  F.addFnAttr("target-features", Features + (Features.empty() ? "" : ",") + "+popcnt,+lzcnt");
}

Value *loadSwitch(IRBuilder<> &Builder, Module &M) {
  Constant *Flag = ConstantExpr::getInBoundsGetElementPtr(Builder.getInt8Ty(), sideOf(M),
                                                          Builder.getInt64(offsetof(waypoint_side, cmp_on)));
  LoadInst *On = Builder.CreateLoad(Builder.getInt8Ty(), Flag);
  On->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(M.getContext(), {}));
  return Builder.CreateICmpNE(On, Builder.getInt8(0));
}

MDNode *unlikely(LLVMContext &C) { return MDBuilder(C).createUnlikelyBranchWeights(); }

// Lets `Plain` begin by asking whether `Recording` should run instead.
void dispatch(Function &Plain, Function &Recording) {
  BasicBlock &Entry = Plain.getEntryBlock();
  // Variables on the stack stay in the entry block, else they would be allocated anew each time.
  Instruction *First = &*Entry.getFirstInsertionPt();
  while (isa<AllocaInst>(First)) First = First->getNextNode();
  BasicBlock *Rest = SplitBlock(&Entry, First);
  auto *Other = BasicBlock::Create(Plain.getContext(), "recording", &Plain);
  Entry.getTerminator()->eraseFromParent();
  IRBuilder<> Builder(&Entry);
  Builder.CreateCondBr(loadSwitch(Builder, *Plain.getParent()), Other, Rest, unlikely(Plain.getContext()));
  Builder.SetInsertPoint(Other);
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : Plain.args()) Arguments.push_back(&A);
  CallInst *Call = Builder.CreateCall(&Recording, Arguments);
  Call->setTailCallKind(CallInst::TCK_MustTail);
  Call->setCallingConv(Plain.getCallingConv());
  // The ways in which arguments are passed must be the callee's own.
  Call->setAttributes(Plain.getAttributes().removeFnAttributes(Plain.getContext()));
  if (Plain.getReturnType()->isVoidTy())
    Builder.CreateRetVoid();
  else
    Builder.CreateRet(Call);
  if (DISubprogram *Scope = Plain.getSubprogram())
    Call->setDebugLoc(DILocation::get(Plain.getContext(), Scope->getScopeLine(), 0, Scope));
}

Function *secondVersion(Function &F) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  Copy->setName(F.getName() + ".waypoint_cmp");
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDSOLocal(true);
  Copy->setComdat(F.getComdat());
  return Copy;
}

// In a function of which there is one version only, the switch is asked at every comparison.
Instruction *guarded(Instruction *At, Function &F) {
  IRBuilder<> Builder(At);
  Value *On = loadSwitch(Builder, *F.getParent());
  return SplitBlockAndInsertIfThen(On, At, false, unlikely(F.getContext()));
}

// A local function's recording version can be called as it is, without asking the switch again.
void callEachOther(const MapVector<Function *, Function *> &Versions) {
  for (auto [Plain, Copy] : Versions)
    for (Instruction &I : instructions(*Copy))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction(); Callee && Callee->hasLocalLinkage())
          if (Function *Other = Versions.lookup(Callee)) Call->setCalledFunction(Other);
}

} // namespace

void waypoint::recordComparisons(Module &M, Functions &In) {
  MapVector<Function *, Function *> Versions;
  for (auto &[F, Recorded] : In) {
    if (comparisonsOf(*F).empty()) continue;
    bool Two = canHaveTwoVersions(*F);
    Function *Copy = Two ? secondVersion(*F) : F;
    auto Found = comparisonsOf(*Copy);
    uint64_t Count = 0, Next = 0;
    for (const Comparison &C : Found) Count += C.Slots;
    Slots &Slots = Recorded.Comparisons;
    Slots.Array = slotArray(Recorded, Count, sizeof(waypoint_cmp), "waypoint_cmps", "waypoint_cmps");
    for (Comparison &C : Found) {
      for (uint64_t I = 0; I < C.Slots; ++I) Slots.Sites.push_back({C.Kind, C.Width, C.At->getDebugLoc()});
      recordComparison(C, Recorded, Slots.Array, Next, Two ? C.At : guarded(C.At, *F));
      Next += C.Slots;
    }
    if (!Two) continue;
    allowBitCounting(*Copy);
    Versions[F] = Copy;
  }
  for (auto [Plain, Copy] : Versions) dispatch(*Plain, *Copy);
  callEachOther(Versions);
}
