// Event `alloc`: calls of allocation functions pass a slot to a recorder, which makes the call; a pointer to such a
// function becomes a pointer to one that counts for the last site which called through a pointer.
#include "passes.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "waypoint_abi.h"
#include <cstddef>

using namespace llvm;
using namespace waypoint;

namespace {

// How a call is recorded.
enum class How {
  Replaced, // by a helper with one more argument, the slot
  Printed,  // by a helper behind the call: asprintf
  Freed,    // by a helper of the same type
  Deleted,  // by a helper before the call, for all forms of operator delete
  Indirect, // by leaving the slot for whoever is called through the pointer
};

struct Known {
  const char *Name;
  const char *Signature; // see hasSignature
  How Recorded;
  const char *Helper;
};

const Known KnownFunctions[] = {
    {"malloc", "pz", How::Replaced, "waypoint_malloc"},
    {"calloc", "pzz", How::Replaced, "waypoint_calloc"},
    {"realloc", "ppz", How::Replaced, "waypoint_realloc"},
    {"reallocarray", "ppzz", How::Replaced, "waypoint_reallocarray"},
    {"aligned_alloc", "pzz", How::Replaced, "waypoint_aligned_alloc"},
    {"memalign", "pzz", How::Replaced, "waypoint_memalign"},
    {"valloc", "pz", How::Replaced, "waypoint_valloc"},
    {"posix_memalign", "ipzz", How::Replaced, "waypoint_posix_memalign"},
    {"strdup", "pp", How::Replaced, "waypoint_strdup"},
    {"__strdup", "pp", How::Replaced, "waypoint_strdup"},
    {"strndup", "ppz", How::Replaced, "waypoint_strndup"},
    {"__strndup", "ppz", How::Replaced, "waypoint_strndup"},
    {"_Znwm", "pz", How::Replaced, "waypoint_Znwm"},
    {"_Znam", "pz", How::Replaced, "waypoint_Znam"},
    {"_ZnwmSt11align_val_t", "pzz", How::Replaced, "waypoint_ZnwmSt11align_val_t"},
    {"_ZnamSt11align_val_t", "pzz", How::Replaced, "waypoint_ZnamSt11align_val_t"},
    {"_ZnwmRKSt9nothrow_t", "pzp", How::Replaced, "waypoint_ZnwmRKSt9nothrow_t"},
    {"_ZnamRKSt9nothrow_t", "pzp", How::Replaced, "waypoint_ZnamRKSt9nothrow_t"},
    {"_ZnwmSt11align_val_tRKSt9nothrow_t", "pzzp", How::Replaced, "waypoint_ZnwmSt11align_val_tRKSt9nothrow_t"},
    {"_ZnamSt11align_val_tRKSt9nothrow_t", "pzzp", How::Replaced, "waypoint_ZnamSt11align_val_tRKSt9nothrow_t"},
    {"asprintf", "ipp.", How::Printed, "waypoint_printed"},
    {"vasprintf", "ippp", How::Printed, "waypoint_printed"},
    {"__asprintf_chk", "ipip.", How::Printed, "waypoint_printed"},
    {"__vasprintf_chk", "ipipp", How::Printed, "waypoint_printed"},
    {"free", "vp", How::Freed, "waypoint_free"},
    {"_ZdlPv", "vp", How::Deleted, "waypoint_deleted"},
    {"_ZdaPv", "vp", How::Deleted, "waypoint_deleted"},
    {"_ZdlPvm", "vpz", How::Deleted, "waypoint_deleted"},
    {"_ZdaPvm", "vpz", How::Deleted, "waypoint_deleted"},
    {"_ZdlPvSt11align_val_t", "vpz", How::Deleted, "waypoint_deleted"},
    {"_ZdaPvSt11align_val_t", "vpz", How::Deleted, "waypoint_deleted"},
    {"_ZdlPvmSt11align_val_t", "vpzz", How::Deleted, "waypoint_deleted"},
    {"_ZdaPvmSt11align_val_t", "vpzz", How::Deleted, "waypoint_deleted"},
    {"_ZdlPvRKSt9nothrow_t", "vpp", How::Deleted, "waypoint_deleted"},
    {"_ZdaPvRKSt9nothrow_t", "vpp", How::Deleted, "waypoint_deleted"},
    {"_ZdlPvSt11align_val_tRKSt9nothrow_t", "vpzp", How::Deleted, "waypoint_deleted"},
    {"_ZdaPvSt11align_val_tRKSt9nothrow_t", "vpzp", How::Deleted, "waypoint_deleted"},
};

// Those that programs keep pointers to, and what the pointer becomes.
const struct {
  const char *Name, *Signature, *Thunk;
} Pointers[] = {
    {"malloc", "pz", "__waypoint_malloc_pointer"},
    {"calloc", "pzz", "__waypoint_calloc_pointer"},
    {"realloc", "ppz", "__waypoint_realloc_pointer"},
    {"free", "vp", "__waypoint_free_pointer"},
};

const Known ThroughPointer = {nullptr, nullptr, How::Indirect, nullptr};

// Whether the type of a call is that of malloc, calloc or realloc.
bool looksLikeAllocation(const FunctionType &Ty) {
  if (!Ty.getReturnType()->isPointerTy() || Ty.isVarArg()) return false;
  ArrayRef<Type *> Types = Ty.params();
  if (Types.size() == 1) return Types[0]->isIntegerTy(64);
  return Types.size() == 2 && (Types[0]->isIntegerTy(64) || Types[0]->isPointerTy()) && Types[1]->isIntegerTy(64);
}

const Known *known(const CallBase &Call) {
  if (Call.isIndirectCall()) return looksLikeAllocation(*Call.getFunctionType()) ? &ThroughPointer : nullptr;
  const Function *Callee = Call.getCalledFunction();
  // An allocator that the module defines itself is the target's business.
  if (!Callee || !Callee->isDeclaration()) return nullptr;
  for (const Known &K : KnownFunctions)
    if (Callee->getName() == K.Name) return hasSignature(*Callee->getFunctionType(), K.Signature) ? &K : nullptr;
  return nullptr;
}

// The same call of another function, with the slot as one more argument. Attributes keep their places that way.
void callHelper(CallBase &Call, const Known &K, Constant *Slot) {
  Module &M = *Call.getModule();
  SmallVector<Type *, 4> Types(Call.getFunctionType()->params());
  SmallVector<Value *, 4> Arguments(Call.args());
  if (Slot) {
    Types.push_back(Slot->getType());
    Arguments.push_back(Slot);
  }
  FunctionCallee Helper = M.getOrInsertFunction(K.Helper, FunctionType::get(Call.getType(), Types, false));
  IRBuilder<> Builder(&Call);
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    New = Builder.CreateInvoke(Helper, Invoke->getNormalDest(), Invoke->getUnwindDest(), Arguments);
  } else {
    CallInst *Plain = Builder.CreateCall(Helper, Arguments);
    Plain->setTailCallKind(cast<CallInst>(Call).getTailCallKind());
    New = Plain;
  }
  New->setDebugLoc(Call.getDebugLoc());
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

void recordOne(CallBase &Call, const Known &K, Constant *Slot) {
  Module &M = *Call.getModule();
  switch (K.Recorded) {
  case How::Replaced:
  case How::Freed:
    return callHelper(Call, K, Slot);
  case How::Deleted: {
    IRBuilder<> Builder(&Call);
    FunctionCallee Helper = M.getOrInsertFunction(K.Helper, Builder.getVoidTy(), Builder.getPtrTy());
    Builder.CreateCall(Helper, {Call.getArgOperand(0)});
    return;
  }
  case How::Indirect: {
    IRBuilder<> Builder(&Call);
    Constant *Field = ConstantExpr::getInBoundsGetElementPtr(Builder.getInt8Ty(), sideOf(M),
                                                             Builder.getInt64(offsetof(waypoint_side, caller)));
    Builder.CreateStore(Slot, Field)->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(M.getContext(), {}));
    return;
  }
  case How::Printed: {
    auto *Plain = dyn_cast<CallInst>(&Call);
    if (!Plain) return;
    IRBuilder<> Builder(Plain->getNextNode());
    Builder.SetCurrentDebugLocation(Call.getDebugLoc());
    FunctionCallee Helper =
        M.getOrInsertFunction(K.Helper, Builder.getInt32Ty(), Builder.getInt32Ty(), Builder.getPtrTy(), Builder.getPtrTy());
    Plain->setTailCallKind(CallInst::TCK_None);
    Builder.CreateCall(Helper, {Plain, Plain->getArgOperand(0), Slot});
    return;
  }
  }
}

bool isCounted(const Known &K) { return K.Recorded != How::Freed && K.Recorded != How::Deleted; }

void replacePointers(Module &M) {
  for (const auto &[Name, Signature, Thunk] : Pointers) {
    Function *F = M.getFunction(Name);
    if (!F || !F->isDeclaration() || !hasSignature(*F->getFunctionType(), Signature)) continue;
    auto isPointer = [](Use &U) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      return !(Call && Call->isCallee(&U)) && !isa<GlobalAlias>(U.getUser());
    };
    if (none_of(F->uses(), isPointer)) continue;
    auto *Replacement = cast<Constant>(M.getOrInsertFunction(Thunk, F->getFunctionType()).getCallee());
    F->replaceUsesWithIf(Replacement, isPointer);
  }
}

} // namespace

void waypoint::recordAllocations(Module &M, Functions &In) {
  for (auto &[F, Recorded] : In) {
    SmallVector<std::pair<CallBase *, const Known *>, 8> Calls;
    uint64_t Counted = 0;
    for (Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Known *K = known(*Call); K && !Call->isMustTailCall()) {
          Calls.push_back({Call, K});
          Counted += isCounted(*K);
        }
    Slots &Slots = Recorded.Allocations;
    if (Counted) Slots.Array = slotArray(Recorded, Counted, sizeof(waypoint_alloc), "waypoint_allocs", "waypoint_allocs");
    for (auto [Call, K] : Calls) {
      Constant *Slot = nullptr;
      if (isCounted(*K)) {
        Slot = slot(Slots.Array, Slots.Sites.size(), sizeof(waypoint_alloc));
        Slots.Sites.push_back({0, 0, Call->getDebugLoc()});
      }
      recordOne(*Call, *K, Slot);
    }
  }
  replacePointers(M);
}
