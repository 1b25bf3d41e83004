// Tells functions of the C and C++ libraries from others of the same name.
#include "passes.h"

#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

static char letterOf(const Type &Ty) {
  if (Ty.isVoidTy()) return 'v';
  if (Ty.isPointerTy()) return 'p';
  return Ty.isIntegerTy(64) ? 'z' : Ty.isIntegerTy(32) ? 'i' : '?';
}

bool waypoint::hasSignature(const FunctionType &Ty, StringRef Signature) {
  std::string Own(1, letterOf(*Ty.getReturnType()));
  for (const Type *Parameter : Ty.params()) Own += letterOf(*Parameter);
  if (Ty.isVarArg()) Own += '.';
  return Signature == Own;
}
