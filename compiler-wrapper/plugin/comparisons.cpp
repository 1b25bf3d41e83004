// Event `cmp`: which comparisons of a function are recorded, and the calls of the recorders.
#include "comparisons.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "waypoint_abi.h"

using namespace llvm;
using namespace waypoint;

namespace {

// Functions that compare texts, and the recorder for each, which takes the same arguments behind the slot.
const struct {
  const char *Name, *Signature, *Recorder;
} TextFunctions[] = {
    {"memcmp", "ippz", "waypoint_cmp_memory"},
    {"bcmp", "ippz", "waypoint_cmp_memory"},
    {"strcmp", "ipp", "waypoint_cmp_string"},
    {"strncmp", "ippz", "waypoint_cmp_string_n"},
    {"strcasecmp", "ipp", "waypoint_cmp_string_case"},
    {"strncasecmp", "ippz", "waypoint_cmp_string_case_n"},
    {"strstr", "ppp", "waypoint_cmp_strstr"},
    {"memmem", "ppzpz", "waypoint_cmp_memmem"},
};

const char *textRecorder(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration()) return nullptr;
  for (const auto &Known : TextFunctions)
    if (Callee->getName() == Known.Name)
      return hasSignature(*Callee->getFunctionType(), Known.Signature) ? Known.Recorder : nullptr;
  return nullptr;
}

// A call that compares with lengths that vary has a slot for each of them, up to this one: else equality in a short
// length, once met, would hide how close a longer one comes.
constexpr uint64_t Lengths = 8;

// The length that a text comparison is given at run time; null if there is none.
Value *varyingLength(const CallBase &Call) {
  Value *Last = Call.getArgOperand(Call.arg_size() - 1);
  return Last->getType()->isIntegerTy(64) && !isa<Constant>(Last) ? Last : nullptr;
}

// Whether it only decides about another turn of a loop: what it compares is a count, not an input.
bool endsLoop(const CmpInst &Cmp, const DominatorTree &Dom) {
  if (!Cmp.hasOneUse()) return false;
  auto *Branch = dyn_cast<Instruction>(*Cmp.user_begin());
  if (!Branch || !Branch->isTerminator()) return false;
  return any_of(successors(Branch), [&](const BasicBlock *To) { return Dom.dominates(To, Cmp.getParent()); });
}

// Whether one side has so few values that the branch itself tells all there is to know.
bool isYesOrNo(const Value *V) {
  using namespace PatternMatch;
  const APInt *Mask;
  if (match(V, m_ZExt(m_Value(V))) || match(V, m_SExt(m_Value(V)))) return V->getType()->isIntegerTy(1) || isYesOrNo(V);
  return match(V, m_And(m_Value(), m_APInt(Mask))) && Mask->isPowerOf2();
}

// What a text comparison returned is recorded where it was called.
bool isTextResult(const Value *V) {
  auto *Call = dyn_cast<CallBase>(V);
  return Call && (textRecorder(*Call) || comparesStrings(*Call));
}

// An integer comparison's recorder; null if it is not worth one.
const char *integerRecorder(const ICmpInst &Cmp) {
  Value *A = Cmp.getOperand(0), *B = Cmp.getOperand(1);
  Type *Ty = A->getType();
  if (!Ty->isIntegerTy() || Ty->getIntegerBitWidth() < 8 || Ty->getIntegerBitWidth() > 64) return nullptr;
  if (isa<Constant>(A)) std::swap(A, B);
  if (isa<Constant>(A) || isTextResult(A) || isTextResult(B)) return nullptr;
  auto *C = dyn_cast<ConstantInt>(B);
  if (Cmp.isEquality()) {
    // Nothing but a byte or a flag being zero: found by chance soon enough, and asked for every character.
    if (C && C->isZero() && (isYesOrNo(A) || Ty->getIntegerBitWidth() == 8)) return nullptr;
    return "waypoint_cmp_equality";
  }
  // Of the others only those with a bound that is hard to meet by chance.
  if (!C || C->getValue().abs().ule(0xff)) return nullptr;
  return "waypoint_cmp_order";
}

} // namespace

SmallVector<Comparison, 16> waypoint::comparisonsOf(Function &F) {
  SmallVector<Comparison, 16> Found;
  DominatorTree Dom(F);
  for (Instruction &I : instructions(F)) {
    if (auto *Cmp = dyn_cast<ICmpInst>(&I)) {
      if (const char *Recorder = integerRecorder(*Cmp); Recorder && !endsLoop(*Cmp, Dom))
        Found.push_back({Cmp, Cmp->isEquality() ? WAYPOINT_EQUALITY : WAYPOINT_ORDER,
                         Cmp->getOperand(0)->getType()->getIntegerBitWidth(), 1, Recorder});
    } else if (auto *Cmp = dyn_cast<FCmpInst>(&I)) {
      Type *Ty = Cmp->getOperand(0)->getType();
      if ((Ty->isFloatTy() || Ty->isDoubleTy()) && !endsLoop(*Cmp, Dom))
        Found.push_back({Cmp, WAYPOINT_FLOAT, 64, 1, "waypoint_cmp_float"});
    } else if (auto *Switch = dyn_cast<SwitchInst>(&I)) {
      uint32_t Width = Switch->getCondition()->getType()->getIntegerBitWidth();
      if (Width >= 8 && Width <= 64 && Switch->getNumCases())
        Found.push_back({Switch, WAYPOINT_CASE, Width, Switch->getNumCases(), "waypoint_cmp_switch"});
    } else if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (const char *Recorder = textRecorder(*Call))
        Found.push_back({Call, WAYPOINT_TEXT, 0, varyingLength(*Call) ? Lengths : 1, Recorder});
      else if (comparesStrings(*Call))
        Found.push_back({Call, WAYPOINT_TEXT, 0, 1, nullptr});
    }
  }
  return Found;
}

void waypoint::recordComparison(const Comparison &C, const Recorded &In, GlobalVariable *Array, uint64_t First,
                                Instruction *Before) {
  Module &M = *Array->getParent();
  IRBuilder<> Builder(Before);
  Type *Int64 = Builder.getInt64Ty();
  const char *Name = C.Recorder;
  SmallVector<Value *, 8> Arguments{slot(Array, First, sizeof(waypoint_cmp))};
  switch (C.Kind) {
  case WAYPOINT_EQUALITY:
    for (Value *V : C.At->operands()) Arguments.push_back(Builder.CreateZExt(V, Int64));
    break;
  case WAYPOINT_ORDER: {
    bool Signed = cast<ICmpInst>(C.At)->isSigned();
    for (Value *V : C.At->operands()) {
      Value *Wide = Signed ? Builder.CreateSExt(V, Int64) : Builder.CreateZExt(V, Int64);
      Arguments.push_back(Signed ? Builder.CreateXor(Wide, Builder.getInt64(1ull << 63)) : Wide);
    }
    break;
  }
  case WAYPOINT_FLOAT:
    for (Value *V : C.At->operands()) Arguments.push_back(Builder.CreateFPExt(V, Builder.getDoubleTy()));
    break;
  case WAYPOINT_CASE: {
    auto *Switch = cast<SwitchInst>(C.At);
    SmallVector<uint64_t, 32> Cases{Switch->getNumCases()};
    for (auto &Case : Switch->cases()) Cases.push_back(Case.getCaseValue()->getZExtValue());
    Constant *Init = ConstantDataArray::get(M.getContext(), Cases);
    auto *Table = new GlobalVariable(M, Init->getType(), true, GlobalValue::PrivateLinkage, Init, "waypoint_cases");
    GlobalVariable *Seen = slotArray(In, 1, sizeof(waypoint_switch), nullptr, "waypoint_switch");
    Value *Condition = Builder.CreateZExt(Switch->getCondition(), Int64);
    Arguments = {Seen, Condition, Table, Arguments[0]};
    break;
  }
  default: {
    auto *Call = cast<CallBase>(C.At);
    if (!Name) {
      Name = stringRecorder(*Call, Arguments);
      break;
    }
    if (Value *Length = varyingLength(*Call)) {
      // Of length 0 nothing is recorded, so it does not matter that this takes the last slot for it.
      Value *Wanted = Builder.CreateSub(Length, Builder.getInt64(1)), *Last = Builder.getInt64(Lengths - 1);
      Value *Which = Builder.CreateSelect(Builder.CreateICmpULT(Wanted, Last), Wanted, Last);
      Value *Offset = Builder.CreateMul(Which, Builder.getInt64(sizeof(waypoint_cmp)));
      Arguments[0] = Builder.CreateGEP(Builder.getInt8Ty(), Arguments[0], Offset);
    }
    append_range(Arguments, Call->args());
  }
  }
  SmallVector<Type *, 8> Types;
  for (Value *V : Arguments) Types.push_back(V->getType());
  FunctionCallee Recorder = M.getOrInsertFunction(Name, FunctionType::get(Builder.getVoidTy(), Types, false));
  Builder.CreateCall(Recorder, Arguments);
}
