// Slots: the places in a function's arrays where comparisons and allocations are recorded.
#include "passes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace waypoint;

GlobalVariable *waypoint::slotArray(const Recorded &Of, uint64_t Count, uint64_t Size, const char *Section,
                                    const char *Name) {
  GlobalVariable *Counters = Of.Counters.front().Array;
  Module &M = *Counters->getParent();
  Type *Ty = ArrayType::get(Type::getInt64Ty(M.getContext()), Count * Size / 8);
  auto *Array = new GlobalVariable(M, Ty, false, GlobalValue::PrivateLinkage, Constant::getNullValue(Ty), Name);
  Array->setAlignment(Align(8));
  Array->setComdat(Counters->getComdat());
  if (MDNode *Owner = Counters->getMetadata(LLVMContext::MD_associated))
    Array->setMetadata(LLVMContext::MD_associated, Owner);
  // Redzones would tear the arrays of a section apart.
  GlobalValue::SanitizerMetadata Plain{};
  Plain.NoAddress = Plain.NoHWAddress = true;
  Array->setSanitizerMetadata(Plain);
  if (Section) {
    Array->setSection(Section);
    appendToCompilerUsed(M, {Array});
  }
  return Array;
}

Constant *waypoint::slot(GlobalVariable *Array, uint64_t Index, uint64_t Size) {
  LLVMContext &C = Array->getContext();
  return ConstantExpr::getInBoundsGetElementPtr(Type::getInt8Ty(C), Array,
                                                ConstantInt::get(Type::getInt64Ty(C), Index * Size));
}

Constant *waypoint::sideOf(Module &M) {
  Constant *Side = M.getOrInsertGlobal("waypoint_side", Type::getInt8Ty(M.getContext()));
  if (auto *G = dyn_cast<GlobalVariable>(Side)) {
    G->setVisibility(GlobalValue::HiddenVisibility);
    G->setDSOLocal(true);
  }
  return Side;
}
