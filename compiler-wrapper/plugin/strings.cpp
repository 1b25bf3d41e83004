// Event `cmp`: calls that compare a std::string in code that libstdc++ has compiled.
//
// Up to C++17 `string == "text"` is such a call, since the header declares these templates as instantiated elsewhere.
// libc++ and later standards have the comparison inlined, down to a memcmp.
#include "comparisons.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "waypoint_abi.h"

using namespace llvm;
using namespace waypoint;

namespace {

constexpr StringLiteral Class = "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";

// Which argument says what; 0, the string itself, stands for none.
struct Method {
  const char *Name, *Signature;
  unsigned From, Count, Other, Length;
  bool IsString, Finds;
};

const Method Methods[] = {
    {"7compareEPKc", "ipp", 0, 0, 1, 0, false, false},
    {"7compareERKS4_", "ipp", 0, 0, 1, 0, true, false},
    {"7compareEmmPKc", "ipzzp", 1, 2, 3, 0, false, false},
    {"7compareEmmPKcm", "ipzzpz", 1, 2, 3, 4, false, false},
    {"7compareEmmRKS4_", "ipzzp", 1, 2, 3, 0, true, false},
    {"4findEPKcm", "zppz", 2, 0, 1, 0, false, true},
    {"4findEPKcmm", "zppzz", 2, 0, 1, 3, false, true},
    {"4findERKS4_m", "zppz", 2, 0, 1, 0, true, true},
};

const Method *methodOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration()) return nullptr;
  StringRef Name = Callee->getName();
  if (!Name.consume_front(Class)) return nullptr;
  for (const Method &M : Methods)
    if (Name == M.Name) return hasSignature(*Callee->getFunctionType(), M.Signature) ? &M : nullptr;
  return nullptr;
}

} // namespace

bool waypoint::comparesStrings(const CallBase &Call) { return methodOf(Call); }

const char *waypoint::stringRecorder(const CallBase &Call, SmallVectorImpl<Value *> &Arguments) {
  const Method &M = *methodOf(Call);
  Type *Int64 = Type::getInt64Ty(Call.getContext()), *Int32 = Type::getInt32Ty(Call.getContext());
  auto Given = [&](unsigned Argument, uint64_t Else) -> Value * {
    return Argument ? Call.getArgOperand(Argument) : ConstantInt::get(Int64, Else);
  };
  auto Kind = M.IsString ? WAYPOINT_OTHER_STRING : M.Length ? WAYPOINT_OTHER_BYTES : WAYPOINT_OTHER_TEXT;
  Arguments.append({Call.getArgOperand(0), Given(M.From, 0)});
  if (!M.Finds) Arguments.push_back(Given(M.Count, UINT64_MAX));
  Arguments.append({Call.getArgOperand(M.Other), Given(M.Length, 0), ConstantInt::get(Int32, Kind)});
  return M.Finds ? "waypoint_cmp_standard_find" : "waypoint_cmp_standard";
}
