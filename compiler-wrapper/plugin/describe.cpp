// Writes the records of runtime/include/waypoint_abi.h: one for every function with counters, and its lines.
#include "lines.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "waypoint_abi.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include <cstddef>

using namespace llvm;
using namespace waypoint;

namespace {

class Describer {
public:
  Describer(Module &M, uint32_t Events) : M(M), Events(Events), Int32(Type::getInt32Ty(M.getContext())) {}

  void describe(Function &F, const Recorded &What) {
    const Lines &Found = What.LinesOfCounters;
    GlobalVariable *Array = What.Counters.front().Array;
    GlobalVariable *Table = Found.empty() ? nullptr : lineTable(Found, Array);
    GlobalVariable *Record = wordsLike(Array, sizeof(waypoint_function) / 4, "waypoint_function");
    Record->setSection("waypoint_fns");
    using R = waypoint_function;
    auto At = [&](GlobalVariable *To, uint64_t Field) { return To ? offset(To, Record, Field) : word(0); };
    const Slots &Cmps = What.Comparisons, &Allocs = What.Allocations;
    setWords(Record, {
                         At(Array, offsetof(R, counters)),
                         word(cast<ArrayType>(Array->getValueType())->getNumElements()),
                         At(Table, offsetof(R, lines)),
                         word(Found.size()),
                         At(text(F.getName()), offsetof(R, name)),
                         word(Events),
                         At(Cmps.Array, offsetof(R, cmps)),
                         word(Cmps.Sites.size()),
                         At(siteTable(Cmps, Array), offsetof(R, cmp_sites)),
                         At(Allocs.Array, offsetof(R, allocs)),
                         word(Allocs.Sites.size()),
                         At(siteTable(Allocs, Array), offsetof(R, alloc_sites)),
                         At(What.Stack, offsetof(R, stack)),
                         At(What.Steps.Array, offsetof(R, steps)),
                         word(What.Steps.Count),
                         At(arrivalTable(What.Steps, Array), offsetof(R, arrivals)),
                     });
    Records.push_back(Record);
  }

  // Nothing refers to a record: the compiler must keep it, while the linker may drop it together with its function.
  void keepRecords() { appendToCompilerUsed(M, Records); }

private:
  Module &M;
  uint32_t Events;
  Type *Int32;
  StringMap<GlobalVariable *> Texts;
  SmallVector<GlobalValue *, 32> Records;

  static_assert(sizeof(waypoint_function) == 64 && sizeof(waypoint_line) == 12 && sizeof(waypoint_site) == 16 &&
                    sizeof(waypoint_arrivals) == 8,
                "records are arrays of words");

  Constant *word(uint64_t Value) { return ConstantInt::get(Int32, Value); }

  // The distance from the word at `At` bytes into `From` to `To`, which needs no relocation when the object is loaded.
  Constant *offset(GlobalVariable *To, GlobalVariable *From, uint64_t At) {
    Type *Int64 = Type::getInt64Ty(M.getContext()), *Int8 = Type::getInt8Ty(M.getContext());
    // Only an inbounds address lets LLVM see that the difference is a constant, and the record read-only.
    Constant *Field = ConstantExpr::getInBoundsGetElementPtr(Int8, From, ConstantInt::get(Int64, At));
    Constant *Distance =
        ConstantExpr::getSub(ConstantExpr::getPtrToInt(To, Int64), ConstantExpr::getPtrToInt(Field, Int64));
    return ConstantExpr::getTrunc(Distance, Int32);
  }

  GlobalVariable *constant(Type *Ty, Constant *Init, const Twine &Name) {
    auto *G = new GlobalVariable(M, Ty, true, GlobalValue::PrivateLinkage, Init, Name);
    // Redzones around them would tear the records apart.
    GlobalValue::SanitizerMetadata Plain{};
    Plain.NoAddress = Plain.NoHWAddress = true;
    G->setSanitizerMetadata(Plain);
    return G;
  }

  // An array of words that the linker keeps, drops and merges together with the counters.
  GlobalVariable *wordsLike(GlobalVariable *Array, uint64_t Count, const Twine &Name) {
    Type *Ty = ArrayType::get(Int32, Count);
    GlobalVariable *G = constant(Ty, Constant::getNullValue(Ty), Name);
    G->setAlignment(Align(4));
    G->setComdat(Array->getComdat());
    if (MDNode *Owner = Array->getMetadata(LLVMContext::MD_associated))
      G->setMetadata(LLVMContext::MD_associated, Owner);
    return G;
  }

  void setWords(GlobalVariable *G, ArrayRef<Constant *> Words) {
    G->setInitializer(ConstantArray::get(cast<ArrayType>(G->getValueType()), Words));
  }

  GlobalVariable *text(StringRef Text) {
    GlobalVariable *&G = Texts[Text];
    if (!G) {
      Constant *Init = ConstantDataArray::getString(M.getContext(), Text);
      G = constant(Init->getType(), Init, "waypoint_text");
      G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
      G->setAlignment(Align(1));
    }
    return G;
  }

  GlobalVariable *lineTable(const Lines &Found, GlobalVariable *Array) {
    GlobalVariable *Table = wordsLike(Array, Found.size() * 3, "waypoint_lines");
    SmallVector<Constant *, 96> Words;
    for (const auto &[Index, Path, Line] : Found) {
      uint64_t Start = Words.size() * sizeof(uint32_t);
      Words.push_back(word(Index));
      Words.push_back(word(Line));
      Words.push_back(offset(text(Path), Table, Start + offsetof(waypoint_line, file)));
    }
    setWords(Table, Words);
    return Table;
  }

  GlobalVariable *siteTable(const Slots &Of, GlobalVariable *Array) {
    if (Of.Sites.empty()) return nullptr;
    GlobalVariable *Table = wordsLike(Array, Of.Sites.size() * 4, "waypoint_sites");
    SmallVector<Constant *, 64> Words;
    for (const Site &S : Of.Sites) {
      uint64_t Start = Words.size() * sizeof(uint32_t);
      const DILocation *L = S.At.get();
      while (L && !L->getLine() && L->getInlinedAt()) L = L->getInlinedAt();
      std::string Path = L ? pathOf(L->getFile()) : std::string();
      Words.push_back(word(S.Kind));
      Words.push_back(word(S.Width));
      Words.push_back(word(L ? L->getLine() : 0));
      Words.push_back(Path.empty() ? word(0) : offset(text(Path), Table, Start + offsetof(waypoint_site, file)));
    }
    setWords(Table, Words);
    return Table;
  }

  GlobalVariable *arrivalTable(const Transitions &Of, GlobalVariable *Array) {
    if (!Of.Array) return nullptr;
    GlobalVariable *Table = wordsLike(Array, Of.Into.size() * 2, "waypoint_arrivals");
    SmallVector<Constant *, 64> Words;
    for (const Arrivals &Into : Of.Into) {
      Words.push_back(word(Into.First));
      Words.push_back(word(Into.Lowest));
    }
    setWords(Table, Words);
    return Table;
  }
};

ConstantExpr *expression(Value *V, unsigned Opcode) {
  auto *E = dyn_cast<ConstantExpr>(V);
  return E && E->getOpcode() == Opcode ? E : nullptr;
}

// LLVM 19 writes an element's address as integer arithmetic, later versions as a getelementptr.
std::pair<GlobalVariable *, uint64_t> elementOf(Value *Address, const DataLayout &DL) {
  APInt Offset(64, 0);
  if (ConstantExpr *Cast = expression(Address, Instruction::IntToPtr))
    if (ConstantExpr *Sum = expression(Cast->getOperand(0), Instruction::Add))
      if (ConstantExpr *Start = expression(Sum->getOperand(0), Instruction::PtrToInt)) {
        Offset = cast<ConstantInt>(Sum->getOperand(1))->getValue();
        Address = Start->getOperand(0);
      }
  Value *Base = Address->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  return {dyn_cast<GlobalVariable>(Base), Offset.getZExtValue() / sizeof(uint32_t)};
}

} // namespace

SmallVector<Counter, 32> waypoint::countersOf(Function &F) {
  SmallVector<Counter, 32> Found;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName() == "__sanitizer_cov_trace_pc_guard") {
        auto [Array, Index] = elementOf(Call->getArgOperand(0), F.getParent()->getDataLayout());
        if (Array) Found.push_back({Call, Array, Index});
      }
  return Found;
}

Functions waypoint::functionsWithCounters(Module &M) {
  Functions Found;
  for (Function &F : M)
    if (auto Counters = countersOf(F); !Counters.empty()) {
      Found[&F].Counters = std::move(Counters);
      Found[&F].LinesOfCounters = linesOf(F, Found[&F].Counters);
    }
  return Found;
}

void waypoint::describeFunctions(Module &M, const Functions &All, uint32_t Events) {
  Describer Out(M, Events);
  for (const auto &[F, What] : All) Out.describe(*F, What);
  Out.keepRecords();
}
