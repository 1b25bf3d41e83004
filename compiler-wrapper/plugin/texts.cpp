// Notes the texts among a module's constants, which the engine tries as words of the input's language.
#include "passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

// No word is longer, and no text in which words are packed, which holds nothing else.
constexpr size_t Longest = 32, LongestPacked = 4096;

bool isGraphic(char C) { return C > ' ' && C <= '~'; }
bool isLetter(char C) { return isAlpha(C) || C == '_'; }

bool mayHoldWords(StringRef Text) {
  return (Text.size() <= Longest && all_of(Text, isGraphic)) || (Text.size() <= LongestPacked && all_of(Text, isLetter));
}

// The texts of an initial value, sorted: whatever stands between zeros in arrays of bytes, however deep.
void collect(const Constant *C, std::set<std::string> &Into) {
  if (auto *Bytes = dyn_cast<ConstantDataArray>(C)) {
    if (!Bytes->isString(8)) return;
    SmallVector<StringRef, 8> Parts;
    Bytes->getAsString().split(Parts, '\0', -1, /*KeepEmpty=*/false);
    for (StringRef Part : Parts)
      if (mayHoldWords(Part)) Into.insert(Part.str());
  } else if (isa<ConstantArray>(C) || isa<ConstantStruct>(C)) {
    for (const Use &Element : C->operands()) collect(cast<Constant>(Element), Into);
  }
}

} // namespace

void waypoint::noteTexts(Module &M) {
  std::set<std::string> Found;
  for (const GlobalVariable &G : M.globals())
    if (G.hasInitializer() && !G.hasSection()) collect(G.getInitializer(), Found);
  if (Found.empty()) return;
  std::string All;
  for (const std::string &Text : Found) (All += Text) += '\0';
  Constant *Init = ConstantDataArray::getString(M.getContext(), All, /*AddNull=*/false);
  auto *G = new GlobalVariable(M, Init->getType(), true, GlobalValue::PrivateLinkage, Init, "waypoint_texts");
  G->setSection("waypoint_texts");
  G->setAlignment(Align(1));
  // Redzones would tear them apart.
  GlobalValue::SanitizerMetadata Plain{};
  Plain.NoAddress = Plain.NoHWAddress = true;
  G->setSanitizerMetadata(Plain);
  // Nothing refers to them, and no function is theirs.
  appendToUsed(M, {G});
}
