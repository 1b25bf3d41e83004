// Entry of the pass plugin: which step runs at which point of clang's pipeline.
#include "passes.h"

#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Instrumentation/SanitizerCoverage.h"
#include <cstdlib>

using namespace llvm;

namespace {

// Without this attribute the optimiser turns branches into selects, and what the fuzzer should see is gone. clang sets
// it for -fsanitize=fuzzer-no-link, but that switches builtins off as well.
struct KeepBranches : PassInfoMixin<KeepBranches> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    for (Function &F : M)
      if (!F.isDeclaration()) F.addFnAttr(Attribute::OptForFuzzing);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

// What was inferred about functions no longer holds once they count: an LTO that believed it would drop calls and with
// them counts.
void admitWrites(const waypoint::Functions &All) {
  for (const auto &[F, What] : All) {
    F->removeFnAttr(Attribute::Memory);
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U)) Call->removeFnAttr(Attribute::Memory);
  }
}

// Runs last, so that the counters do not hinder the optimiser and are of the program as it will run; clang's own
// sanitizers come after it, because clang registers them after the plugins.
struct Instrument : PassInfoMixin<Instrument> {
  uint32_t Events;
  explicit Instrument(uint32_t Events) : Events(Events) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &AM) {
    if ((Events & waypoint::EdgeEvent) && waypoint::canRecord(M)) {
      SanitizerCoverageOptions Options;
      Options.CoverageType = SanitizerCoverageOptions::SCK_Edge;
      Options.TracePCGuard = true;
      SanitizerCoveragePass(Options).run(M, AM);
      waypoint::Functions All = waypoint::functionsWithCounters(M);
      admitWrites(All);
      if (Events & waypoint::AllocEvent) waypoint::recordAllocations(M, All);
      if (Events & waypoint::OutEvent) waypoint::recordOutput(M, All);
      if (Events & waypoint::StackEvent) waypoint::recordStack(M, All);
      // Before there are texts of ours.
      if (Events & waypoint::CmpEvent) waypoint::noteTexts(M);
      waypoint::makeVersions(M, All, Events);
      waypoint::describeFunctions(M, All, Events);
      waypoint::inlineRecorders(M);
    }
    // The wrapper switches clang's own coverage on, since only then does clang tell us of no_sanitize("coverage"); it
    // comes next and must find nothing to do.
    for (Function &F : M)
      if (!F.isDeclaration()) F.addFnAttr(Attribute::NoSanitizeCoverage);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

// The wrapper hands the events over in the environment: an -mllvm option would reach the assembler and the linker's
// LTO too, which do not know it.
uint32_t eventsToRecord() {
  const char *Bits = std::getenv("WAYPOINT_PLUGIN_EVENTS");
  return Bits ? static_cast<uint32_t>(std::strtoul(Bits, nullptr, 10)) : waypoint::EdgeEvent;
}

// Settings of the optimiser that have no attribute; they hold for this run of clang, and the user's own -mllvm wins.
const struct {
  const char *Name, *Value;
} Settings[] = {
    // Else what two branches have in common moves in front of them or behind them, and the line of neither is left in
    // its branch.
    {"sink-common-insts", "false"},
    {"hoist-common-insts", "false"},
    // Calls that look cold are hardly inlined (at a cost of 45 of the usual 225), but a fuzzer gets everywhere, and
    // every call it makes costs a counter besides: 4% of all instructions when cJSON parses.
    {"inline-cold-callsite-threshold", "100"},
};

void adjustOptimiser(PassBuilder &PB) {
  for (const auto &[Name, Value] : Settings)
    if (cl::Option *Option = cl::getRegisteredOptions().lookup(Name); Option && !Option->getNumOccurrences())
      Option->addOccurrence(0, Name, Value);
  // It does with stores what the first two do with other instructions.
  if (PassInstrumentationCallbacks *Callbacks = PB.getPassInstrumentationCallbacks())
    Callbacks->registerShouldRunOptionalPassCallback(
        [](StringRef Pass, Any) { return Pass != "MergedLoadStoreMotionPass"; });
}

void registerPasses(PassBuilder &PB) {
  uint32_t Events = eventsToRecord();
  if (!Events) return;
  adjustOptimiser(PB);
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(KeepBranches()); });
  PB.registerOptimizerLastEPCallback([Events](ModulePassManager &MPM, OptimizationLevel
#if LLVM_VERSION_MAJOR >= 20
                                              ,
                                              ThinOrFullLTOPhase
#endif
                                     ) { MPM.addPass(Instrument(Events)); });
}

} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  PassPluginLibraryInfo Info{};
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "waypoint";
  Info.PluginVersion = LLVM_VERSION_STRING;
  Info.RegisterPassBuilderCallbacks = registerPasses;
  return Info;
}
