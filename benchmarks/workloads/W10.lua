-- Ten steps.
function run(input)
  local x = input.x
  local a = x + 5
  local b = a * 3
  local p = b < 100
  local tier = p and "low" or "high"
  local k = "user_" .. tier
  local o = { id = x }
  o.name = k
  local g = o.name
  return g and o or nil
end
