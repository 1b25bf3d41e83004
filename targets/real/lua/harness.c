// Compiles the input as a Lua chunk, and does not run it.
#include <lauxlib.h>
#include <lua.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  lua_State *state = luaL_newstate();
  if (state == NULL) return 0;
  luaL_loadbufferx(state, (const char *)data, size, "=input", "t");
  lua_close(state);
  return 0;
}
