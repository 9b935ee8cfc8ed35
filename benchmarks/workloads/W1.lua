-- Counts from `start`; returns how many additions that took.
function run(input)
  local start = input.start
  local stop = start + 1000000
  local i = start
  local c = true
  while c do
    i = i + 1
    c = i < stop
  end
  return i - start
end
