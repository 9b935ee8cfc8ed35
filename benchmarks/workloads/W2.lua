-- The sum of all products, each row of them collected in a list of its own.
function run(input)
  local s = 0
  local tot = 0
  for _, x in ipairs(input.xs) do
    local m = {}
    for _, y in ipairs(input.ys) do
      local t = x * y
      s = s + t
      m[#m + 1] = t
    end
    tot = tot + #m
  end
  observed = tot
  return s
end
