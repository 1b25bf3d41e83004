// Compiles the input as a script of AngelScript, which is not run.
#include <angelscript.h>

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;  // which would stand for a text that ends with a zero
  asIScriptEngine *engine = asCreateScriptEngine();
  if (engine == nullptr) return 0;
  engine->SetEngineProperty(asEP_INIT_GLOBAL_VARS_AFTER_BUILD, 0);
  asIScriptModule *module = engine->GetModule("input", asGM_ALWAYS_CREATE);
  module->AddScriptSection("input", reinterpret_cast<const char *>(data), size);
  module->Build();
  engine->ShutDownAndRelease();
  return 0;
}
