-- A short run of a bit of everything; the labels that the program calls are functions.
local function tierOf(low)
  return low and "low" or "high"
end

local function sumOf(a, b, d)
  local w = a + b
  return w + d
end

function run(input)
  local x = input.x
  local a = x + 5
  local b = a * 3
  local d = b - x
  local p = d < 100
  local tier = tierOf(p)
  local name = "bob"
  local k = "user_" .. name
  local o = { id = x }
  o.name = k
  o.tier = tier
  local g = o.name
  local e = g == "user_bob"
  local ok = e and a + 1 or a + 2
  local l = {}
  l[#l + 1] = a
  l[#l + 1] = b
  l[#l + 1] = d
  local n = #l
  local z = n + d
  z = z * 2
  local sum = sumOf(a, b, d)
  local h = o.tier
  o.y = h .. "-done"
  o.sum = sum
  observed = ok + z
  return o
end
