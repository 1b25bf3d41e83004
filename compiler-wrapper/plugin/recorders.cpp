// Puts the recorders, which are C compiled to bitcode, into a module in place of the calls that
// SanitizerCoverage makes.
#include "passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

// The bitcode is part of the plugin, so that the plugin is one file and the two always fit.
asm(".pushsection .rodata\n"
    "waypoint_recorders_start: .incbin \"" WAYPOINT_RECORDERS_BC "\"\n"
    "waypoint_recorders_end:\n"
    ".popsection");
extern "C" const char waypoint_recorders_start[] __attribute__((visibility("hidden")));
extern "C" const char waypoint_recorders_end[] __attribute__((visibility("hidden")));

namespace {

// Recorders that are inlined.
const StringLiteral Recorders[] = {"__sanitizer_cov_trace_pc_guard", "__sanitizer_cov_trace_pc_guard_init",
                                   "waypoint_cmp_equality", "waypoint_cmp_order", "waypoint_cmp_switch",
                                   "waypoint_cmp_memory", "waypoint_cmp_string", "waypoint_cmp_string_n",
                                   "waypoint_cmp_string_case", "waypoint_cmp_string_case_n", "waypoint_transition",
                                   "waypoint_deep"};

// Helpers, which are called, and the side that the engine switches: a linked object keeps one of each.
bool isShared(const GlobalObject &G) {
  return !G.isDeclaration() && (G.getName().starts_with("waypoint_") || G.getName().starts_with("__waypoint_"));
}

void shareAmongUnits(GlobalObject &G) {
  G.setLinkage(GlobalValue::LinkOnceODRLinkage);
  G.setComdat(G.getParent()->getOrInsertComdat(G.getName()));
}

std::unique_ptr<Module> loadRecorders(const Module &For) {
  StringRef Bitcode(waypoint_recorders_start, waypoint_recorders_end - waypoint_recorders_start);
  auto Parsed = parseBitcodeFile(MemoryBufferRef(Bitcode, "waypoint recorders"), For.getContext());
  if (!Parsed) report_fatal_error(Parsed.takeError());
  std::unique_ptr<Module> M = std::move(*Parsed);
  // What is said about the whole module is for the target's own module to say.
  M->setTargetTriple(For.getTargetTriple());
  M->setDataLayout(For.getDataLayout());
  for (NamedMDNode &Node : make_early_inc_range(M->named_metadata())) M->eraseNamedMetadata(&Node);
  for (const char *Name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *Used = M->getGlobalVariable(Name)) Used->eraseFromParent();
  // Sanitizers, which run after us, must not check what the recorders do.
  MDNode *NoSanitize = MDNode::get(M->getContext(), {});
  for (Function &F : *M)
    for (BasicBlock &BB : F)
      for (Instruction &I : BB)
        I.setMetadata(LLVMContext::MD_nosanitize, NoSanitize);
  for (Function &F : *M)
    if (isShared(F) && !is_contained(Recorders, F.getName())) shareAmongUnits(F);
  for (GlobalVariable &G : M->globals())
    if (isShared(G)) shareAmongUnits(G);
  return M;
}

void inlineCallsOf(Function &Recorder) {
  for (User *U : make_early_inc_range(Recorder.users()))
    if (auto *Call = dyn_cast<CallInst>(U)) {
      // By hand rather than with a pass: this ignores optnone and noinline, and merges no attributes into the caller.
      InlineFunctionInfo Info;
      InlineFunction(*Call, Info);
    }
}

} // namespace

bool waypoint::canRecord(const Module &M) {
  // Code for another machine (-m32, an offload target) cannot run the recorders' bitcode.
  Triple Target(M.getTargetTriple());
#if defined(__x86_64__)
  if (Target.getArch() != Triple::x86_64 || Target.isX32()) return false;
#else
  if (Target.getArch() != Triple::aarch64) return false;
#endif
  // A module that defines a recorder is part of an instrumentation runtime; one that has the constructor came to us as
  // bitcode and is instrumented already.
  for (StringRef Name : Recorders)
    if (const Function *F = M.getFunction(Name); F && !F->isDeclaration()) return false;
  return !M.getFunction("sancov.module_ctor_trace_pc_guard");
}

void waypoint::inlineRecorders(Module &M) {
  if (Linker::linkModules(M, loadRecorders(M), Linker::LinkOnlyNeeded))
    report_fatal_error("waypoint: cannot link the recorders into this module; please report it");
  for (StringRef Name : Recorders) {
    Function *Recorder = M.getFunction(Name);
    if (!Recorder) continue;
    inlineCallsOf(*Recorder);
    // Whatever still calls it keeps a copy of its own.
    Recorder->setLinkage(GlobalValue::InternalLinkage);
    Recorder->setVisibility(GlobalValue::DefaultVisibility);
    if (Recorder->use_empty()) Recorder->eraseFromParent();
  }
}
