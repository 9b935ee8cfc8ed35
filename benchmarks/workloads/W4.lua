-- Builds a record per id, keeps those with a high score, sorts them by name, last name first.
function run(input)
  local rows = {}
  local g1 = 0
  for _, i in ipairs(input.ids) do
    local name = "user_" .. i
    local t = i * 7919
    local q = t // 100
    q = q * 100
    local sc = t - q
    local r = { id = i }
    r.name = name
    r.score = sc
    g1 = r.id
    rows[#rows + 1] = r
  end
  local f = {}
  for _, row in ipairs(rows) do
    if row.score >= 50 then
      f[#f + 1] = row
    end
  end
  table.sort(f, function(a, b)
    return a.name > b.name
  end)
  observed = g1
  return #f
end
