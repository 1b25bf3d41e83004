// Versions of a function: the plain one, one in which comparisons are recorded, and one in which transitions are too.
// Switches that the engine sets decide on entry, so that recording costs next to nothing while it is off. All versions
// share the counters.
#include "comparisons.h"
#include "transitions.h"

#include "llvm/ADT/SmallPtrSet.h"
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

// Whether any of `Bytes` switches of `waypoint_side` is on, from this one on.
Value *loadSwitch(IRBuilder<> &Builder, Module &M, uint64_t Offset, unsigned Bytes = 1) {
  Constant *Flag =
      ConstantExpr::getInBoundsGetElementPtr(Builder.getInt8Ty(), sideOf(M), Builder.getInt64(Offset));
  Type *Ty = Builder.getIntNTy(8 * Bytes);
  LoadInst *On = Builder.CreateLoad(Ty, Flag);
  On->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(M.getContext(), {}));
  return Builder.CreateICmpNE(On, Constant::getNullValue(Ty));
}

constexpr uint64_t CmpOn = offsetof(waypoint_side, cmp_on), DiffOn = offsetof(waypoint_side, diff_on);
static_assert(CmpOn % 2 == 0 && DiffOn == CmpOn + 1, "both are loaded at once");

// The versions of a function beside the plain one: the one in which comparisons are recorded, and the one in which
// transitions are as well. Either may be missing.
struct Versions {
  Function *Comparing = nullptr, *Following = nullptr;
};

MDNode *unlikely(LLVMContext &C) { return MDBuilder(C).createUnlikelyBranchWeights(); }

// Ends a block by passing the function's own arguments on to another version of it.
void passOn(BasicBlock *From, Function &Plain, Function &Version) {
  IRBuilder<> Builder(From);
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : Plain.args()) Arguments.push_back(&A);
  CallInst *Call = Builder.CreateCall(&Version, Arguments);
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

// Lets `Plain` begin by asking whether another version should run instead.
void dispatch(Function &Plain, Versions To) {
  LLVMContext &C = Plain.getContext();
  Module &M = *Plain.getParent();
  BasicBlock &Entry = Plain.getEntryBlock();
  // Variables on the stack stay in the entry block, else they would be allocated anew each time.
  Instruction *First = &*Entry.getFirstInsertionPt();
  while (isa<AllocaInst>(First)) First = First->getNextNode();
  BasicBlock *Rest = SplitBlock(&Entry, First);
  Entry.getTerminator()->eraseFromParent();
  bool Both = To.Comparing && To.Following;
  auto *Other = BasicBlock::Create(C, "recording", &Plain);
  IRBuilder<> Builder(&Entry);
  Builder.CreateCondBr(loadSwitch(Builder, M, To.Comparing ? CmpOn : DiffOn, Both ? 2 : 1), Other, Rest, unlikely(C));
  if (!Both) return passOn(Other, Plain, To.Comparing ? *To.Comparing : *To.Following);
  auto *Comparing = BasicBlock::Create(C, "comparing", &Plain), *Following = BasicBlock::Create(C, "following", &Plain);
  Builder.SetInsertPoint(Other);
  Builder.CreateCondBr(loadSwitch(Builder, M, DiffOn), Following, Comparing, unlikely(C));
  passOn(Comparing, Plain, *To.Comparing);
  passOn(Following, Plain, *To.Following);
}

// Another version of `F`, made from one that there is already.
Function *version(Function &F, Function &From, const char *Name) {
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&From, Map);
  Copy->setName(F.getName() + Name);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setDSOLocal(true);
  Copy->setComdat(F.getComdat());
  return Copy;
}

// In a function of which there is one version only, the switch is asked at every comparison and every counter.
Instruction *guarded(Instruction *At, Function &F, uint64_t Switch) {
  IRBuilder<> Builder(At);
  Value *On = loadSwitch(Builder, *F.getParent(), Switch);
  return SplitBlockAndInsertIfThen(On, At, false, unlikely(F.getContext()));
}

// A local function's recording version can be called as it is, without asking the switch again.
void callEachOther(const MapVector<Function *, Versions> &All, Function *Versions::*Which) {
  for (const auto &[Plain, Own] : All)
    if (Own.*Which)
      for (Instruction &I : instructions(*(Own.*Which)))
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (Function *Callee = Call->getCalledFunction(); Callee && Callee->hasLocalLinkage())
            if (Function *Other = All.lookup(Callee).*Which) Call->setCalledFunction(Other);
}

// Whether a function has to ask which version should run: not one that is only called by functions of which the right
// version runs already.
bool mustAsk(Function &F, const MapVector<Function *, Versions> &All, const SmallPtrSetImpl<Function *> &Made,
             Function *Versions::*Which) {
  if (!F.hasLocalLinkage()) return true;
  for (const Use &U : F.uses()) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isCallee(&U)) return true;
    Function *Caller = Call->getFunction();
    if (!(All.lookup(Caller).*Which) && !Made.contains(Caller)) return true;
  }
  return false;
}

// Records the comparisons of a function: in a version of its own, which is returned, or in place.
Function *recordComparisons(Function &F, Recorded &Recorded, bool Two) {
  if (comparisonsOf(F).empty()) return nullptr;
  Function *Copy = Two ? version(F, F, ".waypoint_cmp") : &F;
  auto Found = comparisonsOf(*Copy);
  uint64_t Count = 0, Next = 0;
  for (const Comparison &C : Found) Count += C.Slots;
  Slots &Slots = Recorded.Comparisons;
  Slots.Array = slotArray(Recorded, Count, sizeof(waypoint_cmp), "waypoint_cmps", "waypoint_cmps");
  for (Comparison &C : Found) {
    for (uint64_t I = 0; I < C.Slots; ++I) Slots.Sites.push_back({C.Kind, C.Width, C.At->getDebugLoc()});
    recordComparison(C, Recorded, Slots.Array, Next, Two ? C.At : guarded(C.At, F, CmpOn));
    Next += C.Slots;
  }
  if (!Two) return nullptr;
  allowBitCounting(*Copy);
  return Copy;
}

// The same for transitions. Their version is made from the one that records comparisons, because the domains can be
// combined. A function with one counter has one transition, for which no version is worth it.
Function *recordTransitionsOf(Function &F, Recorded &Recorded, Function *Comparing, bool Two) {
  if (Two && (Comparing || Recorded.Counters.size() > 1)) {
    Function *Copy = version(F, Comparing ? *Comparing : F, ".waypoint_diff");
    recordTransitions(*Copy, Recorded, Before::Told);
    return Copy;
  }
  for (CallInst *Call : recordTransitions(F, Recorded, Before::Any)) {
    Instruction *Then = guarded(Call->getNextNode(), F, DiffOn);
    Call->moveBefore(*Then->getParent(), Then->getIterator());
  }
  return nullptr;
}

} // namespace

void waypoint::makeVersions(Module &M, Functions &In, uint32_t Events) {
  MapVector<Function *, Versions> All;
  for (auto &[F, Recorded] : In) {
    bool Two = canHaveTwoVersions(*F);
    Versions Made;
    if (Events & CmpEvent) Made.Comparing = recordComparisons(*F, Recorded, Two);
    if (Events & DiffEvent) Made.Following = recordTransitionsOf(*F, Recorded, Made.Comparing, Two);
    if (Made.Comparing || Made.Following) All[F] = Made;
  }
  callEachOther(All, &Versions::Comparing);
  callEachOther(All, &Versions::Following);
  SmallPtrSet<Function *, 32> Made;
  for (const auto &[Plain, Own] : All) Made.insert({Own.Comparing, Own.Following});
  // Before any of them asks: the calls that they make then are not the program's.
  MapVector<Function *, Versions> Asked = All;
  for (auto &[Plain, Own] : Asked)
    for (auto Which : {&Versions::Comparing, &Versions::Following})
      if (!mustAsk(*Plain, All, Made, Which)) Own.*Which = nullptr;
  for (const auto &[Plain, To] : Asked)
    if (To.Comparing || To.Following) dispatch(*Plain, To);
}
