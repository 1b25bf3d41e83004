// Event `out`: behind every direct call of a function that writes, a recorder hears where to and how much.
#include "passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "waypoint_abi.h"

using namespace llvm;
using namespace waypoint;

namespace {

// What was written.
enum class Amount {
  Result,   // as many bytes as the function says
  Items,    // as many items as it says, of the size in argument 1
  Byte,     // one, unless it failed
  Text,     // the text in argument 0, unless it failed
  Line,     // the same and a line feed
  Second,   // the text in argument 1
  Argument, // as many bytes as argument 2 says
  String,   // the std::string in argument 1
};

struct Writer {
  const char *Name;
  const char *Signature; // see hasSignature
  uint32_t Kind;         // enum waypoint_sink
  unsigned Sink;         // the argument that says where to
  Amount Much;
};

constexpr uint32_t FD = WAYPOINT_DESCRIPTOR, FILEP = WAYPOINT_STREAM, STDOUT = WAYPOINT_STANDARD_OUTPUT,
                   COUT = WAYPOINT_OSTREAM;

const Writer Writers[] = {
    {"write", "zipz", FD, 0, Amount::Result},
    {"pwrite", "zipzz", FD, 0, Amount::Result},
    {"pwrite64", "zipzz", FD, 0, Amount::Result},
    {"writev", "zipi", FD, 0, Amount::Result},
    {"pwritev", "zipiz", FD, 0, Amount::Result},
    {"pwritev64", "zipiz", FD, 0, Amount::Result},
    {"send", "zipzi", FD, 0, Amount::Result},
    {"sendto", "zipzipi", FD, 0, Amount::Result},
    {"sendmsg", "zipi", FD, 0, Amount::Result},
    {"sendfile", "ziipz", FD, 0, Amount::Result},
    {"sendfile64", "ziipz", FD, 0, Amount::Result},
    {"dprintf", "iip.", FD, 0, Amount::Result},
    {"vdprintf", "iipp", FD, 0, Amount::Result},
    {"__dprintf_chk", "iiip.", FD, 0, Amount::Result},
    {"__vdprintf_chk", "iiipp", FD, 0, Amount::Result},
    {"fwrite", "zpzzp", FILEP, 3, Amount::Items},
    {"fwrite_unlocked", "zpzzp", FILEP, 3, Amount::Items},
    {"fputs", "ipp", FILEP, 1, Amount::Text},
    {"fputs_unlocked", "ipp", FILEP, 1, Amount::Text},
    {"fputc", "iip", FILEP, 1, Amount::Byte},
    {"fputc_unlocked", "iip", FILEP, 1, Amount::Byte},
    {"putc", "iip", FILEP, 1, Amount::Byte},
    {"putc_unlocked", "iip", FILEP, 1, Amount::Byte},
    {"_IO_putc", "iip", FILEP, 1, Amount::Byte},
    {"fprintf", "ipp.", FILEP, 0, Amount::Result},
    {"vfprintf", "ippp", FILEP, 0, Amount::Result},
    {"__fprintf_chk", "ipip.", FILEP, 0, Amount::Result},
    {"__vfprintf_chk", "ipipp", FILEP, 0, Amount::Result},
    {"puts", "ip", STDOUT, 0, Amount::Line},
    {"putchar", "ii", STDOUT, 0, Amount::Byte},
    {"putchar_unlocked", "ii", STDOUT, 0, Amount::Byte},
    {"printf", "ip.", STDOUT, 0, Amount::Result},
    {"vprintf", "ipp", STDOUT, 0, Amount::Result},
    {"__printf_chk", "iip.", STDOUT, 0, Amount::Result},
    {"__vprintf_chk", "iipp", STDOUT, 0, Amount::Result},
    // libstdc++: std::ostream::write and put, and operator<< of characters and texts.
    {"_ZNSo5writeEPKcl", "pppz", COUT, 0, Amount::Argument},
    {"_ZNSo3putEc", "pp?", COUT, 0, Amount::Byte},
    {"_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", "pppz", COUT, 0, Amount::Argument},
    {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "ppp", COUT, 0, Amount::Second},
    {"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", "pp?", COUT, 0, Amount::Byte},
    {"_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_", "pp", COUT, 0, Amount::Byte},
    {"_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE", "ppp", COUT,
     0, Amount::String},
};

const Writer *writerOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Call.isMustTailCall()) return nullptr;
  for (const Writer &W : Writers)
    if (Callee->getName() == W.Name) return hasSignature(*Callee->getFunctionType(), W.Signature) ? &W : nullptr;
  return nullptr;
}

// The first instruction after the call has returned.
Instruction *behind(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke) return Call.getNextNode();
  BasicBlock *Next = SplitEdge(Invoke->getParent(), Invoke->getNormalDest());
  return &*Next->getFirstInsertionPt();
}

void recordOne(CallBase &Call, const Writer &W) {
  Module &M = *Call.getModule();
  IRBuilder<> Builder(behind(Call));
  Builder.SetCurrentDebugLocation(Call.getDebugLoc());
  Type *Int64 = Builder.getInt64Ty(), *Pointer = Builder.getPtrTy();
  Value *Kind = Builder.getInt32(W.Kind), *Sink = ConstantPointerNull::get(Builder.getPtrTy());
  if (W.Kind == FD)
    Sink = Builder.CreateIntToPtr(Builder.CreateSExt(Call.getArgOperand(W.Sink), Int64), Pointer);
  else if (W.Kind != STDOUT)
    Sink = Call.getArgOperand(W.Sink);
  auto Result = [&]() -> Value * {
    // Those that return their stream do not tell of a failure.
    return Call.getType()->isPointerTy() ? Builder.getInt64(0) : Builder.CreateSExtOrTrunc(&Call, Int64);
  };
  auto Bytes = [&](Value *Much) {
    FunctionCallee Recorder =
        M.getOrInsertFunction("waypoint_out", Builder.getVoidTy(), Builder.getInt32Ty(), Pointer, Int64);
    Builder.CreateCall(Recorder, {Kind, Sink, Much});
  };
  auto Text = [&](unsigned Argument, uint64_t More) {
    FunctionCallee Recorder = M.getOrInsertFunction("waypoint_out_text", Builder.getVoidTy(), Builder.getInt32Ty(),
                                                    Pointer, Int64, Pointer, Int64);
    Builder.CreateCall(Recorder, {Kind, Sink, Result(), Call.getArgOperand(Argument), Builder.getInt64(More)});
  };
  switch (W.Much) {
  case Amount::Result:
    return Bytes(Result());
  case Amount::Items:
    return Bytes(Builder.CreateMul(Result(), Call.getArgOperand(1)));
  case Amount::Byte:
    return Bytes(Builder.CreateZExt(Builder.CreateICmpSGE(Result(), Builder.getInt64(0)), Int64));
  case Amount::Text:
    return Text(0, 0);
  case Amount::Line:
    return Text(0, 1);
  case Amount::Second:
    return Text(1, 0);
  case Amount::Argument:
    return Bytes(Call.getArgOperand(2));
  case Amount::String: {
    // A pointer to the text, then its length.
    Value *Length = Builder.CreateConstInBoundsGEP1_64(Int64, Call.getArgOperand(1), 1);
    return Bytes(Builder.CreateLoad(Int64, Length));
  }
  }
}

} // namespace

void waypoint::recordOutput(Module &, Functions &In) {
  for (auto &[F, Recorded] : In) {
    SmallVector<std::pair<CallBase *, const Writer *>, 8> Calls;
    for (Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Writer *W = writerOf(*Call)) Calls.push_back({Call, W});
    for (auto [Call, W] : Calls) recordOne(*Call, *W);
  }
}
