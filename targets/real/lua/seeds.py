"""Seeds of the Lua compiler: a function, a table, a loop and a comment."""

SEEDS: dict[str, bytes] = {
    "function.lua": b"local function f(a, ...)\n  return a == nil and 'x' or f(...)\nend\n",
    "table.lua": b"t = {1, a = 2, [3] = {}}; t.b = #t .. [[c]]\n",
    "loop.lua": b"for i = 1, 2 do -- d\n  if i ~= 1 then break end\nend\n",
}
