-- A Fibonacci number by double recursion over two shared variables.
function run(input)
  local n = 25
  local acc = input.base
  local function descend()
    if n < 2 then
      acc = acc + n
      return
    end
    n = n - 1
    descend()
    n = n - 1
    descend()
    n = n + 2
  end
  descend()
  return acc - input.base
end
